/**
 * Markdown as styled lines for a terminal. Pure; for untrusted text of any content and size.
 */
import type { Token, Tokens } from 'marked';
import type { Run, StyledLine } from '../base/styled.ts';
import { cellWidth } from '../base/text.ts';
import { codeLines } from './code.ts';
import { inlineRuns, safeText } from './inline.ts';
import { parseMarkdown } from './parse.ts';
import { tableLines } from './table.ts';
import { wrap, type Style } from './wrap.ts';

/** Narrower than this, quotes and lists give up their indentation rather than the text. */
const INNER_MIN = 8;

/** Headings by depth: the first two stand out by colour too. */
const HEADINGS: readonly Style[] = [
  { role: 'accent', bold: true, underline: true },
  { role: 'accent', bold: true },
  { bold: true },
];

/**
 * `text` as lines of at most `width` cells (below 1 counts as 1). Never throws. Holds no control characters. Of very
 * long texts the end is left out, and a last line says so.
 */
export function renderMarkdown(text: string, width: number): StyledLine[] {
  const cells = Math.max(1, Math.floor(width) || 1);
  const { tokens, omitted } = parseMarkdown(text);
  const lines = blockLines(tokens, cells);
  if (omitted === 0) return lines;
  return [...lines, [], ...wrap([{ text: `… ${omitted} more characters`, role: 'dim' }], cells)];
}

/** Blocks below each other with an empty line between them; without one where they are `tight`. */
function blockLines(tokens: readonly Token[], width: number, tight = false): StyledLine[] {
  const lines: StyledLine[] = [];
  for (const token of tokens) {
    const block = linesOf(token, width);
    if (block.length === 0) continue;
    if (lines.length > 0 && !tight) lines.push([]);
    for (const line of block) lines.push(line);
  }
  return lines;
}

function linesOf(token: Token, width: number): StyledLine[] {
  const render = Object.hasOwn(BLOCKS, token.type) ? BLOCKS[token.type] : undefined;
  return render ? render(token, width) : wrap([{ text: safeText(token.raw.trimEnd()) }], width);
}

const BLOCKS: Readonly<Record<string, (token: Token, width: number) => StyledLine[]>> = {
  space: () => [],
  // Link definitions: what they define stands beside the links.
  def: () => [],
  checkbox: () => [],
  paragraph: (token, width) => wrap(inlineRuns((token as Tokens.Paragraph).tokens), width),
  text: (token, width) => wrap(inlineRuns([token]), width),
  heading(token, width) {
    const { depth, tokens } = token as Tokens.Heading;
    return wrap(inlineRuns(tokens, HEADINGS[Math.min(depth, HEADINGS.length) - 1]), width);
  },
  hr: (_token, width) => [[{ text: '─'.repeat(width), role: 'border' }]],
  html: (token, width) => wrap([{ text: safeText(token.raw.trimEnd()), role: 'dim' }], width),
  code(token, width) {
    const { text, lang } = token as Tokens.Code;
    return beside({ text: '  ' }, { text: '  ' }, width, inner => codeLines(text, lang ?? '', inner));
  },
  blockquote(token, width) {
    const bar: Run = { text: '│ ', role: 'dim' };
    return beside(bar, bar, width, inner => blockLines((token as Tokens.Blockquote).tokens, inner));
  },
  list: (token, width) => listLines(token as Tokens.List, width),
  table: (token, width) => tableLines(token as Tokens.Table, width),
};

function listLines(list: Tokens.List, width: number): StyledLine[] {
  const first = Number(list.start) || 0;
  // All numbers of a list take the room of its longest.
  const numberCells = String(first + Math.max(0, list.items.length - 1)).length;
  return list.items.flatMap((item, index) => {
    const mark = list.ordered ? `${String(first + index).padStart(numberCells)}. ` : '• ';
    const task = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const marker: Run = {
      text: (list.ordered ? mark : task ? '' : mark) + task,
      role: item.checked ? 'ok' : 'dim',
    };
    const blank: Run = { text: ' '.repeat(cellWidth(marker.text)) };
    const lines = beside(marker, blank, width, inner => blockLines(item.tokens, inner, !list.loose));
    return list.loose && index > 0 ? [[], ...lines] : lines;
  });
}

/** What `render` draws, with `first` before its first line and `rest` before the others, where there is room for them. */
function beside(first: Run, rest: Run, width: number, render: (width: number) => StyledLine[]): StyledLine[] {
  const inner = width - cellWidth(first.text);
  if (inner < INNER_MIN) return render(width);
  const lines = render(inner);
  return (lines.length > 0 ? lines : [[]]).map((line, index) => {
    const lead = index === 0 ? first : rest;
    return line.length > 0 || lead.text.trim() !== '' ? [lead, ...line] : line;
  });
}
