/**
 * Programs on PTYs of this process, by node-pty; the only importer of it.
 *
 * Two facts shape this file. node-pty alone loses the tail of fast output: when the last writer of a pty closes it,
 * the kernel may drop what the master has not read. So the slave side is held open here too, until the program has
 * ended and everything it wrote has been read. And node-pty then reports the end by a timer of its own (200 ms), so
 * the end is noticed here, by SIGCHLD, and the slave let go as soon as two looks in a row find no new output.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as NodePty from 'node-pty';
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import { Emitter, type Disposable, type Event } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import { checkSpawn } from './check.ts';
import type { Exit, PtyProcess, SpawnSpec } from './host.ts';
import { FloodReader } from './flood-reader.ts';
import { WriteQueue } from './write-queue.ts';

/** Between looks at a program that has ended: the kernel moves a pty's buffer on within a tick or two. */
const DRAIN_LOOK_MS = 10;
/** node-pty reaps on a thread of its own, a little after SIGCHLD: looks are repeated this often. */
const REAP_LOOKS = 20;
const REAP_LOOK_MS = 5;

/** What node-pty has and its typings omit. */
interface UnixTerminal extends NodePty.IPty {
  readonly fd: number;
  readonly ptsName: string;
  readonly _socket?: { readonly _readableState?: { decoder: unknown; encoding: unknown } };
}

/**
 * node-pty sets the terminal's IUTF8 flag (without it Backspace in a line read by the kernel takes a byte, not a
 * character) only together with decoding what it reads. The decoder is taken off before anything is read: bytes that
 * are no UTF-8 must come through too.
 */
function stopDecoding(terminal: UnixTerminal): void {
  const state = terminal._socket?._readableState;
  if (!state) throw new Error('node-pty: its socket is not where it was: output would be decoded');
  state.decoder = null;
  state.encoding = null;
}

/** Loads node-pty, or throws CodedError with the remedy where its native part is missing. */
function loadNodePty(): typeof NodePty {
  try {
    return createRequire(import.meta.url)('node-pty') as typeof NodePty;
  } catch (error) {
    throw new CodedError(
      'failed',
      'node-pty: its native module is not built for this Node',
      `run 'npm rebuild node-pty' in mux's directory (needs a C++ compiler, make and python3)`,
      { cause: error },
    );
  }
}

export class NodePtyHost implements Disposable {
  readonly #pty = loadNodePty();
  readonly #clock: Clock;
  readonly #running = new Set<NodePtyProcess>();
  readonly #onChild = (): void => this.#look(REAP_LOOKS);

  constructor(clock: Clock) {
    this.#clock = clock;
    process.on('SIGCHLD', this.#onChild);
  }

  /** Starts a program. Throws CodedError `failed` where it or its directory cannot be used. */
  spawn(spec: SpawnSpec): NodePtyProcess {
    checkSpawn(spec);
    const terminal = this.#pty.spawn(spec.argv[0]!, spec.argv.slice(1), {
      name: spec.env.TERM ?? 'xterm-256color',
      cols: spec.size.cols,
      rows: spec.size.rows,
      cwd: spec.cwd,
      env: spec.env,
      encoding: 'utf8',
    }) as UnixTerminal;
    stopDecoding(terminal);
    const child = new NodePtyProcess(terminal, this.#clock);
    this.#running.add(child);
    child.onExit(() => this.#running.delete(child));
    return child;
  }

  dispose(): void {
    process.off('SIGCHLD', this.#onChild);
    for (const child of this.#running) child.kill('SIGHUP');
  }

  /** Looks which programs have ended, some times over since reaping lags behind the signal. */
  #look(times: number): void {
    const left = [...this.#running].filter(child => !child.checkEnded());
    if (times > 0 && left.length > 0) this.#clock.after(REAP_LOOK_MS, () => this.#look(times - 1));
  }
}

/** A program on a PTY of this process. While paused it is held back as soon as the kernel's buffer is full. */
export class NodePtyProcess implements PtyProcess {
  readonly #terminal: UnixTerminal;
  readonly #clock: Clock;
  readonly #input: WriteQueue;
  readonly #data = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<Exit>();
  readonly #reader: FloodReader;
  #slave: number | undefined;
  #received = 0;
  #ended = false;
  #gone = false;
  #paused = false;

  readonly started = Promise.resolve();
  readonly onData = this.#data.event;
  readonly onExit = this.#exit.event;

  constructor(terminal: UnixTerminal, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#slave = holdSlave(terminal.ptsName);
    this.#input = new WriteQueue(terminal.fd, clock);
    this.#reader = new FloodReader(terminal.fd);
    // Without a decoder these are Buffers, whatever the typings say.
    terminal.onData(chunk => {
      const bytes = this.#reader.more(chunk as unknown as Buffer);
      this.#received += bytes.length;
      this.#data.fire(bytes);
    });
    terminal.onExit(({ exitCode, signal }) => {
      this.#gone = true;
      this.#release();
      this.#input.dispose();
      this.#exit.fire({ code: exitCode, signal: signal ?? 0 });
      this.#data.dispose();
      this.#exit.dispose();
    });
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  get offset(): number {
    return this.#received;
  }

  /** Bytes of input that the kernel has not taken yet. */
  get pendingInput(): number {
    return this.#input.pending;
  }

  /** Fires when some of the input that had to wait has been taken. */
  get onTaken(): Event<void> {
    return this.#input.onTaken;
  }

  /** Reads no more until `resume`. */
  pause(): void {
    if (this.#paused || this.#gone) return;
    this.#paused = true;
    this.#terminal.pause();
  }

  resume(): void {
    if (!this.#paused || this.#gone) return;
    this.#paused = false;
    this.#terminal.resume();
  }

  write(bytes: Uint8Array): boolean {
    return this.#gone ? false : this.#input.write(bytes);
  }

  resize(size: Size): void {
    if (this.#gone) return;
    try {
      this.#terminal.resize(size.cols, size.rows);
    } catch (error) {
      // EBADF, ENOTTY: it ended between the check and the call.
      if (!/EBADF|ENOTTY/.test(String(error))) throw error;
    }
  }

  kill(signal: NodeJS.Signals): void {
    // Once its end was noticed its pid may be another program's, however long what it left is still being read.
    if (this.#gone || this.checkEnded()) return;
    try {
      // The program leads a session of its own, so its group's id is its pid.
      process.kill(-this.pid, signal);
    } catch {
      // ESRCH: it has ended, or is so young that it leads no group yet. EPERM: its group changed its user (sudo). The
      // program itself may be there and ours.
      this.#terminal.kill(signal);
    }
  }

  /** Whether the program has ended; the first time this is seen, what it left is drained. */
  checkEnded(): boolean {
    if (this.#ended) return true;
    try {
      process.kill(this.pid, 0);
      return false;
    } catch (error) {
      // EPERM means alive under another user.
      if ((error as NodeJS.ErrnoException).code === 'EPERM') return false;
    }
    this.#ended = true;
    this.#drain(this.#received);
    return true;
  }

  /**
   * Lets the slave go once two looks in a row found nothing new; node-pty then sees the end of the stream. While
   * paused nothing is read, so a look tells nothing.
   */
  #drain(before: number): void {
    this.#clock.after(DRAIN_LOOK_MS, () => {
      if (this.#paused) this.#drain(-1);
      else if (this.#received === before) this.#release();
      else this.#drain(this.#received);
    });
  }

  #release(): void {
    if (this.#slave === undefined) return;
    closeSync(this.#slave);
    this.#slave = undefined;
  }
}

/** Opens the slave side without making it our controlling terminal. */
function holdSlave(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    // ENOENT, EIO: the program has ended already; there is nothing to hold.
    return undefined;
  }
}
