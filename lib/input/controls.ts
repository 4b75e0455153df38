/**
 * Control bytes of ECMA-48 that input is made of, and text to bytes.
 */

export const ESC = 0x1b;
export const BEL = 0x07;
export const DEL = 0x7f;

/** The 8-bit forms of `ESC O`, `ESC P`, `ESC [`, `ESC \`, `ESC ]` and `ESC _` (ctlseqs, "C1 (8-Bit) Control Characters"). */
export const C1 = { ss3: 0x8f, dcs: 0x90, csi: 0x9b, st: 0x9c, osc: 0x9d, apc: 0x9f } as const;

const encoder = new TextEncoder();

/** `text` as UTF-8. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Whether a code point is a control character (C0, DEL, C1), which is never the text of a key. */
export function isControl(codePoint: number): boolean {
  return codePoint < 0x20 || (codePoint >= DEL && codePoint < 0xa0);
}

/** Up to here a loop is faster than a view and a copy of it; nearly all sequences are shorter. */
const SHORT = 16;

/** A copy of `bytes[start..end)` that owns its memory, whatever subclass of Uint8Array `bytes` is. */
export function copyBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  // Not slice(): on a Buffer that is a view, and the caller may reuse its memory.
  if (end - start > SHORT) return new Uint8Array(bytes.subarray(start, end));
  const copy = new Uint8Array(end - start);
  for (let i = start; i < end; i++) copy[i - start] = bytes[i]!;
  return copy;
}
