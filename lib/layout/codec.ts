/**
 * A layout as text, in the form tmux's `#{window_layout}` and select-layout use:
 *
 *     602b,83x29,0,0{41x29,0,0,0,41x29,42,0,1}
 *
 * four hexadecimal digits of checksum, then for each node `COLSxROWS,X,Y`, followed by `,ID` for a pane, `{…}` around
 * the children of a split from left to right, `[…]` around those from top to bottom.
 */
import { CodedError } from '../base/errors.ts';
import { MAX_SIDE } from './fit.ts';
import { across, extent, join, paneIds } from './tree.ts';
import type { Axis, LayoutNode } from './types.ts';

/** Two thousand panes' worth of text; a longer one is a mistake. */
const MAX_LENGTH = 64_000;
/** Deeper nesting than any window has room for at sensible sizes; keeps the parser's stack small. */
const MAX_DEPTH = 100;

const BRACKETS: Readonly<Record<Axis, readonly [string, string]>> = { h: ['{', '}'], v: ['[', ']'] };

/** The layout as text, checksum included. */
export function formatLayout(tree: LayoutNode): string {
  const body = formatNode(tree, 0, 0);
  return `${checksum(body)},${body}`;
}

function formatNode(node: LayoutNode, x: number, y: number): string {
  const head = `${node.cols}x${node.rows},${x},${y}`;
  if (node.type === 'pane') return `${head},${node.id}`;
  const [open, close] = BRACKETS[node.axis];
  let at = 0;
  const parts = node.children.map(child => {
    const text = formatNode(child, x + (node.axis === 'h' ? at : 0), y + (node.axis === 'v' ? at : 0));
    at += extent(child, node.axis) + 1;
    return text;
  });
  return `${head}${open}${parts.join(',')}${close}`;
}

/** tmux's 16-bit rotating checksum, as four hexadecimal digits. */
function checksum(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    sum = (sum >> 1) + ((sum & 1) << 15);
    sum = (sum + text.charCodeAt(i)) & 0xffff;
  }
  return sum.toString(16).padStart(4, '0');
}

function bad(why: string): CodedError {
  return new CodedError('usage', `layout: ${why}`, "copy one from display-message -p '#{window_layout}'");
}

/**
 * The tree that `text` describes. Positions are not read: sizes decide them. A split inside one of the same axis is
 * spliced into it, so text from tmux may come out in a simpler, equal form.
 *
 * @throws CodedError 'usage' for a wrong checksum, syntax, sizes that do not add up, or a pane named twice
 */
export function parseLayout(text: string): LayoutNode {
  if (text.length > MAX_LENGTH) throw bad(`longer than ${MAX_LENGTH} characters`);
  const match = /^([0-9a-f]{4}),(.+)$/i.exec(text);
  if (!match) throw bad('does not begin with a checksum');
  const [, sum = '', body = ''] = match;
  if (checksum(body) !== sum.toLowerCase()) throw bad('the checksum is wrong');
  const parser = new Parser(body);
  const tree = parser.node(0);
  if (!parser.ended()) throw bad(`text behind the end, at character ${parser.at + 6}`);
  const ids = paneIds(tree);
  if (new Set(ids).size !== ids.length) throw bad('a pane is named twice');
  return tree;
}

/** Recursive descent over the text behind the checksum. */
class Parser {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  ended(): boolean {
    return this.at === this.#text.length;
  }

  node(depth: number): LayoutNode {
    if (depth > MAX_DEPTH) throw bad(`nested deeper than ${MAX_DEPTH}`);
    const [cols, rows] = this.#numbers(/(\d{1,5})x(\d{1,5}),\d{1,5},\d{1,5}/y);
    if (cols! < 1 || rows! < 1 || cols! > MAX_SIDE || rows! > MAX_SIDE)
      throw bad(`${cols}x${rows} is no size`);
    const axis = this.#take('{') ? 'h' : this.#take('[') ? 'v' : undefined;
    if (!axis) return { type: 'pane', id: this.#numbers(/,(\d{1,9})/y)[0]!, cols: cols!, rows: rows! };
    const children = [this.node(depth + 1)];
    while (this.#take(',')) children.push(this.node(depth + 1));
    if (!this.#take(BRACKETS[axis][1]))
      throw bad(`expected ${BRACKETS[axis][1]} at character ${this.at + 6}`);
    const sizes = { h: cols!, v: rows! };
    const sum = children.reduce((total, child) => total + extent(child, axis), children.length - 1);
    const crooked = children.some(child => extent(child, across(axis)) !== sizes[across(axis)]);
    if (sum !== sizes[axis] || crooked) throw bad(`the parts of ${cols}x${rows} do not fill it`);
    return join(axis, children);
  }

  #take(char: string): boolean {
    if (this.#text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  #numbers(pattern: RegExp): number[] {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    // Five characters of checksum and comma stand before the body; people count from one.
    if (!match) throw bad(`cannot be read at character ${this.at + 6}`);
    this.at = pattern.lastIndex;
    return match.slice(1).map(Number);
  }
}
