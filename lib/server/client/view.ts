/**
 * Builds what a client's chrome shows from the model: plain values, no decisions that anybody else must know.
 */
import type { Clock } from '../../base/clock.ts';
import type { ChromeView, PaneView, SessionState, TabView } from '../../chrome/view.ts';
import { isSynchronized } from '../../cmd/synchronized.ts';
import { rects } from '../../layout/query.ts';
import { paneIds } from '../../layout/tree.ts';
import type { PaneId } from '../../layout/types.ts';
import type { Model } from '../../model/model.ts';
import { directoryOf } from '../../model/sessions.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../../model/types.ts';
import type { OptionStore } from '../../options/store.ts';
import { numberKey } from './pane-numbers.ts';
import type { GitStatus } from '../../git/status.ts';
import type { Graph } from '../../graph/types.ts';

/** What every client's view is built from. */
export interface ViewSource {
  readonly clock: Clock;
  readonly model: Model;
  readonly graph: Graph;
  git(cwd: string): GitStatus;
  /** What a pane's header says of its copy mode, '' where it is in none. */
  copyPosition(pane: number): string;
  readonly options: Pick<OptionStore, 'get'>;
  /** Messages to the person that they have not read. */
  readonly unread: number;
}

/** The parts that belong to one client. */
export type ClientParts = Pick<
  ChromeView,
  'size' | 'sidebar' | 'offset' | 'hints' | 'message' | 'prompt' | 'prefixHeld' | 'overlay'
> & {
  readonly mark: string;
  /** Each pane shows its number. */
  readonly numberPanes: boolean;
};

/** Neediest first: a window shows the state of the session that comes first here. */
const NEED: readonly SessionState[] = ['needs-you', 'failed', 'working', 'starting', 'ready', 'stopped'];

/** A session's state as its mark shows it. */
export function stateOf(model: Model, session: SessionRecord): SessionState {
  return model.sessions.status(session);
}

/** What a person must know before they type, for the end of the top row. */
export function statusMark(
  { model, options }: Pick<ViewSource, 'model' | 'options'>,
  client: { readonly isReadOnly: boolean; readonly passesKeys: boolean },
): string {
  const window = model.windows.current;
  const marks = [
    client.isReadOnly && 'READ-ONLY',
    window && isSynchronized(window, options) && 'SYNC',
    client.passesKeys && 'KEYS OFF',
  ];
  return marks.filter(Boolean).join(' ');
}

/** The whole view of one client. */
export function buildView(source: ViewSource, parts: ClientParts): ChromeView {
  const { model } = source;
  const window = model.windows.current;
  const focused = model.windows.focused;
  const session = focused && model.sessionOf(focused);
  const { mark, numberPanes, ...own } = parts;
  return {
    ...own,
    tabs: model.windows.all().map(w => tab(source, w)),
    status: {
      graphTitle: source.graph.title,
      branch: session ? source.git(directoryOf(session)).branch : '',
      counts: countStates(model),
      unread: source.unread,
      clock: timeOfDay(source.clock.now()),
      mark,
    },
    window: window?.size ?? { cols: 0, rows: 0 },
    panes: window ? numbered(source, window, numberPanes) : [],
    emptyText: emptyText(model),
  };
}

function tab({ model, options }: ViewSource, window: WindowRecord): TabView {
  const sessions = model.windows.panesIn(window).map(pane => model.sessionOf(pane));
  const states = sessions.map(session => stateOf(model, session));
  return {
    index: window.index,
    name: window.name,
    active: window === model.windows.current,
    state: NEED.find(state => states.includes(state)) ?? 'ready',
    zoomed: window.zoomed,
    progress: sessions.find(session => session.progress)?.progress,
    synchronized: isSynchronized(window, options),
  };
}

function panesOf(source: ViewSource, window: WindowRecord): PaneView[] {
  const { model } = source;
  if (window.zoomed) {
    const pane = model.windows.pane(window.active)!;
    return [
      paneView(source, window, pane, { x: 0, y: 0, width: window.size.cols, height: window.size.rows }),
    ];
  }
  const places = rects(window.tree);
  return model.windows.panesIn(window).map(pane => paneView(source, window, pane, places.get(pane.id)!));
}

/** Panes with their numbers, where those are asked for; a zoomed one has that of its place. */
function numbered(source: ViewSource, window: WindowRecord, isAsked: boolean): PaneView[] {
  const panes = panesOf(source, window);
  if (!isAsked) return panes;
  const ids = paneIds(window.tree);
  return panes.map(pane => {
    const index = ids.indexOf(pane.id as PaneId);
    return { ...pane, number: { key: numberKey(index), index } };
  });
}

function paneView(
  source: ViewSource,
  window: WindowRecord,
  pane: PaneRecord,
  rect: PaneView['rect'],
): PaneView {
  const { model, clock } = source;
  const session = model.sessionOf(pane);
  return {
    id: pane.id,
    rect,
    focused: window.active === pane.id,
    name: pane.title || session.name,
    agent: programOf(session),
    git: gitText(source.git(directoryOf(session))),
    state: stateOf(model, session),
    age: ageText(session, clock.now()),
    position: source.copyPosition(pane.id),
    synchronized: isSynchronized(window, source.options) && !window.zoomed,
    number: undefined,
  };
}

/** What runs in a session besides what its name says: the agent, or the program in the foreground of a shell. */
export function programOf(session: SessionRecord): string {
  const program = session.isAi ? session.agent : session.program || session.agent;
  return program === session.name ? '' : program;
}

/** `⎇ main +3 ↑1 ↓2` */
export function gitText(status: GitStatus): string {
  if (!status.branch) return '';
  const part = (sign: string, n: number): string => (n > 0 ? ` ${sign}${n}` : '');
  return `⎇ ${status.branch}${part('+', status.dirty)}${part('↑', status.ahead)}${part('↓', status.behind)}`;
}

/** Ends that somebody, or mux itself, wanted: more is said by why than by the status the program left. */
const STOPPED: Readonly<Partial<Record<SessionRecord['stopReason'], string>>> = {
  user: 'stopped',
  idle: 'stopped: idle',
  watchdog: 'never came up',
  lost: 'lost',
};

/** How a program ended, or for how long it has been in its state; seconds are left out, so that nothing moves by itself. */
export function ageText(session: SessionRecord, now: number): string {
  const why = session.exit && STOPPED[session.stopReason];
  if (why) return why;
  if (session.exit)
    return session.exit.signal ? `signal ${session.exit.signal}` : `exit ${session.exit.code}`;
  return minutesText(now - session.shown.since);
}

/** How long ago something was, told by the minute: `now`, `4m`, `2h`, `3d`. */
export function agoText(ms: number): string {
  return minutesText(ms) || 'now';
}

/** '' for less than a minute. */
function minutesText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return '';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / (24 * 60))}d`;
}

function countStates(model: Model): Record<SessionState, number> {
  const counts: Record<SessionState, number> = {
    working: 0,
    'needs-you': 0,
    ready: 0,
    starting: 0,
    stopped: 0,
    failed: 0,
  };
  for (const session of model.sessions.all()) counts[stateOf(model, session)]++;
  return counts;
}

function timeOfDay(now: number): string {
  const date = new Date(now);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

function emptyText(model: Model): string {
  const hidden = model.sessions.all().length;
  return hidden > 0
    ? `No window is open: w shows the sessions (${hidden}), c opens a window`
    : 'No window is open: c opens one';
}
