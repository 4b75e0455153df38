/**
 * What is measured: mux, tmux, and a program on a terminal without either, all started and driven in the same way.
 */
import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandLine } from '../support/command-line.ts';
import { Outer } from './outer.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

export type Name = 'bare' | 'tmux' | 'mux';

/** Prompt of the shell in every pane, without the blank after it: a renderer need not draw that. */
export const PROMPT = 'bench$';
/** History of both, the default of mux. */
const HISTORY = 10_000;

/** ms that a program of Node takes, with a short JSON on its stdin. */
async function runMs(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end('{"tool_name":"Bash"}');
  await once(child, 'exit');
  return performance.now() - start;
}

/** A folder of the bench's own, with the shell all panes run. */
export class Place {
  readonly dir = mkdtempSync(join(tmpdir(), 'mux-bench-'));
  readonly shell = join(this.dir, 'shell');
  #count = 0;

  constructor() {
    writeFileSync(this.shell, `#!/bin/sh\nPS1='${PROMPT} ' exec bash --norc --noprofile "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(join(this.dir, 'tmux.conf'), `set -g history-limit ${HISTORY}\n`);
  }

  /** A name no server has yet. */
  nextName(): string {
    return `bench${process.pid}-${++this.#count}`;
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Environment of everything that is run: nothing of the caller's that would reach another server. */
function environment(place: Place): Record<string, string> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  return {
    PATH,
    HOME: place.dir,
    SHELL: place.shell,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    TMPDIR: place.dir,
    TMUX_TMPDIR: place.dir,
    MUX_HOME: join(place.dir, 'home'),
  };
}

/** A server of its own (or none, for `bare`) that terminals may be attached to. */
export class Contender {
  readonly name: Name;
  readonly #place: Place;
  readonly #server: string;
  readonly #env: Record<string, string>;
  readonly #outers: Outer[] = [];

  constructor(name: Name, place: Place) {
    this.name = name;
    this.#place = place;
    this.#server = place.nextName();
    this.#env = environment(place);
  }

  /** A terminal on which the program is started, without waiting for anything. */
  open(): Outer {
    const outer = new Outer(this.#argv(), { cwd: this.#place.dir, env: this.#env });
    this.#outers.push(outer);
    return outer;
  }

  /** A terminal that shows a prompt. */
  async attach(): Promise<Outer> {
    const outer = this.open();
    await outer.seen(PROMPT, `${this.name}: a prompt`);
    return outer;
  }

  /** Runs a command that mux and tmux both have. */
  async command(...words: string[]): Promise<string> {
    const [program = '', ...args] = this.#base();
    const { stdout } = await run(program, [...args, ...words], { cwd: this.#place.dir, env: this.#env });
    return stdout;
  }

  /** A connection that runs commands, without a process for each. */
  async line(): Promise<CommandLine> {
    return CommandLine.open(this.#env, this.#place.dir, this.#server);
  }

  /** ms that a whole command takes, from the start of its process to its end. */
  async timed(...words: string[]): Promise<number> {
    return runMs([...this.#base().slice(1), ...words], this.#env);
  }

  /** Reports as an agent's hook does, by the entry that hook files name; resolves with the ms it took. */
  async hook({ id, pid }: { readonly id: string; readonly pid: number }): Promise<number> {
    const socket = join(this.#env['MUX_HOME']!, 'run', `${this.#server}.sock`);
    const env = { ...this.#env, MUX_SERVER: this.#server, MUX_SESSION: id, MUX_SOCKET: socket };
    const token = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .find(one => one.startsWith('MUX_TOKEN='));
    return runMs([join(ROOT, 'dist/lib/app/hook-main.js'), 'claude', 'PostToolUse'], {
      ...env,
      MUX_TOKEN: token?.slice('MUX_TOKEN='.length) ?? '',
    });
  }

  /** An empty Node program: no hook in Node can be faster. */
  async emptyNode(): Promise<number> {
    return runMs(['-e', '0'], this.#env);
  }

  /** A command that runs on its own, with what it prints. */
  follow(...words: string[]): ChildProcess {
    const [program = '', ...args] = this.#base();
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return spawn(program, [...args, ...words], { cwd: this.#place.dir, env: this.#env, stdio });
  }

  /** Folder of mux's data. */
  get dataDir(): string {
    return join(this.#env['MUX_HOME']!, 'data', this.#server);
  }

  /** The server's process. */
  async serverPid(): Promise<number> {
    if (this.name === 'tmux') return Number(await this.command('display-message', '-p', '#{pid}'));
    const status = await this.command('--json', 'server-status');
    const pid = Number(/"server_pid":\s*(\d+)/.exec(status)?.[1]);
    if (!pid) throw new Error(`mux: no pid in ${status}`);
    return pid;
  }

  /** Lets every terminal go; the server stays. */
  async detach(): Promise<void> {
    for (const outer of this.#outers.splice(0)) await outer.end();
  }

  /** Ends the server and every terminal. */
  async stop(): Promise<void> {
    if (this.name !== 'bare') {
      const words = this.name === 'mux' ? ['kill-server', '-y'] : ['kill-server'];
      // It may have ended by itself, with its last shell.
      await this.command(...words).catch(() => undefined);
    }
    await this.detach();
  }

  #base(): string[] {
    if (this.name === 'tmux')
      return ['tmux', '-f', join(this.#place.dir, 'tmux.conf'), '-u', '-L', this.#server];
    return [process.execPath, join(ROOT, 'bin/mux.js'), '-L', this.#server];
  }

  #argv(): string[] {
    if (this.name === 'bare') return [this.#place.shell];
    if (this.name === 'tmux') return [...this.#base(), 'new-session', '-A', '-s', 'bench'];
    return this.#base();
  }
}

/** tmux's version, or undefined where there is none. */
export async function tmuxVersion(): Promise<string | undefined> {
  try {
    return (await run('tmux', ['-V'])).stdout.trim();
  } catch {
    return undefined;
  }
}
