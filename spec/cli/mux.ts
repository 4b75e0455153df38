/**
 * mux as a person has it: `node bin/mux.js` with a MUX_HOME of its own and no terminal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { tempDir } from '../support/temp.ts';

/** The package's root: compiled specs lie one level deeper than their sources. */
export const ROOT = existsSync(join(import.meta.dirname, '../../package.json'))
  ? join(import.meta.dirname, '../..')
  : join(import.meta.dirname, '../../..');
export const LAUNCHER = join(ROOT, 'bin/mux.js');

export interface Answer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Over the environment of the spec; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** One MUX_HOME, and the servers in it. `stop` must be called. */
export class Mux {
  readonly home: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(options: { home?: string; env?: Readonly<Record<string, string | undefined>> } = {}) {
    this.home = options.home ?? tempDir();
    this.#env = options.env ?? {};
  }

  /** Environment of the program and of what it starts. */
  environment(more: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
    const env = {
      ...process.env,
      MUX_HOME: this.home,
      SHELL: '/bin/sh',
      TERM: 'xterm',
      ...this.#env,
      ...more,
    };
    return Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  run(words: readonly string[], options: RunOptions = {}): Promise<Answer> {
    return runProgram([process.execPath, LAUNCHER, ...words], {
      env: this.environment(options.env),
      cwd: options.cwd ?? this.home,
    });
  }

  /** Output of a command that must succeed and have nothing to complain of. */
  async ok(...words: string[]): Promise<string> {
    const answer = await this.run(words);
    assert.equal(
      { status: answer.status, err: answer.err },
      { status: 0, err: '' },
      words.join(' ').slice(0, 200),
    );
    return answer.out;
  }

  async json(...words: string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await this.ok('--json', ...words)) as Record<string, unknown>;
  }

  async stop(): Promise<void> {
    await this.run(['kill-server', '-y']);
  }
}

/** Runs any program to its end. */
export function runProgram(
  argv: readonly string[],
  options: { env: Record<string, string>; cwd?: string },
): Promise<Answer> {
  const child = spawn(argv[0]!, argv.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ status: signal ? 128 : (code ?? -1), out, err }));
  });
}

/** Whether a program can be run here; says so where not, since what compares with it is left out then. */
export function has(program: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  if (!found) console.log(`skipped: ${program} is not installed`);
  return found;
}

/** Whether a process runs: one that has ended and that nobody has waited for yet does not. */
export function isRunning(pid: number): boolean {
  try {
    // The state follows the name in parentheses, which may hold anything (proc(5)).
    return !/^\) [ZX]/.test(/\)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[0] ?? '');
  } catch {
    // ENOENT: it is gone.
    return false;
  }
}
