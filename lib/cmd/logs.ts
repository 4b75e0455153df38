/**
 * `logs`: a session's output from the log on disk. The bytes are handed out as they are, with what happened to the
 * terminal between them; whoever asked makes text of them.
 */
import { CodedError } from '../base/errors.ts';
import { runs } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import { integer } from './define.ts';
import type { LogChange, LogSource, StreamPort } from './drive-port.ts';
import type { CommandContext, ParsedArgs } from './spec.ts';
import { streamOf } from './stream.ts';
import { findSession } from './target.ts';

/** Bytes handed out at a time: far below a frame's limit, and soon written. */
const PIECE = 128 * 1024;
/** Output is waited for so long after a piece that ended the log: a flood comes in thousands of pieces. */
const REST_MS = 20;
/** Looked back at most for lines of text: programs that draw by moving the cursor write none. */
const MAX_TAIL = 16 * 1024 * 1024;
/** Line ends before the last lines that are read too: what is above them on the screen may have been drawn first. */
const LINES_BEFORE = 200;

/** What is told between the bytes, as a line of JSON each. */
export type LogNote =
  | { readonly note: 'begin'; readonly session_id: string; readonly offset: number }
  /** Output is missing: the next byte is that of `offset`. */
  | { readonly note: 'gap'; readonly offset: number }
  /** Everything that was there has been handed out: what follows is new. */
  | { readonly note: 'now' }
  | { readonly note: 'size'; readonly cols: number; readonly rows: number; readonly start: boolean };

/** Hands out the log. Throws CodedError. */
export async function logsCommand(context: CommandContext, args: ParsedArgs): Promise<void> {
  if (args.has('raw') && args.has('text'))
    throw new CodedError('usage', 'logs: --raw and --text exclude each other');
  const stream = streamOf(context, 'logs');
  const session = findSession(context, args.rest[0]);
  const log = context.host.drive.log(session);
  const lines = args.value('n');
  const from = args.value('offset');
  const offset =
    from !== undefined
      ? offsetOf(from)
      : lines === undefined
        ? log.range().start
        : await tail(context, log, integer('logs', 'lines', lines), args.has('raw'));
  await new LogStream(context, session, log, stream).run(offset, args.has('f'));
}

function offsetOf(text: string): number {
  const offset = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(offset)) return offset;
  throw new CodedError('usage', `logs: '${text.slice(0, 40)}' is no offset`);
}

/** Where to begin so that the last lines are read: exactly there for bytes, well before for text. */
async function tail(context: CommandContext, log: LogSource, lines: number, isRaw: boolean): Promise<number> {
  const { start, end } = log.range();
  const last = log.read(end - 1, 1)?.bytes[0];
  // A line end at the very end ends the last line, and begins none.
  let wanted = lines + (last === 0x0a ? 1 : 0) + (isRaw ? 0 : LINES_BEFORE);
  if (lines === 0) return end;
  const floor = isRaw ? start : Math.max(start, end - MAX_TAIL);
  for (let to = end; to > floor;) {
    const from = Math.max(floor, to - PIECE);
    const bytes = Buffer.concat(bytesBetween(log, from, to));
    for (let at = bytes.lastIndexOf(0x0a); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0x0a, at - 1)) {
      if (--wanted === 0) return to - bytes.length + at + 1;
    }
    to = from;
    // Others have their turn: a log may be large, and have few lines.
    await pause(context, 0);
  }
  return floor;
}

function bytesBetween(log: LogSource, from: number, to: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = from; at < to;) {
    const piece = log.read(at, to - at);
    if (!piece || piece.offset >= to) break;
    const bytes = piece.bytes.subarray(0, to - piece.offset);
    pieces.push(bytes);
    at = piece.offset + bytes.length;
  }
  return pieces;
}

class LogStream {
  readonly #context: CommandContext;
  readonly #session: SessionRecord;
  readonly #log: LogSource;
  readonly #stream: StreamPort;
  #changes: readonly LogChange[] = [];
  #nextChange = 0;

  constructor(context: CommandContext, session: SessionRecord, log: LogSource, stream: StreamPort) {
    this.#context = context;
    this.#session = session;
    this.#log = log;
    this.#stream = stream;
  }

  /** Until the end of the log; with `follows` while the program runs and somebody reads. */
  async run(offset: number, follows: boolean): Promise<void> {
    const { gone } = this.#context;
    let at = offset;
    let isNew = false;
    this.#note({ note: 'begin', session_id: this.#session.id, offset });
    this.#begin(offset);
    // One that does not follow ends where the log ended when it came: a flood would not let it go.
    const end = follows ? Infinity : this.#log.range().end;
    while (!gone.aborted) {
      // Looked up before reading: what was written before its end is read after it.
      const isOver = !follows || !runs(this.#session);
      const next = await this.#piece(at, end);
      if (next === undefined) return;
      if (next > at) at = next;
      else if (isOver) return;
      else {
        if (!isNew) this.#note({ note: 'now' });
        isNew = true;
        await this.#more(at);
      }
    }
  }

  /** Hands out what begins at `at`; the offset behind it, or undefined where nobody takes it. */
  async #piece(at: number, end: number): Promise<number | undefined> {
    const piece = at < end ? this.#log.read(at, Math.min(PIECE, end - at)) : undefined;
    if (!piece) return at;
    if (piece.offset > at) this.#note({ note: 'gap', offset: piece.offset });
    this.#tellChanges(piece.offset);
    const next = this.#changes[this.#nextChange]?.offset ?? Infinity;
    const bytes = piece.bytes.subarray(0, Math.max(1, Math.min(piece.bytes.length, next - piece.offset)));
    return (await this.#stream.send(bytes)) ? piece.offset + bytes.length : undefined;
  }

  /** The size that the terminal had at `offset`. */
  #begin(offset: number): void {
    this.#changes = this.#log.changes();
    const next = this.#changes.findIndex(change => change.offset > offset);
    this.#nextChange = next < 0 ? this.#changes.length : next;
    const size = this.#changes[this.#nextChange - 1];
    if (size) this.#note({ note: 'size', cols: size.cols, rows: size.rows, start: true });
  }

  #tellChanges(offset: number): void {
    for (; this.#nextChange < this.#changes.length; this.#nextChange++) {
      const change = this.#changes[this.#nextChange]!;
      if (change.offset > offset) return;
      this.#note({ note: 'size', cols: change.cols, rows: change.rows, start: change.isStart });
    }
  }

  #note(note: LogNote): void {
    this.#context.print(JSON.stringify(note));
  }

  /** Resolves when there may be more behind `at`, or nothing is to come. */
  async #more(at: number): Promise<void> {
    const { model, gone } = this.#context;
    const { terminal } = this.#session;
    await new Promise<void>(resolve => {
      const done = (): void => {
        output?.dispose();
        events.dispose();
        gone.removeEventListener('abort', done);
        resolve();
      };
      const output = terminal?.onOutput(done);
      const events = model.onEvent(event => 'session' in event && event.session === this.#session && done());
      gone.addEventListener('abort', done);
    });
    await pause(this.#context, REST_MS);
    const before = this.#changes[this.#nextChange - 1];
    this.#changes = this.#log.changes();
    if (this.#changes[this.#nextChange - 1]?.offset === before?.offset) return;
    // Old ones have been forgotten meanwhile: what is to be told belongs to output that was not handed out yet.
    const next = this.#changes.findIndex(change => change.offset >= at);
    this.#nextChange = next < 0 ? this.#changes.length : next;
  }
}

function pause({ clock }: CommandContext, ms: number): Promise<void> {
  return new Promise(resolve => void clock.after(ms, resolve));
}
