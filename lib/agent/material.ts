/**
 * Text that nobody vouches for, put into a prompt so that it stays what it is: material between fences, which it cannot end, and
 * names on one line.
 */

/** C0 without tab and newline, DEL, C1, line and paragraph separators, bidirectional controls (UAX #9), lone surrogates. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Text of several lines without what is not seen: a person who reads it sees what a model is told. */
export function plainText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replace(HIDDEN, '\ufffd');
}

/** A fence of CommonMark 0.31 (§4.5) around the text that no line of it can end, however it is indented or made. */
export function fencedText(text: string): string {
  const plain = plainText(text).replace(/\n+$/, '');
  const longest = Math.max(2, ...[...plain.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${plain}\n${fence}`;
}

/** A name on one line as code (CommonMark 0.31, §6.1): of a path, a branch, whatever others have named. */
export function codeName(name: string): string {
  const line = plainText(name).replaceAll(/[\n\t]/g, '\ufffd');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}
