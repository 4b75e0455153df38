/**
 * Changing settings in a person's config.yaml: what stands there stays to the byte, but for what is set.
 */
import { createTwoFilesPatch } from 'diff';
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { CodedError } from '../base/errors.ts';
import { readYaml, type KeyPath } from './document.ts';
import { formatProblem } from './problems.ts';

/** One key and its new value, plain data. A number behind the last item of a list adds to it. */
export interface Setting {
  readonly path: KeyPath;
  readonly value: unknown;
}

/** Part of a text and what comes in its place. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Spaces of a level that is added. */
const INDENT = 2;

/**
 * `text` with the settings in it; `file` is named in errors.
 * Throws CodedError `invalid_config` where it is no YAML, or where something else stands in the way of a key.
 */
export function withSettings(file: string, text: string, settings: readonly Setting[]): string {
  const [problem] = readYaml(file, text).problems;
  if (problem) throw new CodedError('invalid_config', formatProblem(problem), 'mend it first');
  return settings.reduce((now, setting) => withSetting(file, now, setting), text);
}

/** The change as a unified diff; '' where there is none. */
export function settingsDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  return createTwoFilesPatch(file, file, before, after).replace(/^(?:Index: .*\n)?=+\n/, '');
}

function withSetting(file: string, text: string, { path, value }: Setting): string {
  const doc = parseDocument(text, { logLevel: 'silent' });
  const { start, end, text: added } = splice(file, doc, text, path, value);
  const next =
    text.slice(0, start) +
    (text.includes('\r\n') ? added.replace(/\r?\n/g, '\r\n') : added) +
    text.slice(end);
  const parsed = readYaml(file, next);
  const isSet = JSON.stringify(at(parsed.value, path)) === JSON.stringify(value);
  if (parsed.problems.length === 0 && isSet) return next;
  // A way of writing that is not known here: the file is written anew, which keeps comments and order.
  doc.setIn(path, doc.createNode(value));
  return doc.toString({ lineWidth: 0 });
}

/** How the value gets there. Throws CodedError. */
function splice(file: string, doc: Document, text: string, path: KeyPath, value: unknown): Splice {
  let node: unknown = doc.contents;
  for (const [depth, key] of path.entries()) {
    if (isBlank(node)) return filled(doc, text, path.slice(0, depth), nested(path.slice(depth), value));
    const isLast = depth === path.length - 1;
    if (isSeq(node) && isLast && key === node.items.length) return appended(text, node as Node, flow(value));
    if (!isMap(node)) throw inTheWay(file, path.slice(0, depth));
    const pair = node.items.find(one => isScalar(one.key) && String(one.key.value) === key);
    if (!pair) return added(text, node, { [key]: nested(path.slice(depth + 1), value) });
    node = pair.value;
  }
  if (isBlank(node)) return filled(doc, text, path, value);
  const { range } = node as Node;
  const [start, end] = range!;
  // A list or mapping of several lines ends behind its last line break.
  const content = text.slice(start, end).trimEnd();
  return { start, end: start + content.length, text: flow(value) };
}

/** In the place of a key's value that is empty, or of the whole file. */
function filled(doc: Document, text: string, path: KeyPath, value: unknown): Splice {
  if (path.length === 0) {
    const start = text.length;
    return { start, end: start, text: `${breakBefore(text, start)}${stringify(value)}` };
  }
  const above: unknown = path.length === 1 ? doc.contents : doc.getIn(path.slice(0, -1), true);
  const pair = isMap(above) ? above.items.find(one => keyText(one) === path.at(-1)) : undefined;
  const node = pair?.value as Node | null | undefined;
  const keyEnd = (pair?.key as Node | undefined)?.range?.[1] ?? 0;
  const colon = text.indexOf(':', keyEnd) + 1;
  const written =
    node?.range && text.slice(node.range[0], node.range[1]).trim() !== '' ? node.range : undefined;
  return {
    start: written?.[0] ?? colon,
    end: written?.[1] ?? colon,
    text: `${written ? '' : ' '}${flow(value)}`,
  };
}

/** A pair more at the end of a mapping. */
function added(text: string, map: Node & { items: Pair[] }, pair: object): Splice {
  const inner = flow(pair).replace(/^\{\s*|\s*\}$/g, '');
  if (text[map.range![0]] === '{' || map.items.length === 0) return appended(text, map, inner);
  const first = (map.items[0]!.key as Node).range![0];
  const column = first - (text.lastIndexOf('\n', first - 1) + 1);
  const start = lineEnd(text, map.range![1]);
  const lines = stringify(pair, { indent: INDENT }).replace(/^(?=.)/gm, ' '.repeat(column));
  return { start, end: start, text: `${breakBefore(text, start)}${lines}` };
}

/** One more in brackets, or an item more of a list of lines. */
function appended(text: string, list: Node, item: string): Splice {
  const [from, to] = list.range!;
  if ('{['.includes(text[from]!)) {
    const { items } = list as Node & { items: readonly unknown[] };
    const start = items.length === 0 ? from + 1 : endOf(items.at(-1)!);
    return { start, end: start, text: items.length === 0 ? item : `, ${item}` };
  }
  const start = lineEnd(text, to);
  const column = from - (text.lastIndexOf('\n', from - 1) + 1);
  return { start, end: start, text: `${breakBefore(text, start)}${' '.repeat(column)}- ${item}\n` };
}

function endOf(item: unknown): number {
  if (!isPair(item)) return (item as Node).range![1];
  return ((item.value ?? item.key) as Node).range![1];
}

/** Behind the line that the content before `end` ends in. */
function lineEnd(text: string, end: number): number {
  const content = text.slice(0, end).trimEnd().length;
  const at = text.indexOf('\n', content);
  return at < 0 ? text.length : at + 1;
}

function breakBefore(text: string, start: number): string {
  return start === 0 || text[start - 1] === '\n' ? '' : '\n';
}

/** On one line. */
function flow(value: unknown): string {
  const isPlain = typeof value !== 'object' || value === null;
  return stringify(value, isPlain ? { lineWidth: 0 } : { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

function nested(path: KeyPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function isBlank(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function keyText({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function at(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function inTheWay(file: string, path: KeyPath): CodedError {
  const what = path.length === 0 ? 'it' : path.join('.');
  return new CodedError('invalid_config', `${file}: ${what} is no mapping`, 'mend it first');
}
