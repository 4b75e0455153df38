/**
 * Formats: text with `#{…}` in it, as tmux(1) FORMATS describes them. What `-F` takes, and titles and status lines.
 *
 *     #{name}  #{?cond,a,b}  #{==:a,b} != < > <= >= && || !  #{=5:name}  #{=-5:name}  #{=/5/…:name}  #{p10:name}
 *     #{b:path}  #{d:path}  #{q:name}  #{s/from/to/:name}  #{n:name}  #{w:name}  #{l:as is}  ## #, #}  #S #I …
 *
 * Nothing is ever run: `#(command)` is empty. `#[style]` is left in place for whoever draws.
 */
import { compilePattern, substitute } from './pattern.ts';
import { findOutside, readModifiers, splitArguments } from './syntax.ts';
import type { Modifier } from './syntax.ts';

/** The value of a name; undefined for names that mean nothing here. */
export type Lookup = (name: string) => string | undefined;

/** How text is measured. */
export interface FormatOptions {
  /** Width in cells. */
  readonly cellWidth: (text: string) => number;
  /** Extended grapheme clusters (UAX #29). */
  readonly graphemes: (text: string) => Iterable<string>;
}

/** Names behind the one-letter forms. */
const ALIASES: Readonly<Record<string, string>> = {
  D: 'pane_id',
  F: 'window_flags',
  H: 'host',
  I: 'window_index',
  P: 'pane_index',
  S: 'session_name',
  T: 'pane_title',
  W: 'window_name',
  h: 'host_short',
};

/** Formats inside formats; people write three or four. */
const MAX_DEPTH = 30;
/** UTF-16 units in and out. A line of text needs a few hundred; `#{p…}` and `#{s…}` could make any number. */
const MAX_LENGTH = 16_384;
/** Cells that padding fills at most: wider than any terminal. */
const MAX_PAD = 1_000;
/** UTF-16 units that `s/…/…/` looks at. */
const MAX_SUBJECT = 1_024;

/** `#{…}` replaced in one text; the longest real status lines have thirty. */
const MAX_FORMATS = 500;
/** UTF-16 units of a value that are used. */
const MAX_VALUE = 4_096;
/** Steps of `s/…/…/` in one text: some 50 ms. */
const MAX_STEPS = 400_000;

/** UTF-16 units that modifiers look at in one text: cutting and padding measure every character. */
const MAX_WORK = 100_000;

/** What one expansion may still do. */
interface Budget {
  steps: number;
  formats: number;
  work: number;
}

interface Context {
  readonly lookup: Lookup;
  readonly options: FormatOptions;
  readonly depth: number;
  readonly budget: Budget;
}

/**
 * `text` with every format replaced. Unknown names are empty; what is no format stays as it is; never throws. The
 * result is at most 16,384 UTF-16 units long.
 */
export function expandFormat(text: string, lookup: Lookup, options: FormatOptions): string {
  const budget = { steps: MAX_STEPS, formats: MAX_FORMATS, work: MAX_WORK };
  const clipped: Lookup = name => lookup(name)?.slice(0, MAX_VALUE);
  return expand(clip(text), { lookup: clipped, options, depth: 0, budget });
}

/** Whether a value counts as true: neither empty nor `0`. */
function isTrue(value: string): boolean {
  return value !== '' && value !== '0';
}

function clip(text: string): string {
  // Half a surrogate pair at the cut goes too.
  return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

function expand(text: string, context: Context): string {
  if (context.depth > MAX_DEPTH) return '';
  let out = '';
  let at = 0;
  while (out.length <= MAX_LENGTH) {
    const hash = text.indexOf('#', at);
    if (hash < 0) return clip(out + text.slice(at));
    out += text.slice(at, hash);
    const [value, next] = sequence(text, hash, context);
    out += value;
    at = next;
  }
  return clip(out);
}

/** The value of the sequence at `hash` and the index behind it. */
function sequence(text: string, hash: number, context: Context): readonly [string, number] {
  const char = text[hash + 1] ?? '';
  if (char === '{') {
    const end = findOutside(text, hash + 2, '}');
    // Never closed: it was not meant as a format.
    if (end < 0) return [text.slice(hash), text.length];
    return [replace(text.slice(hash + 2, end), { ...context, depth: context.depth + 1 }), end + 1];
  }
  if (char === '(') return ['', behindParens(text, hash + 2)];
  if (char !== '' && '#,}:;'.includes(char)) return [char, hash + 2];
  const alias = Object.hasOwn(ALIASES, char) ? ALIASES[char] : undefined;
  if (alias) return [context.lookup(alias) ?? '', hash + 2];
  return ['#', hash + 1];
}

function behindParens(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  return text.length;
}

/** The value of `#{body}`. */
function replace(body: string, context: Context): string {
  if (--context.budget.formats < 0) return '';
  if (body.startsWith('?')) return choose(splitArguments(body.slice(1)), context);
  const { modifiers, rest } = readModifiers(body);
  const test = modifiers.find(modifier => Object.hasOwn(TESTS, modifier.name));
  const value = test ? bit(TESTS[test.name]!(values(rest, context))) : plainValue(rest, modifiers, context);
  return STEPS.reduce((result, [name, step]) => {
    const modifier = modifiers.find(m => m.name === name);
    if (!modifier) return result;
    context.budget.work -= result.length;
    if (context.budget.work < 0) return '';
    return clip(
      step(
        result,
        modifier.args.map(arg => expand(arg, context)),
        context,
      ),
    );
  }, value);
}

function values(rest: string, context: Context): string[] {
  return splitArguments(rest).map(part => expand(part, context));
}

function plainValue(rest: string, modifiers: readonly Modifier[], context: Context): string {
  if (modifiers.some(m => m.name === 'l')) return rest.replace(/#([,#}:;])/g, '$1');
  return rest.includes('#') ? expand(rest, context) : (context.lookup(rest) ?? '');
}

/** `#{?cond,a,cond,b,else}`: the value behind the first condition that holds. */
function choose(parts: readonly string[], context: Context): string {
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const condition = parts[i]!;
    if (isTrue(condition.includes('#') ? expand(condition, context) : (context.lookup(condition) ?? ''))) {
      return expand(parts[i + 1]!, context);
    }
  }
  return parts.length % 2 === 1 && parts.length > 1 ? expand(parts.at(-1)!, context) : '';
}

function bit(value: boolean): string {
  return value ? '1' : '0';
}

const pair = (values: readonly string[]): readonly [string, string] => [values[0] ?? '', values[1] ?? ''];

/** Comparisons are of text, as in tmux. */
const TESTS: Readonly<Record<string, (values: readonly string[]) => boolean>> = {
  '==': values => pair(values)[0] === pair(values)[1],
  '!=': values => pair(values)[0] !== pair(values)[1],
  '<': values => pair(values)[0] < pair(values)[1],
  '>': values => pair(values)[0] > pair(values)[1],
  '<=': values => pair(values)[0] <= pair(values)[1],
  '>=': values => pair(values)[0] >= pair(values)[1],
  '&&': values => values.every(isTrue),
  '||': values => values.some(isTrue),
  '!': values => !isTrue(pair(values)[0]),
};

type Step = (value: string, args: readonly string[], context: Context) => string;

/** What modifiers make of a value, in the order in which they apply whatever the order they are written in. */
const STEPS: readonly (readonly [string, Step])[] = [
  ['b', value => value.replace(/\/+$/, '').split('/').at(-1) || (value.startsWith('/') ? '/' : '')],
  ['d', dirname],
  ['s', replaceMatches],
  ['=', truncate],
  ['p', pad],
  ['q', (value, [kind]) => (kind === 'e' || kind === 'h' ? value.replaceAll('#', '##') : quote(value))],
  ['n', value => String([...value].length)],
  ['w', (value, _args, { options }) => String(options.cellWidth(value))],
];

function dirname(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return path.startsWith('/') ? '/' : path === '' ? '' : '.';
  return trimmed.slice(0, slash).replace(/\/+$/, '') || '/';
}

function replaceMatches(
  value: string,
  [from = '', to = '', flags = '']: readonly string[],
  { budget }: Context,
): string {
  const pattern = from === '' ? undefined : compilePattern(from, flags.includes('i'));
  if (!pattern) return value;
  return substitute(pattern, value.slice(0, MAX_SUBJECT), to, budget) + value.slice(MAX_SUBJECT);
}

/** `=N` keeps the first N cells, `=-N` the last; a marker is added at the cut, beyond N, as in tmux. */
function truncate(value: string, [limit = '', marker = '']: readonly string[], { options }: Context): string {
  const cells = Number.parseInt(limit, 10);
  if (!Number.isFinite(cells) || options.cellWidth(value) <= Math.abs(cells)) return value;
  const clusters = [...options.graphemes(value)];
  if (cells < 0) clusters.reverse();
  const kept: string[] = [];
  let used = 0;
  for (const cluster of clusters) {
    used += options.cellWidth(cluster);
    if (used > Math.abs(cells)) break;
    kept.push(cluster);
  }
  return cells < 0 ? marker + kept.reverse().join('') : kept.join('') + marker;
}

/** `pN` fills up to N cells at the right, `p-N` at the left. */
function pad(value: string, [width = '']: readonly string[], { options }: Context): string {
  const cells = Number.parseInt(width, 10);
  if (!Number.isFinite(cells)) return value;
  const blanks = ' '.repeat(Math.max(0, Math.min(MAX_PAD, Math.abs(cells)) - options.cellWidth(value)));
  return cells < 0 ? blanks + value : value + blanks;
}

/** `value` as one word of a POSIX shell. */
function quote(value: string): string {
  if (value === '') return "''";
  return value.replace(/\n+|[\u0000-\u007f]/g, part => {
    if (part.startsWith('\n')) return `'${part}'`;
    return /[\w./:@,+-]/.test(part) ? part : `\\${part}`;
  });
}
