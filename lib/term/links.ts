/**
 * OSC 8 targets by number. Stands in for xterm's own table, which gives every link a marker on its line: a program
 * that draws the same link again and again would make it grow without end, and each character of an open link slower.
 */
import type { XtermLinkStore } from './xterm-core.ts';

/** Characters of targets and ids kept for one pane: some ten thousand ordinary links. */
const MAX_CHARS = 1 << 20;
/** What an entry costs besides its text, so that many short ones are bounded too. */
const ENTRY_COST = 64;

interface Link {
  readonly id: string | undefined;
  readonly uri: string;
}

/** Interns links; when full, the oldest are forgotten and their cells become plain text. */
export class LinkTable implements XtermLinkStore {
  readonly #byKey = new Map<string, number>();
  readonly #byNumber = new Map<number, Link>();
  #next = 1;
  #cost = 0;

  /** The number of a link: the same for the same id and target while it is remembered. Never 0. */
  registerLink(link: { readonly id?: string | undefined; readonly uri: string }): number {
    const key = `${link.id ?? ''};${link.uri}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.#byKey.set(key, number);
    this.#byNumber.set(number, { id: link.id, uri: link.uri });
    this.#cost += key.length + ENTRY_COST;
    while (this.#cost > MAX_CHARS) this.#forgetOldest();
    return number;
  }

  /** Links live by age here, not by line. */
  addLineToLink(_id: number, _y: number): void {}

  getLinkData(id: number): Link | undefined {
    return this.#byNumber.get(id);
  }

  /** Links remembered. */
  get size(): number {
    return this.#byNumber.size;
  }

  #forgetOldest(): void {
    const [key, number] = this.#byKey.entries().next().value!;
    this.#byKey.delete(key);
    this.#byNumber.delete(number);
    this.#cost -= key.length + ENTRY_COST;
  }
}
