/**
 * Writing a message: to whom at the left, the text at the right. In the list of receivers letters narrow it down, in the
 * text they are written and Enter begins a line. What goes to several is asked for first, with their number.
 */
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { rank } from './fuzzy.ts';
import type { FuzzyMatch } from './fuzzy.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';
import { editText, TEXT_MAX, textEditor, textOf } from './text-editor.ts';
import type { TextEditor } from './text-editor.ts';

/** Somebody, or several, that a message can go to. */
export interface Receiver {
  /** `session:ID`, `topic:NAME`, `tree:ID`, `label:NAME`. */
  readonly id: string;
  readonly text: string;
  /** Names of those it stands for; one for a session or a topic. */
  readonly names: readonly string[];
  /** Streams that each get one message. */
  readonly streams: readonly string[];
}

export interface Composer {
  readonly receivers: readonly Receiver[];
  /** Ids of the chosen receivers. */
  readonly to: readonly string[];
  /** An answer goes where its question came from: that is not chosen any more. */
  readonly isAnswer: boolean;
  readonly focus: 'to' | 'text';
  readonly filter: LineEditor;
  readonly entries: readonly { readonly receiver: Receiver; readonly ranges: FuzzyMatch['ranges'] }[];
  readonly selected: number;
  readonly editor: TextEditor;
  /** It is asked whether to send to so many, or to throw the text away. */
  readonly question: 'send' | 'discard' | undefined;
  /** Messages are on their way: nothing is changed meanwhile. */
  readonly isSending: boolean;
  readonly rows: number;
}

export type ComposerEvent =
  | ModeEvent
  | { readonly type: 'receivers'; readonly receivers: readonly Receiver[] }
  | { readonly type: 'select'; readonly index: number }
  | { readonly type: 'rows'; readonly rows: number }
  /** Sending has not worked. */
  | { readonly type: 'failed' };

export type ComposerIntent =
  { readonly type: 'send' | 'discard' | 'close' } | { readonly type: 'tell'; readonly text: string };

type Result = Step<Composer, ComposerIntent>;

/** Receivers listed: more than anybody goes through. */
const MAX_ENTRIES = 1000;
/** What names a topic, as `mux msg pub` takes it. */
const TOPIC = /^[\w./@+-]{1,128}$/;
const DEFAULT_ROWS = 20;

/** A composer that begins with what is known: the keys are where something is missing. */
export function composer(
  receivers: readonly Receiver[],
  begin: { readonly to: readonly string[]; readonly text: string; readonly isAnswer: boolean },
): Composer {
  const { to, text, isAnswer } = begin;
  const start = relist({
    receivers,
    to,
    isAnswer,
    focus: to.length > 0 ? 'text' : 'to',
    filter: lineEditor(),
    entries: [],
    selected: 0,
    editor: textEditor(text),
    question: undefined,
    isSending: false,
    rows: DEFAULT_ROWS,
  });
  return onFirst(start);
}

/** The selection on the first of the chosen, so that the list does not point at somebody else. */
function onFirst(state: Composer): Composer {
  const index = state.entries.findIndex(({ receiver }) => receiver.id === state.to[0]);
  return { ...state, selected: Math.max(0, index) };
}

/** The chosen receivers that are there; a topic need not exist yet. */
export function chosen({ to, receivers }: Pick<Composer, 'to' | 'receivers'>): readonly Receiver[] {
  return to.flatMap(id => {
    const found = receivers.find(receiver => receiver.id === id);
    return found ?? (id.startsWith('topic:') ? topic(id.slice('topic:'.length)) : []);
  });
}

/** Streams that the message goes to, each once. */
export function streamsOf(state: Pick<Composer, 'to' | 'receivers'>): readonly string[] {
  return [...new Set(chosen(state).flatMap(({ streams }) => streams))];
}

/** The composer after `event`. */
export function reduceComposer(state: Composer, event: ComposerEvent): Result {
  if (typeof event === 'object' && event.type === 'receivers')
    return still(relist({ ...state, receivers: event.receivers }));
  if (typeof event === 'object' && event.type === 'rows') return still({ ...state, rows: event.rows });
  if (typeof event === 'object' && event.type === 'failed') return still({ ...state, isSending: false });
  if (state.isSending) return still(state);
  if (state.question) return answer(state, state.question, event);
  if (typeof event === 'object' && event.type === 'select') return still(pointed(state, event.index));
  if (typeof event === 'string') {
    const run = Object.hasOwn(ACTIONS, event) ? ACTIONS[event] : undefined;
    if (run) return run(state);
  }
  return state.focus === 'text' ? write(state, event) : choose(state, event);
}

const ACTIONS: Readonly<Record<string, (state: Composer) => Result>> = {
  send,
  'next-side': state => still(turn(state)),
  discard: state =>
    textOf(state.editor) === ''
      ? { state, intents: [{ type: 'discard' }] }
      : still({ ...state, question: 'discard' }),
  cancel(state) {
    if (state.focus === 'to' && state.filter.text !== '')
      return still(relist({ ...state, filter: lineEditor() }));
    return { state, intents: [{ type: 'close' }] };
  },
};

function turn(state: Composer): Composer {
  return { ...state, focus: state.focus === 'to' || state.isAnswer ? 'text' : 'to' };
}

/** What is missing is said, and the keys go there. */
function send(state: Composer): Result {
  const tell = (text: string, focus: Composer['focus']): Result => ({
    state: { ...state, focus },
    intents: [{ type: 'tell', text }],
  });
  const count = streamsOf(state).length;
  if (count === 0)
    return tell(state.to.length === 0 ? 'say to whom' : 'nobody of them is there any more', 'to');
  if (textOf(state.editor).trim() === '') return tell('there is no text', 'text');
  if (count > 1) return still({ ...state, question: 'send' });
  return { state: { ...state, isSending: true }, intents: [{ type: 'send' }] };
}

/** `y` alone does it. */
function answer(state: Composer, question: 'send' | 'discard', event: ComposerEvent): Result {
  const text = typeof event === 'object' && event.type === 'text' ? event.text.toLowerCase() : '';
  const closed = { ...state, question: undefined };
  if (text === 'y')
    return { state: { ...closed, isSending: question === 'send' }, intents: [{ type: question }] };
  return still(text === 'n' || event === 'accept' || event === 'cancel' ? closed : state);
}

/** In the text Enter begins a line, wherever else it takes something. */
function write(state: Composer, event: ModeEvent): Result {
  const editor = editText(state.editor, TEXT_EVENTS.get(event) ?? event);
  const next = { ...state, editor };
  const isRefused = editor === state.editor && typeof event === 'object' && event.text !== '';
  if (!isRefused) return still(next);
  const text = `a message typed here holds ${TEXT_MAX / 1024} KiB: put more into a document or a file`;
  return { state, intents: [{ type: 'tell', text }] };
}

/** What the keys of lines mean in a text. */
const TEXT_EVENTS: ReadonlyMap<ModeEvent, string> = new Map([
  ['accept', 'newline'],
  ['history-up', 'up'],
  ['history-down', 'down'],
]);

function choose(state: Composer, event: ModeEvent): Result {
  if (typeof event === 'string') {
    const moved = moveIndex(event, state.selected, state.entries.length, pageRows(state.rows));
    if (moved !== undefined) return still({ ...state, selected: moved });
    if (event === 'accept') return still(accept(state));
    if (event === 'tag') return still(tag(state));
  }
  const filter = editLine(state.filter, event).state;
  if (filter.text === state.filter.text) return still({ ...state, filter });
  return still({ ...relist({ ...state, filter }), selected: 0 });
}

/** The selected one, alone or with those that were tagged, and on to the text. */
function accept(state: Composer): Composer {
  const id = state.entries[state.selected]?.receiver.id;
  if (id === undefined) return state;
  const to = state.to.length > 1 || state.to.includes(id) ? [...new Set([...state.to, id])] : [id];
  return onFirst(relist({ ...state, to, filter: lineEditor(), focus: 'text' }));
}

/** One more receiver, or one less. */
function tag(state: Composer): Composer {
  const id = state.entries[state.selected]?.receiver.id;
  if (id === undefined) return state;
  const to = state.to.includes(id) ? state.to.filter(one => one !== id) : [...state.to, id];
  const selected = Math.min(state.selected + 1, state.entries.length - 1);
  return { ...state, to, selected };
}

function pointed(state: Composer, index: number): Composer {
  if (state.isAnswer) return state;
  const selected = Math.max(0, Math.min(index, state.entries.length - 1));
  const next: Composer = { ...state, focus: 'to', selected };
  return state.focus === 'to' && selected === state.selected ? accept(next) : next;
}

/** Who fits the filter, best first; a word that is no topic yet can become one. */
function relist(state: Composer): Composer {
  const query = state.filter.text;
  const found = rank(
    state.receivers.map(({ text }) => text),
    query,
  ).map(({ index, ranges }) => ({ receiver: state.receivers[index]!, ranges }));
  const isNew =
    TOPIC.test(query) &&
    !query.startsWith('_system.') &&
    !state.receivers.some(r => r.id === `topic:${query}`);
  const entries = [
    ...found.slice(0, MAX_ENTRIES),
    ...(isNew ? [{ receiver: { ...topic(query), text: `${query}  (a new topic)` }, ranges: [] }] : []),
  ];
  return { ...state, entries, selected: Math.max(0, Math.min(state.selected, entries.length - 1)) };
}

function topic(name: string): Receiver {
  return { id: `topic:${name}`, text: name, names: [name], streams: [name] };
}
