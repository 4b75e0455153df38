/**
 * blessed measures text with tables of its own that disagree with every terminal. So it only ever sees characters it
 * cannot get wrong: any cluster that is not a plain one-cell character is replaced by private-use characters, one per
 * cell, and put back when the cells are read.
 *
 * U+E000–U+E3FF pane sentinels · U+E400 right half of a wide cluster · U+E401–U+F8FF clusters.
 */

/** Panes that can show through one screen; a 500×200 screen of 1×1 panes is the only way to have more. */
export const MAX_PANES = 0x400;

const FIRST_PANE = 0xe000;
const RIGHT_HALF = 0xe400;
const FIRST_CLUSTER = 0xe401;
const LAST_CLUSTER = 0xf8ff;
const CAPACITY = LAST_CLUSTER - FIRST_CLUSTER + 1;

/** A cluster and its width in cells, 1 or 2. */
export interface Cluster {
  readonly text: string;
  readonly width: number;
}

/** The character a pane's cells are filled with. */
export function paneSentinel(index: number): string {
  return String.fromCharCode(FIRST_PANE + index);
}

/** Index of the pane a character stands for, or -1. */
export function paneIndex(code: number): number {
  return code >= FIRST_PANE && code < FIRST_PANE + MAX_PANES ? code - FIRST_PANE : -1;
}

/** Whether a character is the right half of the cluster before it. */
export function isRightHalf(code: number): boolean {
  return code === RIGHT_HALF;
}

/** Characters blessed and all terminals agree on: Latin, arrows, technical signs, line drawing, geometric shapes. */
export function isPlain(code: number): boolean {
  return (
    (code >= 0x20 && code < 0x7f) ||
    (code >= 0xa1 && code < 0x300 && code !== 0xad) ||
    code === 0x2026 ||
    code === 0x2387 ||
    (code >= 0x2500 && code <= 0x257f)
  );
}

/** Clusters on one screen and the characters that stand for them. */
export class StandIns {
  readonly #codes = new Map<string, number>();
  readonly #clusters: Cluster[] = [];

  /** Whether more than half of the room is used, so that it is time to start anew. */
  get isCrowded(): boolean {
    return this.#clusters.length > CAPACITY / 2;
  }

  /** Forgets everything: no text encoded before may still be on the screen. */
  reset(): void {
    this.#codes.clear();
    this.#clusters.length = 0;
  }

  /** One character for each of the cluster's `width` cells (1 or 2); question marks once the room is used up. */
  encode(text: string, width: number): string {
    let code = this.#codes.get(text);
    if (code === undefined) {
      if (this.#clusters.length >= CAPACITY) return '?'.repeat(width);
      code = FIRST_CLUSTER + this.#clusters.length;
      this.#clusters.push({ text, width });
      this.#codes.set(text, code);
    }
    return width === 2 ? String.fromCharCode(code, RIGHT_HALF) : String.fromCharCode(code);
  }

  /** The cluster a character stands for. */
  decode(code: number): Cluster | undefined {
    return code < FIRST_CLUSTER || code > LAST_CLUSTER ? undefined : this.#clusters[code - FIRST_CLUSTER];
  }
}
