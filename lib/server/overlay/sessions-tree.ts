/**
 * The tree of everything that runs: windows with their panes, then the sessions that no pane shows.
 */
import { visible } from '../../base/visible.ts';
import type { StyledLine } from '../../base/styled.ts';
import { STATES } from '../../chrome/glyphs.ts';
import type { PreviewPane, SessionState } from '../../chrome/view.ts';
import type { Model } from '../../model/model.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../../model/types.ts';
import type { TreeItem, TreeKind } from '../../mode/tree.ts';
import type { SessionPreviews } from '../client/session-previews.ts';
import type { TreePreview } from './tree.ts';

/** The row over the sessions that no pane shows. */
const HIDDEN = 'hidden';

/** Titles and orders of the tree; what it can do is bound in the key table 'tree'. */
export const SESSIONS_TREE: TreeKind = {
  title: 'Windows and sessions',
  empty: 'nothing runs: C opens a window',
  acts: ['kill', 'command'],
  orders: ['index', 'name', 'time'],
};

/** A session's state as its mark shows it. */
export type StateOf = (session: SessionRecord) => SessionState;

/** Target (`@N`, `%N`, id of a session) of the item that stands for what has the focus. */
export function focusedItem(model: Model): string {
  const pane = model.windows.focused;
  if (!pane) return '';
  const window = model.windows.windowOf(pane);
  return model.windows.panesIn(window).length > 1 ? `%${pane.id}` : `@${window.id}`;
}

/** Items in an order of SESSIONS_TREE. */
export function sessionItems(model: Model, stateOf: StateOf, order: string): readonly TreeItem[] {
  const sessions = model.sessions.all().filter(session => !model.windows.paneOf(session.id));
  const by = SORTS[order] ?? (() => 0);
  const windows = model.windows.all().toSorted((a, b) => by(windowKey(model, a), windowKey(model, b)));
  const hidden = sessions.toSorted((a, b) => by(sessionKey(a), sessionKey(b)));
  return [
    ...windows.flatMap(window => windowItems(model, stateOf, window)),
    ...(hidden.length > 0 ? [group(hidden.length)] : []),
    ...hidden.map(session => hiddenItem(session, stateOf)),
  ];
}

interface SortKey {
  readonly name: string;
  readonly time: number;
}

const SORTS: Readonly<Record<string, (a: SortKey, b: SortKey) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  // What was heard of last is looked for first.
  time: (a, b) => b.time - a.time,
};

const sessionKey = (session: SessionRecord): SortKey => ({
  name: session.name,
  time: session.lastOutputAt ?? session.createdAt,
});

function windowKey(model: Model, window: WindowRecord): SortKey {
  const times = model.windows.panesIn(window).map(pane => sessionKey(model.sessionOf(pane)).time);
  return { name: window.name, time: Math.max(...times) };
}

function windowItems(model: Model, stateOf: StateOf, window: WindowRecord): TreeItem[] {
  const panes = model.windows.panesIn(window);
  const first = model.sessionOf(model.windows.pane(window.active)!);
  const isLone = panes.length === 1;
  const extra = isLone && first.name !== window.name ? `  ${first.name}` : '';
  const item: TreeItem = {
    id: `@${window.id}`,
    parent: '',
    mark: markOf(isLone ? stateOf(first) : neediest(panes.map(pane => stateOf(model.sessionOf(pane))))),
    text: `${window.index} ${window.name}${extra}`,
    note: isLone ? about(first) : `${panes.length} panes`,
    keywords: isLone ? wordsOf(first) : '',
  };
  return isLone ? [item] : [item, ...panes.map(pane => paneItem(model, stateOf, pane))];
}

function paneItem(model: Model, stateOf: StateOf, pane: PaneRecord): TreeItem {
  const session = model.sessionOf(pane);
  return {
    id: `%${pane.id}`,
    parent: `@${pane.window}`,
    mark: markOf(stateOf(session)),
    text: pane.title || session.name,
    note: about(session),
    keywords: wordsOf(session),
  };
}

function group(count: number): TreeItem {
  return { id: HIDDEN, parent: '', mark: [], text: 'In no window', note: String(count), keywords: '' };
}

function hiddenItem(session: SessionRecord, stateOf: StateOf): TreeItem {
  return {
    id: session.id,
    parent: HIDDEN,
    mark: markOf(stateOf(session)),
    text: session.name,
    note: about(session),
    keywords: wordsOf(session),
  };
}

function markOf(state: SessionState): StyledLine {
  const { mark, role } = STATES[state];
  return [{ text: `${mark} `, role }];
}

const NEED = Object.keys(STATES) as SessionState[];

function neediest(states: readonly SessionState[]): SessionState {
  return NEED.find(state => states.includes(state)) ?? 'ready';
}

function about(session: SessionRecord): string {
  return (
    session.attention || session.summary || (session.isAi ? session.agent : session.program || session.agent)
  );
}

function wordsOf(session: SessionRecord): string {
  return `${session.name} ${session.agent} ${session.program} ${session.launch.argv.join(' ')}`;
}

/** The command that goes to an item; '' for a row that stands for nothing. */
export function goTo(id: string): string {
  if (id.startsWith('@')) return `select-window -t ${id}`;
  if (id.startsWith('%')) return `select-pane -t ${id}`;
  return id === HIDDEN ? '' : `show-session ${id}`;
}

/** The command that ends what an item stands for; '' for a row that stands for nothing. */
export function killOf(id: string): string {
  if (id.startsWith('@')) return `kill-window -t ${id}`;
  if (id.startsWith('%')) return `kill-pane -t ${id}`;
  return id === HIDDEN ? '' : `delete ${id}`;
}

/** Names what would be lost. */
export function killText(model: Model, ids: readonly string[]): string {
  const names = ids.filter(id => id !== HIDDEN).map(id => nameOf(model, id));
  if (names.length === 1) return `Kill ${names[0]}?`;
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `Kill ${names.length} tagged: ${shown}${more}?`;
}

function nameOf(model: Model, id: string): string {
  if (id.startsWith('@')) {
    const window = model.windows.all().find(w => `@${w.id}` === id);
    if (!window) return id;
    const count = model.windows.panesIn(window).length;
    return `window ${window.index} (${visible(window.name)})${count > 1 ? ` with its ${count} panes` : ''}`;
  }
  const pane = id.startsWith('%') ? model.windows.pane(Number(id.slice(1))) : undefined;
  const session = pane ? model.sessionOf(pane) : model.sessions.get(id);
  return session ? `${pane ? 'pane' : 'session'} ${visible(session.name)}` : id;
}

/** What an item shows now: its panes, or the screen of a session in no window. */
export function sessionPreview(model: Model, previews: SessionPreviews, item: TreeItem): TreePreview {
  const { windows } = model;
  const window = windows.all().find(w => `@${w.id}` === item.id);
  const pane = item.id.startsWith('%') ? windows.pane(Number(item.id.slice(1))) : undefined;
  const panes = pane ? [pane] : window ? windows.panesIn(window) : [];
  if (panes.length > 0) {
    const shown = panes.map(one => previewPane(model, previews, one));
    return { title: shown[0]!.title, lines: [], panes: shown };
  }
  const session = model.sessions.get(item.id);
  if (!session)
    return {
      title: '',
      lines: [{ text: 'sessions that run without being shown', role: 'dim' as const }].map(run => [run]),
    };
  const shown = previews.preview(session);
  if (!shown) return { title: session.name, lines: [[{ text: 'it does not run', role: 'dim' }]] };
  return { title: session.name, lines: [], panes: [shown] };
}

function previewPane(model: Model, previews: SessionPreviews, pane: PaneRecord): PreviewPane {
  const session = model.sessionOf(pane);
  const none = { id: pane.id, title: pane.title || session.name, size: { cols: 0, rows: 0 }, row: 0 };
  return previews.preview(session) ?? none;
}
