/** A local MCP server's process: a group of its own, so that it ends with everything it started. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';

/** A server that is asked to end by its input's end has this long, in ms; then it is told to (MCP, lifecycle: shutdown). */
const END_MS = 500;
/** One that was told to end has this long, in ms; then it is killed. */
const TERM_MS = 1000;

/**
 * Variables that a server gets without being named: those that sudo keeps, and those that say how people read and where
 * files for a moment go. Keys and tokens are not among them.
 */
const INHERITED = [
  'HOME',
  'LOGNAME',
  'USER',
  'PATH',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LC_MESSAGES',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server: a few variables of ours, those whose names the settings list, and those that they set.
 *
 * @param names variables that are handed on as they are; ones that are not set are left out
 */
export function serverEnvironment(
  own: Variables,
  names: readonly string[],
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const handed = [...INHERITED, ...names].flatMap(name => {
    const value = own[name];
    // Shells export functions in variables that begin so: code, not a value.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(handed), ...set };
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly clock: Clock;
}

/** A process group that serves over its leader's standard streams. */
export class ServerChild {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #gone: Promise<unknown>;
  #isGone = false;

  private constructor(child: ChildProcess, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#gone = once(child, 'exit').then(() => (this.#isGone = true));
  }

  /** Starts it. Rejects with the system's error where that cannot be done. */
  static async start({ command, args, env, cwd, clock }: ChildOptions): Promise<ServerChild> {
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    // A reader that goes away is told by its exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    await once(child, 'spawn');
    child.on('error', () => undefined);
    return new ServerChild(child, clock);
  }

  get pid(): number {
    return this.#child.pid!;
  }
  get stdin(): Writable {
    return this.#child.stdin!;
  }
  get stdout(): Readable {
    return this.#child.stdout!;
  }
  get stderr(): Readable {
    return this.#child.stderr!;
  }

  /** Calls back once with how it ended (`it ended with status 1`), after everything that it had written was read. */
  onExit(tell: (how: string) => void): void {
    this.#child.once('exit', (status, signal) => {
      // What it started and left behind serves nobody.
      this.kill();
      const how = signal ? `it was ended by ${signal}` : `it ended with status ${status}`;
      // One that left the group may hold the streams open.
      const timer = this.#clock.after(END_MS, () => this.#destroyStreams());
      this.#child.once('close', () => {
        timer.dispose();
        tell(how);
      });
    });
  }

  /** Ends the group at once. Once the leader is gone, what it left behind is ended too. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  }

  /** Lets it end, makes it end, ends it; back when it is gone and its streams are closed. */
  async close(): Promise<void> {
    this.stdin.end();
    if (!(await this.#within(END_MS))) {
      this.kill('SIGTERM');
      await this.#within(TERM_MS);
    }
    this.kill();
    await this.#within(TERM_MS);
    this.#destroyStreams();
  }

  /** One that left the group may hold the other ends: they must not hold us. */
  #destroyStreams(): void {
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.destroy();
  }

  async #within(ms: number): Promise<boolean> {
    if (this.#isGone) return true;
    await new Promise<unknown>(resolve => {
      const timer = this.#clock.after(ms, () => resolve(undefined));
      void this.#gone.then(() => {
        timer.dispose();
        resolve(undefined);
      });
    });
    return this.#isGone;
  }
}
