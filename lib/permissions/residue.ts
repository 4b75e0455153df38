/**
 * A net under the parser: in each word, what the parser says it has seen is blanked out; where the beginning of a
 * substitution is left, the parser has missed one.
 */
import { forEachChild, type SyntaxNode } from 'unbash';

/** What no parser may have looked over. An escape before it takes its meaning away. */
const LEFT = /(?<!\\)(?:\\\\)*(?:\$\(|`)/;
const LEFT_OUTSIDE_QUOTES = /(?<!\\)(?:\\\\)*[<>]\(/;
/** A line that goes on inside a parameter's name. */
const BROKEN_NAME = /\$\{[^}'"]*\\\n|\$\\\n/;

const SEEN = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'SingleQuoted',
  'AnsiCQuoted',
  'ArithmeticCommandExpansion',
]);
const QUOTED = new Set(['DoubleQuoted', 'LocaleString']);

/** Whether a substitution may be hidden in a node: a Word, Assignment, body of a here-document, or arithmetic. */
export function hasResidue(node: SyntaxNode, source: string): boolean {
  const text = source.slice(node.pos, node.end);
  if (!/[`\\]|\$\(|[<>]\(/.test(text)) return false;
  const open = [...text];
  if (open.length !== text.length) open.splice(0, open.length, ...text.split(''));
  const bare = open.slice();
  blank(node, node, { open, bare });
  const left = open.join('');
  return LEFT.test(left) || BROKEN_NAME.test(left) || LEFT_OUTSIDE_QUOTES.test(bare.join(''));
}

/** `open` is without what was seen, `bare` without double quotes as well, in which `<(` means nothing. */
function blank(node: SyntaxNode, root: SyntaxNode, texts: { open: string[]; bare: string[] }): void {
  const from = Math.max(0, node.pos - root.pos);
  const to = Math.max(from, node.end - root.pos);
  if (SEEN.has(node.type)) {
    texts.open.fill(' ', from, to);
    texts.bare.fill(' ', from, to);
    return;
  }
  if (QUOTED.has(node.type)) texts.bare.fill(' ', from, to);
  if (node.type === 'ArithmeticExpansion') {
    texts.open.fill(' ', from, from + 3);
    texts.bare.fill(' ', from, to);
  }
  if (node.type === 'HereDocBody') texts.bare.fill(' ', from, to);
  forEachChild(node, child => blank(child, root, texts));
}
