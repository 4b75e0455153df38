/**
 * Links between lores: `[[name]]`, and markdown links with a relative path that ends in `.md`.
 */
import { join, dirname } from 'node:path/posix';
import { CodeFence } from './code-fence.ts';
import type { Place } from './parsed.ts';

/** A link as it stands in a lore. */
export interface LoreLink extends Place {
  /** As written. */
  readonly text: string;
  /** The lore it leads to: `lores/path`, or `@import//lores/path`. */
  readonly target: string;
}

/** Links of one lore that are kept: an index page of thousands is generated, and checked by what generates it. */
const MAX_LINKS = 1000;
/** A line is looked through this far, in UTF-16 units. */
const MAX_LINE = 2000;
/** Either kind of link. Linear: every repetition excludes what ends it. */
const LINK = /\[\[([^[\]|#\n]+)(?:[#|][^[\]\n]*)?\]\]|\]\(\s*<?([^()<>\s]+\.md)(?:#[^()<>\s]*)?>?[^()\n]*\)/g;

/** The links in a lore's body. `name` is the lore's own; `firstLine` the one-based line where the body starts. */
export function loreLinks(name: string, body: string, firstLine: number): readonly LoreLink[] {
  const links: LoreLink[] = [];
  if (!/\[\[|\]\(/.test(body)) return links;
  const fence = new CodeFence();
  for (const [i, line] of body.split(/\r\n|\n|\r/).entries()) {
    if (fence.feed(line, i + 1)) continue;
    // What stands between backticks is a sample: blanked, so that columns stay.
    const text = line.slice(0, MAX_LINE).replace(/`[^`]*`/g, code => ' '.repeat(code.length));
    for (const match of text.matchAll(LINK)) {
      const written = (match[1] ?? match[2]!).trim();
      const target = match[1] === undefined ? relativeTarget(name, written) : namedTarget(written);
      if (target === undefined) continue;
      links.push({ line: firstLine + i, column: match.index + 1, text: written, target });
      if (links.length >= MAX_LINKS) return links;
    }
  }
  return links;
}

/** `[[db/locks]]`, `[[lores/db/locks]]` and `[[@core//lores/x]]`. */
function namedTarget(text: string): string {
  if (text.startsWith('@')) return text;
  const path = text.replace(/\.md$/, '');
  return path.startsWith('lores/') ? path : `lores/${path}`;
}

/** The lore a relative path leads to; undefined for one outside, and for an address that is no relative path. */
function relativeTarget(name: string, path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/~#]/i.test(path)) return undefined;
  const target = join(dirname(name), decoded(path)).replace(/\.md$/, '');
  // A file beside the lores is somebody else's to check.
  return target.startsWith('lores/') ? target : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the path is what it says.
    return path;
  }
}
