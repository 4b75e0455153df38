/** Foreign text at its bounds. */

/** `text`, or its first `max` characters with `…` for the rest. No character is cut in two. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text[max - 2] ?? '') ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/**
 * `text` in at most `max` bytes of UTF-8; what is left out stands in its middle, and how much it is, is told. The end of an
 * output often says most.
 */
export function withoutMiddle(text: string, max: number): string {
  // Three bytes are the most that a UTF-16 unit becomes.
  if (text.length * 3 <= max) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  const note = `\n… ${bytes.length - max} bytes left out …\n`;
  const room = max - Buffer.byteLength(note);
  const head = Math.ceil(room / 2);
  // Whole characters only (RFC 3629: bytes 10xxxxxx go on with one).
  let from = bytes.length - (room - head);
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  let to = head;
  while (((bytes[to] ?? 0) & 0xc0) === 0x80) to--;
  return bytes.toString('utf8', 0, to) + note + bytes.toString('utf8', from);
}
