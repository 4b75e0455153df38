/**
 * The whole program for specs: a home of its own, the real client on a real terminal, the server it starts, and the
 * command line beside it.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CommandLine } from './command-line.ts';
import { tempDir } from './temp.ts';
import { OuterTerminal, type Keyboard } from './outer-terminal.ts';
import { until } from './until.ts';

/** From dist/spec/support to the package. */
const ROOT = join(import.meta.dirname, '../../..');
export const LAUNCHER = join(ROOT, 'bin/mux.js');

/** A shell that says the same on every machine: `$ ` as its prompt, no files of the person's. */
const SHELL = '#!/bin/sh\nexec bash --noprofile --norc "$@"\n';

export interface CliResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  json(): any; // oxlint-disable-line no-explicit-any -- specs look into documents of many shapes
}

const PANE_FIELDS = [
  'pane_id',
  'window_index',
  'pane_left',
  'pane_top',
  'pane_width',
  'pane_height',
  'pane_active',
  'pane_dead',
  'pane_title',
] as const;

/** A pane in cells of its window. */
export interface PaneRow {
  readonly id: string;
  readonly window: number;
  readonly left: number;
  readonly top: number;
  readonly cols: number;
  readonly rows: number;
  readonly active: boolean;
  readonly dead: boolean;
  readonly title: string;
}

function paneRow(line: string): PaneRow {
  const [id = '', window, left, top, cols, rows, active, dead, title = ''] = line.split('\t');
  return {
    id,
    window: Number(window),
    left: Number(left),
    top: Number(top),
    cols: Number(cols),
    rows: Number(rows),
    active: active === '1',
    dead: dead === '1',
    title,
  };
}

export interface StartOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Words after `mux`. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly keyboard?: Keyboard;
}

/** One mux installation: its directories, its server, and everything started in it. */
export class MuxHome {
  readonly dir: string;
  /** Where clients, and so their panes, are started. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #terminals: OuterTerminal[] = [];
  #count = 0;
  #line: CommandLine | undefined;

  /**
   * @param options.files put below `work`
   * @param options.config text of config.yaml
   */
  constructor(options: { files?: Readonly<Record<string, string>>; config?: string } = {}) {
    this.dir = tempDir({
      'bin/bash': SHELL.replace('exec bash', `exec ${whichProgram('bash') ?? '/bin/bash'}`),
      ...(options.config === undefined ? {} : { 'config.yaml': options.config }),
      ...Object.fromEntries(Object.entries(options.files ?? {}).map(([k, v]) => [`work/${k}`, v])),
    });
    chmodSync(join(this.dir, 'bin/bash'), 0o755);
    this.work = join(this.dir, 'work');
    mkdirSync(this.work, { recursive: true });
    mkdirSync(join(this.dir, 'home'));
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: join(this.dir, 'home'),
      SHELL: join(this.dir, 'bin/bash'),
      PS1: '$ ',
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      EDITOR: 'vim',
      PAGER: 'less',
      LESSHISTFILE: '-',
      MUX_HOME: this.dir,
      MUX_AGENT_MODE: '0',
    };
  }

  /** Runs `mux ARGS…` on a terminal of its own. It is not waited for. */
  start(options: StartOptions = {}): OuterTerminal {
    const args = options.args ?? [];
    return this.run([process.execPath, LAUNCHER, ...args], options);
  }

  /** Runs any program on a terminal of its own. */
  run(argv: readonly string[], options: StartOptions = {}): OuterTerminal {
    const terminal = new OuterTerminal({
      argv,
      cwd: options.cwd ?? this.work,
      env: { ...this.env, ...options.env },
      cols: options.cols ?? 80,
      rows: options.rows ?? 24,
      ...(options.keyboard === undefined ? {} : { keyboard: options.keyboard }),
      sttyFile: join(this.dir, `stty-${this.#count++}`),
      log: () => this.log().split('\n').slice(-15).join('\n'),
    });
    this.#terminals.push(terminal);
    return terminal;
  }

  /** Runs `mux ARGS…` without a terminal. */
  cli(...args: readonly string[]): Promise<CliResult> {
    return new Promise(resolve => {
      const options = { cwd: this.work, env: this.env, maxBuffer: 256 * 1024 * 1024 };
      const child = execFile(process.execPath, [LAUNCHER, ...args], options, (error, stdout, stderr) => {
        const status = error ? (typeof error.code === 'number' ? error.code : 128) : 0;
        resolve({ status, stdout, stderr, json: () => JSON.parse(stdout) as unknown });
      });
      child.stdin?.end();
    });
  }

  /** Like `cli`, for what must work: fails with what was said. */
  async ok(...args: readonly string[]): Promise<string> {
    const result = await this.cli(...args);
    if (result.status !== 0) {
      throw new Error(`mux ${args.join(' ')}: exit ${result.status}\n${result.stdout}${result.stderr}`);
    }
    return result.stdout;
  }

  /** Output of a command of the running server, over one connection kept open: quick enough to poll. */
  async ask(...words: readonly string[]): Promise<string> {
    this.#line ??= await CommandLine.open(this.env, this.work);
    const { exit, out, err } = await this.#line.run(words);
    if (exit !== 0) throw new Error(`${words.join(' ')}: exit ${exit}\n${out}${err}`);
    return out;
  }

  /** Panes of the current window, or of all, as scripts see them. */
  async panes(all = false): Promise<PaneRow[]> {
    const format = PANE_FIELDS.map(field => `#{${field}}`).join('\t');
    const text = await this.ask('list-panes', ...(all ? ['-a'] : []), '-F', format);
    return text.trimEnd().split('\n').map(paneRow);
  }

  /** The focused pane of the current window. */
  async focused(): Promise<PaneRow> {
    return (await this.panes()).find(pane => pane.active)!;
  }

  /** What the server has written to its log; not what programs have written. */
  log(): string {
    const files = readdirSync(this.dir, { recursive: true, encoding: 'utf8' }).filter(
      f => f.endsWith('.log') && !f.includes('/logs/'),
    );
    return files.map(file => readFileSync(join(this.dir, file), 'utf8')).join('\n');
  }

  /** The server's pid. Fails where none runs. */
  async serverPid(): Promise<number> {
    const result = await this.cli('--json', 'server', 'status');
    return result.json().server_pid as number;
  }

  /** The token that a session's program was given. */
  async tokenOf(session: string): Promise<string> {
    const { pid } = (await this.cli('show', session, '--json')).json();
    const line = environmentOf(String(pid)).find(one => one.startsWith('MUX_TOKEN='));
    if (!line) throw new Error(`session ${session}: its program ${pid} has no token`);
    return line.slice('MUX_TOKEN='.length);
  }

  /** Pids of everything that was started in this home: its server, its clients, programs in panes. */
  pids(): number[] {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter(pid => environmentOf(pid).includes(`MUX_HOME=${this.dir}`))
      .map(Number);
  }

  /** The server has died: what is asked next is asked of the next one. */
  forgetLine(): void {
    this.#line?.close();
    this.#line = undefined;
  }

  /** Closes the terminals and the kept connection: what is started next begins anew. */
  hangUp(): void {
    this.forgetLine();
    for (const terminal of this.#terminals.splice(0)) terminal.close();
  }

  /** Ends everything: the server as a person would, then whatever is left by its pid. */
  async end(): Promise<void> {
    this.hangUp();
    if (this.pids().length > 0) await this.cli('kill-server', '-y');
    for (const pid of this.pids()) tryKill(pid);
    await until('everything has ended', () => this.pids().length === 0, {
      describe: () =>
        this.pids()
          .map(pid => `${pid} ${commandOf(pid)}`)
          .join('\n'),
    });
  }
}

/** A prompt alone on its row, in the leftmost pane. */
export const PROMPT = /(^|│)\$$/m;

/** Starts mux and waits until it shows a shell. */
export async function startMux(
  options: StartOptions & { readonly home?: MuxHome } = {},
): Promise<{ home: MuxHome; mux: OuterTerminal }> {
  const home = options.home ?? new MuxHome();
  const mux = home.start(options);
  await mux.waitFor('the shell prompt', PROMPT);
  return { home, mux };
}

/** Path of a program on PATH, undefined where there is none. */
export function whichProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(dir => join(dir, name))
    .find(path => existsSync(path));
}

/** Whether the programs are installed; says which are not, so that a skipped test is seen. */
export function hasPrograms(...names: readonly string[]): boolean {
  const missing = names.filter(name => whichProgram(name) === undefined);
  if (missing.length > 0) console.log(`skipped: ${missing.join(', ')} not installed`);
  return missing.length === 0;
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // ENOENT: it has ended; EACCES: it is not ours.
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    // ENOENT: it has ended.
    return '';
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended.
  }
}
