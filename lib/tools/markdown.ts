/**
 * Foreign text within Markdown that people read: as it is, and unable to pass for anything else.
 */
import { visible } from '../base/visible.ts';

/** Text in a line, as code. */
export function code(text: string): string {
  const shown = visible(text);
  if (!shown.includes('`')) return `\`${shown}\``;
  const fence = fenceFor(shown, 2);
  return `${fence} ${shown} ${fence}`;
}

/** Text in a block of code that nothing within can close. */
export function fenced(text: string, kind = ''): string {
  const fence = fenceFor(text, 3);
  return `${fence}${kind}\n${text}\n${fence}`;
}

/** More backticks than stand together anywhere in it (CommonMark 4.5, 6.1). */
function fenceFor(text: string, least: number): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, match) => Math.max(most, match[0].length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
