/**
 * OSC 8 targets by number. Stands in for xterm's own table, which gives every link a marker on its line: a program
 * that draws the same link again and again would make it grow without end, and each character of an open link slower.
 */
import { malformed, type ByteReader, type ByteWriter, type Kept } from './checkpoint/bytes.ts';
import type { XtermLinkStore } from './xterm-core.ts';

/** Characters of targets and ids kept for one pane: some ten thousand ordinary links. */
const MAX_CHARS = 1 << 20;
/** What an entry costs besides its text, so that many short ones are bounded too. */
const ENTRY_COST = 64;

interface Link {
  readonly id: string | undefined;
  readonly uri: string;
}

const keyOf = ({ id, uri }: Partial<Link> & Pick<Link, 'uri'>): string => `${id ?? ''};${uri}`;

/** Interns links; when full, the oldest are forgotten and their cells become plain text. */
export class LinkTable implements XtermLinkStore, Kept {
  readonly #byKey = new Map<string, number>();
  readonly #byNumber = new Map<number, Link>();
  #next = 1;
  #cost = 0;

  /** The number of a link: the same for the same id and target while it is remembered. Never 0. */
  registerLink(link: { readonly id?: string | undefined; readonly uri: string }): number {
    const key = keyOf(link);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.#add(number, key, { id: link.id, uri: link.uri });
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

  save(to: ByteWriter): void {
    to.long(this.#next);
    to.count(this.#byNumber.size);
    for (const [number, { id, uri }] of this.#byNumber) {
      to.long(number);
      to.shared(id ?? '');
      to.shared(uri);
    }
  }

  load(from: ByteReader): void {
    this.#next = from.long();
    for (let n = from.count(MAX_CHARS / ENTRY_COST); n > 0; n--) {
      const number = from.long();
      const link = { id: from.shared() || undefined, uri: from.shared() };
      this.#add(number, keyOf(link), link);
      if (number >= this.#next || this.#cost > MAX_CHARS || this.#byKey.size !== this.#byNumber.size)
        throw malformed('links that nobody has made');
    }
  }

  #add(number: number, key: string, link: Link): void {
    this.#byKey.set(key, number);
    this.#byNumber.set(number, link);
    this.#cost += key.length + ENTRY_COST;
  }

  #forgetOldest(): void {
    const [key, number] = this.#byKey.entries().next().value!;
    this.#byKey.delete(key);
    this.#byNumber.delete(number);
    this.#cost -= key.length + ENTRY_COST;
  }
}
