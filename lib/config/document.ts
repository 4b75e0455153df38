/**
 * A YAML file as plain values plus the places they stand at. Theme files and config.yaml both are read through this.
 * YAML 1.2 core schema: `on` and `off` are words, not booleans.
 */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  type Document,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';

/** Something wrong in a file, told to a person. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `WHERE: WHAT`, one line. */
  readonly message: string;
  readonly hint?: string;
}

/** Keys and list indexes from the top of a file. */
export type KeyPath = readonly (string | number)[];

/** A file that was read. */
export interface YamlFile {
  /** Plain values; keys without a value are left out, so that `server:` alone means the same as no such line. */
  readonly value: unknown;
  /** What is wrong with it as YAML; where there is anything, `value` is undefined. */
  readonly problems: readonly Problem[];
  /** Place of the value at `path` ('key': of its key); of the nearest thing above it that exists otherwise. */
  locate(path: KeyPath, part: 'key' | 'value'): { readonly line: number; readonly column: number };
}

/** A settings file of more characters is a mistake or an attack; the worst one of this size takes half a second. */
const TEXT_MAX = 131_072;
/** More problems than a person reads: the rest is left out. */
const YAML_PROBLEMS_MAX = 100;
/** Deeper than any key of ours; recursive readers below stay far from the end of the stack. */
const DEPTH_MAX = 64;
/** A level of the document is at most two of the parser's (a list and the mapping in its item), beside the document. */
const PARSER_DEPTH_MAX = 2 * DEPTH_MAX + 2;
/** Uses of one anchor, multiplied along nesting: what stops a few lines from growing into gigabytes. */
const ALIASES_MAX = 100;

const isSameProblem = (a: Problem, b: Problem): boolean =>
  a.line === b.line && a.column === b.column && a.message === b.message;

/** Reads `text`. Never throws: what is wrong is in `problems`. */
export function readYaml(file: string, text: string): YamlFile {
  if (text.length > TEXT_MAX) return broken(file, `longer than ${TEXT_MAX} characters`);
  if (tooDeep(text)) return broken(file, `nested deeper than ${DEPTH_MAX} levels`);
  const lines = new LineCounter();
  const doc = parse(text, lines);
  if (doc instanceof Error) return broken(file, reason(doc));
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = [...doc.errors, ...doc.warnings, ...duplicateKeys(doc)]
    .slice(0, YAML_PROBLEMS_MAX)
    .map(error => ({ file, ...at(error.pos[0]), message: `not valid YAML: ${oneLine(error.message)}` }))
    // One slip may break several rules of the grammar: what reads alike is said once.
    .filter((problem, i, all) => all.findIndex(other => isSameProblem(problem, other)) === i);
  const pairs = pairFinder();
  const locate = (path: KeyPath, part: 'key' | 'value') => at(offsetOf(doc, pairs, path, part));
  if (problems.length > 0) return { value: undefined, problems, locate };
  try {
    return { value: withoutNulls(doc.toJS({ maxAliasCount: ALIASES_MAX }), 0), problems, locate };
  } catch (error) {
    return broken(file, reason(error as Error));
  }
}

function parse(text: string, lineCounter: LineCounter): Document | Error {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    return error as Error;
  }
}

/** Keys that stand twice in a mapping. The library's own check compares each key with every other, which takes seconds. */
function duplicateKeys(doc: Document): { pos: [number]; message: string }[] {
  const found: { pos: [number]; message: string }[] = [];
  visit(doc, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const text = keyText(key);
        if (seen.has(text))
          found.push({ pos: [rangeStart(key) ?? 0], message: `the key '${text}' stands twice` });
        seen.add(text);
      }
    },
  });
  return found;
}

/**
 * Asked before composing, which recurses: running out of stack there cannot be caught, since V8 ends the process when
 * it happens inside a regular expression. The parser proper keeps a stack of its own, which can be looked at.
 */
function tooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > PARSER_DEPTH_MAX) return true;
  }
  return false;
}

function broken(file: string, why: string): YamlFile {
  const start = { line: 1, column: 1 };
  return {
    value: undefined,
    problems: [{ file, ...start, message: `not valid YAML: ${why}` }],
    locate: () => start,
  };
}

/** The offset of what stands at `path`, or of the deepest part of it that does. */
function offsetOf(doc: Document, pairs: PairFinder, path: KeyPath, part: 'key' | 'value'): number {
  let node: unknown = doc.contents;
  let offset = rangeStart(node) ?? 0;
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(doc);
    const pair = isMap(node) ? pairs(node, String(step)) : undefined;
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined;
    const wantsKey = part === 'key' && index === path.length - 1;
    const found = pair && (wantsKey || !hasText(next)) ? rangeStart(pair.key) : rangeStart(next);
    if (found === undefined) return offset;
    offset = found;
    node = next;
  }
  return offset;
}

type PairFinder = (map: YAMLMap, key: string) => Pair | undefined;

/** Finds pairs by key through an index per mapping, since a file of wrong keys asks for each of them. */
function pairFinder(): PairFinder {
  const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  return (map, key) => {
    let index = indexes.get(map);
    if (!index) indexes.set(map, (index = new Map(map.items.filter(isPair).map(p => [keyText(p.key), p]))));
    return index.get(key);
  };
}

/** An empty value stands nowhere: its key is the better place to point at. */
function hasText(node: unknown): boolean {
  return !(isScalar(node) && node.value === null);
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function rangeStart(node: unknown): number | undefined {
  return (node as { range?: readonly number[] } | null | undefined)?.range?.[0];
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new RangeError('aliases lead deeper than the text does');
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, v]) => v !== null);
  return Object.fromEntries(kept.map(([key, v]) => [key, withoutNulls(v, depth + 1)]));
}

/** Converting an alias inside of what it stands for ends in a RangeError. */
function reason(error: Error): string {
  return error instanceof RangeError ? `nested deeper than ${DEPTH_MAX} levels` : oneLine(error.message);
}

function oneLine(message: string): string {
  return message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
}
