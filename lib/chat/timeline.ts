/**
 * The items of one chat, and what happens to them while a conversation goes on.
 */
import { truncate } from '../base/text.ts';
import { visible } from '../base/visible.ts';
import type { Message } from '../ai/wire.ts';
import type { CallView, ConversationEvent } from '../agent/events.ts';
import { itemsOf, withResult, type CallItem, type Item, type TextItem } from './item.ts';

/** The first line that is shown; 'end' keeps to what comes last. */
export type Anchor = 'end' | { readonly id: string; readonly line: number };

export interface Timeline {
  readonly items: readonly Item[];
  /** Items opened or folded by the person, against what their kind does by itself. */
  readonly folds: ReadonlyMap<string, boolean>;
  readonly anchor: Anchor;
  /** Id of the item that keys act on; '' for none. */
  readonly selected: string;
  /** The block inside the selected item that keys act on; -1 for the whole of it. */
  readonly block: number;
  /** Answers so far: ids of what streams are made of it. */
  readonly answers: number;
}

/** The end of what a running call has written, in characters: what fits on a screen. */
const PROGRESS_MAX = 4096;

export const EMPTY: Timeline = {
  items: [],
  folds: new Map(),
  anchor: 'end',
  selected: '',
  block: -1,
  answers: 0,
};

/** A timeline of messages that are kept. */
export function timelineOf(messages: readonly Message[]): Timeline {
  return { ...EMPTY, items: itemsOf(messages) };
}

/** Older messages in front of those that are there. */
export function prepend(timeline: Timeline, messages: readonly Message[]): Timeline {
  const known = new Set(timeline.items.map(({ id }) => id));
  const older = itemsOf(messages).filter(({ id }) => !known.has(id));
  return { ...timeline, items: [...older, ...timeline.items] };
}

/** The timeline after something has happened. */
export function advance(timeline: Timeline, event: ConversationEvent): Timeline {
  const step = STEPS[event.type] as (timeline: Timeline, event: ConversationEvent) => Timeline;
  return step(timeline, event);
}

type Steps = {
  readonly [Type in ConversationEvent['type']]: (
    timeline: Timeline,
    event: Extract<ConversationEvent, { readonly type: Type }>,
  ) => Timeline;
};

const same = (timeline: Timeline): Timeline => timeline;

const STEPS: Steps = {
  state: same,
  usage: same,
  sent: (timeline, { messages }) => {
    const answers = timeline.answers + 1;
    const named = messages.map((message, at) => ({
      ...message,
      name: message.name ?? `sent:${answers}:${at}`,
    }));
    // Results stand with their calls already.
    const said = itemsOf(named.filter(({ role }) => role !== 'ROLE_TOOL' && role !== 'ROLE_ASSISTANT'));
    const fresh = said.map((item): Item => ({ ...item, message: '' }));
    return { ...timeline, answers, items: [...answered(timeline.items, messages), ...fresh] };
  },
  text: (timeline, event) => grow(timeline, 'assistant', event),
  thought: (timeline, event) => grow(timeline, 'thought', event),
  call: (timeline, { call }) => withCall(timeline, call),
  progress: (timeline, { id, text }) =>
    change(
      timeline,
      item => item.kind === 'call' && item.call.id === id && item.call.state !== 'done',
      item => ({
        ...(item as CallItem),
        progress: ((item as CallItem).progress + text).slice(-PROGRESS_MAX),
      }),
    ),
  answer: (timeline, { message }) => settle(timeline, message),
  notice: (timeline, { text }) => line(timeline, 'notice', text),
  end: (timeline, { end }) => {
    const still = { ...timeline, items: timeline.items.map(over) };
    const told = ENDINGS[end.reason];
    if (end.reason === 'failed')
      return line(still, 'error', end.error?.message ?? 'it failed', end.error?.hint);
    return told === undefined ? still : line(still, 'notice', told);
  },
};

/** Calls that the service would not take have their results only here: what it had been told of them is over. */
function answered(items: readonly Item[], messages: readonly Message[]): readonly Item[] {
  const results = messages.flatMap(({ blocks = [] }) =>
    blocks.flatMap(({ tool_result: result }) => result ?? []),
  );
  return items.map(item => {
    if (item.kind !== 'call' || item.call.outcome) return item;
    const result = results.find(({ tool_call_id: id }) => id === item.call.id);
    if (result) return withResult(item, result);
    return item.call.state === 'writing' ? { ...item, call: { ...item.call, state: 'done' as const } } : item;
  });
}

/** What a person is told where a turn did not end as it should. */
const ENDINGS: Partial<Record<string, string>> = {
  cancelled: 'cancelled',
  cut: 'the answer is cut: the model may write no more at once',
  refused: 'the model declined to answer',
  paused: 'the model paused in the middle of its answer',
  limit: 'it has called tools as often as it may in one turn; say something to let it go on',
};

/** Nothing more comes of an item. */
function over(item: Item): Item {
  return item.kind === 'call' && item.call.state === 'writing'
    ? { ...item, call: { ...item.call, state: 'done' } }
    : stopped(item);
}

function stopped(item: Item): Item {
  return 'isStreaming' in item && item.isStreaming ? { ...item, isStreaming: false } : item;
}

function streamId(timeline: Timeline, kind: string, index: number): string {
  return `live:${timeline.answers}:${kind}:${index}`;
}

function grow(
  timeline: Timeline,
  kind: 'assistant' | 'thought',
  { index, text }: { readonly index: number; readonly text: string },
): Timeline {
  const id = streamId(timeline, kind, index);
  const at = timeline.items.findLastIndex(item => item.id === id);
  const before = timeline.items[at] as TextItem | undefined;
  const item: TextItem = { id, message: '', kind, text: (before?.text ?? '') + text, isStreaming: true };
  if (before) return { ...timeline, items: timeline.items.with(at, item) };
  // A thought is over once words come.
  const items = timeline.items.map((one, n) => (n >= timeline.items.length - 1 ? stopped(one) : one));
  return { ...timeline, items: [...items, item] };
}

function withCall(timeline: Timeline, call: CallView): Timeline {
  // An id may come twice in a long chat: only what has not ended is the same call.
  const isSame = (item: Item): boolean =>
    item.kind === 'call' && item.call.id === call.id && item.call.state !== 'done';
  const at = timeline.items.findLastIndex(isSame);
  if (at >= 0) {
    const before = timeline.items[at] as CallItem;
    const progress = call.outcome ? '' : before.progress;
    return { ...timeline, items: timeline.items.with(at, { ...before, call, progress }) };
  }
  const id = `live:${timeline.answers}:call:${call.id}`;
  const items = timeline.items.map((one, n) => (n >= timeline.items.length - 1 ? stopped(one) : one));
  const known = items.findLastIndex(item => item.id === id);
  if (known >= 0) return { ...timeline, items: items.with(known, { ...(items[known] as CallItem), call }) };
  return { ...timeline, items: [...items, { id, message: '', kind: 'call', call, progress: '' }] };
}

/** What came of an answer is replaced by what is kept of it, each in its place. */
function settle(timeline: Timeline, message: Message): Timeline {
  const prefix = `live:${timeline.answers}:`;
  const name = message.name ?? '';
  const kept = itemsOf([message]);
  const items = timeline.items.map((item): Item => {
    if (!item.id.startsWith(prefix)) return item;
    if (item.kind === 'call') return { ...item, message: name };
    const index = Number(item.id.split(':').at(-1));
    const whole = kept.find(one => one.id === `${name}#${index}` && one.kind === item.kind);
    if (item.kind !== 'assistant' && item.kind !== 'thought') return item;
    return {
      ...item,
      message: name,
      isStreaming: false,
      text: (whole as TextItem | undefined)?.text ?? item.text,
    };
  });
  // Of a service that streams nothing.
  const came = items.some(item => item.id.startsWith(prefix));
  return { ...timeline, items: came ? items : [...items, ...kept] };
}

function change(timeline: Timeline, isMeant: (item: Item) => boolean, to: (item: Item) => Item): Timeline {
  const at = timeline.items.findLastIndex(isMeant);
  return at < 0 ? timeline : { ...timeline, items: timeline.items.with(at, to(timeline.items[at]!)) };
}

function line(timeline: Timeline, kind: 'error' | 'notice', text: string, hint?: string): Timeline {
  const id = `line:${timeline.answers}:${timeline.items.length}`;
  return { ...timeline, items: [...timeline.items, { id, message: '', kind, text, hint }] };
}

/** Calls that wait for a verdict, the first one first. They stand behind the last words of the person. */
export function waitingCalls({ items }: Pick<Timeline, 'items'>): readonly CallView[] {
  const found: CallView[] = [];
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!;
    if (item.kind === 'user') break;
    if (item.kind === 'call' && item.call.state === 'waiting') found.push(item.call);
  }
  return found.toReversed();
}

/** Whether an item shows all of itself. */
export function isOpen({ folds }: Pick<Timeline, 'folds'>, item: Item): boolean {
  return folds.get(item.id) ?? OPEN[item.kind](item);
}

/** What is open by itself: what is being said or waits for somebody. */
const OPEN: Readonly<Record<Item['kind'], (item: Item) => boolean>> = {
  user: () => true,
  assistant: () => true,
  thought: item => item.kind === 'thought' && item.isStreaming === true,
  system: () => false,
  files: () => false,
  error: () => true,
  notice: () => true,
  call: item =>
    item.kind === 'call' &&
    (item.call.state !== 'done' ||
      item.call.outcome?.isError === true ||
      item.call.preview?.diff !== undefined),
};

/** The items with the names of their messages, as the service has kept them: from the end, by what they say. */
export function reconcile(timeline: Timeline, messages: readonly Message[]): Timeline {
  const kept = itemsOf(messages);
  const items = [...timeline.items];
  let at = kept.length - 1;
  for (let n = items.length - 1; n >= 0 && at >= 0; n--) {
    const item = items[n]!;
    if (item.kind === 'error' || item.kind === 'notice') continue;
    const match = kept.findLastIndex((one, index) => index <= at && isSame(one, item));
    if (match < 0) continue;
    if (item.message === '') items[n] = { ...item, message: kept[match]!.message };
    at = match - 1;
  }
  return { ...timeline, items };
}

function isSame(a: Item, b: Item): boolean {
  if (a.kind === 'call' && b.kind === 'call') return a.call.id === b.call.id;
  return a.kind === b.kind && 'text' in a && 'text' in b && a.text === b.text;
}

/** Cells, about, of a title that is made of the first words of a chat. */
const TITLE_MAX = 60;

/** What a chat that has no title is called by: the first words that were said in it, on one line; '' where there are none. */
export function firstWords({ items }: Pick<Timeline, 'items'>): string {
  const first = items.find(({ kind }) => kind === 'user');
  if (!first || !('text' in first)) return '';
  // Of a long text the beginning is enough.
  return truncate(
    visible(
      first.text
        .slice(0, 4 * TITLE_MAX)
        .trim()
        .replace(/\s+/g, ' '),
    ),
    TITLE_MAX,
  );
}
