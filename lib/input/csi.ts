/**
 * The outer form of control sequences: CSI, parameters, intermediates, final byte (ECMA-48 §5.4), with the colon
 * sub-parameters of ISO 8613-6.
 */

/**
 * Longest control sequence taken for one, in bytes. The longest that is real is a kitty key with alternates and the
 * text of a whole composed word (about 100); anything longer is an attack or noise.
 */
const MAX_CSI = 256;

/** A whole control sequence. */
export interface Csi {
  /** One of `<`, `=`, `>`, `?`, or '' for none. */
  readonly marker: string;
  /** Parameters with their sub-parameters; an absent number is -1, one that is none is NaN. */
  readonly params: readonly (readonly number[])[];
  /** Intermediate bytes as text, mostly ''. */
  readonly intermediate: string;
  readonly final: string;
}

/** How far the sequence whose first byte behind the introducer is at `start` reaches. */
export type CsiExtent =
  | { readonly state: 'whole'; readonly csi: Csi; readonly end: number }
  /** The bytes end inside it. */
  | { readonly state: 'open'; readonly end: number }
  /** A byte that cannot stand in a sequence is at `end`. */
  | { readonly state: 'broken'; readonly end: number }
  /** Longer than MAX_CSI. */
  | { readonly state: 'endless'; readonly end: number };

function number(text: string): number {
  return text === '' ? -1 : Number(text);
}

function readCsi(bytes: Uint8Array, start: number, middle: number, last: number): Csi {
  const text = String.fromCharCode(...bytes.subarray(start, middle));
  const marker = /^[<=>?]/.exec(text)?.[0] ?? '';
  const body = text.slice(marker.length);
  return {
    marker,
    params: body === '' ? [] : body.split(';').map(param => param.split(':').map(number)),
    intermediate: String.fromCharCode(...bytes.subarray(middle, last)),
    final: String.fromCharCode(bytes[last]!),
  };
}

/** Reads a control sequence whose parameters begin at `start`. */
export function scanCsi(bytes: Uint8Array, start: number): CsiExtent {
  const limit = Math.min(bytes.length, start + MAX_CSI);
  let p = start;
  while (p < limit && bytes[p]! >= 0x30 && bytes[p]! <= 0x3f) p++;
  const middle = p;
  while (p < limit && bytes[p]! >= 0x20 && bytes[p]! <= 0x2f) p++;
  if (p === start + MAX_CSI) return { state: 'endless', end: p };
  if (p === bytes.length) return { state: 'open', end: p };
  const final = bytes[p]!;
  if (final < 0x40 || final > 0x7e) return { state: 'broken', end: p };
  return { state: 'whole', csi: readCsi(bytes, start, middle, p), end: p + 1 };
}

/** Sub-parameter `sub` of parameter `index`, or `absent` where it is not there or empty. */
export function param(csi: Csi, index: number, sub: number, absent: number): number {
  const value = csi.params[index]?.[sub] ?? -1;
  return value === -1 ? absent : value;
}
