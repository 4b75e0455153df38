/**
 * The sidebar's state: sections that fold, and a selection. The selection belongs to a row's id; when the row goes it
 * falls to the one that takes its place.
 */
import type { SidebarRow } from '../chrome/view.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { Step } from './event.ts';
import { SECTIONS, sidebarRows } from './sidebar-rows.ts';
import type { SectionName, SidebarSource } from './sidebar-rows.ts';

export interface Sidebar {
  readonly source: SidebarSource;
  readonly folded: readonly SectionName[];
  /** Row id. */
  readonly selected: string;
  /** All rows that are not folded away. */
  readonly rows: readonly SidebarRow[];
  /** Visible rows, for page keys. */
  readonly height: number;
}

export type SidebarEvent =
  | string
  | { readonly type: 'source'; readonly source: SidebarSource }
  /** A row was pointed at. */
  | { readonly type: 'select'; readonly id: string }
  | { readonly type: 'rows'; readonly rows: number };

/** A row was chosen. `id`: selector of an artifact, name of a lore, id of a session; `FILE:LINE:COLUMN` of a diagnostic. */
export type SidebarIntent =
  | {
      readonly type: 'activate';
      readonly kind: 'role' | 'toolset' | 'lore' | 'document' | 'diagnostic' | 'session';
      readonly id: string;
    }
  | { readonly type: 'cancel' };

/** Rows before the sidebar has been drawn. */
const DEFAULT_HEIGHT = 30;

/** The sidebar over `source`, all sections open, the first row selected. */
export function sidebar(source: SidebarSource, folded: readonly SectionName[] = []): Sidebar {
  const rows = sidebarRows(source, folded);
  return { source, folded, selected: rows[0]!.id, rows, height: DEFAULT_HEIGHT };
}

/** The sidebar after `event`. */
export function reduceSidebar(state: Sidebar, event: SidebarEvent): Step<Sidebar, SidebarIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'source') return still(refresh(state, { source: event.source }));
  if (event.type === 'rows') return still({ ...state, height: Math.max(1, event.rows) });
  return still(state.rows.some(row => row.id === event.id) ? { ...state, selected: event.id } : state);
}

type SidebarAction = (state: Sidebar, row: SidebarRow) => Step<Sidebar, SidebarIntent>;

const ACTIONS: Readonly<Record<string, SidebarAction>> = {
  cancel: state => ({ state, intents: [{ type: 'cancel' }] }),
  accept: (state, row) =>
    row.kind === 'section' ? still(fold(state, row, row.open === true)) : activate(state, row),
  toggle: (state, row) => still(fold(state, row, section(state, row).open === true)),
  fold: (state, row) => still(fold(state, row, true)),
  unfold: (state, row) => still(fold(state, row, false)),
  'next-section': state => still(toSection(state, 1)),
  'previous-section': state => still(toSection(state, -1)),
};

const SAME: Readonly<Record<string, string>> = { left: 'fold', right: 'unfold' };

function act(state: Sidebar, action: string): Step<Sidebar, SidebarIntent> {
  const index = selectedIndex(state);
  const moved = moveIndex(action, index, state.rows.length, pageRows(state.height));
  if (moved !== undefined) return still({ ...state, selected: state.rows[moved]!.id });
  const name = Object.hasOwn(SAME, action) ? SAME[action]! : action;
  const run = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  return run ? run(state, state.rows[index]!) : still(state);
}

function selectedIndex(state: Sidebar): number {
  return Math.max(
    0,
    state.rows.findIndex(row => row.id === state.selected),
  );
}

/** The heading above `row`, or itself. */
function section(state: Sidebar, row: SidebarRow): SidebarRow {
  return state.rows.slice(0, state.rows.indexOf(row) + 1).findLast(r => r.kind === 'section')!;
}

function fold(state: Sidebar, row: SidebarRow, folded: boolean): Sidebar {
  const heading = section(state, row);
  const name = SECTIONS.find(s => heading.id === `section:${s}`)!;
  const others = state.folded.filter(s => s !== name);
  return refresh(
    { ...state, selected: folded ? heading.id : state.selected },
    { folded: folded ? [...others, name] : others },
  );
}

function toSection(state: Sidebar, direction: 1 | -1): Sidebar {
  const from = selectedIndex(state);
  const headings = [...state.rows.keys()].filter(i => state.rows[i]!.kind === 'section');
  const target = direction > 0 ? headings.find(i => i > from) : headings.findLast(i => i < from);
  return target === undefined ? state : { ...state, selected: state.rows[target]!.id };
}

const KINDS = ['role', 'toolset', 'lore', 'document', 'diagnostic', 'session'] as const;

function activate(state: Sidebar, row: SidebarRow): Step<Sidebar, SidebarIntent> {
  const kind = KINDS.find(k => row.id.startsWith(`${k}:`));
  if (!kind) return still(state);
  // A repeated id was numbered to be unique; what it stands for is the same.
  const id = row.id.slice(kind.length + 1).replace(/#\d+$/, '');
  return { state, intents: [{ type: 'activate', kind, id }] };
}

/** New rows; the selection stays on its row or falls to the one now in its place. */
function refresh(state: Sidebar, change: Partial<Pick<Sidebar, 'source' | 'folded'>>): Sidebar {
  const next = { ...state, ...change };
  const rows = sidebarRows(next.source, next.folded);
  if (rows.some(row => row.id === state.selected)) return { ...next, rows };
  // Rows above may have gone as well: the nearest survivor before it says where the place is now.
  const before = state.rows
    .slice(0, selectedIndex(state))
    .findLast(old => rows.some(row => row.id === old.id));
  const index = before ? rows.findIndex(row => row.id === before.id) + 1 : 0;
  return { ...next, rows, selected: rows[Math.min(index, rows.length - 1)]!.id };
}
