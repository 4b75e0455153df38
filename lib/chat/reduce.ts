/** The state after what has happened, and what is to be done about it. */
import { edit, editorText, withText } from './editor.ts';
import { actionOf } from './actions.ts';
import { editAction } from './sending.ts';
import { only, show, told, type Result, type Surroundings } from './step.ts';
import { scroll } from './walking.ts';
import { geometry } from './geometry.ts';
import { reduceOverlay } from './overlays.ts';
import { reviewText, reviewAction } from './review.ts';
import { pointed } from './pointing.ts';
import { priceOf, usageAfter } from './usage.ts';
import { NO_USAGE, shownTab, withTab, type ChatApp, type ChatEvent, type Tab } from './state.ts';
import { complete, offer, offered } from './suggest.ts';
import { advance, prepend, reconcile, timelineOf, waitingCalls } from './timeline.ts';

/** Characters of a paste from which on it stands beside the text as an attachment, and rows. */
export const PASTE_CHARS = 2000;
export const PASTE_ROWS = 20;

/** One event. Never throws. */
export function reduce(app: ChatApp, event: ChatEvent, around: Surroundings): Result {
  const run = EVENTS[event.type] as (app: ChatApp, event: ChatEvent, around: Surroundings) => Result;
  return run(app, event, around);
}

type Events = {
  readonly [Type in ChatEvent['type']]: (
    app: ChatApp,
    event: Extract<ChatEvent, { readonly type: Type }> & { readonly type: Type },
    around: Surroundings,
  ) => Result;
};

const EVENTS: Events = {
  action: (app, { name }, around) => act(app, name, around),
  text: (app, { text }) => typed(app, { type: 'text', text }),
  paste: (app, { text }) => typed(app, { type: 'paste', text }),
  size: (app, { size }) => only({ ...app, size }),
  conversation: (app, event) => conversed(app, event),
  loaded: (app, { key, messages, isWhole }) =>
    only(
      withTab(app, key, tab => ({
        ...tab,
        isLoading: !isWhole,
        timeline:
          tab.timeline.items.length === 0
            ? { ...timelineOf(messages), folds: tab.timeline.folds }
            : prepend(tab.timeline, messages),
        usage: messages.reduce(usageAfter, tab.timeline.items.length === 0 ? NO_USAGE : tab.usage),
      })),
    ),
  reconciled: (app, { key, messages }) =>
    only(withTab(app, key, tab => ({ ...tab, timeline: reconcile(tab.timeline, messages) }))),
  replaced: (app, { key, messages }) =>
    only(
      withTab(app, key, tab => ({
        ...tab,
        timeline: { ...timelineOf(messages), folds: tab.timeline.folds },
        usage: messages.reduce(usageAfter, NO_USAGE),
      })),
    ),
  facts: (app, { key, facts }) => only(withTab(app, key, tab => ({ ...tab, ...facts }))),
  tab: (app, { tab, isShown }) => {
    const open = app.tabs.findIndex(({ chat }) => chat === tab.chat);
    if (open >= 0) return only(isShown ? show({ ...app, overlay: undefined }, open) : app);
    const tabs = [...app.tabs, { ...tab, key: app.nextKey }];
    const next = { ...app, tabs, nextKey: app.nextKey + 1 };
    return only(isShown ? show({ ...next, overlay: undefined }, tabs.length - 1) : next);
  },
  chats: (app, event, around) => reduceOverlay(app, event, around),
  found: (app, event, around) => reduceOverlay(app, event, around),
  preview: (app, event, around) => reduceOverlay(app, event, around),
  picker: (app, { purpose, picker }) => only({ ...app, overlay: { type: 'picker', purpose, picker } }),
  picked: (app, { key, facts }) => ({
    state: withTab(app, key, tab => ({ ...tab, ...facts })),
    intents: [{ type: 'settings', key }],
  }),
  suggestions: (app, { key, query, entries }) => only(withTab(app, key, tab => offered(tab, query, entries))),
  overlay: (app, { overlay }) => only({ ...app, overlay }),
  edited: (app, { key, text }) =>
    only(withTab(app, key, tab => ({ ...tab, editor: withText(tab.editor, text) }))),
  queued: (app, { key, queued }) => only(withTab(app, key, tab => ({ ...tab, queued }))),
  told: (app, { text, tone }) => only(told(app, text, tone)),
  shown: app => only({ ...app, told: app.told.slice(1) }),
  tick: app => only(app),
  click: (app, event, around) => pointed(app, event, around),
  wheel: (app, { rows }, around) => {
    if (app.overlay)
      return reduceOverlay(app, { type: 'action', name: rows < 0 ? 'wheel-up' : 'wheel-down' }, around);
    return only(scroll(app, around, () => rows));
  },
};

function act(app: ChatApp, name: string, around: Surroundings): Result {
  if (app.overlay) return reduceOverlay(app, { type: 'action', name }, around);
  const tab = shownTab(app);
  if (name === 'side-by-side') {
    around.layout.isSideBySide = !around.layout.isSideBySide;
    return only({ ...app });
  }
  if (tab.focus === 'review' && tab.review) {
    const done = reviewAction(app, name);
    if (done) return done;
  }
  if (tab.focus === 'input') {
    const completed = complete(app, name, around);
    if (completed) return completed;
  }
  const action = actionOf(name);
  if (action) return action(app, around);
  if (tab.focus !== 'input') return only(app);
  return offer(editAction(app, name));
}

function typed(app: ChatApp, event: { readonly type: 'text' | 'paste'; readonly text: string }): Result {
  if (app.overlay) return reduceOverlay(app, event, undefined);
  const tab = shownTab(app);
  if (tab.review) return only(withTab(app, tab.key, one => reviewText(one, event)));
  // Letters are keys elsewhere: those that are none go nowhere; what is pasted is meant to be written.
  if (tab.focus !== 'input' && event.type === 'text') return only(app);
  if (event.type === 'paste' && isBig(event.text)) return only(attach(app, tab, event.text));
  const { input } = geometry(app);
  const next = withTab(app, tab.key, one => ({
    ...one,
    focus: 'input',
    editor: edit(one.editor, event, input.width),
  }));
  if (shownTab(next).editor === tab.editor)
    return only(told(app, 'a message typed here holds 64 KiB: put more into a file', 'error'));
  return offer(next);
}

function isBig(text: string): boolean {
  return text.length > PASTE_CHARS || text.split('\n').length > PASTE_ROWS;
}

function attach(app: ChatApp, tab: Tab, text: string): ChatApp {
  const lines = text.split('\n').length;
  const name = `pasted text ${tab.attachments.length + 1}, ${lines} lines`;
  return withTab(app, tab.key, one => ({
    ...one,
    focus: 'input',
    attachments: [...one.attachments, { name, text }],
  }));
}

function conversed(
  app: ChatApp,
  { key, event, queued }: Extract<ChatEvent, { readonly type: 'conversation' }>,
): Result {
  const before = app.tabs.find(tab => tab.key === key);
  if (!before) return only(app);
  const isShown = shownTab(app).key === key;
  const timeline = advance(before.timeline, event);
  let next: Tab = { ...before, timeline, queued };
  if (event.type === 'state') next = { ...next, state: event.state, since: app.now };
  if (event.type === 'answer') next = { ...next, usage: usageAfter(next.usage, event.message) };
  if (event.type === 'usage') next = { ...next, usage: { ...next.usage, ...live(before, event.usage) } };
  if ((event.type === 'end' || event.type === 'answer') && !isShown) next = { ...next, isUnread: true };
  next = follow(next, before);
  return only(withTab(app, key, () => next));
}

/** What fills the context, before an answer is kept. */
function live(tab: Tab, usage: Parameters<typeof priceOf>[0]): { readonly context: number } {
  return {
    context: Math.max(
      tab.usage.context,
      (usage.input_token?.quantity ?? 0) + (usage.output_token?.quantity ?? 0),
    ),
  };
}

/** The keys go to a call that waits, unless something is being written; and back when none waits any more. */
function follow(tab: Tab, before: Tab): Tab {
  const waits = waitingCalls(tab.timeline).length;
  const waited = waitingCalls(before.timeline).length;
  if (waits === 0) return tab.focus === 'review' ? { ...tab, focus: 'input', review: undefined } : tab;
  const isNew = waits > 0 && waited === 0;
  if (isNew && editorText(tab.editor) === '' && tab.focus === 'input') return { ...tab, focus: 'review' };
  return tab;
}
