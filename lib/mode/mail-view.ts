/**
 * The message viewer as chrome draws it.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { unreadMark } from '../base/text.ts';
import { revealed } from '../base/visible.ts';
import type { BrowserView, Hint } from '../chrome/view.ts';
import { highlight } from './highlight.ts';
import { messageIndex, selectedStream } from './mail.ts';
import type { Mail } from './mail.ts';
import type { MailMessage } from './mail-rows.ts';
import type { MailStream } from './mail-streams.ts';
import type { Marks } from './navigator-view.ts';
import { selectedRow } from './tree.ts';
import type { TreeEntry } from './tree.ts';
import { wrapText } from './wrap.ts';

/** Rows of a message that is not unfolded. */
const FOLDED_ROWS = 8;
/** Rows of one that is: what is longer belongs into a document. */
const OPEN_ROWS = 2000;
/** UTF-16 units of a body that are looked at for so many rows of even the widest preview. */
const UNITS_PER_ROW = 400;
/** Wrapped bodies that are kept: more than are shown at once. */
const CACHED_MAX = 2000;
/** Cells of a body's margin, and of an answer's besides. */
const MARGIN = 2;

/** Bodies in rows, kept from frame to frame by whoever draws; a new one may be given at any time. */
export type BodyCache = Map<string, readonly string[]>;

/** The messages in rows. */
export interface MailLayout {
  readonly lines: readonly StyledLine[];
  /** First row of each message, and the row behind its last. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** Lays the messages out for a preview of `width` cells. `age` says how long ago a time was. */
export function mailLayout(
  state: Mail,
  { width, age, cache }: { width: number; age: (at: number) => string; cache: BodyCache },
): MailLayout {
  const at = state.focus === 'messages' ? messageIndex(state) : -1;
  const lines: StyledLine[] = [];
  const spans: (readonly [number, number])[] = [];
  if (cache.size > CACHED_MAX) cache.clear();
  for (const [index, { message, depth }] of state.rows.entries()) {
    if (index > 0 && depth === 0) lines.push([]);
    const start = lines.length;
    const indent = ' '.repeat(depth * MARGIN);
    lines.push(headLine(message, indent, index === at, age(message.at)));
    const room = Math.max(1, width - MARGIN - indent.length);
    const key = `${message.id} ${room} ${state.open.has(message.id)}`;
    const body = cache.get(key) ?? bodyRows(message.body, room, state.open.has(message.id));
    cache.set(key, body);
    for (const row of body) lines.push([{ text: `${indent}${' '.repeat(MARGIN)}${row}` }]);
    spans.push([start, lines.length]);
  }
  return { lines, spans };
}

/** Row of the layout that stands at the top of a preview: the selected message is seen, from its beginning. */
export function mailScroll(state: Mail, { lines, spans }: MailLayout): number {
  const [start, end] = spans[messageIndex(state)] ?? [0, 0];
  const last = Math.max(0, lines.length - state.height);
  const top = end - start > state.height ? start : Math.max(0, end - state.height);
  const within = Math.max(0, end - start - state.height);
  return Math.min(last, top + Math.min(state.scroll, within));
}

/** Messages of which the beginning is seen at `scroll`. */
export function seenMessages(state: Mail, { spans }: MailLayout, scroll: number): readonly MailMessage[] {
  return state.rows.flatMap(({ message }, index) => {
    const [start] = spans[index] ?? [-1];
    return start >= scroll && start < scroll + state.height ? [message] : [];
  });
}

/** `▸ api → docs  4m · no answer wanted` */
function headLine(message: MailMessage, indent: string, isSelected: boolean, age: string): StyledLine {
  const { from, to, isUnread, isOwn, noReply } = message;
  const name: Run = { text: revealed(from), role: isOwn ? 'ok' : 'header', bold: true };
  const notes = [age === 'now' ? 'just now' : `${age} ago`, ...(noReply ? ['no answer wanted'] : [])];
  return [
    { text: indent },
    { text: isSelected ? '▸ ' : isUnread ? '@ ' : '  ', role: 'accent', bold: true },
    isSelected ? { ...name, inverse: true } : name,
    ...(to === '' ? [] : [{ text: ` → ${revealed(to)}`, role: 'dim' } as const]),
    { text: `  ${notes.join(' · ')}`, role: 'dim' },
    ...(isUnread ? [{ text: '  new', role: 'accent', bold: true } as const] : []),
  ];
}

/** A body of whatever length: what does not fit is told. */
function bodyRows(body: string, width: number, isOpen: boolean): readonly string[] {
  const max = isOpen ? OPEN_ROWS : FOLDED_ROWS;
  const text = body
    .slice(0, max * UNITS_PER_ROW)
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '');
  const rows: string[] = [];
  for (const line of text.split('\n')) {
    if (rows.length > max) break;
    rows.push(...wrapText(revealed(line.replaceAll('\t', '    ')), width, max + 1 - rows.length));
  }
  const isWhole = rows.length <= max && text.length >= body.trimEnd().length;
  if (isWhole) return rows;
  const hint = isOpen ? "… the rest: 'mux msg inbox --all', or 'msg sub'" : '… Enter shows all of it';
  return [...rows.slice(0, max - 1), hint];
}

/** All of the view. `head` says what a draft is about, in place of messages. */
export function mailView(
  state: Mail,
  layout: MailLayout,
  about: { readonly hints: readonly Hint[]; readonly marks: Marks; readonly trouble: string },
): BrowserView {
  const { tree } = state;
  const stream = selectedStream(state);
  const isMessages = state.focus === 'messages';
  const line = isMessages ? state.filter : tree.filter;
  const isEdited = isMessages ? state.isFiltering : tree.focus === 'filter';
  return {
    type: 'browser',
    title: 'Messages',
    facets: [],
    filter: line.text,
    caret: isEdited ? line.caret : -1,
    filterLabel: isMessages ? 'filter messages' : 'filter',
    items: tree.entries.map(entry => ({
      id: entry.item.id,
      line: streamLine(entry, state.streams, about.marks),
      note: entry.item.note,
    })),
    selected: selectedRow(tree),
    shown: tree.entries.filter(({ item }) => !item.isHeading).length,
    total: state.streams.length,
    preview:
      layout.lines.length > 0 ? layout.lines : [[], [{ text: emptyText(state, about.trouble), role: 'dim' }]],
    previewTitle: stream ? `${stream.name}${isMessages ? '' : previewNote(state)}` : '',
    previewScroll: mailScroll(state, layout),
    hints: about.hints,
    empty: 'nothing is like that: Esc shows all',
  };
}

function previewNote({ rows }: Mail): string {
  return rows.length === 0 ? '' : ` · ${rows.length} ${rows.length === 1 ? 'message' : 'messages'}`;
}

/** `● fix-login @2` */
function streamLine(entry: TreeEntry, streams: readonly MailStream[], marks: Marks): StyledLine {
  const { item, open, ranges } = entry;
  const stream = streams.find(({ id }) => id === item.id);
  if (!stream)
    return [
      { text: open ? '▾ ' : '▸ ', role: 'dim' },
      { text: item.text, role: 'header', bold: true },
    ];
  const state = stream.state && marks[stream.state];
  const lead: Run[] =
    stream.kind === 'person'
      ? []
      : [{ text: '  ' }, ...(state ? [{ ...roleOf(state.role), text: `${state.mark} ` }] : [])];
  const unread = unreadMark(stream.unread);
  return [
    ...lead,
    ...highlight(item.text, ranges),
    ...(unread ? [{ text: ` ${unread}`, role: 'accent', bold: true } as const] : []),
  ];
}

function roleOf(role: Run['role']): Pick<Run, 'role'> {
  return role ? { role } : {};
}

function emptyText(state: Mail, trouble: string): string {
  const stream = selectedStream(state);
  if (trouble !== '') return trouble;
  if (!stream) return 'Enter folds and unfolds';
  if (stream.kind === 'draft') return 'Enter goes on writing, x throws it away';
  if (state.shown !== stream.id) return '';
  if (state.messages.length > 0) return 'no message is like that: Esc shows all';
  return 'nothing was written yet: n writes a message';
}
