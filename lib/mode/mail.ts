/**
 * The message viewer: streams at the left (what was sent to the person, to each session, the topics, and what the person
 * has begun to write), the messages of the selected one at the right. Either side has the keys. Messages are followed: as
 * long as the newest is selected, the next one is when it comes.
 */
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';
import { mailRows } from './mail-rows.ts';
import type { MailMessage, MailRow } from './mail-rows.ts';
import { streamItems } from './mail-streams.ts';
import type { MailStream } from './mail-streams.ts';
import { reduceTree, selectedItem, tree } from './tree.ts';
import type { Tree, TreeEvent, TreeKind } from './tree.ts';
import { matchWords } from './words.ts';

export interface Mail {
  readonly streams: readonly MailStream[];
  readonly tree: Tree;
  readonly focus: 'streams' | 'messages';
  /** Id of the stream whose messages these are, '' before any are there. */
  readonly shown: string;
  readonly messages: readonly MailMessage[];
  readonly rows: readonly MailRow[];
  /** Id of the selected message; '' for the newest, whichever that is. */
  readonly at: string;
  /** Ids of messages that are shown whole. */
  readonly open: ReadonlySet<string>;
  /** How many messages are asked for. */
  readonly limit: number;
  readonly filter: LineEditor;
  readonly isFiltering: boolean;
  /** Rows by which the text is moved within a message that is longer than its place. */
  readonly scroll: number;
  /** Visible rows of the messages. */
  readonly height: number;
}

export type MailEvent =
  | ModeEvent
  | { readonly type: 'streams'; readonly streams: readonly MailStream[] }
  | { readonly type: 'messages'; readonly stream: string; readonly messages: readonly MailMessage[] }
  /** A row of the list was pointed at. */
  | { readonly type: 'select'; readonly index: number }
  | { readonly type: 'extent'; readonly rows: number; readonly height: number };

export type MailIntent =
  /** Messages are wanted: of another stream, or older ones. */
  | { readonly type: 'load' }
  | { readonly type: 'reply'; readonly message: MailMessage }
  | { readonly type: 'compose'; readonly stream: MailStream | undefined }
  | { readonly type: 'draft' | 'discard' | 'go' | 'acknowledge'; readonly stream: MailStream }
  | { readonly type: 'copy'; readonly message: MailMessage }
  | { readonly type: 'tell'; readonly text: string }
  | { readonly type: 'cancel' };

type Result = Step<Mail, MailIntent>;

const KIND: TreeKind = { title: 'Messages', empty: '', acts: [], orders: [], match: matchWords };
/** Messages shown at first, with each step back, and at most: older ones are for `mux msg`. */
const LIMIT = 100;
const LIMIT_MAX = 1000;
const DEFAULT_HEIGHT = 20;

/** The viewer over `streams`, on the one of id `selected`, else on the first. */
export function mail(streams: readonly MailStream[], selected = ''): Mail {
  const shown = tree(KIND, streamItems(streams), { selected });
  return {
    streams,
    tree: reduceTree(shown, 'home').state,
    focus: 'streams',
    shown: '',
    messages: [],
    rows: [],
    at: '',
    open: new Set(),
    limit: LIMIT,
    filter: lineEditor(),
    isFiltering: false,
    scroll: 0,
    height: DEFAULT_HEIGHT,
  };
}

/** The selected stream; undefined on a heading. */
export function selectedStream(state: Mail): MailStream | undefined {
  const id = selectedItem(state.tree)?.id;
  return state.streams.find(stream => stream.id === id);
}

/** Index of the selected message among the rows, -1 where there is none. */
export function messageIndex({ rows, at }: Mail): number {
  const found = rows.findIndex(({ message }) => message.id === at);
  return found < 0 ? rows.length - 1 : found;
}

/** The selected message. */
export function selectedMessage(state: Mail): MailMessage | undefined {
  return state.shown === selectedStream(state)?.id ? state.rows[messageIndex(state)]?.message : undefined;
}

/** The viewer after `event`. */
export function reduceMail(state: Mail, event: MailEvent): Result {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'streams') return withStreams(state, event.streams);
  if (event.type === 'messages') return still(withMessages(state, event.stream, event.messages));
  if (event.type === 'extent') {
    const { height, rows } = event;
    return still({ ...inTree(state, { type: 'rows', rows }).state, height });
  }
  if (event.type === 'select') return followSelection(state, inTree({ ...state, focus: 'streams' }, event));
  return typed(state, event);
}

/** Text goes to the filter that is being written. */
function typed(state: Mail, event: ModeEvent): Result {
  if (state.isFiltering) return still(refilter(state, editLine(state.filter, event).state));
  return state.tree.focus === 'filter' ? followSelection(state, inTree(state, event)) : still(state);
}

function act(state: Mail, action: string): Result {
  if (state.isFiltering) return inFilter(state, action);
  if (state.tree.focus === 'filter') return followSelection(state, inTree(state, action));
  const both = Object.hasOwn(BOTH, action) ? BOTH[action] : undefined;
  if (both) return both(state);
  const own = state.focus === 'messages' ? IN_MESSAGES : IN_STREAMS;
  const run = Object.hasOwn(own, action) ? own[action] : undefined;
  if (run) return run(state);
  if (state.focus === 'streams') return followSelection(state, inTree(state, action));
  return moveMessage(state, action);
}

const BOTH: Readonly<Record<string, (state: Mail) => Result>> = {
  compose: state => ({ state, intents: [{ type: 'compose', stream: selectedStream(state) }] }),
  reply(state) {
    const message = answerable(state);
    if (!message) return { state, intents: [{ type: 'tell', text: 'there is no message to answer' }] };
    return { state, intents: [{ type: 'reply', message }] };
  },
  acknowledge: aboutStream(stream => ({ type: 'acknowledge', stream })),
  go: aboutStream(stream => (stream.kind === 'session' ? { type: 'go', stream } : undefined)),
  copy(state) {
    const message = selectedMessage(state);
    return { state, intents: message ? [{ type: 'copy', message }] : [] };
  },
  delete: aboutStream(stream => (stream.kind === 'draft' ? { type: 'discard', stream } : undefined)),
  'next-side': state => still(turn(state, state.focus === 'streams' ? 'messages' : 'streams')),
  'preview-page-down': state => still(scrolled(state, pageRows(state.height))),
  'preview-page-up': state => still(scrolled(state, -pageRows(state.height))),
};

/** The selected message, or what it answered where the person wrote it. */
function answerable(state: Mail): MailMessage | undefined {
  const selected = selectedMessage(state);
  if (!selected?.isOwn) return selected;
  const thread = selected.threadId ?? selected.id;
  return state.rows.findLast(({ message }) => !message.isOwn && (message.threadId ?? message.id) === thread)
    ?.message;
}

const IN_STREAMS: Readonly<Record<string, (state: Mail) => Result>> = {
  accept: open,
  expand: state => (selectedStream(state) ? open(state) : inTree(state, 'expand')),
};

const IN_MESSAGES: Readonly<Record<string, (state: Mail) => Result>> = {
  accept: unfold,
  toggle: unfold,
  expand: state => still(state),
  collapse: state => still(turn(state, 'streams')),
  filter: state => still({ ...state, isFiltering: true }),
  cancel: state =>
    state.filter.text === '' ? still(turn(state, 'streams')) : still(refilter(state, lineEditor())),
};

function aboutStream(make: (stream: MailStream) => MailIntent | undefined): (state: Mail) => Result {
  return state => {
    const stream = selectedStream(state);
    const intent = stream && make(stream);
    return { state, intents: intent ? [intent] : [] };
  };
}

/** Into the messages of a stream, or on with what was being written; headings fold. */
function open(state: Mail): Result {
  const stream = selectedStream(state);
  if (!stream) return inTree(state, 'toggle');
  if (stream.kind === 'draft') return { state, intents: [{ type: 'draft', stream }] };
  return still(turn(state, 'messages'));
}

function turn(state: Mail, focus: Mail['focus']): Mail {
  const isEmpty = selectedStream(state) === undefined || selectedStream(state)?.kind === 'draft';
  return { ...state, focus: isEmpty ? 'streams' : focus };
}

/** A long message whole, or its beginning again. */
function unfold(state: Mail): Result {
  const message = selectedMessage(state);
  if (!message) return still(state);
  const opened = new Set(state.open);
  if (!opened.delete(message.id)) opened.add(message.id);
  return still({ ...state, open: opened, scroll: 0 });
}

/** Up from the oldest asks for those before it. */
function moveMessage(state: Mail, action: string): Result {
  const index = messageIndex(state);
  const to = moveIndex(action, index, state.rows.length, pageRows(state.height / 2));
  if (to === undefined) return still(state);
  const isOlderWanted =
    to === 0 && index === 0 && state.messages.length >= state.limit && state.limit < LIMIT_MAX;
  const moved = {
    ...state,
    at: to === state.rows.length - 1 ? '' : (state.rows[to]?.message.id ?? ''),
    scroll: 0,
  };
  if (!isOlderWanted) return still(moved);
  return {
    state: { ...moved, limit: Math.min(LIMIT_MAX, state.limit + LIMIT) },
    intents: [{ type: 'load' }],
  };
}

/** Bounded here by what is bearable, and by whoever draws by what there is. */
function scrolled(state: Mail, by: number): Mail {
  return { ...state, scroll: Math.max(0, state.scroll + by) };
}

function inFilter(state: Mail, action: string): Result {
  if (action === 'accept') return still({ ...state, isFiltering: false });
  if (action === 'cancel') return still({ ...refilter(state, lineEditor()), isFiltering: false });
  if (moveIndex(action, 0, 1, 1) !== undefined) return moveMessage(state, action);
  return still(refilter(state, editLine(state.filter, action).state));
}

function refilter(state: Mail, filter: LineEditor): Mail {
  return { ...state, filter, rows: mailRows(state.messages, filter.text), scroll: 0 };
}

function inTree(state: Mail, event: TreeEvent): Result {
  const step = reduceTree(state.tree, event);
  const leaves = step.intents.some(intent => intent.type === 'cancel');
  return { state: { ...state, tree: step.state }, intents: leaves ? [{ type: 'cancel' }] : [] };
}

/** Another stream than before: its messages are wanted, and those of the old one are not shown under its name. */
function followSelection(before: Mail, { state, intents }: Result): Result {
  if (selectedStream(before)?.id === selectedStream(state)?.id) return { state, intents };
  const blank = {
    shown: '',
    messages: [],
    rows: [],
    at: '',
    open: new Set<string>(),
    limit: LIMIT,
    scroll: 0,
  };
  const next = { ...state, ...blank, filter: lineEditor() };
  return { state: next, intents: [...intents, { type: 'load' }] };
}

function withStreams(state: Mail, streams: readonly MailStream[]): Result {
  const moved = reduceTree(state.tree, { type: 'items', items: streamItems(streams) }).state;
  return followSelection(state, { state: { ...state, streams, tree: moved }, intents: [] });
}

/** An answer that comes late, for a stream that is selected no more, is dropped. */
function withMessages(state: Mail, stream: string, messages: readonly MailMessage[]): Mail {
  if (selectedStream(state)?.id !== stream) return state;
  const rows = mailRows(messages, state.filter.text);
  const isThere = rows.some(({ message }) => message.id === state.at);
  return { ...state, shown: stream, messages, rows, at: isThere ? state.at : '' };
}
