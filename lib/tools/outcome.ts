/**
 * What calls come to, within what a model is given of them.
 */
import { OUTCOME_MAX, type Outcome } from '../agent/tool.ts';
import { errorText, toCoded } from '../base/errors.ts';

/** Bytes that the note about what is left out may take, in every text. */
const NOTE_MAX = 200;

/** An outcome of text; where it is too long its middle is left out. */
export function told(content: string, more: Omit<Partial<Outcome>, 'content'> = {}): Outcome {
  return { isError: false, ...more, content: withoutMiddle(content) };
}

/** A failure that the model can do something about. */
export function failed(content: string): Outcome {
  return told(content, { isError: true });
}

/** The outcome of a call that threw. */
export function failedBy(error: unknown): Outcome {
  return failed(errorText(toCoded(error)));
}

/** At most `max` bytes of a text as UTF-8: its beginning and its end, and how much is missing between them. */
export function withoutMiddle(text: string, max = OUTCOME_MAX): string {
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return text;
  const bytes = Buffer.from(text);
  const half = Math.floor((max - NOTE_MAX) / 2);
  return joined(bytes.subarray(0, half), bytes.subarray(bytes.length - half), bytes.length - 2 * half);
}

/** Beginning and end of something with `left` bytes between them that are gone. */
export function joined(head: Uint8Array, tail: Uint8Array, left: number): string {
  const [first, last] = [wholeEnd(head), wholeStart(tail)];
  if (left === 0) return Buffer.concat([head, tail]).toString('utf8');
  return `${first}\n\n[… ${left} bytes left out …]\n\n${last}`;
}

/** Without a character that the cut has left half of at the end. */
function wholeEnd(bytes: Uint8Array): string {
  let end = bytes.length;
  // A character of UTF-8 has at most three bytes behind its first.
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (wants > back) end = bytes.length - back;
    break;
  }
  return Buffer.from(bytes.subarray(0, end)).toString('utf8');
}

function wholeStart(bytes: Uint8Array): string {
  let start = 0;
  while (start < 4 && (bytes[start]! & 0xc0) === 0x80) start++;
  return Buffer.from(bytes.subarray(start)).toString('utf8');
}
