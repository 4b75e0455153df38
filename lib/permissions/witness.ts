/**
 * A second parser, asked where it is known to read right: if it sees other commands or written files than the first, one
 * of them is wrong, and nobody knows which. It guards against a fault in a newer version of either.
 */
import parseSecond from 'bash-parser';
import { forEachChild, parse, type SyntaxNode } from 'unbash';

/** Longest text it is asked about, in UTF-16 units: its time grows with the square, to some 5 ms here. */
const TEXT_MAX = 1024;

/** Stands for a name that is known only at run time. */
const ANY = '?';

/** What a script runs and writes, sorted. */
interface Seen {
  readonly commands: string[];
  readonly files: string[];
}

/** Why the two do not agree; undefined where they do, or where the second is not asked. */
export function disagreement(text: string): string | undefined {
  // Bare words: there is nothing to read differently.
  if (/^[\w\t ./=:,@+-]*$/.test(text)) return undefined;
  if (text.length > TEXT_MAX || !/^[\t\n\x20-\x7e]*$/.test(text) || hasOddPlaces(text)) return undefined;
  const first = bySyntax(text);
  if (!first || first.commands.length === 0) return undefined;
  let second: Seen;
  try {
    second = byTree(parseSecond(text, { mode: 'bash' }));
  } catch {
    return 'one of two parsers cannot read it';
  }
  return isSame(first.commands, second.commands) && isSame(first.files, second.files)
    ? undefined
    : 'two parsers read it differently';
}

/** An expansion right before an operator or the end of a line: the second takes it along into the next word. */
function hasOddPlaces(text: string): boolean {
  return /(?:\$[\w@*#?!$-]+|[})`])"?[;|&<>\n]/.test(text) || /\\|\$'|\$"|\$\[|#/.test(text);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join('\n') === b.toSorted().join('\n');
}

/** Kinds of syntax that both read right. */
const COMMON = new Set(
  `Script Statement AndOr Pipeline Command Word Literal SingleQuoted DoubleQuoted SimpleExpansion ParameterExpansion
  CommandExpansion Redirect FileDescriptor Assignment Subshell BraceGroup CompoundList If Elif While For Glob`.split(
    /\s+/,
  ),
);

const COMPOUND = new Set(['If', 'While', 'For', 'BraceGroup']);

/** Undefined where something in it is not common to both. */
function bySyntax(text: string): Seen | undefined {
  const seen: Seen = { commands: [], files: [] };
  let isCommon = true;
  let compounds = 0;
  const visit = (node: SyntaxNode, depth: number): void => {
    isCommon &&= COMMON.has(node.type) && isPlain(node, depth);
    // The second does not know a reserved word right behind another.
    if (COMPOUND.has(node.type)) isCommon &&= ++compounds <= 1;
    if (!isCommon) return;
    if (node.type === 'Command' && node.name) seen.commands.push(nameOf(node.name));
    if (node.type === 'Redirect' && node.target && node.operator !== '<')
      seen.files.push(nameOf(node.target));
    forEachChild(node, child => visit(child, depth + (node.type === 'CommandExpansion' ? 1 : 0)));
  };
  visit(parse(text), 0);
  return isCommon ? seen : undefined;
}

function isPlain(node: SyntaxNode, depth: number): boolean {
  switch (node.type) {
    case 'Pipeline':
      return node.prefixes.length === 0 && node.operators.every(one => one === '|');
    case 'ParameterExpansion':
      return !node.operation && !node.index && !node.prefix;
    case 'CommandExpansion':
      return depth === 0 && !/[()'"\\#`{]/.test(node.text.slice(2, -1)) && node.text.startsWith('$(');
    case 'Redirect':
      return /^(?:>|>>|<|>\|)$/.test(node.operator) && node.descriptor?.type !== 'FileDescriptorVariable';
    case 'Assignment':
      return node.value.type === 'Word' && !node.index && !node.append;
    default:
      return true;
  }
}

function nameOf(word: Extract<SyntaxNode, { type: 'Word' }>): string {
  const isDynamic = (word.parts ?? []).some(part => hasExpansion(part));
  return isDynamic ? ANY : word.value;
}

function hasExpansion(node: SyntaxNode): boolean {
  let found = node.type.endsWith('Expansion');
  if (!found) forEachChild(node, child => (found ||= hasExpansion(child)));
  return found;
}

/** The second parser's tree: whatever it is, everything in it is gone through. */
function byTree(tree: object): Seen {
  const seen: Seen = { commands: [], files: [] };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const node = value as {
      readonly type?: string;
      readonly name?: unknown;
      readonly file?: unknown;
      readonly op?: { text?: string };
    };
    if (node.type === 'Command' && node.name) seen.commands.push(wordOf(node.name));
    if (node.type === 'Redirect' && node.op?.text !== '<') seen.files.push(wordOf(node.file));
    for (const child of Object.values(value)) visit(child);
  };
  visit(tree);
  return seen;
}

function wordOf(value: unknown): string {
  const word = value as { readonly text?: string; readonly expansion?: readonly object[] } | undefined;
  return word?.expansion?.length ? ANY : (word?.text ?? '');
}
