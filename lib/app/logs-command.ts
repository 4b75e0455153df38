/**
 * `mux logs`: a session's output as bytes, or as the text that a terminal would show. The text is made here: a log may
 * be large, and the server has screens to draw.
 */
import { CodedError } from '../base/errors.ts';
import { parseArgs } from '../cmd/args.ts';
import type { LogNote } from '../cmd/logs.ts';
import { findCommand } from '../cmd/registry.ts';
import type { ParsedArgs } from '../cmd/spec.ts';
import { LogText } from '../term/log-text.ts';
import { runAgain, writeOut } from './again.ts';
import type { AppContext } from './context.ts';

/** Throws CodedError. */
export async function logsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(findCommand('logs'), words);
  if (args.has('help') || args.has('version')) throw new CodedError('usage', 'logs: say it at the end');
  const sink = args.has('raw') ? new RawSink(context.json === 'on') : new TextSink(context, args);
  let offset: number | undefined;
  const exit = await runAgain(context, () => ['logs', ...words, ...from(offset)], {
    write(stream, text) {
      if (!text.startsWith('{"note":'))
        return void process[stream === 'out' ? 'stdout' : 'stderr'].write(text);
      const note = JSON.parse(text) as LogNote;
      if (note.note === 'begin' || note.note === 'gap') offset = note.offset;
      sink.note(note);
    },
    bytes: async piece => {
      await sink.piece(piece, offset ?? 0);
      offset = (offset ?? 0) + piece.length;
    },
  });
  await sink.end();
  return exit;
}

/** Where the next server goes on. */
function from(offset: number | undefined): string[] {
  return offset === undefined ? [] : ['--offset', String(offset)];
}

interface Sink {
  note(note: LogNote): void;
  piece(bytes: Buffer, offset: number): Promise<void>;
  end(): Promise<void>;
}

class RawSink implements Sink {
  readonly #isJson: boolean;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  note(): void {
    // Bytes are all there is.
  }

  async piece(bytes: Buffer, offset: number): Promise<void> {
    if (!this.#isJson) return writeOut(bytes);
    await writeOut(JSON.stringify({ offset, base64: bytes.toString('base64') }) + '\n');
  }

  async end(): Promise<void> {
    // Everything has been written as it came.
  }
}

class TextSink implements Sink {
  readonly #text: LogText;
  readonly #isJson: boolean;
  /** Lines wanted of those that are there at first; Infinity for all. */
  readonly #wanted: number;
  #isNew = false;
  #last: string[] = [];
  #pending: string[] = [];
  #hasBegun = false;

  constructor({ json, env }: AppContext, args: ParsedArgs) {
    this.#isJson = json === 'on';
    const hasColors = !args.has('text') && !this.#isJson && Boolean(process.stdout.isTTY) && !env.NO_COLOR;
    this.#text = new LogText({ escapes: hasColors });
    this.#wanted = Number(args.value('n') ?? Infinity);
  }

  note(note: LogNote): void {
    if (note.note === 'size') {
      // After a lost server the run goes on, and so does its screen.
      const isStart = note.start && !(this.#hasBegun && this.#isResuming);
      this.#take(this.#text.size(note, isStart));
      this.#hasBegun = true;
      this.#isResuming = false;
    }
    if (note.note === 'begin') this.#isResuming = true;
    if (note.note === 'now' && !this.#isNew) {
      this.#take(this.#text.follow());
      this.#isNew = true;
      this.#pending.push(...this.#last.splice(0));
      void this.#flush();
    }
  }

  #isResuming = false;

  async piece(bytes: Buffer): Promise<void> {
    this.#isResuming = false;
    this.#take(this.#text.push(bytes));
    await this.#flush();
  }

  async end(): Promise<void> {
    this.#take(this.#text.end());
    this.#pending.push(...this.#last.splice(0));
    await this.#flush();
  }

  #take(lines: readonly string[]): void {
    if (this.#isNew || this.#wanted === Infinity) return void this.#pending.push(...lines);
    this.#last.push(...lines);
    this.#last.splice(0, Math.max(0, this.#last.length - this.#wanted));
  }

  async #flush(): Promise<void> {
    const lines = this.#pending.splice(0);
    if (lines.length === 0) return;
    const shown = this.#isJson ? lines.map(line => JSON.stringify({ line })) : lines;
    await writeOut(shown.join('\n') + '\n');
  }
}
