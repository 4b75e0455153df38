/**
 * Words of the syntax tree as a command gets them. Read twice: as they stand, with what is not known marked, and as a
 * guess, with the values that the line itself gives to its variables. The guess finds what was hidden; nothing is ever
 * lowered by it.
 */
import type { CommandArgument, Word, WordPart } from 'unbash';
import { expandBraces } from './braces.ts';
import { commandNames, outputOf } from './output.ts';
import type { Scope, Value } from './scope.ts';
import { UNKNOWN, type Arg } from './types.ts';

/** How words are read: `reading` picks one of each variable's values; undefined: as they stand. */
export interface Reading {
  readonly scope: Scope;
  readonly reading: number | undefined;
}

/** Words that one word may become. */
const WORDS_MAX = 64;
/** Longer texts are not the names of programs that are to be hidden. */
const CUT_MAX = 64;
/** What makes a pattern of a text. */
const PATTERN = /[*?[]/;
const NAME = /^[A-Za-z_]\w*$/;
/** Nesting of substitutions whose output is looked for. */
const DEPTH_MAX = 6;

/** Variables whose value has a name of its own. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  HOME: '~',
  PWD: '.',
  TMPDIR: '/tmp',
  XDG_CONFIG_HOME: '~/.config',
  XDG_DATA_HOME: '~/.local/share',
};

/** A piece of a word: `isSplit` where unquoted blanks in it part words. */
interface Piece {
  readonly texts: readonly string[];
  readonly isSplit: boolean;
  readonly isGlob?: boolean;
  /** It has names that a pattern has found already: quotes do not take them away. */
  readonly isMatched?: boolean;
  readonly isDynamic?: boolean;
  readonly isKnown?: boolean;
  readonly sources?: readonly string[];
  readonly output?: string | undefined;
}

const fixed = (text: string): Piece => ({ texts: [text], isSplit: false, isKnown: true });

/** The words that an argument becomes; `a=b` behind a command is one word. */
export function readArgument(arg: CommandArgument, how: Reading): Arg[] {
  if (arg.type === 'Word') return readWord(arg, how);
  const start = `${arg.name}${arg.append ? '+=' : '='}`;
  const [value = { text: '', isGlob: false, isDynamic: false, sources: [] }] =
    arg.value.type === 'Word'
      ? readWord(arg.value, how)
      : arg.value.elements.flatMap(one => readWord(one, how));
  return [{ ...value, text: start + value.text, isGlob: false }];
}

/** The words that a word becomes: none for a guess that comes to nothing, several for brace lists and arrays. */
export function readWord(word: Word, how: Reading, depth = 0): Arg[] {
  if (!word.parts) return [{ text: word.value, isGlob: false, isDynamic: false, sources: [] }];
  const pieces = word.parts.map(part => pieceOf(part, how, depth));
  return joinPieces(pieces, how.reading !== undefined, word.text);
}

function joinPieces(pieces: readonly Piece[], isGuess: boolean, source: string): Arg[] {
  const sources = [...new Set(pieces.flatMap(one => one.sources ?? []))];
  const isGlob = pieces.some(one => one.isGlob || one.isMatched);
  const isWritten = pieces.some(one => one.isGlob && !one.isDynamic);
  const isDynamic = pieces.some(one => one.isDynamic);
  // What is empty when it is not set may stand in a name or an option; of a path it may be the half that matters.
  const fill = isGuess && !source.includes('/') ? '' : UNKNOWN;
  let texts: string[][] = [['']];
  for (const piece of pieces) {
    const next: string[][] = [];
    for (const before of texts)
      for (const one of piece.texts) {
        const text = piece.isKnown ? one : one.replaceAll(UNKNOWN, fill);
        const words = piece.isSplit ? text.split(/[ \t\n]+/) : [text];
        next.push([...before.slice(0, -1), before.at(-1)! + words[0]!, ...words.slice(1)]);
      }
    texts = next.slice(0, WORDS_MAX);
  }
  const output = pieces.length === 1 ? pieces[0]!.output : undefined;
  const isQuoted = /['"]/.test(source);
  return texts
    .flat()
    .slice(0, WORDS_MAX)
    .filter(text => text !== '' || isQuoted || !isDynamic)
    .map(text => ({
      text,
      // Of the words of an array only some are patterns.
      isGlob: isGlob && (isWritten || PATTERN.test(text)),
      isDynamic: isDynamic || isGlob,
      sources,
      output,
    }));
}

function pieceOf(part: WordPart, how: Reading, depth: number): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return fixed(part.value);
    case 'Glob':
      return { ...fixed(part.text), isGlob: true };
    case 'ExtendedGlob':
      return { ...fixed(part.text), isGlob: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return quoted(part.parts.map(one => pieceOf(one, how, depth)));
    case 'BraceExpansion':
      return {
        texts: expandBraces(part.text),
        isSplit: false,
        isDynamic: /[$`]/.test(part.text),
        isKnown: true,
      };
    case 'SimpleExpansion':
      return variable(part.text.slice(1), how);
    case 'ParameterExpansion':
      return parameter(part, how, depth);
    case 'CommandExpansion':
      return substitution(part.script, how, depth);
    case 'ProcessSubstitution': {
      const made = substitution(part.script, { ...how, reading: how.reading ?? 0 }, depth);
      const output = made.isKnown ? made.texts.join('') : undefined;
      return { ...made, texts: [UNKNOWN], isKnown: false, output };
    }
    case 'ArithmeticExpansion':
      return { texts: [how.reading === undefined ? UNKNOWN : '0'], isSplit: false, isDynamic: true };
    default:
      return { texts: [UNKNOWN], isSplit: false, isDynamic: true };
  }
}

/** Pieces in double quotes: one text, that no blank parts; `"$@"` alone stays several words. */
function quoted(pieces: readonly Piece[]): Piece {
  const only = pieces.length === 1 ? pieces[0] : undefined;
  const texts =
    only && only.texts.length > 0 ? only.texts : [pieces.map(one => one.texts.join(' ')).join('')];
  return {
    texts,
    isSplit: false,
    isDynamic: pieces.some(one => one.isDynamic),
    isMatched: pieces.some(one => one.isMatched),
    isKnown: pieces.every(one => one.isKnown || !one.texts.some(text => text.includes(UNKNOWN))),
    sources: pieces.flatMap(one => one.sources ?? []),
  };
}

function variable(name: string, { scope, reading }: Reading): Piece {
  const values = scope.valuesOf(name);
  if (reading !== undefined && values.length > 0) return pieceOfValue(values[reading % values.length]!);
  const known = values.length === 0 && Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name] : undefined;
  if (known !== undefined) return { texts: [known], isSplit: false, isDynamic: true, isKnown: true };
  const sources = values.flat().flatMap(arg => arg.sources);
  if (name === 'IFS')
    return { texts: [reading === undefined ? UNKNOWN : ' '], isSplit: true, isDynamic: true };
  return { texts: [UNKNOWN], isSplit: true, isDynamic: true, sources };
}

function pieceOfValue(value: Value): Piece {
  const texts = value.map(arg => arg.text);
  return {
    texts: texts.length === 0 ? [''] : texts,
    isSplit: true,
    isGlob: texts.some(text => PATTERN.test(text)),
    isMatched: value.some(arg => arg.isGlob),
    isDynamic: true,
    isKnown: !texts.some(text => text.includes(UNKNOWN)),
    sources: value.flatMap(arg => arg.sources),
  };
}

type Parameter = Extract<WordPart, { type: 'ParameterExpansion' }>;

function parameter(part: Parameter, how: Reading, depth: number): Piece {
  const { operation, parameter: name, prefix } = part;
  const unset: Piece = { texts: [UNKNOWN], isSplit: true, isDynamic: true };
  if (prefix === '#') return unset;
  const plain = prefix === '!' ? indirect(part, how) : element(part, how, depth);
  if (!operation || operation.type === 'Transform') return plain;
  if (how.reading === undefined || depth > DEPTH_MAX) return { ...unset, sources: plain.sources ?? [] };
  const values = how.scope.valuesOf(name);
  const isUnset = values.length === 0;
  // Set or not, in any order: each is a reading.
  if (operation.type === 'Default' && how.reading % (values.length + 1) === values.length)
    return pieceOfValue(readWord(operation.operand, how, depth + 1));
  if (operation.type === 'Replace' && isUnset)
    return pieceOfValue(readWord(operation.replacement, how, depth + 1));
  if (operation.type === 'Slice') return sliced(plain, operation, how);
  if (operation.type === 'Remove') return cut(plain, operation, readWord(operation.operand, how, depth + 1));
  if (operation.type === 'CaseModification' || operation.type === 'Unknown')
    return { ...plain, texts: plain.texts.map(text => CASES[operation.operator]?.(text) ?? text) };
  return operation.type === 'Replace' ? replaced(plain, operation, how, depth) : plain;
}

/** `${!x}`: the variable that x names. */
function indirect({ parameter: name }: Parameter, how: Reading): Piece {
  const [target = ''] = variable(name, how).texts;
  return how.reading !== undefined && NAME.test(target)
    ? variable(target, how)
    : { texts: [UNKNOWN], isSplit: true, isDynamic: true };
}

/** `$x`, or `${x[1]}` where such an element is known. */
function element({ parameter: name, index }: Parameter, how: Reading, depth: number): Piece {
  const at = index && how.reading !== undefined ? (readWord(index, how, depth + 1)[0]?.text ?? '') : '';
  const one = `${name}[${at}]`;
  return how.scope.valuesOf(one).length > 0 ? variable(one, how) : variable(name, how);
}

/** `${x^}` and its like, by operator. */
const CASES: Readonly<Record<string, (text: string) => string>> = {
  '^': text => text.slice(0, 1).toUpperCase() + text.slice(1),
  '^^': text => text.toUpperCase(),
  ',': text => text.slice(0, 1).toLowerCase() + text.slice(1),
  ',,': text => text.toLowerCase(),
  '~~': text =>
    text.replaceAll(/./g, one => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())),
  '~': text => text.slice(0, 1).toUpperCase() + text.slice(1),
};

/** `${x#y}` and its like: `##` and `%%` take as much as fits. */
function cut(plain: Piece, { operator }: { readonly operator: string }, operand: readonly Arg[]): Piece {
  const pattern = operand[0]?.text ?? '';
  if (pattern === '' || pattern.length > CUT_MAX) return plain;
  const isStart = operator.startsWith('#');
  const isLong = operator.length > 1;
  const shorten = (text: string): string => {
    if (text.length > CUT_MAX) return text;
    const lengths = Array.from({ length: text.length + 1 }, (_, n) => n);
    for (const n of isLong ? lengths.toReversed() : lengths) {
      const end = isStart ? text.slice(0, n) : text.slice(text.length - n);
      if (fits(end, pattern)) return isStart ? text.slice(n) : text.slice(0, text.length - n);
    }
    return text;
  };
  return { ...plain, texts: plain.texts.map(shorten) };
}

/** Whether a text is what a pattern stands for; of a bracket expression any character is. Without going back: O(n·m). */
function fits(text: string, pattern: string): boolean {
  const parts = pattern.match(/\\.|\[[^\]]+\]|[^]/g) ?? [];
  let places = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of places) {
      if (part === '*') for (let n = at; n <= text.length; n++) next.add(n);
      else if (at < text.length && (part === '?' || (part.length > 1 && part.startsWith('['))))
        next.add(at + 1);
      else if (text[at] === part.at(-1)) next.add(at + 1);
    }
    places = next;
  }
  return places.has(text.length);
}

function sliced(
  plain: Piece,
  operation: { readonly offset: Word; readonly length: Word | undefined },
  how: Reading,
): Piece {
  const number = (word: Word | undefined): number => Number(word && readWord(word, how)[0]?.text);
  const from = number(operation.offset);
  const to = operation.length ? from + number(operation.length) : undefined;
  return { ...plain, texts: plain.texts.map(text => text.slice(from, to)) };
}

function replaced(
  plain: Piece,
  operation: { readonly operator: string; readonly pattern: Word; readonly replacement: Word },
  how: Reading,
  depth: number,
): Piece {
  const pattern = readWord(operation.pattern, how, depth + 1)[0]?.text ?? '';
  const by = readWord(operation.replacement, how, depth + 1)[0]?.text ?? '';
  if (pattern === '') return plain;
  const isAll = operation.operator === '//';
  return {
    ...plain,
    texts: plain.texts.map(text => (isAll ? text.replaceAll(pattern, by) : text.replace(pattern, () => by))),
  };
}

function substitution(
  script: Parameters<typeof commandNames>[0] | undefined,
  how: Reading,
  depth: number,
): Piece {
  const sources = script && depth <= DEPTH_MAX ? commandNames(script) : [UNKNOWN];
  const text =
    how.reading === undefined || depth > DEPTH_MAX
      ? undefined
      : outputOf(script, word => readWord(word, how, depth + 1));
  if (text === undefined) return { texts: [UNKNOWN], isSplit: true, isDynamic: true, sources };
  const isKnown = !text.includes(UNKNOWN);
  return { texts: [text.replace(/\n+$/, '')], isSplit: true, isDynamic: true, isKnown, sources };
}
