/**
 * The terminal that the measured program draws on: a PTY that is drained at once, counts, and answers nothing.
 */
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as NodePty from 'node-pty';

const { spawn } = createRequire(import.meta.url)('node-pty') as typeof NodePty;

/** Cells of the outer terminal. */
export const SIZE = { cols: 200, rows: 50 } as const;
/** Longer than the slowest row on a loaded machine; a hang is still noticed. */
const DEADLINE_MS = 90_000;
/** A program that has not ended this long after it was asked to is ended by force. */
const GRACE_MS = 5000;
/** Bytes kept to find what arrives in two pieces; longer than any marker. */
const KEPT = 64;

interface Wanted {
  readonly needle: Buffer;
  readonly found: (at: number) => void;
}

/** A program on a terminal of its own. */
export class Outer {
  readonly #pty: NodePty.IPty & { readonly fd: number };
  /** Bytes drawn so far. */
  bytes = 0;
  /** Chunks they came in. */
  chunks = 0;
  readonly ended: Promise<void>;
  #hasEnded = false;
  #wanted: Wanted | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(argv: readonly string[], options: { cwd: string; env: Readonly<Record<string, string>> }) {
    this.#pty = spawn(argv[0]!, argv.slice(1), {
      ...SIZE,
      name: 'xterm-256color',
      cwd: options.cwd,
      env: options.env,
      encoding: null,
    }) as NodePty.IPty & { readonly fd: number };
    this.#pty.onData(chunk => this.#receive(chunk as unknown as Buffer));
    this.ended = new Promise(resolve =>
      this.#pty.onExit(() => {
        this.#hasEnded = true;
        resolve();
      }),
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Types, without a queue in between. */
  type(text: string): void {
    writeSync(this.#pty.fd, text);
  }

  /** Resolves with the time (performance.now, ms) at which `text` had been drawn, counted from this call. */
  seen(text: string, what: string = JSON.stringify(text)): Promise<number> {
    this.#tail = Buffer.alloc(0);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`never drawn: ${what}`)), DEADLINE_MS);
      this.#wanted = {
        needle: Buffer.from(text),
        found: at => {
          clearTimeout(timer);
          resolve(at);
        },
      };
    });
  }

  /** Ends the program by its pid, by force if it does not go by itself, and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    process.kill(this.pid, 'SIGHUP');
    const force = setTimeout(() => process.kill(this.pid, 'SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(force);
  }

  #receive(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.chunks++;
    const wanted = this.#wanted;
    if (!wanted) return;
    const all = this.#tail.length > 0 ? Buffer.concat([this.#tail, chunk]) : chunk;
    if (all.includes(wanted.needle)) {
      this.#wanted = undefined;
      wanted.found(performance.now());
    } else {
      this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - KEPT)));
    }
  }
}
