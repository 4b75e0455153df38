/**
 * What of the model outlives its process, as plain values: taken from a model, and put into a new one.
 */
import { formatLayout } from '../layout/codec.ts';
import type { PaneId, Preset } from '../layout/types.ts';
import type { Model } from './model.ts';
import { durableState, newRunState, type DurableState } from './run-state.ts';
import { runs } from './sessions.ts';
import { restoredWindows } from './restored-windows.ts';
import type { PaneRecord, SessionRecord, StopReason, Terminal, WindowRecord } from './types.ts';

/** A session without what belongs to the running process. */
export type SavedSession = DurableState & {
  /** Its program ran when this was saved: whoever keeps programs may still have it. */
  readonly runs: boolean;
};

export interface SavedWindow {
  readonly index: number;
  readonly name: string;
  readonly autoName: boolean;
  /** The tree as a person last shaped it, in the form of formatLayout. */
  readonly layout: string;
  /** Size it was shown in. */
  readonly size: WindowRecord['size'];
  readonly panes: readonly Pick<PaneRecord, 'id' | 'session' | 'title'>[];
  /** Panes by last use, the active one first. */
  readonly recent: readonly PaneId[];
  readonly zoomed: boolean;
  readonly manualSize: boolean;
  readonly preset: Preset | undefined;
  readonly synchronized: boolean | undefined;
}

/** Everything of a model that is kept. */
export interface SavedState {
  readonly sessions: readonly SavedSession[];
  readonly windows: readonly SavedWindow[];
  /** Indexes of windows by last use, the current one first. */
  readonly recentWindows: readonly number[];
  /** Number of the pane that is made next: no `%N` is ever used again. */
  readonly nextPane: number;
}

/**
 * Which part of a model is kept. `all`: everything as it is. `stopped`: everything, its programs ended with the
 * server. `durable`: of that only the sessions that a person named, and where they are shown.
 */
export type Keep = 'all' | 'stopped' | 'durable';

/** Gives the terminal of a session whose program still runs somewhere; undefined where it does not. */
export type Adopt = (session: SessionRecord) => Terminal | undefined;

/** The model as plain values. They share nothing that changes with it. */
export function saveModel({ sessions, windows }: Model, keep: Keep = 'all'): SavedState {
  return {
    sessions: sessions
      .every()
      .filter(session => keep !== 'durable' || session.durable)
      .map(session => savedSession(session, keep === 'all' ? undefined : 'shutdown')),
    // Of panes whose sessions are not kept the rest is put right when it is restored, as after any other loss.
    windows: windows.all().map(window => savedWindow(window, windows.panesIn(window))),
    recentWindows: windows.recent.map(window => window.index),
    nextPane: windows.nextPaneId,
  };
}

function savedSession(session: SessionRecord, ended: StopReason | undefined): SavedSession {
  const kept = durableState(session);
  const isRunning = runs(session);
  return ended && isRunning ? { ...kept, stopReason: ended, runs: false } : { ...kept, runs: isRunning };
}

function savedWindow(window: WindowRecord, panes: readonly PaneRecord[]): SavedWindow {
  const { index, name, autoName, size, recent, zoomed, manualSize, preset, synchronized } = window;
  return {
    index,
    name,
    autoName,
    layout: formatLayout(window.shape),
    size,
    panes: panes.map(({ id, session, title }) => ({ id, session, title })),
    recent,
    zoomed,
    manualSize,
    preset,
    synchronized,
  };
}

/** A state with those of `sessions` that it does not know, and how many these are. No pane number is used again. */
export function withSessions(
  state: SavedState,
  sessions: readonly SavedSession[],
): { state: SavedState; added: number } {
  const byId = new Map(state.sessions.map(session => [session.id, session]));
  for (const session of sessions) if (!byId.has(session.id)) byId.set(session.id, session);
  const told = [...byId.values()].map(session => Number(session.pane.slice(1)) + 1);
  const nextPane = Math.max(state.nextPane, ...told.filter(Number.isInteger));
  // Those of the state stay as they are, were it twice: it is for restoreModel to tell.
  const added = [...byId.values()].slice(new Set(state.sessions.map(session => session.id)).size);
  return { state: { ...state, sessions: [...state.sessions, ...added], nextPane }, added: added.length };
}

/** What there is where nothing was kept. */
export const NO_STATE: SavedState = { sessions: [], windows: [], recentWindows: [], nextPane: 0 };

/**
 * Fills an empty model. Programs are asked of `adopt`; where there is none the session is stopped and can be started
 * again. What contradicts itself is put right: every session is listed afterwards, and every window that still shows
 * one. Returns what had to be put right, a line each.
 */
export function restoreModel(model: Model, state: SavedState, adopt: Adopt): string[] {
  const problems: string[] = [];
  for (const saved of state.sessions) restoreSession(model, saved, adopt, problems);
  const { windows, found } = restoredWindows(state, id => model.sessions.get(id) !== undefined);
  model.windows.restore(windows);
  return [...problems, ...found];
}

function restoreSession(model: Model, saved: SavedSession, adopt: Adopt, problems: string[]): void {
  const { runs: ran, creating: wasCreating, ...kept } = saved;
  if (model.sessions.get(saved.id)) {
    problems.push(`session ${saved.id}: it stands there twice`);
    return;
  }
  const record: SessionRecord = { ...kept, creating: false, ...newRunState(model.now) };
  if (ran || wasCreating) record.terminal = adopt(record);
  // What runs for so long has written something.
  if (record.terminal) record.firstOutputAt = record.lastOutputAt ?? record.createdAt;
  if (wasCreating && !record.terminal) {
    record.stopReason = 'interrupted';
    problems.push(
      `session ${saved.name}: the server ended while it was being made; purge it and make it anew`,
    );
  } else if (ran && !record.terminal && !record.exit && !record.stopReason) record.stopReason = 'lost';
  // What mux opened to show something is of no use without its program, and often cannot be shown again.
  if (record.isViewer && !record.terminal) return;
  const name = model.sessions.restore(record);
  if (name !== saved.name) problems.push(`session ${saved.name}: the name is taken; it is ${name} now`);
}
