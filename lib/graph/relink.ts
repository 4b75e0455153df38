/**
 * Links of lores after one of them has got another name.
 */
import { dirname, relative } from 'node:path/posix';
import type { LoreLink } from './links.ts';

/** A lore that has moved, or has not: then both are the same. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a lore with its links mended, the same text where none has to be. Places of the links are those of
 * `text`.
 *
 * @param at the lore whose text it is
 * @param moved the lore that has another name
 */
export function relinked(text: string, links: readonly LoreLink[], at: Moved, moved: Moved): string {
  const lines = text.split(/(\r\n|\n|\r)/);
  // From the right, so that the columns of those before hold.
  for (const link of links.toSorted((a, b) => b.line - a.line || b.column - a.column)) {
    const target = link.target === moved.from ? moved.to : link.target;
    const i = (link.line - 1) * 2;
    const line = lines[i] ?? '';
    const start = line.indexOf(link.text, link.column - 1);
    if (start < 0) continue;
    const isNamed = line.startsWith('[[', link.column - 1);
    const isTouched = target !== link.target || (!isNamed && dirname(at.from) !== dirname(at.to));
    if (!isTouched) continue;
    const written = isNamed ? named(link.text, target) : path(link.text, at.to, target);
    lines[i] = line.slice(0, start) + written + line.slice(start + link.text.length);
  }
  return lines.join('');
}

/** `[[db/locks]]` stays short, `[[lores/db/locks]]` long. */
function named(before: string, target: string): string {
  const suffix = before.endsWith('.md') ? '.md' : '';
  return (before.startsWith('lores/') ? target : target.slice('lores/'.length)) + suffix;
}

/** A relative path, with `./` where there was one. */
function path(before: string, from: string, target: string): string {
  // With its ending: a lore may be called as the folder beside it.
  const to = relative(dirname(from), `${target}.md`);
  const encoded = to.split('/').map(encodePart).join('/');
  return `${before.startsWith('./') && !encoded.startsWith('../') ? './' : ''}${encoded}`;
}

/** Only what would end a link or change its meaning: people read these. */
function encodePart(part: string): string {
  return part.replace(/[\s()<>%#]/g, char =>
    encodeURIComponent(char).replace('(', '%28').replace(')', '%29'),
  );
}
