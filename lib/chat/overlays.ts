/** What lies over the chat: pickers, the list of chats, help, questions. */
import { reduceHelp } from '../mode/help.ts';
import { moveIndex, pageRows } from '../mode/event.ts';
import { editLine } from '../mode/line-editor.ts';
import { reducePicker, type Picker } from '../mode/picker.ts';
import { actionOf } from './actions.ts';
import { told, type Result, type Surroundings, only } from './step.ts';
import { withText } from './editor.ts';
import { reduceMenu, menu } from './menu.ts';
import {
  EFFORTS,
  MODES,
  shownTab,
  withTab,
  type ChatApp,
  type ChatEvent,
  type Effect,
  type Overlay,
  type PickerPurpose,
  type Tab,
} from './state.ts';

/** Events of an overlay: those of the program, and a row that was pointed at. */
export type OverlayEvent =
  | Extract<ChatEvent, { readonly type: 'action' | 'text' | 'paste' | 'chats' | 'found' | 'preview' }>
  | { readonly type: 'select'; readonly index: number };

/** The state after an event that is for what lies on top. */
export function reduceOverlay(app: ChatApp, event: OverlayEvent, around: Surroundings | undefined): Result {
  const { overlay } = app;
  if (event.type === 'chats' && overlay?.type !== 'menu')
    return reduceMenu({ ...app, overlay: { type: 'menu', menu: menu() } }, event);
  if (!overlay) return only(app);
  if (event.type === 'action' && GLOBAL.has(event.name)) {
    const action = actionOf(event.name);
    if (action && around) return action(app, around);
  }
  const run = OVERLAYS[overlay.type] as (app: ChatApp, overlay: Overlay, event: OverlayEvent) => Result;
  return run(app, overlay, event);
}

/** What is done whatever lies on top. */
const GLOBAL: ReadonlySet<string> = new Set(['redraw', 'suspend']);

type Overlays = {
  readonly [Type in Overlay['type']]: (
    app: ChatApp,
    overlay: Extract<Overlay, { readonly type: Type }>,
    event: OverlayEvent,
  ) => Result;
};

const OVERLAYS: Overlays = {
  picker: (app, { purpose, picker }, event) => {
    const given = modeEvent(event);
    if (given === undefined) return only(app);
    const { state, intents } = reducePicker(picker, given);
    const [intent] = intents;
    if (intent?.type === 'cancel') return left(closed(app), purpose, picker);
    if (intent?.type === 'accept' && purpose === 'tools')
      return only({ ...app, overlay: { type: 'picker', purpose, picker: toggled(state, intent.id) } });
    if (intent?.type === 'accept') return PICKED[purpose](closed(app), intent.id);
    const next: Overlay = { type: 'picker', purpose, picker: state };
    // Colours are seen while they are chosen.
    const themes: Effect[] =
      purpose === 'theme' && intent?.type === 'selected' ? [{ type: 'theme', name: intent.id }] : [];
    return { state: { ...app, overlay: next }, intents: themes };
  },
  help: (app, { help }, event) => {
    const given = modeEvent(event);
    if (given === undefined || (typeof given === 'object' && given.type === 'select')) return only(app);
    const { state, intents } = reduceHelp(help, given);
    return only(intents.length > 0 ? closed(app) : { ...app, overlay: { type: 'help', help: state } });
  },
  menu: (app, _overlay, event) => reduceMenu(app, event),
  text: (app, overlay, event) => {
    if (event.type !== 'action') return only(app);
    if (CLOSES.has(event.name)) return only(closed(app));
    const rows = Math.max(1, app.size.rows - 4);
    const most = Math.max(1, overlay.lines.length - rows + 1);
    const scroll = moveIndex(event.name, overlay.scroll, most, pageRows(rows));
    return only(scroll === undefined ? app : { ...app, overlay: { ...overlay, scroll } });
  },
  ask: (app, overlay, event) => {
    if (event.type === 'action' && CLOSES.has(event.name)) return only(closed(app));
    if (event.type === 'action' && event.name === 'accept')
      return ASKED[overlay.purpose](closed(app), overlay.line.text.trim());
    if (event.type !== 'action' && event.type !== 'text' && event.type !== 'paste') return only(app);
    const line = editLine(overlay.line, event.type === 'action' ? event.name : event).state;
    return only({ ...app, overlay: { ...overlay, line } });
  },
  sure: (app, { purpose }, event) => {
    const isYes = event.type === 'text' && event.text.toLowerCase() === 'y';
    const again = event.type === 'action' && (event.name === 'cancel' || event.name === 'interrupt');
    // C-c twice leaves.
    if (isYes || (purpose === 'quit' && event.type === 'action' && event.name === 'interrupt'))
      return SURE[purpose](closed(app));
    const isNo =
      again ||
      (event.type === 'action' && event.name === 'accept') ||
      (event.type === 'text' && event.text.toLowerCase() === 'n');
    return only(isNo ? closed(app) : app);
  },
};

const CLOSES: ReadonlySet<string> = new Set(['cancel', 'interrupt', 'debug', 'info']);

function closed(app: ChatApp): ChatApp {
  return { ...app, overlay: undefined };
}

/** What modes take of an event. */
function modeEvent(
  event: OverlayEvent,
):
  | string
  | { readonly type: 'text' | 'paste'; readonly text: string }
  | { readonly type: 'select'; readonly index: number }
  | undefined {
  if (event.type === 'action') return event.name;
  return event.type === 'text' || event.type === 'paste' || event.type === 'select' ? event : undefined;
}

function change(app: ChatApp, facts: Partial<Tab>): Result {
  const { key } = shownTab(app);
  return { state: withTab(app, key, tab => ({ ...tab, ...facts })), intents: [{ type: 'settings', key }] };
}

/** What is on, as its row says. */
const ON = 'on';

/** The picker with one thing on that was off, or off that was on. */
function toggled(state: Picker, id: string): Picker {
  const items = state.items.map(item =>
    item.id === id ? { ...item, note: item.note === ON ? '' : ON } : item,
  );
  return reducePicker(state, { type: 'items', items }).state;
}

/** A picker that was closed without taking anything: what was only looked at is as before, what was turned on or off counts. */
function left(app: ChatApp, purpose: PickerPurpose, { items }: Picker): Result {
  if (purpose === 'theme') return { state: app, intents: [{ type: 'theme', name: app.theme }] };
  if (purpose !== 'tools') return only(app);
  const names = items.filter(({ note }) => note === ON).map(({ id }) => id);
  return { state: app, intents: [{ type: 'tools', key: shownTab(app).key, names }] };
}

/** A file that goes with the next message. */
function attached(app: ChatApp, path: string): Result {
  return only(
    withTab(app, shownTab(app).key, tab => ({
      ...tab,
      focus: 'input',
      attachments: [...tab.attachments.filter(one => one.path !== path), { name: path, text: '', path }],
    })),
  );
}

const PICKED: Readonly<Record<PickerPurpose, (app: ChatApp, id: string) => Result>> = {
  model: (app, id) => {
    const { key } = shownTab(app);
    return { state: app, intents: [{ type: 'model', key, model: id }] };
  },
  role: (app, id) => ({ state: app, intents: [{ type: 'role', key: shownTab(app).key, role: id }] }),
  effort: (app, id) => change(app, { effort: EFFORTS.find(effort => effort === id) ?? '' }),
  mode: (app, id) => change(app, { mode: MODES.find(mode => mode === id) ?? 'manual' }),
  tools: app => only(app),
  file: attached,
  lore: attached,
  theme: (app, name) => ({ state: { ...app, theme: name }, intents: [{ type: 'theme', name }] }),
  history: (app, id) =>
    only(
      withTab(app, shownTab(app).key, tab => ({ ...tab, focus: 'input', editor: withText(tab.editor, id) })),
    ),
};

const ASKED: Readonly<Record<'rename' | 'export', (app: ChatApp, text: string) => Result>> = {
  rename: (app, title) => {
    const { chat, key } = shownTab(app);
    if (title === '') return only(told(app, 'the chat keeps its title'));
    return {
      state: withTab(app, key, tab => ({ ...tab, title })),
      intents: [{ type: 'rename', chat, title }],
    };
  },
  export: (app, path) => {
    if (path === '') return only(told(app, 'nothing was written'));
    return { state: app, intents: [{ type: 'export', key: shownTab(app).key, path }] };
  },
};

const SURE: Readonly<Record<'truncate' | 'quit', (app: ChatApp) => Result>> = {
  quit: app => ({ state: app, intents: [{ type: 'quit' }] }),
  truncate: app => {
    const { key, timeline } = shownTab(app);
    const item = timeline.items.find(({ id }) => id === timeline.selected);
    if (!item) return only(app);
    const at = timeline.items.findIndex(({ message }) => message === item.message);
    const next = withTab(app, key, tab => ({
      ...tab,
      timeline: {
        ...tab.timeline,
        items: tab.timeline.items.slice(0, at),
        selected: '',
        anchor: 'end' as const,
      },
    }));
    return { state: next, intents: [{ type: 'truncate', key, from: item.message }] };
  },
};
