/**
 * The navigator: all sessions, looked at in several ways, filtered, and acted on. What cannot be taken back is asked for
 * first; the question is about one session by its id, and falls away when that session is no longer what was asked about.
 */
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { isIn, navigatorItems, sessionOfRow, VIEWS } from './navigator-items.ts';
import type { NavigatorSession, NavigatorViewName } from './navigator-items.ts';
import { reduceTree, selectedItem, selectedRow, tree } from './tree.ts';
import type { Tree, TreeEvent, TreeKind } from './tree.ts';
import { matchWords } from './words.ts';

/** What is asked for before it is done. */
export type NavigatorDeed = 'stop' | 'restart' | 'delete' | 'purge';

/** A question over the list, about these sessions whatever row is selected: one, or all that were tagged. */
export interface NavigatorQuestion {
  readonly deed: NavigatorDeed;
  readonly sessions: readonly NavigatorSession[];
}

export interface Navigator {
  readonly sessions: readonly NavigatorSession[];
  readonly view: NavigatorViewName;
  readonly tree: Tree;
  readonly question: NavigatorQuestion | undefined;
}

export type NavigatorEvent =
  | ModeEvent
  | { readonly type: 'sessions'; readonly sessions: readonly NavigatorSession[] }
  | { readonly type: 'select'; readonly index: number }
  /** A view was pointed at. */
  | { readonly type: 'view'; readonly index: number }
  | { readonly type: 'rows'; readonly rows: number };

export type NavigatorIntent =
  | {
      readonly type: 'go' | 'restore' | 'resume' | 'star' | 'unstar' | 'rename';
      readonly session: NavigatorSession;
    }
  | { readonly type: NavigatorDeed | 'label'; readonly sessions: readonly NavigatorSession[] }
  /** `near` is the selected session, whose directory the new one may share. */
  | { readonly type: 'new'; readonly near: NavigatorSession | undefined }
  | { readonly type: 'tell'; readonly text: string }
  | { readonly type: 'cancel' };

type Result = Step<Navigator, NavigatorIntent>;

const KIND: TreeKind = { title: 'Sessions', empty: '', acts: [], orders: [], match: matchWords };

/** Digit keys reach so many sessions: `0` is the tenth. */
const DIGITS = 10;

/** The navigator over `sessions`, on that of id `selected`. `folded` are rows that are closed. */
export function navigator(
  sessions: readonly NavigatorSession[],
  begin: {
    readonly selected?: string;
    readonly view?: NavigatorViewName;
    readonly folded?: Iterable<string>;
  } = {},
): Navigator {
  const view = begin.view ?? 'all';
  const { selected = '', folded = [] } = begin;
  const shown = tree(KIND, navigatorItems(view, sessions), { selected, folded });
  return { sessions, view, tree: reduceTree(shown, 'home').state, question: undefined };
}

/** The selected session; undefined on a heading and where there is none. */
export function selectedSession(state: Navigator): NavigatorSession | undefined {
  return sessionOf(state, selectedItem(state.tree)?.id ?? '');
}

/** The session that a row stands for, undefined for a heading. */
export function sessionOf({ sessions }: Navigator, row: string): NavigatorSession | undefined {
  const id = sessionOfRow(row);
  return sessions.find(session => session.id === id);
}

/** Row ids of the sessions that digit keys go to, that of `1` first. */
export function digitRows(state: Navigator): readonly string[] {
  const { entries } = state.tree;
  return entries
    .filter(({ item }) => !item.isHeading)
    .slice(0, DIGITS)
    .map(({ item }) => item.id);
}

/** The navigator after `event`. */
export function reduceNavigator(state: Navigator, event: NavigatorEvent): Result {
  if (typeof event !== 'string') {
    if (event.type === 'sessions') return withSessions(state, event.sessions);
    if (event.type === 'rows') return inTree(state, event);
  }
  if (state.question) return answer(state, state.question, event);
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'view') return still(show(state, VIEWS[event.index] ?? state.view));
  if (event.type === 'text' && state.tree.focus === 'list') return digit(state, event.text);
  return inTree(state, event);
}

function inTree(state: Navigator, event: TreeEvent): Result {
  const step = reduceTree(state.tree, event);
  const leaves = step.intents.some(intent => intent.type === 'cancel');
  return { state: { ...state, tree: step.state }, intents: leaves ? [{ type: 'cancel' }] : [] };
}

function act(state: Navigator, action: string): Result {
  if (state.tree.focus === 'filter' && moveIndex(action, 0, 1, pageRows(1)) === undefined) {
    if (action !== 'accept') return inTree(state, action);
    return accept({ ...state, tree: reduceTree(state.tree, 'accept').state });
  }
  const own = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return own ? own(state) : inTree(state, action);
}

const ACTIONS: Readonly<Record<string, (state: Navigator) => Result>> = {
  accept,
  'next-view': state => still(turn(state, 1)),
  'previous-view': state => still(turn(state, -1)),
  stop: forTagged(
    'stop',
    ({ runs }) => runs,
    about(({ session, ask, tell }) => (session.runs ? ask('stop') : tell(`${session.name} has stopped`))),
  ),
  restart: forTagged(
    'restart',
    ({ isDeleted }) => !isDeleted,
    about(({ session, ask, now }) => (session.runs ? ask('restart') : now('resume'))),
  ),
  delete: forTagged(
    'delete',
    ({ isDeleted }) => !isDeleted,
    about(({ session, ask }) => ask(session.isDeleted ? 'purge' : 'delete')),
  ),
  label(state) {
    const tagged = taggedSessions(state);
    const selected = selectedSession(state);
    const sessions = tagged.length > 0 ? tagged : selected ? [selected] : [];
    const listed = sessions.filter(({ isDeleted }) => !isDeleted);
    return listed.length > 0 ? { state, intents: [{ type: 'label', sessions: listed }] } : still(state);
  },
  star: about(({ session, now }) => now(session.isStarred ? 'unstar' : 'star')),
  rename: about(({ now }) => now('rename')),
  new: state => ({ state, intents: [{ type: 'new', near: selectedSession(state) }] }),
};

/** The sessions of the tagged rows, each once, in the order of the list. */
export function taggedSessions({ tree: { tagged }, sessions }: Navigator): readonly NavigatorSession[] {
  const ids = new Set([...tagged].map(sessionOfRow));
  return sessions.filter(({ id }) => ids.has(id));
}

/** Where rows are tagged, a question about all of them that the deed can be done to; else the selected session's own. */
function forTagged(
  deed: NavigatorDeed,
  isFit: (session: NavigatorSession) => boolean,
  one: (state: Navigator) => Result,
): (state: Navigator) => Result {
  return state => {
    const tagged = taggedSessions(state);
    if (tagged.length === 0) return one(state);
    // What is deleted already can only be purged, and only with others like it.
    const wanted = deed === 'delete' && tagged.every(({ isDeleted }) => isDeleted) ? 'purge' : deed;
    const sessions = wanted === 'purge' ? tagged : tagged.filter(isFit);
    const none = `none of the ${tagged.length} tagged sessions is one to ${deed}`;
    if (sessions.length === 0) return { state, intents: [{ type: 'tell', text: none }] };
    return still({ ...state, question: { deed: wanted, sessions } });
  };
}

interface Choices {
  readonly session: NavigatorSession;
  ask(deed: NavigatorDeed): Result;
  now(type: 'resume' | 'star' | 'unstar' | 'rename'): Result;
  tell(text: string): Result;
}

/** An action on the selected session; on a heading it is none. Of a deleted one only `delete` means something. */
function about(choose: (choices: Choices) => Result): (state: Navigator) => Result {
  return state => {
    const session = selectedSession(state);
    if (!session) return still(state);
    const tell = (text: string): Result => ({ state, intents: [{ type: 'tell', text }] });
    const ask = (deed: NavigatorDeed): Result =>
      session.isDeleted && deed !== 'purge'
        ? isAway()
        : still({ ...state, question: { deed, sessions: [session] } });
    const isAway = (): Result => tell(`${session.name} is deleted: Enter brings it back`);
    return choose({
      session,
      ask,
      tell,
      now: type => (session.isDeleted ? isAway() : { state, intents: [{ type, session }] }),
    });
  };
}

function accept(state: Navigator): Result {
  const session = selectedSession(state);
  if (!session) return inTree(state, 'toggle');
  return { state, intents: [{ type: session.isDeleted ? 'restore' : 'go', session }] };
}

/** A digit goes to the session of that number, as Enter on it does. */
function digit(state: Navigator, text: string): Result {
  const number = /^[0-9]$/.test(text) ? Number(text) || DIGITS : 0;
  const row = number === 0 ? undefined : digitRows(state)[number - 1];
  if (row === undefined) return still(state);
  const index = state.tree.entries.findIndex(({ item }) => item.id === row);
  return accept(inTree(state, { type: 'select', index }).state);
}

/** `y` alone does it; whatever else is said, it is not done. */
function answer(state: Navigator, { deed, sessions }: NavigatorQuestion, event: NavigatorEvent): Result {
  const text = typeof event !== 'string' && event.type === 'text' ? event.text.toLowerCase() : '';
  const closed = { ...state, question: undefined };
  if (text === 'y') {
    // Done is done: the next key is about the selected one again.
    const untagged = { ...closed, tree: { ...closed.tree, tagged: new Set<string>() } };
    return { state: untagged, intents: [{ type: deed, sessions }] };
  }
  const isNo = text === 'n' || event === 'accept' || event === 'cancel';
  return still(isNo ? closed : state);
}

function withSessions(state: Navigator, sessions: readonly NavigatorSession[]): Result {
  const next = {
    ...state,
    sessions,
    tree: reduceTree(state.tree, { type: 'items', items: navigatorItems(state.view, sessions) }).state,
  };
  const { question } = state;
  if (!question) return still(next);
  const changed = question.sessions.find(asked => {
    const now = sessions.find(({ id }) => id === asked.id);
    return !now || !isSame(now, asked);
  });
  if (!changed) return still(next);
  const text = `${changed.name} has changed meanwhile: nothing was done`;
  return { state: { ...next, question: undefined }, intents: [{ type: 'tell', text }] };
}

/** Whether what was asked about is still what would be done. */
function isSame(a: NavigatorSession, b: NavigatorSession): boolean {
  return a.name === b.name && a.runs === b.runs && a.isDeleted === b.isDeleted;
}

function turn(state: Navigator, by: 1 | -1): Navigator {
  const at = VIEWS.indexOf(state.view);
  return show(state, VIEWS[(at + by + VIEWS.length) % VIEWS.length]!);
}

/** Another view, on the same session where it is in that. */
function show(state: Navigator, view: NavigatorViewName): Navigator {
  const selected = sessionOfRow(state.tree.selected);
  const items = navigatorItems(view, state.sessions);
  const moved = reduceTree({ ...state.tree, selected }, { type: 'items', items }).state;
  const isListed = moved.selected === selected;
  return { ...state, view, tree: isListed ? moved : reduceTree(moved, 'top').state };
}

/** How many sessions a view has. */
export function countIn({ sessions }: Navigator, view: NavigatorViewName): number {
  return sessions.filter(session => isIn(view, session)).length;
}

/** Row of the selected item. */
export function selectedIndex({ tree: shown }: Navigator): number {
  return selectedRow(shown);
}
