/**
 * The text of a page without its tags, good enough to read.
 */

/** Characters by the names that pages use most (HTML 13.5). */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/** Elements whose text nobody sees. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);
/** Elements that begin a line. */
const BLOCKS =
  /^(?:p|div|br|li|ul|ol|tr|table|section|article|header|footer|main|nav|aside|h[1-6]|pre|blockquote|dt|dd|hr|form)$/;

/** Reads it once from the start to the end; time grows with its length alone. */
export function htmlText(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    pieces.push(unescaped(html.slice(at, open)));
    const [name, end] = tagAt(html, open);
    if (BLOCKS.test(name)) pieces.push('\n');
    at = UNSEEN.has(name) ? endOf(html, name, end) : end;
  }
  pieces.push(unescaped(html.slice(at)));
  return pieces
    .join('')
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The name of a tag, '' for what is none, and where it ends. */
function tagAt(html: string, open: number): readonly [string, number] {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return ['', end < 0 ? html.length : end + 3];
  }
  const end = html.indexOf('>', open);
  const name = /^<\/?([a-z][a-z\d]*)/i.exec(html.slice(open, open + 20))?.[1]?.toLowerCase() ?? '';
  return [name, end < 0 ? html.length : end + 1];
}

function endOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  if (!close.test(html)) return html.length;
  const end = html.indexOf('>', close.lastIndex);
  return end < 0 ? html.length : end + 1;
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const cp = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return cp > 0 && cp <= 0x10ffff && !(cp >= 0xd800 && cp < 0xe000) ? String.fromCodePoint(cp) : whole;
  });
}
