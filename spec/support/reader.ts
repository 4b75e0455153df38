/**
 * Programs that write down what they read, in windows of a running mux: what a program is told, byte for byte.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { MuxHome } from './mux.ts';
import type { OuterTerminal } from './outer-terminal.ts';

/** Bytes in a form that differences show in. */
function shown(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString('latin1'));
}

/** A program in raw mode that has asked the terminal for something. */
export class Reader {
  readonly file: string;
  readonly #home: MuxHome;
  readonly #mux: OuterTerminal;

  private constructor(home: MuxHome, mux: OuterTerminal, file: string) {
    this.#home = home;
    this.#mux = mux;
    this.file = file;
  }

  /**
   * Opens one in the focused pane of a new window, or of a split.
   * @param asks what it prints at first, as `printf` reads it
   */
  static async open(
    home: MuxHome,
    mux: OuterTerminal,
    asks = '',
    command: readonly string[] = ['new-window'],
  ): Promise<Reader> {
    const name = `reader-${Math.random().toString(36).slice(2, 8)}`;
    const file = join(home.work, name);
    await home.ask(...command, `stty raw -echo; printf '${asks}\\e[H${name}\\n'; exec cat >${file}`);
    await mux.waitFor(`${name} reads`, t => existsSync(file) && t.text().includes(name));
    return new Reader(home, mux, file);
  }

  /** All that it has read. */
  read(): Buffer {
    return readFileSync(this.file);
  }

  /** Whatever `act` makes the terminal type arrives as `wanted` (Latin-1), and nothing else. */
  async hears(act: () => unknown, wanted: string, what = wanted): Promise<void> {
    const before = this.read().length;
    await act();
    const got = (): Buffer => this.read().subarray(before);
    try {
      await this.#mux.waitFor('it arrives', () => got().length >= wanted.length);
    } catch {
      // What came is compared below.
    }
    assert.is(shown(got()), shown(Buffer.from(wanted, 'latin1')), JSON.stringify(what));
  }

  /** `typed` arrives as `wanted`. */
  async arrives(typed: string, wanted = typed, what = typed): Promise<void> {
    await this.hears(() => this.#mux.type(Buffer.from(typed, 'latin1')), wanted, what);
  }

  /** That nothing of what was typed before has come, proven by a key that is typed after it. */
  async hearsNothing(typed: string): Promise<void> {
    await this.arrives(`${typed}.`, '.', typed);
  }

  /** Waits until mux has told its terminal to speak as this program asked. */
  async followed(kittyFlags: number): Promise<void> {
    await this.#mux.waitFor(`flags ${kittyFlags}`, t => t.modes.kittyFlags === kittyFlags);
  }

  /** Ends its window. */
  async close(): Promise<void> {
    await this.#home.ask('kill-window');
  }
}
