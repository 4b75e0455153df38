/**
 * What a person can do by name: keys are bound to these names, and those with a word for it can be written behind a slash.
 */
import { lineEditor } from '../mode/line-editor.ts';
import { picker } from '../mode/picker.ts';
import { editorText, withText } from './editor.ts';
import { infoLines } from './info.ts';
import { itemText } from './item-text.ts';
import { editResend, send, verdict } from './sending.ts';
import { SLASH } from './slash.ts';
import { EFFORTS, MODES, shownTab, type ChatApp } from './state.ts';
import {
  closeTab,
  does,
  onTab,
  onTimeline,
  only,
  show,
  told,
  type Result,
  type Surroundings,
} from './step.ts';
import { waitingCalls } from './timeline.ts';
import {
  excerpt,
  fold,
  foldAll,
  half,
  messageAt,
  scroll,
  selected,
  selectedItem,
  selectedText,
  toTimeline,
  walk,
  walkBlocks,
  withAnchor,
} from './walking.ts';

type Action = (app: ChatApp, around: Surroundings) => Result;

/** The named action; undefined where there is none. */
export function actionOf(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

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
  'pick-tools': app => does(app, { type: 'pick', purpose: 'tools' }),
  'pick-file': app => does(app, { type: 'pick', purpose: 'file' }),
  'pick-lore': app => does(app, { type: 'pick', purpose: 'lore' }),
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
  info: app =>
    only({
      ...app,
      overlay: { type: 'text', title: 'This chat', lines: infoLines(shownTab(app)), scroll: 0 },
    }),
  favourite: app => {
    const { chat } = shownTab(app);
    return does(told(app, 'a favourite now: it stands first among the chats'), {
      type: 'favourite',
      chat,
      isFavourite: true,
    });
  },
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
  send: (app, around) => slashed(app, around) ?? send(app),
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

/** What was written is a command; undefined where it is none. */
function slashed(app: ChatApp, around: Surroundings): Result | undefined {
  const tab = shownTab(app);
  const word = /^\/(\w+)\s*$/.exec(editorText(tab.editor))?.[1];
  const command = SLASH.find(([one]) => one === word);
  if (!command) return undefined;
  const cleared = onTab(app, one => ({ ...one, editor: withText(one.editor, ''), suggestions: undefined }));
  return actionOf(command[1])!(cleared, around);
}
