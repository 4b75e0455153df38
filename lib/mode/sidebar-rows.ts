/**
 * The rows of the sidebar: the graph's roles, tool sets and lores with what is wrong in their files, then the sessions.
 */
import type { SessionState, SidebarRow } from '../chrome/view.ts';
import type { Diagnostic, Graph } from '../graph/types.ts';

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
  /** Documents of the project and of all, by name and what is shown of them. */
  readonly documents: readonly { readonly name: string; readonly text: string; readonly note: string }[];
}

export const SECTIONS = ['roles', 'toolsets', 'lores', 'documents', 'sessions'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Rows of one section: beyond this the browser is the place to look. */
const MAX_ROWS = 2_000;

interface SectionSpec {
  readonly title: string;
  readonly rows: (source: SidebarSource) => readonly SidebarRow[];
  /** How many there are; a file that cannot be read counts too. */
  readonly count: (source: SidebarSource) => number;
  /** What to do when there is nothing; '' where there is nothing to do. */
  readonly empty: (source: SidebarSource) => string;
  /** Not shown at all where it has nothing: who does not use it is not bothered. */
  readonly isOptional?: boolean;
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
    empty: ({ graph }) => (graph.root === '' ? 'no .sgpt.json here' : 'add .sgpt/NAME.role.md'),
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
    empty: ({ graph }) => (graph.root === '' ? '' : 'add .sgpt/NAME.toolset'),
  },
  lores: {
    title: 'Lores',
    rows: ({ graph }) => [
      ...graph.lores.map(lore => item(`lore:${lore.name}`, lore.name.replace(/^lores\//, ''), '')),
      ...diagnosticRows(graph, 'lores'),
    ],
    count: ({ graph }) => graph.lores.length + brokenFiles(graph, 'lores'),
    empty: ({ graph }) => (graph.root === '' ? '' : 'add .sgpt/lores/NAME.md'),
  },
  documents: {
    title: 'Documents',
    rows: ({ documents }) => documents.map(({ name, text, note }) => item(`document:${name}`, text, note)),
    count: ({ documents }) => documents.length,
    empty: () => '',
    isOptional: true,
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
  if (spec.isOptional && spec.count(source) === 0) return [];
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
  const text = spec.empty(source);
  return text === '' ? [title] : [title, { id: `empty:${name}`, kind: 'empty', text, note: '', depth: 1 }];
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
    .map(d => ({
      id: `diagnostic:${diagnosticPlace(d)}`,
      kind: 'diagnostic',
      text: label(d),
      note: '',
      depth: 1,
      isWarning: d.severity === 'warning',
    }));
}

/** What the id of a diagnostic's row says of it, behind its kind. */
export function diagnosticPlace(d: Diagnostic): string {
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
