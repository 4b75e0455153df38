/**
 * The terminal that a person sits at: a real PTY whose output goes into an emulator, so that specs read cells, cursor
 * and modes, and what is typed goes in as bytes.
 */
import { readFileSync } from 'node:fs';
import * as nodePty from 'node-pty';
import { Emulator } from '../../lib/term/emulator.ts';
import type { Cursor, TermModes } from '../../lib/term/screen-view.ts';
import { cellStyle, findText, rowStyles, screenDump, screenRows, type Mask } from './screen-dump.ts';
import { until } from './until.ts';

/** A terminal with the kitty protocol, one far away, one that only answers DA1 (xterm), one that answers nothing. */
export type Keyboard = 'kitty' | 'far' | 'xterm' | 'silent';

/** How late the answers of a terminal far away are. */
const FAR_MS = 200;

/** Which answers a terminal keeps to itself. */
const UNANSWERED: Readonly<Record<Keyboard, RegExp>> = {
  kitty: /(?!)/,
  far: /(?!)/,
  xterm: /\x1b\[\?\d+u/g,
  silent: /[^]+/g,
};

export interface OuterOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** File that the state of the tty is written to once the program has ended. */
  readonly sttyFile: string;
  /** What a failure shows beside the screen. */
  readonly log: () => string;
  /** What it says when asked for its keyboard (default 'kitty'). */
  readonly keyboard?: Keyboard;
}

/** What is waited for: text on the screen, a pattern over its rows joined by newlines, or anything else. */
export type Condition = string | RegExp | ((terminal: OuterTerminal) => unknown);

/** Output kept for specs that look at the bytes themselves; more than any of them needs. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Generous, since the machine may be busy: what holds is seen at once. */
const DEADLINE_MS = 20_000;

/**
 * Runs the program, then tells its status and the tty's state while the terminal still stands. The status comes as an
 * OSC of our own, which no terminal shows.
 */
const WRAPPER = '"$@"; s=$?; stty -a >"$STTY_FILE"; printf "\\033]7777;%d\\007" $s; read _';
const STATUS = /\x1b\]7777;(\d+)\x07/;

export class OuterTerminal {
  readonly emulator: Emulator;
  readonly #pty: nodePty.IPty;
  readonly #options: OuterOptions;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #tail = '';
  #status: number | undefined;
  #gone = false;
  /** Bytes that have come so far. */
  received = 0;
  /** Answers given so far to what was asked of it. */
  answers = 0;

  constructor(options: OuterOptions) {
    this.#options = options;
    const { cols, rows } = options;
    this.emulator = new Emulator({ cols, rows, historyLines: 1000 });
    this.#pty = nodePty.spawn('/bin/sh', ['-c', WRAPPER, 'sh', ...options.argv], {
      cols,
      rows,
      cwd: options.cwd,
      env: { ...options.env, STTY_FILE: options.sttyFile },
      encoding: null,
    });
    this.#pty.onData(data => this.#receive(data as unknown as Uint8Array));
    this.#pty.onExit(() => (this.#gone = true));
    const unanswered = UNANSWERED[options.keyboard ?? 'kitty'];
    this.emulator.onReply(bytes => {
      const answer = Buffer.from(bytes).toString('latin1').replace(unanswered, '');
      if (answer === '') return;
      if (options.keyboard === 'far') setTimeout(() => this.#answer(answer), FAR_MS);
      else this.#answer(answer);
    });
  }

  // Reading

  /** Text of every row. */
  screen(): string[] {
    return screenRows(this.emulator);
  }

  /** Rows joined by newlines, blanks at their ends left out. */
  text(): string {
    return this.screen()
      .map(row => row.trimEnd())
      .join('\n');
  }

  /** The style of a cell: `fg=1+bold`, '' for plain. */
  styleAt(x: number, y: number): string {
    const line = this.emulator.line(y);
    return line ? cellStyle(line, x) : '';
  }

  /** Styled runs of a row. */
  styles(y: number): string {
    return rowStyles(this.emulator, y);
  }

  /** Text and styles of the whole screen and the cursor, with parts that change by themselves masked. */
  dump(masks: readonly Mask[] = []): string {
    return screenDump(this.emulator, masks);
  }

  /** Where `text` stands: zero-based column and row. Undefined if it does not. */
  find(text: string): { x: number; y: number } | undefined {
    return findText(this.emulator, text);
  }

  get cursor(): Cursor {
    return this.emulator.cursor;
  }

  get modes(): TermModes {
    return this.emulator.modes;
  }

  /** The bytes that came, the last 8 MiB of them. */
  output(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Forgets the bytes that came. */
  forgetOutput(): void {
    this.#chunks.length = 0;
    this.#kept = 0;
  }

  /** Status the program ended with (128+N for signal N), undefined while it runs. */
  get status(): number | undefined {
    return this.#status;
  }

  /** The program's pid. Throws once it has ended. */
  get pid(): number {
    const children = readFileSync(`/proc/${this.#pty.pid}/task/${this.#pty.pid}/children`, 'utf8').trim();
    if (!/^\d+$/.test(children)) throw new Error(`the program has ended: '${children}'`);
    return Number(children);
  }

  /** `stty -a` after the program has ended. */
  stty(): string {
    return readFileSync(this.#options.sttyFile, 'utf8');
  }

  // Doing

  /** Types text or bytes, as they are. */
  type(input: string | Uint8Array): void {
    if (!this.#gone) this.#pty.write(typeof input === 'string' ? input : (Buffer.from(input) as never));
  }

  resize(cols: number, rows: number): void {
    this.emulator.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** Sends a signal to the program. */
  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Stops reading the program's output, as a terminal that hangs does. */
  pause(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
  }

  /** Closes the terminal: its programs get SIGHUP. */
  close(): void {
    if (!this.#gone) this.#pty.kill('SIGHUP');
    this.#gone = true;
    (this.#pty as unknown as { destroy(): void }).destroy();
  }

  // Waiting

  /** Resolves when the condition holds; else fails with `what`, the screen and the server's log. */
  async waitFor(what: string, condition: Condition, deadlineMs = DEADLINE_MS): Promise<void> {
    await until(what, () => this.#holds(condition), { deadlineMs, describe: () => this.describe() });
  }

  /** Resolves with the program's exit status. */
  async ended(): Promise<number> {
    await this.waitFor('the client ends', () => this.#status !== undefined);
    return this.#status!;
  }

  /** The screen as it is and the end of the server's log. */
  describe(): string {
    const rows = this.screen().map(row => `|${row}|`);
    const { x, y } = this.cursor;
    return [...rows, `cursor ${x},${y}; status ${this.#status}`, '--- server log', this.#options.log()].join(
      '\n',
    );
  }

  #holds(condition: Condition): unknown {
    if (typeof condition === 'function') return condition(this);
    const text = this.text();
    return typeof condition === 'string' ? text.includes(condition) : condition.test(text);
  }

  #answer(text: string): void {
    this.answers++;
    this.type(Buffer.from(text, 'latin1'));
  }

  #receive(bytes: Uint8Array): void {
    this.received += bytes.length;
    this.emulator.write(bytes);
    this.#chunks.push(bytes);
    this.#kept += bytes.length;
    while (this.#kept > KEPT_BYTES) this.#kept -= this.#chunks.shift()!.length;
    this.#tail = (this.#tail + Buffer.from(bytes).toString('latin1')).slice(-64);
    const match = STATUS.exec(this.#tail);
    if (match) this.#status = Number(match[1]);
  }
}
