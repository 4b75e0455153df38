/**
 * Text of files that nobody vouches for, made fit for one line of a screen.
 */

// C0, DEL, C1, line separators, and the bidirectional controls that make text read as what it is not (UAX #9).
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** The text with everything that could move a cursor, or reorder a line, as one space; surrounding space gone. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim();
}

/** Whether `printable` would change more than surrounding space. */
export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) < 0;
}

/** A piece of a file inside a message: quoted, printable, at most 60 characters. */
export function quote(text: string): string {
  const clean = Array.from(printable(text.slice(0, 200)));
  return `'${clean.length > 60 ? clean.slice(0, 59).join('') + '…' : clean.join('')}'`;
}

/** The text without a leading byte order mark. */
export function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
