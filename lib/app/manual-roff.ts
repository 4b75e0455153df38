/**
 * From the Markdown of a manual page to what man(1) reads.
 */

/** Ends the term of a definition until the page is roff; a character that no text has (private use). */
const TERM_END = '\u{e000}';

/**
 * Markdown for the converter: comments out, and each table as a list of definitions, since tables of roff keep their
 * width whatever the terminal has. The first cell is the term, the last its text, those between stand behind it.
 */
export function withoutTables(page: string): string {
  const out: string[] = [];
  let header: readonly string[] | undefined;
  for (const line of page.replace(/<!--[\s\S]*?-->\n*/g, '').split('\n')) {
    if (!line.startsWith('|')) {
      header = undefined;
      out.push(line);
      continue;
    }
    if (/^\|[-|: ]+\|$/.test(line)) continue;
    const cells = cellsOf(line);
    if (header) out.push(definition(header, cells));
    else header = cells;
  }
  return out.join('\n');
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'));
}

function definition(header: readonly string[], cells: readonly string[]): string {
  const between = cells
    .slice(1, -1)
    .map((cell, i) => (cell === '' ? '' : `${header[i + 1]!.toLowerCase()}: ${cell}`))
    .filter(Boolean);
  const text = cells.at(-1)! + (between.length > 0 ? ` (${between.join('; ')})` : '');
  return `* ${cells[0]}${TERM_END}\n  ${text}`;
}

/**
 * Roff as the converter made it, with terms as such, room before samples, quotes, and no date: a page that is made
 * anew must be the same.
 */
export function tidyRoff(roff: string): string {
  return roff
    .replace(new RegExp(`^\\.IP \\\\\\(bu 2\\n(.*)${TERM_END}\\n`, 'gm'), '.TP\n$1\n')
    .replace(/^\.RS 1\n(?=\.TP)/gm, '.RS 0\n')
    .replace(/^\.RS 2\n\.nf$/gm, '.P\n.RS 2\n.nf')
    .replace(/^(\.TH "[^"]*" "[^"]*") "[^"]*"/, '$1 ""')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\n{2,}/g, '\n')
    .replace(/^\n/, '');
}
