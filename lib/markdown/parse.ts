/**
 * Markdown (CommonMark with GitHub's tables, task lists and strikethrough) as marked's tokens, with limits: marked
 * recurses per level of nesting and is quadratic in the length of some paragraphs.
 */
import { Lexer, type Token } from 'marked';

/** About thirty thousand tokens of a model: longer than any answer, and parsed within a second at worst. */
const TEXT_MAX = 131_072;
/** A paragraph of more characters is shown as it stands: emphasis is looked for in quadratic time at worst. */
const INLINE_MAX = 8192;
/**
 * A paragraph with more marks of emphasis and links is shown as it stands: they nest half as deep at most, and marked's
 * recursion must not reach the end of the stack, since running out of it inside a regular expression ends the process.
 */
const MARKS_MAX = 512;
/** Levels that one line may open. Together with INDENT_MAX it keeps marked's recursion far from the end of the stack. */
const MARKERS_MAX = 16;
/** Columns a line may be indented by: a list item needs two per level, so lists nest at most half as deep. */
const INDENT_MAX = 80;
/** More characters in one line than any screen shows at once: a data URL, not prose. */
const LINE_MAX = 16_384;

const GITHUB = { gfm: true, breaks: false, pedantic: false };

/** What was parsed, and how many characters of the text were left out at its end. */
export interface Parsed {
  readonly tokens: readonly Token[];
  readonly omitted: number;
}

/** Parses `text`. Never throws: what marked cannot read comes back as one paragraph of plain text. */
export function parseMarkdown(text: string): Parsed {
  const cut = text.length <= TEXT_MAX ? text : text.slice(0, TEXT_MAX);
  const source = boundLines(cut.replace(/\r\n?/g, '\n'));
  return { tokens: tokensOf(source), omitted: text.length - cut.length };
}

/** `text` with its lines within the limits of this file. Twice is as good as once. */
export function boundLines(text: string): string {
  return text.split('\n').map(boundLine).join('\n');
}

/**
 * Where the last block of `source` begins, which holds whole lines within the limits of `boundLines`: what stands before it
 * no later line changes. 0 where it is the only one.
 */
export function lastBlockStart(source: string): number {
  let end = 0;
  let start = 0;
  for (const { type, raw } of blocksOf(source)) {
    const at = source.indexOf(raw, end);
    // marked gives some blocks without the blank lines at their end; anything else left out is not understood here.
    if (at < 0 || source.slice(end, at).trim() !== '') return 0;
    if (type !== 'space') start = at;
    end = at + raw.length;
  }
  return start;
}

function blocksOf(source: string): Token[] {
  try {
    return new Lexer(GITHUB).blockTokens(source, []);
  } catch {
    // As in tokensOf: it is one block.
    return [];
  }
}

function tokensOf(source: string): Token[] {
  const lexer = new Lexer(GITHUB);
  try {
    const tokens = lexer.blockTokens(source, []);
    // The list grows no more: inline tokens queue nothing.
    for (const { src, tokens: inline } of lexer.inlineQueue) {
      if (isTame(src)) lexer.inlineTokens(src, inline);
      else inline.push({ type: 'escape', raw: src, text: src });
    }
    return tokens;
  } catch {
    // marked's own "infinite loop" check, or a token it has no rule for: the text itself is still worth showing.
    return [
      {
        type: 'paragraph',
        raw: source,
        text: source,
        tokens: [{ type: 'escape', raw: source, text: source }],
      },
    ];
  }
}

function isTame(paragraph: string): boolean {
  return paragraph.length <= INLINE_MAX && (paragraph.match(/[*_~[]/g)?.length ?? 0) <= MARKS_MAX;
}

const MARKER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;

/** `line` with at most MARKERS_MAX markers of quotes and lists, INDENT_MAX columns of indentation, LINE_MAX characters. */
function boundLine(line: string): string {
  const short = line.length <= LINE_MAX ? line : line.slice(0, LINE_MAX) + '…';
  const indent = /^[ \t]*/.exec(short)![0];
  const text = indent.length > INDENT_MAX ? indent.slice(0, INDENT_MAX) + short.slice(indent.length) : short;
  let end = 0;
  let kept = 0;
  const markers = new RegExp(MARKER);
  for (let count = 1; markers.test(text); count++) {
    end = markers.lastIndex;
    if (count === MARKERS_MAX) kept = end;
  }
  const rest = text.slice(end);
  if (kept === 0 || kept === end) return limitGaps(text, end);
  return `${text.slice(0, kept)} …${rest}`;
}

/** Spaces between markers indent as those before them do. */
function limitGaps(text: string, end: number): string {
  if (end <= INDENT_MAX) return text;
  return text.slice(0, end).replace(/[ \t]{2,}/g, ' ') + text.slice(end);
}
