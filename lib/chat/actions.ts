/**
 * What a person can do by name: keys are bound to these names, and those with a word for it can be written behind a slash.
 */
import { graphemes } from '../base/text.ts';
import { lineEditor } from '../mode/line-editor.ts';
import { picker } from '../mode/picker.ts';
import type { Step } from '../mode/event.ts';
import { edit, editorText, sent, withText } from './editor.ts';
import type { Item } from './item.ts';
import { itemText } from './item-text.ts';
import { blocksOf } from './blocks.ts';
import { EFFORTS, MODES, shownTab, withTab, type ChatApp, type Effect, type Tab } from './state.ts';
import { geometry, type Geometry } from './geometry.ts';
import { isOpen, waitingCalls, type Timeline } from './timeline.ts';
import type { TimelineLayout } from './timeline-layout.ts';

export type Result = Step<ChatApp, Effect>;

/** What actions look at besides the state. */
export interface Surroundings {
  readonly layout: TimelineLayout;
}

type Action = (app: ChatApp, around: Surroundings) => Result;

/** No effect. */
export function only(app: ChatApp): Result {
  return { state: app, intents: [] };
}

function does(app: ChatApp, ...intents: readonly Effect[]): Result {
  return { state: app, intents };
}

/** A line for the person. */
export function told(app: ChatApp, text: string, tone: 'info' | 'error' = 'info'): ChatApp {
  // The same line twice is one line.
  if (app.told.at(-1)?.text === text) return app;
  return { ...app, told: [...app.told, { text, tone }].slice(-TOLD_MAX) };
}

/** Lines that wait to be read at once: more of them nobody reads. */
const TOLD_MAX = 20;

function onTab(app: ChatApp, change: (tab: Tab) => Tab): ChatApp {
  return withTab(app, shownTab(app).key, change);
}

function onTimeline(app: ChatApp, change: (timeline: Timeline, tab: Tab) => Timeline): ChatApp {
  return onTab(app, tab => ({ ...tab, timeline: change(tab.timeline, tab) }));
}

/** The named action; undefined where there is none. */
export function actionOf(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

/** Words behind a slash: name, action, and what it does. */
export const SLASH: readonly (readonly [word: string, action: string, text: string])[] = [
  ['help', 'help', 'the keys'],
  ['menu', 'menu', 'all chats'],
  ['new', 'new-tab', 'a new chat in a tab'],
  ['close', 'close-tab', 'close the tab'],
  ['model', 'pick-model', 'choose the model'],
  ['role', 'pick-role', 'choose the role'],
  ['effort', 'pick-effort', 'how hard the model thinks'],
  ['mode', 'pick-mode', 'what may run without being asked about'],
  ['theme', 'pick-theme', 'other colours'],
  ['rename', 'rename', 'give the chat a title'],
  ['favourite', 'favourite', 'mark the chat, or no longer'],
  ['fork', 'fork', 'a new chat that begins like this one'],
  ['truncate', 'truncate', 'delete from the selected message on'],
  ['export', 'export', 'write the chat to a file, .md or .json'],
  ['copy', 'copy', 'copy the last answer'],
  ['editor', 'open-editor', 'write on in your editor'],
  ['open', 'open-chat', 'the whole chat in your editor'],
  ['info', 'info', 'tokens, costs, what is in the chat'],
  ['debug', 'debug', 'requests and events as they went'],
  ['quit', 'quit', 'leave; everything is kept'],
];

const ACTIONS: Readonly<Record<string, Action>> = {
  help: app => does(app, { type: 'help' }),
  menu: app => does(app, { type: 'chats' }),
  'new-tab': app => does({ ...app, overlay: undefined }, { type: 'open', key: -1 }),
  'close-tab': app => closeTab(app),
  'previous-tab': app => only(show(app, app.active - 1)),
  'next-tab': app => only(show(app, app.active + 1)),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      `tab-${n + 1}`,
      (app: ChatApp): Result => only(n < app.tabs.length ? show(app, n) : app),
    ]),
  ),
  'pick-model': app => does(app, { type: 'pick', purpose: 'model' }),
  'pick-role': app => does(app, { type: 'pick', purpose: 'role' }),
  'pick-theme': app => only(pick(app, 'theme', 'Theme', app.themes, app.theme)),
  'pick-effort': app =>
    only(pick(app, 'effort', 'Effort', EFFORTS.map(effortName), effortName(shownTab(app).effort))),
  'pick-mode': app => only(pick(app, 'mode', 'Mode', MODES, shownTab(app).mode)),
  'pick-history': app => {
    const { history } = shownTab(app).editor;
    if (history.length === 0) return only(told(app, 'nothing was sent before'));
    return only(pick(app, 'history', 'What was sent before', [...new Set(history.toReversed())], ''));
  },
  'next-effort': app => {
    const { effort, key } = shownTab(app);
    const next = EFFORTS[(EFFORTS.indexOf(effort) + 1) % EFFORTS.length]!;
    return does(
      told(
        onTab(app, tab => ({ ...tab, effort: next })),
        `effort: ${effortName(next)}`,
      ),
      { type: 'settings', key },
    );
  },
  'next-mode': app => {
    const { mode, key } = shownTab(app);
    const next = MODES[(MODES.indexOf(mode) + 1) % MODES.length]!;
    return does(
      told(
        onTab(app, tab => ({ ...tab, mode: next })),
        `mode: ${next}`,
      ),
      { type: 'settings', key },
    );
  },
  info: app => only(app),
  debug: app => does(app, { type: 'debug' }),
  redraw: app => does(app, { type: 'redraw' }),
  suspend: app => does(app, { type: 'suspend' }),
  quit: app => does(app, { type: 'quit' }),
  interrupt,
  'page-up': (app, around) => only(scroll(app, around, ({ timeline }) => -half(timeline.height))),
  'page-down': (app, around) => only(scroll(app, around, ({ timeline }) => half(timeline.height))),
  'scroll-up': (app, around) => only(scroll(app, around, () => -1)),
  'scroll-down': (app, around) => only(scroll(app, around, () => 1)),
  top: app =>
    only(
      onTimeline(app, timeline =>
        withAnchor(selected(timeline, 0), { id: timeline.items[0]?.id ?? '', line: 0 }),
      ),
    ),
  bottom: app =>
    only(onTimeline(app, timeline => withAnchor(selected(timeline, timeline.items.length - 1), 'end'))),
  'previous-item': (app, around) => only(walk(app, around, -1)),
  'next-item': (app, around) => only(walk(app, around, 1)),
  'previous-block': (app, around) => only(walkBlocks(app, around, -1)),
  'next-block': (app, around) => only(walkBlocks(app, around, 1)),
  fold: (app, around) => only(fold(app, around)),
  'fold-all': app => only(onTimeline(app, foldAll)),
  'side-by-side': app => only(app),
  copy: app => {
    const { timeline } = shownTab(app);
    const text = selectedText(timeline);
    if (text === undefined) return only(told(app, 'there is nothing to copy yet'));
    return does(told(app, `copied ${text.split('\n').length} lines`), { type: 'copy', text });
  },
  'copy-name': app =>
    does(told(app, 'copied the name of the chat'), { type: 'copy', text: shownTab(app).chat }),
  'open-item': app => {
    const text = selectedText(shownTab(app).timeline);
    if (text === undefined) return only(told(app, 'there is nothing to open yet'));
    return does(app, { type: 'editor', text, name: 'item.md', isInput: false });
  },
  'open-chat': app => {
    const { items } = shownTab(app).timeline;
    const text = items.map(item => `## ${item.kind}\n\n${itemText(item)}\n`).join('\n');
    return does(app, { type: 'editor', text, name: 'chat.md', isInput: false });
  },
  'open-editor': app =>
    does(app, { type: 'editor', text: editorText(shownTab(app).editor), name: 'message.md', isInput: true }),
  'edit-resend': editResend,
  fork: app => {
    const tab = shownTab(app);
    const item = selectedItem(tab.timeline) ?? tab.timeline.items.at(-1);
    const message = item && messageAt(tab.timeline, tab.timeline.items.indexOf(item));
    if (!message) return only(told(app, 'nothing of it is kept yet: there is nothing to fork'));
    return does(app, { type: 'fork', key: tab.key, upTo: message });
  },
  truncate: app => {
    const tab = shownTab(app);
    const item = selectedItem(tab.timeline);
    if (tab.state !== 'idle') return only(told(app, 'an answer is under way: stop it first'));
    if (!item || item.message === '') return only(told(app, 'choose a message that is kept first'));
    const at = tab.timeline.items.findIndex(({ message }) => message === item.message);
    const count = tab.timeline.items.length - at;
    const lines = [
      `Delete this and what comes after it, ${count} ${count === 1 ? 'item' : 'items'}?`,
      excerpt(item),
    ];
    return only({ ...app, overlay: { type: 'sure', purpose: 'truncate', lines } });
  },
  rename: app =>
    only({ ...app, overlay: { type: 'ask', purpose: 'rename', line: lineEditor(shownTab(app).title) } }),
  export: app => only({ ...app, overlay: { type: 'ask', purpose: 'export', line: lineEditor('chat.md') } }),
  'to-input': app =>
    only(
      onTab(app, tab => ({
        ...tab,
        focus: 'input',
        review: undefined,
        timeline: { ...tab.timeline, block: -1 },
      })),
    ),
  'leave-input': app => {
    const tab = shownTab(app);
    if (tab.suggestions) return only(onTab(app, one => ({ ...one, suggestions: undefined })));
    return only(toTimeline(app));
  },
  send,
  'take-back': app => does(app, { type: 'take-back', key: shownTab(app).key }),
  accept: app => verdict(app, 'accept'),
  'accept-all': app => verdict(app, 'accept-all'),
  always: app => verdict(app, 'always'),
  reject: app => only(onTab(app, tab => ({ ...tab, review: { purpose: 'reject', line: lineEditor() } }))),
  'edit-call': app => {
    const [call] = waitingCalls(shownTab(app).timeline);
    const command = call?.args['command'];
    if (typeof command !== 'string')
      return only(told(app, 'it has no command that could be changed: reject it and say how'));
    return only(onTab(app, tab => ({ ...tab, review: { purpose: 'edit', line: lineEditor(command) } })));
  },
};

/** `auto`: the model decides. */
export function effortName(effort: string): string {
  return effort === '' ? 'auto' : effort;
}

function half(rows: number): number {
  return Math.max(1, Math.floor(rows / 2) - 1);
}

/** Another tab, going round at the ends. */
export function show(app: ChatApp, index: number): ChatApp {
  const active = (index + app.tabs.length) % app.tabs.length;
  const next = { ...app, active };
  return withTab(next, next.tabs[active]!.key, tab => (tab.isUnread ? { ...tab, isUnread: false } : tab));
}

function closeTab(app: ChatApp): Result {
  const { key } = shownTab(app);
  if (app.tabs.length === 1) return does(app, { type: 'close', key }, { type: 'quit' });
  const tabs = app.tabs.toSpliced(app.active, 1);
  return does(show({ ...app, tabs }, Math.min(app.active, tabs.length - 1)), { type: 'close', key });
}

/** Stops what runs; else throws away what is written, which comes back with undo; else asks whether to leave. */
function interrupt(app: ChatApp): Result {
  const tab = shownTab(app);
  if (tab.review) return only(onTab(app, one => ({ ...one, review: undefined })));
  if (tab.state !== 'idle') return does(app, { type: 'cancel', key: tab.key });
  if (editorText(tab.editor) !== '')
    return only(
      told(
        onTab(app, one => ({ ...one, editor: withText(one.editor, ''), suggestions: undefined })),
        'C-_ brings the text back',
      ),
    );
  const isBusy = app.tabs.some(({ state }) => state !== 'idle');
  const lines = [isBusy ? 'Leave? Answers that are under way are stopped.' : 'Leave? Everything is kept.'];
  return only({ ...app, overlay: { type: 'sure', purpose: 'quit', lines } });
}

function pick(
  app: ChatApp,
  purpose: 'theme' | 'effort' | 'mode' | 'history',
  title: string,
  names: readonly string[],
  now: string,
): ChatApp {
  const items = names.map(name => ({
    id: name,
    text: name.replace(/\s+/g, ' ') || ' ',
    note: name === now ? 'now' : '',
  }));
  return {
    ...app,
    overlay: {
      type: 'picker',
      purpose,
      picker: picker({ title, selected: now, hint: 'Enter takes it · Esc closes' }, items),
    },
  };
}

function withAnchor(timeline: Timeline, anchor: Timeline['anchor']): Timeline {
  return { ...timeline, anchor: timeline.items.length === 0 ? 'end' : anchor };
}

function selected(timeline: Timeline, index: number): Timeline {
  return timeline.selected === ''
    ? timeline
    : { ...timeline, selected: timeline.items[index]?.id ?? '', block: -1 };
}

/** Scrolls by what `rows` says of the screen. */
export function scroll(app: ChatApp, { layout }: Surroundings, rows: (place: Geometry) => number): ChatApp {
  const place = geometry(app);
  return onTimeline(app, timeline => ({
    ...timeline,
    anchor: layout.scroll(timeline, place.inner, place.timeline.height, rows(place)),
  }));
}

/** The selected item, where there is one. */
export function selectedItem({ items, selected: id }: Timeline): Item | undefined {
  return id === '' ? undefined : items.find(item => item.id === id);
}

/** Text of what is selected: a block, an item, or the last answer. */
function selectedText(timeline: Timeline): string | undefined {
  const item = selectedItem(timeline) ?? timeline.items.findLast(({ kind }) => kind === 'assistant');
  if (!item) return undefined;
  const block = timeline.block < 0 ? undefined : blocksOf(item)[timeline.block];
  return block ?? itemText(item);
}

/** To the timeline, on what was selected, or the last item. */
function toTimeline(app: ChatApp): ChatApp {
  return onTab(app, tab => {
    const id = selectedItem(tab.timeline)?.id ?? tab.timeline.items.at(-1)?.id ?? '';
    return { ...tab, focus: 'timeline', suggestions: undefined, timeline: { ...tab.timeline, selected: id } };
  });
}

function reveal(app: ChatApp, { layout }: Surroundings, index: number, block = -1): ChatApp {
  const place = geometry(app);
  return onTimeline(app, timeline => {
    const next = { ...timeline, selected: timeline.items[index]?.id ?? '', block };
    const anchor = layout.reveal(next, place.inner, place.timeline.height, index);
    return { ...next, anchor };
  });
}

function walk(app: ChatApp, around: Surroundings, by: 1 | -1): ChatApp {
  const { timeline } = shownTab(app);
  const at = timeline.items.findIndex(({ id }) => id === timeline.selected);
  const to = at < 0 ? timeline.items.length - 1 : Math.max(0, Math.min(timeline.items.length - 1, at + by));
  return to < 0 ? app : reveal(app, around, to);
}

/** Through the blocks of items: code, paragraphs. */
function walkBlocks(app: ChatApp, around: Surroundings, by: 1 | -1): ChatApp {
  const { timeline } = shownTab(app);
  const at = timeline.items.findIndex(({ id }) => id === timeline.selected);
  if (at < 0) return walk(app, around, by);
  const count = blocksOf(timeline.items[at]!).length;
  const block = timeline.block < 0 ? (by > 0 ? 0 : -1) : timeline.block + by;
  if (block >= 0 && block < count) return reveal(app, around, at, block);
  const next = at + by;
  if (next < 0 || next >= timeline.items.length) return app;
  return reveal(app, around, next, by > 0 ? 0 : blocksOf(timeline.items[next]!).length - 1);
}

function fold(app: ChatApp, around: Surroundings): ChatApp {
  const { timeline } = shownTab(app);
  const item = selectedItem(timeline);
  if (!item) return app;
  const folded = onTimeline(app, one => ({
    ...one,
    folds: new Map(one.folds).set(item.id, !isOpen(one, item)),
  }));
  return reveal(folded, around, timeline.items.indexOf(item), timeline.block);
}

/** Kinds that can be folded. */
const FOLDABLE: ReadonlySet<Item['kind']> = new Set(['thought', 'call', 'files', 'system']);

function foldAll(timeline: Timeline): Timeline {
  const items = timeline.items.filter(({ kind }) => FOLDABLE.has(kind));
  const isAnyOpen = items.some(item => isOpen(timeline, item));
  return { ...timeline, folds: new Map(items.map(item => [item.id, !isAnyOpen])) };
}

/** The last message that is kept at an item or before it. */
function messageAt({ items }: Timeline, index: number): string {
  return items.slice(0, index + 1).findLast(({ message }) => message !== '')?.message ?? '';
}

function excerpt(item: Item): string {
  const text = itemText(item).trim().replace(/\s+/g, ' ');
  return graphemes(text.slice(0, 400)).slice(0, 70).join('');
}

/** The words of the selected message come back to be written anew; what came after is left behind once they are sent. */
function editResend(app: ChatApp): Result {
  const tab = shownTab(app);
  const { timeline } = tab;
  const item = selectedItem(timeline);
  if (tab.state !== 'idle') return only(told(app, 'an answer is under way: stop it first'));
  if (item?.kind !== 'user') return only(told(app, 'choose a message of yours first'));
  const at = timeline.items.indexOf(item);
  const before = timeline.items
    .slice(0, at)
    .findLast(({ kind, message }) => message !== '' && kind === 'assistant');
  return only(
    onTab(app, one => ({
      ...one,
      focus: 'input',
      editor: withText(one.editor, item.text),
      resumeFrom: before?.message ?? `first:${item.id}`,
    })),
  );
}

function send(app: ChatApp, around: Surroundings): Result {
  const tab = shownTab(app);
  const text = editorText(tab.editor);
  const slash = /^\/(\w+)\s*$/.exec(text);
  const command = slash && SLASH.find(([word]) => word === slash[1]);
  if (command)
    return actionOf(command[1])!(
      onTab(app, one => ({ ...one, editor: withText(one.editor, ''), suggestions: undefined })),
      around,
    );
  if (text.trim() === '' && tab.attachments.length === 0) {
    if (waitingCalls(tab.timeline).length > 0) return only(onTab(app, one => ({ ...one, focus: 'review' })));
    return only(told(app, 'there is nothing to send yet'));
  }
  if (tab.model.name === '')
    return does(told(app, 'choose a model first'), { type: 'pick', purpose: 'model' });
  const { attachments, key } = tab;
  const next = onTab(app, one => ({
    ...one,
    editor: sent(one.editor),
    attachments: [],
    suggestions: undefined,
    timeline: { ...one.timeline, anchor: 'end' },
  }));
  return does(next, { type: 'send', key, text, attachments });
}

function verdict(app: ChatApp, type: 'accept' | 'accept-all' | 'always'): Result {
  const tab = shownTab(app);
  const [call] = waitingCalls(tab.timeline);
  if (!call) return only(onTab(app, one => ({ ...one, focus: 'input', review: undefined })));
  if (call.decision?.wantsWord)
    return only(onTab(app, one => ({ ...one, review: { purpose: 'word', line: lineEditor() } })));
  return does(app, { type: 'verdict', key: tab.key, call: call.id, verdict: { type } });
}

/** Editing keys, given to the text that is written. */
export function editAction(app: ChatApp, name: string): ChatApp {
  const { input } = geometry(app);
  return onTab(app, tab => ({ ...tab, editor: edit(tab.editor, name, input.width) }));
}
