/**
 * UTF-8 as Unicode defines it ("Well-Formed UTF-8 Byte Sequences", table 3-7): no overlong forms, no surrogates.
 */

/** What may follow a lead byte: how many continuation bytes, and the bounds of the first of them. */
interface Lead {
  readonly more: number;
  readonly low: number;
  readonly high: number;
}

const ROWS: readonly (readonly [from: number, to: number, more: number, low: number, high: number])[] = [
  [0xc2, 0xdf, 1, 0x80, 0xbf],
  [0xe0, 0xe0, 2, 0xa0, 0xbf],
  [0xe1, 0xec, 2, 0x80, 0xbf],
  [0xed, 0xed, 2, 0x80, 0x9f],
  [0xee, 0xef, 2, 0x80, 0xbf],
  [0xf0, 0xf0, 3, 0x90, 0xbf],
  [0xf1, 0xf3, 3, 0x80, 0xbf],
  [0xf4, 0xf4, 3, 0x80, 0x8f],
];

const LEADS: readonly (Lead | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const row = ROWS.find(([from, to]) => byte >= from && byte <= to);
  return row && { more: row[2], low: row[3], high: row[4] };
});

/**
 * The code point at `at`. `end` is behind it, or behind the longest part that could still have become a character
 * where it is malformed (`codePoint` is then undefined). Undefined when the bytes end too early to tell.
 */
export function readUtf8(
  bytes: Uint8Array,
  at: number,
): { readonly codePoint: number | undefined; readonly end: number } | undefined {
  const first = bytes[at]!;
  if (first < 0x80) return { codePoint: first, end: at + 1 };
  const lead = LEADS[first];
  if (!lead) return { codePoint: undefined, end: at + 1 };
  let codePoint = first & (0x3f >> lead.more);
  for (let i = 1; i <= lead.more; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    const inside = i === 1 ? byte >= lead.low && byte <= lead.high : byte >= 0x80 && byte <= 0xbf;
    if (!inside) return { codePoint: undefined, end: at + i };
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  return { codePoint, end: at + lead.more + 1 };
}

/** Follows a stream byte by byte and tells which bytes end a character: among ASCII only the others can be C1 controls. */
export class Utf8Tracker {
  #more = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Takes the next byte; true if it is the last of a well-formed character of several bytes. */
  completes(byte: number): boolean {
    const continues = this.#more > 0 && byte >= this.#low && byte <= this.#high;
    const lead = continues ? undefined : LEADS[byte];
    this.#more = continues ? this.#more - 1 : (lead?.more ?? 0);
    this.#low = lead?.low ?? 0x80;
    this.#high = lead?.high ?? 0xbf;
    return continues && this.#more === 0;
  }
}
