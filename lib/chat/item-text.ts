/** Items as plain text, for the clipboard, an editor or a file. */
import type { Item } from './item.ts';
import { callAbout } from './item-lines.ts';

/** All of an item's text. */
export function itemText(item: Item): string {
  if (item.kind === 'files')
    return item.files
      .map(({ path, text }) => (text.startsWith(path) ? text : `${path}\n${text}`))
      .join('\n\n');
  if (item.kind !== 'call') return item.text;
  const { call } = item;
  const result = call.outcome?.content ?? item.progress;
  return [`${call.name} ${callAbout(call)}`.trim(), call.preview?.diff, result].filter(Boolean).join('\n\n');
}
