/**
 * Lores: optional YAML front matter, and a markdown body.
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { addressOf } from './address.ts';
import { loreLinks } from './links.ts';
import type { LoreLink } from './links.ts';
import { Problems } from './parsed.ts';
import type { Parsed, Place } from './parsed.ts';
import { readPlainFrontMatter } from './plain-front-matter.ts';
import { printable, quote, withoutBom } from './printable.ts';
import type { GraphLore } from './types.ts';

/** A lore with its body. */
export interface ParsedLore {
  readonly lore: GraphLore;
  readonly body: string;
  /** One-based line of the file where the body starts. */
  readonly bodyLine: number;
  readonly links: readonly LoreLink[];
}

/** Front matter is a handful of lines; more than this many UTF-16 units is not read, so that no YAML can take long. */
const MAX_FRONT_MATTER = 16 * 1024;

/** Reads a lore. There always is a value: broken front matter is told, and the body still counts. */
export function parseLore(file: string, text: string): Parsed<ParsedLore> {
  const problems = new Problems(file);
  const address = addressOf(file);
  if (address?.kind !== 'lore') return { diagnostics: problems.list() };
  const { yaml, yamlLine, body, bodyLine } = splitFrontMatter(withoutBom(text));
  const front = yaml === undefined ? {} : readFrontMatter(yaml, yamlLine, problems);
  const lore: GraphLore = {
    selector: address.selector,
    name: address.selector,
    title: front.title || address.title,
    file,
    description: front.description ?? '',
    labels: front.labels ?? {},
  };
  const links = loreLinks(lore.name, body, bodyLine);
  return { value: { lore, body, bodyLine, links }, diagnostics: problems.list() };
}

interface Split {
  readonly yaml?: string;
  readonly yamlLine: number;
  readonly body: string;
  readonly bodyLine: number;
}

/** Front matter between two lines `---`, blank lines before it allowed. Never closed: all of it is body. */
function splitFrontMatter(text: string): Split {
  const ends = /\r\n|\n|\r|$/g;
  let yamlAt = -1;
  let yamlLine = 0;
  for (let line = 1, at = 0; at < text.length; line++) {
    ends.lastIndex = at;
    const end = ends.exec(text)!;
    const next = end.index + end[0].length;
    const here = text.slice(at, end.index);
    if (here.trimEnd() === '---' && yamlAt >= 0)
      return {
        yaml: unified(text.slice(yamlAt, at)).replace(/\n$/, ''),
        yamlLine,
        body: unified(text.slice(next)),
        bodyLine: line + 1,
      };
    if (yamlAt < 0 && here.trimEnd() === '---') {
      yamlAt = next;
      yamlLine = line + 1;
    } else if (yamlAt < 0 && here.trim() !== '') break;
    at = next;
  }
  return { yamlLine: 0, body: text, bodyLine: 1 };
}

/** The text with line feeds alone at the ends of its lines. */
function unified(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n|\r/g, '\n') : text;
}

interface FrontMatter {
  readonly title?: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

function readFrontMatter(yaml: string, firstLine: number, problems: Problems): FrontMatter {
  const top = { line: firstLine, column: 1 };
  if (yaml.length > MAX_FRONT_MATTER) {
    problems.tell(top, 'front-matter-size', `front matter is longer than ${MAX_FRONT_MATTER} characters`);
    return {};
  }
  const plain = readPlainFrontMatter(yaml);
  if (plain) return plain;
  const counter = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: firstLine + Math.max(line, 1) - 1, column: Math.max(col, 1) };
  };
  const doc = parseQuietly(yaml, counter);
  if (!doc) {
    problems.tell(top, 'yaml-syntax', 'front matter is nested too deeply');
    return {};
  }
  for (const error of doc.errors)
    problems.tell(place(error.pos[0]), 'yaml-syntax', firstSentence(error.message));
  // What a broken notation makes of the fields is no mistake of its own.
  return readFields(doc, place, doc.errors.length > 0 ? new Problems('') : problems);
}

/** The YAML reader is recursive: thousands of brackets overflow the stack. That is the file's fault, not ours. */
function parseQuietly(yaml: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(yaml, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

function readFields(doc: Document, place: (offset: number) => Place, problems: Problems): FrontMatter {
  const { contents } = doc;
  if (contents === null) return {};
  if (!isMap(contents)) {
    problems.tell(
      place(contents.range?.[0] ?? 0),
      'front-matter',
      "front matter is not a list of 'key: value'",
    );
    return {};
  }
  const node = (key: string): { value: unknown; at: Place } | undefined => {
    const pair = contents.items.find(item => isScalar(item.key) && item.key.value === key);
    return pair && { value: pair.value, at: place((pair.key as { range?: number[] }).range?.[0] ?? 0) };
  };
  const text = (key: string): string => {
    const found = node(key);
    const value = found && scalarText(found.value, doc);
    if (found && value === undefined) problems.tell(found.at, 'front-matter', `${key} is not text`);
    return printable(value ?? '');
  };
  const title = text('title');
  const isTold = isMap(node('title')?.value) || isSeq(node('title')?.value);
  if (title === '' && !isTold)
    problems.tell(place(0), 'missing-title', 'front matter has no title', "add a line 'title: …'");
  const labels = node('labels');
  return {
    title,
    description: text('description'),
    labels: labels ? readLabels(labels, doc, place, problems) : {},
  };
}

function readLabels(
  found: { value: unknown; at: Place },
  doc: Document,
  place: (offset: number) => Place,
  problems: Problems,
): Record<string, string> {
  if (isScalar(found.value) && found.value.value === null) return {};
  if (!isMap(found.value)) {
    problems.tell(found.at, 'bad-labels', "labels is not a list of 'key: value'");
    return {};
  }
  const labels: [string, string][] = [];
  for (const { key, value } of found.value.items) {
    const name = scalarText(key, doc) ?? '';
    const text = scalarText(value, doc);
    if (text === undefined)
      problems.tell(
        place((key as { range?: number[] } | null)?.range?.[0] ?? 0),
        'bad-labels',
        `label ${quote(name)} is not text`,
        'labels are flat: one word each',
      );
    else labels.push([printable(name), printable(text)]);
  }
  // fromEntries defines rather than assigns: a label called __proto__ is only a label.
  return Object.fromEntries(labels);
}

/** A scalar as it was written, '' for an empty one, undefined for anything else. */
function scalarText(node: unknown, doc: Document): string | undefined {
  if (node === null) return '';
  const target = isAlias(node) ? node.resolve(doc) : node;
  if (!isScalar(target)) return undefined;
  if (typeof target.value === 'string') return target.value;
  return target.source ?? '';
}

function firstSentence(message: string): string {
  return printable(message.split('\n', 1)[0]!).slice(0, 200);
}
