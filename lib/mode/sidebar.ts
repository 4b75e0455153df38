/**
 * The sidebar: the graph's roles, tool sets and lores, then the sessions, in sections that fold. The selection belongs
 * to a row's id; when the row goes it falls to the one that takes its place.
 */
import type { SessionState, SidebarRow } from '../chrome/view.ts';
import type { Diagnostic, Graph } from '../graph/types.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { Step } from './event.ts';

/** A session as the sidebar shows it. */
export interface SidebarSession {
  readonly id: string;
  readonly name: string;
  readonly state: SessionState;
  /** Right-aligned and dim, e.g. an age. */
  readonly note?: string;
}

/** What the sidebar shows. */
export interface SidebarSource {
  readonly graph: Graph;
  /** In the order in which they are to stand: rows must not move when states change. */
  readonly sessions: readonly SidebarSession[];
}

export const SECTIONS = ['roles', 'toolsets', 'lores', 'sessions'] as const;
export type SectionName = (typeof SECTIONS)[number];

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
      readonly kind: 'role' | 'toolset' | 'lore' | 'diagnostic' | 'session';
      readonly id: string;
    }
  | { readonly type: 'cancel' };

/** Rows before the sidebar has been drawn. */
const DEFAULT_HEIGHT = 30;
/** Rows of one section: beyond this the browser is the place to look. */
const MAX_ROWS = 2_000;

/** The sidebar over `source`, all sections open, the first row selected. */
export function sidebar(source: SidebarSource, folded: readonly SectionName[] = []): Sidebar {
  const rows = sidebarRows(source, folded);
  return { source, folded, selected: rows[0]!.id, rows, height: DEFAULT_HEIGHT };
}

interface SectionSpec {
  readonly title: string;
  readonly rows: (source: SidebarSource) => readonly SidebarRow[];
  /** How many there are; a file that cannot be read counts too. */
  readonly count: (source: SidebarSource) => number;
  /** What to do when there is nothing. */
  readonly empty: (source: SidebarSource) => string;
}

const SPECS: Readonly<Record<SectionName, SectionSpec>> = {
  roles: {
    title: 'Roles',
    rows: ({ graph }) => [
      ...graph.roles.map(role =>
        item(`role:${role.selector}`, qualified(role.selector, role.title), role.alias),
      ),
      ...diagnosticRows(graph, 'roles'),
    ],
    count: ({ graph }) => graph.roles.length + brokenFiles(graph, 'roles'),
    empty: ({ graph }) => (graph.root === '' ? 'mux graph init' : 'mux role new NAME'),
  },
  toolsets: {
    title: 'Tool sets',
    rows: ({ graph }) => [
      ...graph.toolSets.map(set =>
        item(
          `toolset:${set.selector}`,
          qualified(set.selector, set.title),
          String(set.methodCount || set.services.length),
        ),
      ),
      ...diagnosticRows(graph, 'toolsets'),
    ],
    count: ({ graph }) => graph.toolSets.length + brokenFiles(graph, 'toolsets'),
    empty: () => 'add .sgpt/NAME.toolset',
  },
  lores: {
    title: 'Lores',
    rows: ({ graph }) => [
      ...graph.lores.map(lore => item(`lore:${lore.name}`, lore.name.replace(/^lores\//, ''), '')),
      ...diagnosticRows(graph, 'lores'),
    ],
    count: ({ graph }) => graph.lores.length + brokenFiles(graph, 'lores'),
    empty: () => 'mux lore new NAME',
  },
  sessions: {
    title: 'Sessions',
    rows: ({ sessions }) =>
      sessions.map(s => ({
        id: `session:${s.id}`,
        kind: 'session',
        text: s.name,
        note: s.note ?? '',
        depth: 1,
        state: s.state,
      })),
    count: ({ sessions }) => sessions.length,
    empty: () => 'mux new NAME',
  },
};

/** Every row of the sidebar; ids are unique. */
export function sidebarRows(source: SidebarSource, folded: readonly SectionName[]): SidebarRow[] {
  const seen = new Map<string, number>();
  return SECTIONS.flatMap(name => sectionRows(name, source, !folded.includes(name))).map(row => {
    const times = seen.get(row.id) ?? 0;
    seen.set(row.id, times + 1);
    return times === 0 ? row : { ...row, id: `${row.id}#${times + 1}` };
  });
}

function sectionRows(name: SectionName, source: SidebarSource, open: boolean): SidebarRow[] {
  const spec = SPECS[name];
  const title: SidebarRow = {
    id: `section:${name}`,
    kind: 'section',
    text: spec.title,
    note: String(spec.count(source)),
    depth: 0,
    open,
  };
  if (!open) return [title];
  const rows = spec.rows(source).slice(0, MAX_ROWS);
  if (rows.length > 0) return [title, ...rows];
  return [title, { id: `empty:${name}`, kind: 'empty', text: spec.empty(source), note: '', depth: 1 }];
}

function item(id: string, text: string, note: string): SidebarRow {
  return { id, kind: 'item', text, note, depth: 1 };
}

/** `title` at the root, `dir:title` elsewhere. */
function qualified(selector: string, title: string): string {
  const body = selector.replace(/^\/\//, '');
  return body.includes(':') ? body : title;
}

/** The section a graph file belongs to; what is none of them (`.sgpt.json`) stands first. */
function sectionOf(file: string): SectionName {
  if (file.endsWith('.toolset')) return 'toolsets';
  return /(^|\/)\.sgpt\/lores\//.test(file) || file.startsWith('lores/') ? 'lores' : 'roles';
}

function diagnosticRows(graph: Graph, section: SectionName): SidebarRow[] {
  return graph.diagnostics
    .filter(d => sectionOf(d.file) === section)
    .map(d => ({ id: `diagnostic:${place(d)}`, kind: 'diagnostic', text: label(d), note: '', depth: 1 }));
}

function place(d: Diagnostic): string {
  return `${d.file}:${d.line}:${d.column}`;
}

/** Short: the graph's own folders say nothing. */
function label(d: Diagnostic): string {
  const file = d.file.replace(/(^|\/)\.sgpt\/(lores\/)?/, '$1');
  return d.line > 0 ? `${file}:${d.line}` : file;
}

/** Files of a section that have errors and no artifact. */
function brokenFiles(graph: Graph, section: SectionName): number {
  const good = new Set([...graph.roles, ...graph.toolSets, ...graph.lores].map(artifact => artifact.file));
  const bad = graph.diagnostics.filter(
    d =>
      d.severity === 'error' &&
      sectionOf(d.file) === section &&
      !good.has(d.file) &&
      d.file.includes('.sgpt/'),
  );
  return new Set(bad.map(d => d.file)).size;
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

const KINDS = ['role', 'toolset', 'lore', 'diagnostic', 'session'] as const;

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
