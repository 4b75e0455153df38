/** Foreign text at its bounds. */

/** `text`, or its first `max` characters with `…` for the rest. No character is cut in two. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text[max - 2] ?? '') ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}
