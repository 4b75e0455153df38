/**
 * The navigator as chrome draws it. Columns come and go with the width of the list: name and age are always there.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { cellWidth, pad, unreadMark } from '../base/text.ts';
import type { BrowserView, Hint, SessionState } from '../chrome/view.ts';
import { highlight } from './highlight.ts';
import { countIn, digitRows, selectedIndex, sessionOf } from './navigator.ts';
import type { Navigator, NavigatorQuestion } from './navigator.ts';
import { isHeadingRow, stateName, VIEWS } from './navigator-items.ts';
import type { NavigatorSession, NavigatorViewName } from './navigator-items.ts';
import type { TreeEntry } from './tree.ts';

/** Mark and colour of a state, which are chrome's to say. */
export type Marks = Readonly<Record<SessionState, { readonly mark: string; readonly role: Run['role'] }>>;

/** Cells of a list from which on the agent, and git besides, have columns of their own. */
const AGENT_FROM = 44;
const GIT_FROM = 64;
/** Widest columns, in cells; what is longer is cut, since the name and the summary matter more. */
const MAX_NAME = 28;
const MAX_AGENT = 10;
const MAX_GIT = 28;
/** `59m`, `23h`, `400d`. */
const AGE = 4;

/** All of the view but the preview's panes. `width` is that of the list in cells, `head` the rows for facts above the preview. */
export function navigatorView(
  state: Navigator,
  about: {
    readonly width: number;
    readonly head: number;
    readonly hints: readonly Hint[];
    readonly marks: Marks;
  },
): Omit<BrowserView, 'previewPanes'> {
  const { tree } = state;
  const columns = columnsOf(state, about.width);
  const digits = digitRows(state);
  const shown = new Set(tree.entries.flatMap(({ item }) => sessionOf(state, item.id)?.id ?? []));
  const selected = tree.entries[selectedIndex(state)];
  const session = selected && sessionOf(state, selected.item.id);
  return {
    type: 'browser',
    title: 'Sessions',
    facets: VIEWS.map(view => ({ text: viewText(state, view), active: view === state.view })),
    filter: tree.filter.text,
    caret: tree.focus === 'filter' ? tree.filter.caret : -1,
    filterLabel: 'filter',
    items: tree.entries.map(entry => {
      const own = sessionOf(state, entry.item.id);
      const digit = digits.indexOf(entry.item.id);
      return {
        id: entry.item.id,
        line: own
          ? sessionLine(entry, own, {
              isTagged: tree.tagged.has(entry.item.id),
              columns,
              digit,
              marks: about.marks,
            })
          : headingLine(entry),
        note: own ? noteOf(own, columns) : entry.item.note,
      };
    }),
    selected: selectedIndex(state),
    shown: shown.size,
    total: countIn(state, state.view),
    preview: session ? headLines(session, about) : [],
    previewTitle: session?.name ?? '',
    previewScroll: 0,
    hints: about.hints,
    empty: emptyText(state),
  };
}

/** `attention 2`; grouping views have all sessions and need no number. */
function viewText(state: Navigator, view: NavigatorViewName): string {
  const isGrouping = view === 'repository' || view === 'label' || view === 'status';
  return isGrouping ? view : `${view} ${countIn(state, view)}`;
}

/** Widths in cells; 0 for a column that is not there. */
interface Columns {
  /** Whether some session holds others: room for the sign of that. */
  readonly folds: boolean;
  /** With what it is indented by. */
  readonly name: number;
  readonly agent: number;
  readonly git: number;
}

function columnsOf({ tree, sessions }: Navigator, width: number): Columns {
  const widest = (texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(0, ...texts.map(cellWidth)));
  const rows = tree.entries.filter(({ item }) => !item.isHeading);
  const names = rows.map(entry => `${indent(entry)}${entry.item.text}`);
  return {
    folds: rows.some(({ open }) => open !== undefined),
    name: widest(names, Math.min(MAX_NAME, Math.max(8, width - 16))) + 1,
    agent:
      width >= AGENT_FROM
        ? widest(
            sessions.map(session => session.agent),
            MAX_AGENT,
          )
        : 0,
    git:
      width >= GIT_FROM
        ? widest(
            sessions.map(session => session.git),
            MAX_GIT,
          )
        : 0,
  };
}

/** What stands under a heading is not indented for that. */
function indent({ item, depth }: TreeEntry): string {
  return '  '.repeat(isHeadingRow(item.parent) ? depth - 1 : depth);
}

/** `1 ▾ ● ★ fix-login  claude  what it is about` */
function sessionLine(
  entry: TreeEntry,
  session: NavigatorSession,
  {
    isTagged,
    columns,
    digit,
    marks,
  }: {
    readonly isTagged: boolean;
    readonly columns: Columns;
    readonly digit: number;
    readonly marks: Marks;
  },
): StyledLine {
  const { mark, role } = marks[session.state];
  const { item, open, ranges } = entry;
  const sign = !columns.folds ? '' : open === undefined ? '  ' : open ? '▾ ' : '▸ ';
  const star = session.isStarred ? '★ ' : '';
  const used = indent(entry).length + cellWidth(star) + cellWidth(item.text);
  const lead: Run[] = [
    { text: digit < 0 ? ' ' : `${(digit + 1) % 10}`, role: 'dim' },
    { text: isTagged ? '+' : ' ', role: 'accent', bold: true },
    { text: indent(entry) + sign, role: 'dim' },
    { text: mark, ...(role ? { role } : {}) },
    { text: ' ' },
    ...(star ? [{ text: star, role: 'warn' } as const] : []),
  ];
  const rest: Run[] = [{ text: ' '.repeat(Math.max(2, columns.name + 1 - used)) }];
  if (columns.agent > 0) rest.push({ text: `${pad(session.agent, columns.agent)}  `, role: 'dim' });
  const unread = unreadMark(session.unread);
  if (unread) rest.push({ text: `${unread} `, role: 'accent', bold: true });
  rest.push({ text: session.summary, role: session.need >= 0 ? 'warn' : 'dim' });
  return [...lead, ...highlight(item.text, ranges), ...rest];
}

function headingLine({ item, open }: TreeEntry): StyledLine {
  return [
    { text: open ? '▾ ' : '▸ ', role: 'dim' },
    { text: item.text, role: 'header', bold: true },
  ];
}

function noteOf(session: NavigatorSession, { git }: Columns): string {
  const age = session.age.padStart(AGE);
  return git > 0 ? `${pad(session.git, git)} ${age}` : age;
}

/** What is known of a session, most telling first, in at most `head` lines. */
function headLines(
  session: NavigatorSession,
  { head, marks }: { readonly head: number; readonly marks: Marks },
): StyledLine[] {
  const { mark, role } = marks[session.state];
  const dim = (text: string): Run => ({ text, role: 'dim' });
  const between = (texts: readonly string[]): string => texts.filter(Boolean).join(' · ');
  const state: Run = { text: `${mark} ${stateName(session.state)}`, ...(role ? { role } : {}) };
  const about = between([
    session.agent,
    session.age && (session.age === 'now' ? 'output just now' : `output ${session.age} ago`),
    session.window ? `window ${session.window}` : 'in no window',
    session.unread > 0 ? `${session.unread} unread` : '',
  ]);
  const place = between([session.git, session.directory]);
  const labels = session.labels.join(' ');
  const lines: StyledLine[] = [
    [state, dim(`  ${session.isDeleted ? `deleted · ${about}` : about}`)],
    ...(place ? [[dim(place)]] : []),
    ...(session.summary ? [[{ text: session.summary }]] : []),
    ...(labels ? [[dim(`labels ${labels}`)]] : []),
  ];
  return lines.slice(0, head);
}

const EMPTY: Readonly<Record<NavigatorViewName, string>> = {
  all: 'no session yet: n starts an agent',
  repository: 'no session yet: n starts an agent',
  label: 'no session yet: n starts an agent',
  status: 'no session yet: n starts an agent',
  attention: 'nothing needs you: Tab goes on to the next view',
  deleted: 'nothing is deleted: x deletes a session, and this is where it can be brought back',
};

function emptyText(state: Navigator): string {
  return countIn(state, state.view) > 0 ? 'nothing is like that: Esc shows all' : EMPTY[state.view];
}

/** What is asked, and what would be lost. */
export function questionLines({ deed, sessions }: NavigatorQuestion): readonly string[] {
  const [session] = sessions;
  if (!session) return [];
  if (sessions.length > 1) return manyLines(deed, sessions);
  const program = session.runs ? `its program (${session.agent})` : '';
  return QUESTIONS[deed](session, program);
}

const QUESTIONS: Readonly<
  Record<NavigatorQuestion['deed'], (session: NavigatorSession, program: string) => readonly string[]>
> = {
  stop: ({ name }, program) => [
    `Stop ${name}?`,
    `Ends ${program}; the session stays and can be started again.`,
  ],
  restart: ({ name }, program) => [`Restart ${name}?`, `Ends ${program} and starts it again.`],
  delete: ({ name }, program) => [
    `Delete ${name}?`,
    ...(program ? [`Ends ${program}.`] : []),
    'For a while the view deleted can bring it back.',
  ],
  purge: session => [`Purge ${session.name} for good?`, ...lost(session)],
};

/** Names that a question shows; of more it tells the number. */
const NAMES_MAX = 6;

const VERBS: Readonly<Record<NavigatorQuestion['deed'], string>> = {
  stop: 'Stop',
  restart: 'Restart',
  delete: 'Delete',
  purge: 'Purge for good:',
};

function manyLines(
  deed: NavigatorQuestion['deed'],
  sessions: readonly NavigatorSession[],
): readonly string[] {
  const names = sessions.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = sessions.length - names.length;
  const running = sessions.filter(({ runs }) => runs).length;
  return [
    `${VERBS[deed]} ${sessions.length} sessions?`,
    names.join(', ') + (more > 0 ? ` and ${more} more` : ''),
    ...(running > 0 ? [`Ends ${running} running ${running === 1 ? 'program' : 'programs'}.`] : []),
    ...(deed === 'purge' ? lost(sumOf(sessions)) : []),
    ...(deed === 'delete' ? ['For a while the view deleted can bring them back.'] : []),
  ];
}

function sumOf(sessions: readonly NavigatorSession[]): { readonly dirty: number; readonly ahead: number } {
  const sum = (pick: (session: NavigatorSession) => number): number =>
    sessions.reduce((n, session) => n + pick(session), 0);
  return { dirty: sum(({ dirty }) => dirty), ahead: sum(({ ahead }) => ahead) };
}

function lost({ dirty, ahead }: Pick<NavigatorSession, 'dirty' | 'ahead'>): string[] {
  const files = dirty > 0 ? [`${dirty} changed ${dirty === 1 ? 'file' : 'files'}`] : [];
  const commits = ahead > 0 ? [`${ahead} ${ahead === 1 ? 'commit' : 'commits'} that nobody else has`] : [];
  const work = [...files, ...commits].join(' and ');
  return ['Its output, its worktree and its branch go.', ...(work ? [`With it goes ${work}.`] : [])];
}
