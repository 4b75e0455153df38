/**
 * Runs git: never asks, never waits without end, never keeps more than it must, and never more than a few at a time.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import { gitEnvironment, gitFlags, type Env, type RunKind } from './environment.ts';
import { commandOf, gitFailure, isLocked, type GitAnswer } from './failure.ts';
import { KeyedLock, Shared, Slots } from './slots.ts';
import { guardEnvironment, isGuarded, LIST_SETTINGS, readSettings, type Setting } from './trust.ts';

/** Reading a repository: longer takes only one on a disk that does not answer. */
const READ_MS = 10_000;
/** Writing may check out a whole tree: 100,000 files take a minute on a slow disk. */
const WRITE_MS = 5 * 60_000;
/** A remote that has said nothing whole for so long will not. */
const NETWORK_MS = 2 * 60_000;
const TIMEOUT_MS: Readonly<Record<RunKind, number>> = { read: READ_MS, write: WRITE_MS, network: NETWORK_MS };

/** At once. Git is bound by the disk: more than a few only take the processor from agents. */
const LOCAL_SLOTS = 4;
/** Apart, so that remotes that do not answer keep nobody from reading. */
const NETWORK_SLOTS = 4;

/** Output kept: 4 MiB is some 50,000 changed files. */
const MAX_OUTPUT = 4 * 1024 * 1024;
/** Of what is said about errors the end is kept: the reason stands there. */
const MAX_ERROR = 8 * 1024;
/** Between asking git to end, which removes its locks then, and killing it. */
const KILL_GRACE_MS = 2000;

/** Tries against another git's lock; with growing pauses this is some 5 s, and no healthy git holds one so long. */
const LOCK_TRIES = 14;
const LOCK_PAUSE_MS = 30;
const LOCK_PAUSE_MAX_MS = 500;

export interface GitOptions {
  /** The environment to run in, made quiet by gitEnvironment. */
  readonly env: Env;
  readonly clock: Clock;
  /** The program; default `git`, looked for on PATH. */
  readonly program?: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Default `read`. */
  readonly kind?: RunKind;
  /** Default by kind. */
  readonly timeoutMs?: number;
  /** Bytes of output beyond which the run is ended and fails. */
  readonly maxOutput?: number;
  readonly input?: Uint8Array | string;
  readonly env?: Env;
  /** Ends the run; it then fails with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The real git. One for a server, so that its bounds hold for all who ask. */
export class Git {
  readonly env: Env;
  readonly clock: Clock;
  /** Who changes the worktrees and branches of one repository does so one after the other; key: its common folder. */
  readonly repositories = new KeyedLock();
  /** One fetch for all who want one of the same repository; key: its common folder. */
  readonly fetches = new Shared<void>();
  readonly #program: string;
  readonly #local = new Slots(LOCAL_SLOTS, 'git');
  readonly #network = new Slots(NETWORK_SLOTS, 'git over the network');

  constructor(options: GitOptions) {
    this.env = options.env;
    this.clock = options.clock;
    this.#program = options.program ?? 'git';
  }

  /**
   * What git said; a status other than 0 is an answer.
   * @throws CodedError `timeout`, `cancelled`, `failed` where git cannot be started or says too much
   */
  async ask(args: readonly string[], options: RunOptions): Promise<GitAnswer> {
    const slots = options.kind === 'network' ? this.#network : this.#local;
    return slots.run(() => this.#once(args, options));
  }

  /**
   * The output of a run that has to succeed, without its last newline; waits for locks of other gits.
   * @throws CodedError as `ask`, and `failed` with git's own reason
   */
  async run(args: readonly string[], options: RunOptions): Promise<string> {
    return (await this.bytes(args, options)).toString('utf8').replace(/\n$/, '');
  }

  /** The same as bytes: names of files need not be UTF-8. */
  async bytes(args: readonly string[], options: RunOptions): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.ask(args, options);
      if (answer.code === 0) return answer.stdout;
      if (attempt === LOCK_TRIES || !isLocked(answer.stderr)) throw gitFailure(args, answer);
      await this.#pause(Math.min(LOCK_PAUSE_MAX_MS, LOCK_PAUSE_MS * attempt));
    }
  }

  /** All settings that hold in a folder, with where they are from. Throws CodedError. */
  async settings(cwd: string): Promise<Setting[]> {
    return this.#local.run(() => this.#settings({ cwd }));
  }

  async #settings(options: RunOptions, command?: string): Promise<Setting[]> {
    const answer = await this.#once(LIST_SETTINGS, options, command);
    if (answer.code !== 0) throw gitFailure(LIST_SETTINGS, answer);
    return readSettings(answer.stdout.toString('utf8'));
  }

  /** Variables that keep a run from starting programs of the repository's choice. */
  async #guard(
    args: readonly string[],
    { cwd, signal }: RunOptions,
    command: string,
  ): Promise<Record<string, string>> {
    // Objects that a partial clone lacks are fetched, by programs that the repository names.
    if (!isGuarded(args)) return { GIT_NO_LAZY_FETCH: '1' };
    return guardEnvironment(this.env, await this.#settings({ cwd, signal }, command));
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => this.clock.after(ms, resolve));
  }

  async #once(
    args: readonly string[],
    options: RunOptions,
    command = `git ${commandOf(args)}`,
  ): Promise<GitAnswer> {
    if (options.signal?.aborted) throw new CodedError('cancelled', `${command}: cancelled`);
    const kind = options.kind ?? 'read';
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS[kind];
    try {
      const child = spawn(this.#program, [...gitFlags(kind), ...args], {
        cwd: options.cwd,
        env: gitEnvironment(this.env, { ...options.env, ...(await this.#guard(args, options, command)) }),
        stdio: ['pipe', 'pipe', 'pipe'],
        // A session of its own: no terminal that ssh could ask on, and one group to end with all its helpers.
        detached: true,
      });
      return await new Run(child, command, this.clock, { ...options, timeoutMs }).answer;
    } catch (error) {
      throw await startFailure(error, command, options.cwd);
    }
  }
}

/** One process until it has ended, or been ended. */
class Run {
  readonly answer: Promise<GitAnswer>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #out: Buffer[] = [];
  #outBytes = 0;
  #stderr = '';
  /** Why it was ended, if we did. */
  #verdict: CodedError | undefined;
  #settle: () => void = () => undefined;

  constructor(
    child: ChildProcess,
    command: string,
    clock: Clock,
    options: RunOptions & { readonly timeoutMs: number },
  ) {
    this.#child = child;
    this.#clock = clock;
    const { maxOutput = MAX_OUTPUT, timeoutMs, signal } = options;
    const late = clock.after(timeoutMs, () =>
      this.#end(new CodedError('timeout', `${command}: no end after ${seconds(timeoutMs)}`)),
    );
    const cancel = (): void => this.#end(new CodedError('cancelled', `${command}: cancelled`));
    signal?.addEventListener('abort', cancel, { once: true });
    child.stdout?.on('data', (data: Buffer) => {
      this.#outBytes += data.length;
      if (this.#outBytes <= maxOutput) this.#out.push(data);
      else this.#end(new CodedError('failed', `${command}: says more than ${maxOutput} bytes`));
    });
    child.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-MAX_ERROR);
    });
    // EPIPE: git did not want all of it, and says why itself.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
    this.answer = this.#ended().finally(() => {
      late.dispose();
      signal?.removeEventListener('abort', cancel);
    });
  }

  #ended(): Promise<GitAnswer> {
    return new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      const done = (code: number | null): void => {
        if (this.#verdict) reject(this.#verdict);
        else resolve({ code: code ?? 1, stdout: Buffer.concat(this.#out), stderr: this.#stderr });
      };
      this.#child.on('close', done);
      this.#settle = () => done(null);
    });
  }

  #end(verdict: CodedError): void {
    if (this.#verdict) return;
    this.#verdict = verdict;
    this.#kill('SIGTERM');
    const killer = this.#clock.after(KILL_GRACE_MS, () => {
      this.#kill('SIGKILL');
      // A helper that left the group may hold the pipes open for ever.
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
      this.#settle();
    });
    this.#child.once('close', () => killer.dispose());
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // ESRCH: the whole group has ended already.
    }
  }
}

/** What keeps git from starting, told apart: a folder that is gone looks like a program that is gone. */
async function startFailure(error: unknown, command: string, cwd: string): Promise<unknown> {
  if (error instanceof CodedError || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const failed = (why: string, hint?: string): CodedError =>
    new CodedError('failed', `${command}: ${why}`, hint, { cause: error });
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return failed(error.message);
  const isFolder = await stat(cwd).then(
    entry => entry.isDirectory(),
    () => false,
  );
  return isFolder ? failed('git was not found', 'install git 2.31 or newer') : failed(`no folder ${cwd}`);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
