/**
 * One program of the PTY host: its output goes to the log first and then, in order and from the offset asked for, to
 * the server, if one is there. Without one the program runs on and only the log grows.
 */
import type { Disposable } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { HostPty, HostSpawn } from '../wire/host-messages.ts';
import type { Exit } from './host.ts';
import { readLog } from './log/log-reader.ts';
import type { OutputLog } from './log/output-log.ts';
import type { RunEvent } from './log/run-events.ts';
import type { NodePtyProcess } from './node-pty-host.ts';

/**
 * Output that the server has not taken in, beyond which the program is held back: some 10 ms of parsing, so that the
 * server is never without work in a flood, and little enough for a hundred programs at once.
 */
export const CREDIT = 1024 * 1024;
/** Read from the log at a time when the server is behind. */
const PIECE = 64 * 1024;
/** Input taken is told in steps: the server only needs to know that its bound is not reached. */
export const TAKEN_STEP = 64 * 1024;

/** What the server is told of one terminal. */
export interface PtyAudience {
  bytes(offset: number, bytes: Uint8Array): void;
  taken(bytes: number): void;
  exit(exit: Exit): void;
}

export interface HostedPtyParts {
  readonly spec: HostSpawn;
  readonly folder: string;
  readonly process: NodePtyProcess;
  readonly log: OutputLog;
  readonly record: (event: RunEvent) => void;
  readonly now: () => number;
  /** Whether the host was told to end. */
  readonly isEnding: () => boolean;
  /** Called once the program has ended and its end was recorded. */
  readonly ended: () => void;
}

export class HostedPty implements Disposable {
  readonly #parts: HostedPtyParts;
  /** Offset of its first byte. */
  readonly start: number;
  #exit: Exit | undefined;
  #audience: PtyAudience | undefined;
  /** Offset of the next byte for the server, and how far it has told that it is. */
  #cursor: number;
  #acknowledged: number;
  #input = 0;
  #taken = 0;
  /** A size not recorded yet: many may follow each other before there is output. */
  #isResized = false;
  #size: Size;

  /** `audience` hears of all from the first byte on. */
  constructor(parts: HostedPtyParts, audience: PtyAudience | undefined) {
    this.#parts = parts;
    this.#audience = audience;
    this.start = this.#cursor = this.#acknowledged = parts.log.end;
    this.#size = { cols: parts.spec.size[0], rows: parts.spec.size[1] };
    parts.process.onData(bytes => this.#output(bytes));
    parts.process.onTaken(() => this.#tellTaken(0));
    parts.process.onExit(exit => this.#ended(exit));
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** What a server that finds it is told. */
  describe(): HostPty {
    const { spec, process } = this.#parts;
    const { pty, session, argv, cwd } = spec;
    const { cols, rows } = this.#size;
    const exit = this.#exit && { code: this.#exit.code, signal: this.#exit.signal };
    const size = [cols, rows] as const;
    return { pty, session, pid: process.pid, argv, cwd, size, start: this.start, ...(exit ? { exit } : {}) };
  }

  /** Sends everything from offset `from` on to `audience`. */
  follow(audience: PtyAudience, from: number): void {
    this.#audience = audience;
    this.#cursor = this.#acknowledged = Math.min(from, this.#parts.log.end);
    this.#catchUp();
  }

  /** The server is gone. */
  unfollow(): void {
    this.#audience = undefined;
    this.#parts.process.resume();
  }

  /** The server has taken in what is before `offset`. */
  acknowledge(offset: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, Math.min(offset, this.#cursor));
    this.#catchUp();
  }

  write(bytes: Uint8Array): void {
    this.#input += bytes.length;
    this.#parts.process.write(bytes);
    this.#tellTaken(TAKEN_STEP);
  }

  resize(size: Size): void {
    // First: a size that the terminal refuses is none that it has.
    this.#parts.process.resize(size);
    this.#isResized = true;
    this.#size = size;
  }

  kill(signal: NodeJS.Signals): void {
    this.#parts.process.kill(signal);
  }

  dispose(): void {
    this.#parts.log.dispose();
  }

  #output(bytes: Uint8Array): void {
    const { log, record } = this.#parts;
    const offset = log.end;
    if (this.#isResized) record({ type: 'resize', offset, ...this.#size });
    this.#isResized = false;
    log.append(bytes);
    if (this.#audience && this.#cursor === offset) {
      this.#audience.bytes(offset, bytes);
      this.#cursor = log.end;
    }
    this.#hold();
  }

  /** Sends what the log holds beyond the cursor, as far as the credit goes. */
  #catchUp(): void {
    const { log, folder } = this.#parts;
    while (this.#audience && this.#cursor < log.end && this.#cursor - this.#acknowledged < CREDIT) {
      const piece = readQuietly(folder, this.#cursor);
      if (piece) this.#audience.bytes(piece.offset, piece.bytes);
      // Without a piece the rest could not be kept: it is passed over.
      this.#cursor = piece ? piece.offset + piece.bytes.length : log.end;
    }
    this.#hold();
    this.#tellEnd();
  }

  #hold(): void {
    const { log, process } = this.#parts;
    if (this.#audience && log.end - this.#acknowledged > CREDIT) process.pause();
    else process.resume();
  }

  /** Tells how much input was taken, if it is at least `step` more than the server knows. */
  #tellTaken(step: number): void {
    const taken = this.#input - this.#parts.process.pendingInput;
    if (taken === this.#taken || taken - this.#taken < step) return;
    this.#taken = taken;
    this.#audience?.taken(taken);
  }

  #ended(exit: Exit): void {
    const { record, log, now, ended, isEnding } = this.#parts;
    const { code, signal } = exit;
    this.#exit = exit;
    const by = isEnding() ? ({ by: 'shutdown' } as const) : {};
    record({ type: 'exit', offset: log.end, at: now(), code, signal, ...by });
    log.dispose();
    this.#tellEnd();
    ended();
  }

  #tellEnd(): void {
    const { log } = this.#parts;
    if (!this.#exit || !this.#audience || this.#cursor < log.end) return;
    this.#audience.exit(this.#exit);
    this.#audience = undefined;
  }
}

function readQuietly(folder: string, from: number): ReturnType<typeof readLog> {
  try {
    return readLog(folder, from, PIECE);
  } catch {
    // EIO, ESTALE: the program goes on with what comes next, or its screen would stand still for good.
    return undefined;
  }
}
