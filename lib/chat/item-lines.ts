/** Items as lines of a timeline, without their margin. Every text in them is hostile. */
import type { Role, Run, StyledLine } from '../base/styled.ts';
import { cellWidth, truncate } from '../base/text.ts';
import { revealed } from '../base/visible.ts';
import { wrapText } from '../mode/wrap.ts';
import type { CallView } from '../agent/events.ts';
import { diffCounts, diffLines, SIDE_BY_SIDE_COLS } from './diff-lines.ts';
import type { CallItem, FilesItem, Item, LineItem, TextItem } from './item.ts';
import { proseLines } from './prose.ts';

/** How items are drawn. */
export interface Look {
  /** Cells. */
  readonly width: number;
  readonly isOpen: boolean;
  /** Diffs with the old beside the new, where there is room. */
  readonly isSideBySide: boolean;
}

/** Wider prose is hard to read; code and diffs take what there is. */
export const PROSE_COLS = 116;
/** Lines of a result and of a file that are shown; the rest is counted. */
const RESULT_LINES = 400;

/** The lines of an item; `grown` are those of a text that still comes. */
export function itemLines(item: Item, look: Look, grown?: readonly StyledLine[]): readonly StyledLine[] {
  const draw = DRAW[item.kind] as (
    item: Item,
    look: Look,
    grown?: readonly StyledLine[],
  ) => readonly StyledLine[];
  return draw(item, look, grown);
}

type Draw<T extends Item> = (item: T, look: Look, grown?: readonly StyledLine[]) => readonly StyledLine[];

const DRAW: {
  readonly [Kind in Item['kind']]: Draw<Item & { readonly kind: Kind }>;
} = {
  user: (item, { width }) => plainLines(item.text, Math.min(width, PROSE_COLS)),
  assistant: (item, { width }, grown) => grown ?? proseLines(item.text, Math.min(width, PROSE_COLS)),
  thought,
  system: folded('⚙', 'system prompt'),
  call: callLines,
  files: filesLines,
  error: (item, look) => remark(item, look, '✕', 'alarm'),
  notice: (item, look) => remark(item, look, '·', 'dim'),
};

/** Words as they were typed: nothing in them is markup. */
function plainLines(text: string, width: number, role?: Role): StyledLine[] {
  const style = role === undefined ? {} : { role };
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap(line => wrapText(revealed(line), width).map((one): StyledLine => [{ text: one, ...style }]));
}

function thought(item: TextItem, { width, isOpen }: Look): readonly StyledLine[] {
  const lines = plainLines(item.text.trim(), Math.min(width, PROSE_COLS) - 2, 'dim');
  const title: Run = { text: item.isStreaming ? '∴ thinking' : '∴ thought', role: 'dim', italic: true };
  const count: Run = { text: ` · ${counted(lines.length, 'line')}`, role: 'dim' };
  if (!isOpen) return [[title, count]];
  const body = lines.map((line): StyledLine => line.map(run => ({ ...run, italic: true })));
  return [[title], ...body.map((line): StyledLine => [{ text: '  ' }, ...line])];
}

function folded(mark: string, title: string): Draw<TextItem> {
  return ({ text }, { width, isOpen }) => {
    const head: StyledLine = [
      { text: `${mark} ${title} · ${counted(text.split('\n').length, 'line')}`, role: 'dim' },
    ];
    return isOpen ? [head, ...proseLines(text, Math.min(width, PROSE_COLS))] : [head];
  };
}

function remark(item: LineItem, { width }: Look, mark: string, role: Role): StyledLine[] {
  const text = item.hint === undefined ? item.text : `${item.text} (${item.hint})`;
  const [first = [], ...rest] = plainLines(text, Math.min(width, PROSE_COLS) - 2, role);
  return [
    [{ text: `${mark} `, role }, ...first],
    ...rest.map((line): StyledLine => [{ text: '  ' }, ...line]),
  ];
}

function filesLines({ files }: FilesItem, { width, isOpen }: Look): StyledLine[] {
  const names = files.map(({ path }) => revealed(path));
  const title = files.length === 1 ? names[0]! : `${files.length} files: ${names.map(base).join(', ')}`;
  const head: StyledLine = [
    { text: '+ ', role: 'accent' },
    { text: truncate(title, Math.max(1, width - 2)), role: 'header' },
  ];
  if (!isOpen) return [head];
  return [
    head,
    ...files.flatMap(({ path, text }): StyledLine[] => {
      const body = limited(proseLines(withoutPath(text, path), Math.min(width, PROSE_COLS)));
      return files.length === 1
        ? body
        : [[{ text: revealed(path), role: 'header', underline: true }], ...body];
    }),
  ];
}

/** The path stands above already. */
function withoutPath(text: string, path: string): string {
  return text.startsWith(`${path}\n`) ? text.slice(path.length + 1) : text;
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** Mark and colour of a call, and the word behind it. */
function stateOf({ state, outcome }: CallView): {
  readonly mark: string;
  readonly role: Role;
  readonly word: string;
} {
  if (outcome)
    return outcome.isError ? { mark: '✕', role: 'alarm', word: '' } : { mark: '✓', role: 'ok', word: '' };
  return STATES[state];
}

const STATES: Readonly<Record<CallView['state'], ReturnType<typeof stateOf>>> = {
  writing: { mark: '◌', role: 'dim', word: 'writing' },
  complete: { mark: '◌', role: 'dim', word: '' },
  waiting: { mark: '◆', role: 'warn', word: 'needs your word' },
  allowed: { mark: '◌', role: 'accent', word: 'next' },
  running: { mark: '●', role: 'accent', word: 'running' },
  done: { mark: '■', role: 'dim', word: 'no result' },
};

function callLines({ call, progress }: CallItem, look: Look): StyledLine[] {
  const { width, isOpen } = look;
  const { mark, role, word } = stateOf(call);
  const { preview, outcome } = call;
  const counts = preview?.diff === undefined ? undefined : diffCounts(preview.diff);
  const tail: Run[] = [
    ...(counts
      ? [
          { text: ` +${counts.added}`, role: 'add' as const },
          { text: ` −${counts.removed}`, role: 'del' as const },
        ]
      : []),
    ...(word === '' ? [] : [{ text: ` ${word}`, role }]),
  ];
  const name = revealed(call.name || 'a tool');
  const tailWidth = cellWidth(tail.map(({ text }) => text).join(''));
  const room = Math.max(0, width - 4 - cellWidth(name) - tailWidth);
  const about = room > 3 ? truncate(revealed(callAbout(call)).replace(/\s+/g, ' '), room) : '';
  const head: StyledLine = [
    { text: `${mark} `, role },
    { text: truncate(name, Math.max(1, width - 2)), bold: true },
    ...(about === '' ? [] : [{ text: `  ${about}`, role: 'header' as const }]),
    ...(room > 0 ? tail : []),
  ];
  const inner = Math.max(1, width - 2);
  if (!isOpen) return [head];
  const body: StyledLine[] = [];
  if (preview?.body) body.push(...proseLines(preview.body, Math.min(inner, PROSE_COLS)));
  if (preview?.diff !== undefined)
    body.push(...diffLines(preview.diff, inner, look.isSideBySide && inner >= SIDE_BY_SIDE_COLS));
  if (preview?.trouble) body.push(...plainLines(`! ${preview.trouble}`, inner, 'warn'));
  if (progress !== '') body.push(...plainLines(progress, inner, 'dim'));
  // What was changed stands above; that it was, the mark says.
  if (outcome && !(preview?.diff !== undefined && !outcome.isError))
    body.push(...outcomeLines(outcome, inner));
  return [head, ...body.map((line): StyledLine => [{ text: '  ' }, ...line])];
}

function outcomeLines(
  { content, shown, isError }: NonNullable<CallView['outcome']>,
  width: number,
): StyledLine[] {
  if (shown !== undefined) return limited(proseLines(shown, Math.min(width, PROSE_COLS)));
  if (content.trim() === '') return [[{ text: '↳ nothing', role: 'dim' }]];
  const [first = [], ...rest] = limited(
    plainLines(content.replaceAll('\t', '    '), width - 2, isError ? 'alarm' : 'dim'),
  );
  return [
    [{ text: '↳ ', role: 'dim' }, ...first],
    ...rest.map((line): StyledLine => [{ text: '  ' }, ...line]),
  ];
}

function limited(lines: readonly StyledLine[]): StyledLine[] {
  const more = lines.length - RESULT_LINES;
  if (more <= 0) return [...lines];
  return [...lines.slice(0, RESULT_LINES), [{ text: `… ${counted(more, 'more line')}`, role: 'dim' }]];
}

/** Arguments that say by themselves what a call is about. */
const TELLING = ['cmd', 'path', 'file_path', 'pattern', 'query', 'url', 'prompt', 'name'] as const;

/** What a call is about, in a line. */
export function callAbout({ preview, args }: CallView): string {
  if (typeof args['command'] === 'string') return args['command'];
  // A header is one line of Markdown: its words are enough here.
  if (preview) return preview.header.replaceAll('`', '');
  for (const key of TELLING) if (typeof args[key] === 'string') return args[key];
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

/** `3 lines`, `1 line`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
