/** The list of all chats: found by title or by what was said, seen before they are opened, renamed, deleted and brought back. */
import { moveIndex, pageRows } from '../mode/event.ts';
import { rank } from '../mode/fuzzy.ts';
import { editLine, lineEditor } from '../mode/line-editor.ts';
import { only, told, type Result } from './step.ts';
import type { OverlayEvent } from './overlays.ts';
import type { ChatApp, ChatFacts, Effect, Menu } from './state.ts';

/** Previews that are kept. */
const PREVIEWS_MAX = 64;
/** Deleted chats that can be brought back by a key; others by `mux chats restore`. */
const DELETED_MAX = 20;

/** A list that still waits for its chats. */
export function menu(): Menu {
  return {
    chats: [],
    filter: lineEditor(),
    searches: 'titles',
    found: undefined,
    selected: '',
    rename: undefined,
    deleted: [],
    previews: new Map(),
    scroll: 0,
    rows: 20,
    isLoading: true,
  };
}

/** The chats that are listed: favourites first, then the newest; while something is looked for the best first. */
export function listed({ chats, filter, searches, found }: Menu): readonly ChatFacts[] {
  const sorted = chats.toSorted(
    (a, b) => Number(b.isFavourite) - Number(a.isFavourite) || b.updated - a.updated,
  );
  if (searches === 'text')
    return found === undefined ? sorted : sorted.filter(({ name }) => found.includes(name));
  return rank(sorted.map(titleOf), filter.text).map(({ index }) => sorted[index]!);
}

/** What a chat is called in lists. */
export function titleOf({ title, name }: Pick<ChatFacts, 'title' | 'name'>): string {
  return title || `chat ${name.slice(name.lastIndexOf('/') + 1)}`;
}

/** The state after an event for the list. */
export function reduceMenu(app: ChatApp, event: OverlayEvent): Result {
  if (app.overlay?.type !== 'menu') return only(app);
  const before = app.overlay.menu;
  const { state, intents, isClosed, message } = step(before, event);
  const next: ChatApp = { ...app, overlay: isClosed ? undefined : { type: 'menu', menu: state } };
  const previews: Effect[] =
    !isClosed &&
    state.selected !== '' &&
    state.selected !== before.selected &&
    !state.previews.has(state.selected)
      ? [{ type: 'preview', chat: state.selected }]
      : [];
  return { state: message === undefined ? next : told(next, message), intents: [...intents, ...previews] };
}

interface MenuStep {
  readonly state: Menu;
  readonly intents: readonly Effect[];
  readonly isClosed?: boolean;
  readonly message?: string;
}

function still(state: Menu): MenuStep {
  return { state, intents: [] };
}

function step(state: Menu, event: OverlayEvent): MenuStep {
  if (event.type === 'chats') return still(onFirst({ ...state, chats: event.chats, isLoading: false }));
  if (event.type === 'found') return still(onFirst({ ...state, found: event.names }));
  if (event.type === 'preview') {
    const previews = new Map([...state.previews, [event.chat, event.lines] as const].slice(-PREVIEWS_MAX));
    return still({ ...state, previews });
  }
  if (event.type === 'select') return pick(state, event.index);
  if (state.rename) return renaming(state, state.rename, event);
  if (event.type === 'action') {
    const action = Object.hasOwn(ACTIONS, event.name) ? ACTIONS[event.name] : undefined;
    if (action) return action(state);
    const chats = listed(state);
    const at = moveIndex(event.name, indexOf(state, chats), chats.length, pageRows(state.rows));
    if (at !== undefined) return still({ ...state, selected: chats[at]?.name ?? '', scroll: 0 });
  }
  const filter = editLine(state.filter, event.type === 'action' ? event.name : event).state;
  if (filter.text === state.filter.text) return still({ ...state, filter });
  const next = { ...state, filter };
  if (state.searches === 'titles') return still(onFirst({ ...next, selected: '' }));
  if (filter.text.trim() === '') return still(onFirst({ ...next, found: undefined }));
  return { state: next, intents: [{ type: 'search', text: filter.text }] };
}

function indexOf({ selected }: Menu, chats: readonly ChatFacts[]): number {
  return Math.max(
    0,
    chats.findIndex(({ name }) => name === selected),
  );
}

/** The selection stays where it is, or goes to the first. */
function onFirst(state: Menu): Menu {
  const chats = listed(state);
  if (chats.some(({ name }) => name === state.selected)) return state;
  return { ...state, selected: chats[0]?.name ?? '', scroll: 0 };
}

function pick(state: Menu, index: number): MenuStep {
  const chat = listed(state)[index];
  if (!chat) return still(state);
  if (chat.name === state.selected) return ACTIONS['accept']!(state);
  return still({ ...state, selected: chat.name, scroll: 0 });
}

function chosen(state: Menu): ChatFacts | undefined {
  return state.chats.find(({ name }) => name === state.selected);
}

const ACTIONS: Readonly<Record<string, (state: Menu) => MenuStep>> = {
  cancel: state =>
    state.filter.text === ''
      ? { ...still(state), isClosed: true }
      : still(onFirst({ ...state, filter: lineEditor(), found: undefined })),
  interrupt: state => ({ ...still(state), isClosed: true }),
  menu: state => ({ ...still(state), isClosed: true }),
  'new-tab': state => ({ state, intents: [{ type: 'open', key: -1 }], isClosed: true }),
  accept: state => {
    const chat = chosen(state);
    return chat
      ? { state, intents: [{ type: 'open-chat', chat: chat.name, title: chat.title }], isClosed: true }
      : still(state);
  },
  'next-side': state => {
    const searches = state.searches === 'titles' ? 'text' : 'titles';
    const next = onFirst({ ...state, searches, found: undefined });
    const { text } = state.filter;
    return {
      state: next,
      intents: searches === 'text' && text.trim() !== '' ? [{ type: 'search', text }] : [],
    };
  },
  favourite: state => {
    const chat = chosen(state);
    if (!chat) return still(state);
    const { name, isFavourite } = chat;
    const chats = state.chats.map(one => (one === chat ? { ...one, isFavourite: !isFavourite } : one));
    return {
      state: { ...state, chats },
      intents: [{ type: 'favourite', chat: name, isFavourite: !isFavourite }],
    };
  },
  rename: state => {
    const chat = chosen(state);
    return still(chat ? { ...state, rename: lineEditor(chat.title) } : state);
  },
  'delete-chat': state => {
    const chat = chosen(state);
    if (!chat) return still(state);
    const at = indexOf(state, listed(state));
    const next = {
      ...state,
      chats: state.chats.filter(one => one !== chat),
      deleted: [...state.deleted, chat].slice(-DELETED_MAX),
    };
    const rest = listed(next);
    return {
      state: { ...next, selected: rest[Math.min(at, rest.length - 1)]?.name ?? '' },
      intents: [{ type: 'delete', chat: chat.name }],
      message: `${titleOf(chat)} is deleted; C-_ brings it back`,
    };
  },
  undo: state => {
    const chat = state.deleted.at(-1);
    if (!chat) return { ...still(state), message: 'nothing was deleted here' };
    const next = {
      ...state,
      chats: [...state.chats, chat],
      deleted: state.deleted.slice(0, -1),
      selected: chat.name,
    };
    return {
      state: next,
      intents: [{ type: 'undelete', chat: chat.name }],
      message: `${titleOf(chat)} is back`,
    };
  },
  'preview-page-down': state => still({ ...state, scroll: state.scroll + pageRows(state.rows) }),
  'preview-page-up': state => still({ ...state, scroll: Math.max(0, state.scroll - pageRows(state.rows)) }),
};

function renaming(state: Menu, line: Menu['filter'], event: OverlayEvent): MenuStep {
  if (event.type !== 'action' && event.type !== 'text' && event.type !== 'paste') return still(state);
  const name = event.type === 'action' ? event.name : '';
  if (name === 'cancel' || name === 'interrupt') return still({ ...state, rename: undefined });
  if (name !== 'accept')
    return still({ ...state, rename: editLine(line, event.type === 'action' ? name : event).state });
  const chat = chosen(state);
  const title = line.text.trim();
  if (!chat || title === '') return still({ ...state, rename: undefined });
  const chats = state.chats.map(one => (one === chat ? { ...one, title } : one));
  return {
    state: { ...state, chats, rename: undefined },
    intents: [{ type: 'rename', chat: chat.name, title }],
  };
}
