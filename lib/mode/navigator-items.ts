/**
 * What the navigator lists: sessions as a tree of parents and children, or grouped, or those that are deleted.
 */
import type { SessionState } from '../chrome/view.ts';
import type { TreeItem } from './tree.ts';

/** A session as the navigator shows it. Texts are for one line each. */
export interface NavigatorSession {
  readonly id: string;
  readonly name: string;
  /** Id of the session it was started by or forked from, '' for none. */
  readonly parent: string;
  readonly state: SessionState;
  /** Whether its program runs. */
  readonly runs: boolean;
  readonly agent: string;
  /** What it is about, or why it needs a person. */
  readonly summary: string;
  /** `⎇ main +3 ↑1`, '' outside a repository. */
  readonly git: string;
  /** Files changed and commits that nobody else has: what a purge would lose. */
  readonly dirty: number;
  readonly ahead: number;
  /** How long ago it last made output, e.g. `4m`; '' if it never did. */
  readonly age: string;
  /** Where its repository is, '' outside of one. */
  readonly repository: string;
  readonly directory: string;
  readonly labels: readonly string[];
  readonly isStarred: boolean;
  readonly isDeleted: boolean;
  /** Number of the window that shows it, '' if none does. */
  readonly window: string;
  /** Place in the queue of those that need a person, the first being 0; -1 for those that do not. */
  readonly need: number;
  /** Messages to it that it has not read. */
  readonly unread: number;
}

/** Ways to look at the sessions, in the order in which they are gone through. */
export const VIEWS = ['all', 'repository', 'label', 'status', 'attention', 'deleted'] as const;
export type NavigatorViewName = (typeof VIEWS)[number];

/** Headings of the view by status, neediest first. */
const STATUS_TITLES: readonly (readonly [SessionState, string])[] = [
  ['needs-you', 'Needs you'],
  ['failed', 'Failed'],
  ['working', 'Working'],
  ['starting', 'Starting'],
  ['ready', 'Ready'],
  ['stopped', 'Stopped'],
];

/** How a state is called. */
export function stateName(state: SessionState): string {
  return state === 'needs-you' ? 'needs you' : state;
}

/** Whether a session belongs to a view at all. */
export function isIn(view: NavigatorViewName, session: NavigatorSession): boolean {
  if (view === 'deleted') return session.isDeleted;
  return !session.isDeleted && (view !== 'attention' || session.need >= 0);
}

/** Id of the session that a row stands for; a session with two labels has two rows. */
export function sessionOfRow(row: string): string {
  return row.replace(/#.*$/s, '');
}

/** Whether a row is a heading over sessions, whose ids are letters and digits alone. */
export function isHeadingRow(row: string): boolean {
  return /^[a-z]+:/.test(row);
}

/** The rows of a view, parents before what they hold. */
export function navigatorItems(
  view: NavigatorViewName,
  sessions: readonly NavigatorSession[],
): readonly TreeItem[] {
  return ITEMS[view](starredFirst(sessions.filter(session => isIn(view, session))));
}

const ITEMS: Readonly<
  Record<NavigatorViewName, (sessions: readonly NavigatorSession[]) => readonly TreeItem[]>
> = {
  all: family,
  repository: sessions => {
    const titles = repositoryTitles(sessions);
    const title = (path: string): string => titles.get(path) ?? 'No repository';
    return grouped(sessions, session => [session.repository], { prefix: 'repository', title });
  },
  label: sessions =>
    grouped(sessions, session => session.labels, { prefix: 'label', title: label => label || 'No label' }),
  status: sessions =>
    STATUS_TITLES.flatMap(([state, title]) =>
      group(
        `status:${state}`,
        title,
        sessions.filter(session => session.state === state),
      ),
    ),
  attention: sessions => sessions.toSorted((a, b) => a.need - b.need).map(session => row(session, '')),
  deleted: sessions => sessions.map(session => row(session, '')),
};

/** Children under their parents; whose parent is not there stands alone, and so do those that hold each other. */
function family(sessions: readonly NavigatorSession[]): readonly TreeItem[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const childrenOf = new Map<string, NavigatorSession[]>();
  for (const session of sessions) {
    const parent = ids.has(session.parent) ? session.parent : '';
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), session]);
  }
  const placed = new Set<string>();
  const walk = (session: NavigatorSession, parent: string): TreeItem[] => {
    if (placed.has(session.id)) return [];
    placed.add(session.id);
    const children = childrenOf.get(session.id) ?? [];
    return [row(session, parent), ...children.flatMap(child => walk(child, session.id))];
  };
  const rooted = (childrenOf.get('') ?? []).flatMap(session => walk(session, ''));
  return [...rooted, ...sessions.flatMap(session => walk(session, ''))];
}

function grouped(
  sessions: readonly NavigatorSession[],
  keysOf: (session: NavigatorSession) => readonly string[],
  names: { readonly prefix: string; readonly title: (key: string) => string },
): readonly TreeItem[] {
  const groups = new Map<string, NavigatorSession[]>();
  for (const session of sessions) {
    const keys = keysOf(session);
    for (const key of keys.length > 0 ? keys : ['']) groups.set(key, [...(groups.get(key) ?? []), session]);
  }
  const seen = new Set<string>();
  // Those without any come last.
  const keys = [...groups.keys()].sort((a, b) => Number(a === '') - Number(b === '') || (a < b ? -1 : 1));
  return keys.flatMap(key =>
    group(`${names.prefix}:${key}`, names.title(key), groups.get(key)!).map(item => {
      if (item.isHeading) return item;
      const isFirst = !seen.has(item.id);
      seen.add(item.id);
      return isFirst ? item : { ...item, id: `${item.id}#${key}` };
    }),
  );
}

/** Last parts of the paths; whole ones where that would be the same twice. */
function repositoryTitles(sessions: readonly NavigatorSession[]): ReadonlyMap<string, string> {
  const paths = [...new Set(sessions.map(session => session.repository))].filter(Boolean);
  const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const isTwice = (name: string): boolean => paths.filter(path => last(path) === name).length > 1;
  return new Map(paths.map(path => [path, isTwice(last(path)) ? path : last(path)]));
}

function group(id: string, title: string, sessions: readonly NavigatorSession[]): TreeItem[] {
  if (sessions.length === 0) return [];
  const heading: TreeItem = {
    id,
    parent: '',
    text: title,
    mark: [],
    note: String(sessions.length),
    keywords: '',
    isHeading: true,
  };
  return [heading, ...sessions.map(session => row(session, id))];
}

function row(session: NavigatorSession, parent: string): TreeItem {
  const { id, name, repository, labels, summary, agent, git, state } = session;
  return {
    id,
    parent,
    text: name,
    mark: [],
    note: '',
    keywords: [repository, ...labels, summary, agent, git, stateName(state)].join(' '),
  };
}

function starredFirst(sessions: readonly NavigatorSession[]): readonly NavigatorSession[] {
  return [...sessions.filter(s => s.isStarred), ...sessions.filter(s => !s.isStarred)];
}
