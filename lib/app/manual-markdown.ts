/**
 * Markdown for the manual: escaped text, code, tables, and the places in a page that are filled in.
 */

/** Text in which nothing is markup. */
export function plain(text: string): string {
  return text.replace(/[\\*_<>`[\]|]/g, '\\$&');
}

/** A code span, also inside a table: there a bar must be escaped although it is code. Empty text gives none. */
export function code(text: string): string {
  if (text === '') return '';
  const fence = text.includes('`') ? '``' : '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + space + text.replaceAll('|', '\\|') + space + fence;
}

/** A table; cells are Markdown without line breaks. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Where a generated part stands in a page. */
const PART = /^<!-- begin ([a-z-]+) -->\n[\s\S]*?^<!-- end \1 -->$/gm;

/**
 * The page with every generated part made anew.
 * Throws where the page asks for a part that there is not, or asks for one twice.
 */
export function fillParts(page: string, parts: Readonly<Record<string, () => string>>): string {
  const seen = new Set<string>();
  return page.replace(PART, (_whole, name: string) => {
    const make = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!make || seen.has(name)) throw new Error(`the page asks for '${name}' ${make ? 'twice' : 'in vain'}`);
    seen.add(name);
    return `<!-- begin ${name} -->\n\n${make()}\n\n<!-- end ${name} -->`;
  });
}

/** Names of the generated parts of a page, in order. */
export function partsOf(page: string): string[] {
  return [...page.matchAll(PART)].map(match => match[1]!);
}
