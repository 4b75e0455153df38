/**
 * Windows from what was saved of them, with every promise of Windows kept whatever the text says.
 */
import { parseLayout } from '../layout/codec.ts';
import { removePane } from '../layout/edit.ts';
import { resizeTree } from '../layout/fit.ts';
import { preset } from '../layout/presets.ts';
import { paneIds } from '../layout/tree.ts';
import type { LayoutNode, PaneId } from '../layout/types.ts';
import type { SavedState, SavedWindow } from './saved.ts';
import type { PaneRecord, SessionId, WindowId, WindowRecord } from './types.ts';

/** What Windows starts from. */
export interface RestoredWindows {
  readonly windows: readonly WindowRecord[];
  readonly panes: readonly PaneRecord[];
  /** Windows by last use, most recent first; each window once. */
  readonly recent: readonly WindowId[];
  /** Greater than every pane's number. */
  readonly nextPane: number;
}

/** Windows whose panes show sessions that are there; what else was said is left out and told, a line each. */
export function restoredWindows(
  state: Pick<SavedState, 'windows' | 'recentWindows' | 'nextPane'>,
  isSession: (id: SessionId) => boolean,
): { windows: RestoredWindows; found: string[] } {
  const found: string[] = [];
  const builder = new Builder(isSession, found);
  const windows = state.windows.flatMap(saved => builder.window(saved) ?? []);
  const byIndex = new Map(windows.map(window => [window.index, window.id]));
  const named = state.recentWindows.flatMap(index => byIndex.get(index) ?? []);
  const recent = [...new Set([...named, ...windows.map(window => window.id)])];
  const highest = state.windows.flatMap(w => w.panes).reduce((most, { id }) => Math.max(most, id), -1);
  const nextPane = Math.max(state.nextPane, highest + 1);
  return { windows: { windows, panes: builder.panes, recent, nextPane }, found };
}

/** Builds one window after the other, keeping in mind what is taken. */
class Builder {
  readonly panes: PaneRecord[] = [];
  readonly #isSession: (id: SessionId) => boolean;
  readonly #found: string[];
  readonly #shown = new Set<SessionId>();
  readonly #paneIds = new Set<PaneId>();
  readonly #indexes = new Set<number>();
  #next = 0;

  constructor(isSession: (id: SessionId) => boolean, found: string[]) {
    this.#isSession = isSession;
    this.#found = found;
  }

  /** Undefined for a window that shows nothing any more. */
  window(saved: SavedWindow): WindowRecord | undefined {
    const panes = saved.panes.filter(pane => this.#takes(pane));
    if (panes.length === 0) return undefined;
    const id = this.#next++ as WindowId;
    for (const { id: pane, session, title } of panes)
      this.panes.push({ id: pane, session, title, window: id });
    const ids = panes.map(pane => pane.id);
    const shape = this.#shape(saved, ids);
    const tree = resizeTree(shape, saved.size);
    const order = paneIds(tree);
    const recent = [...new Set([...saved.recent.filter(pane => ids.includes(pane)), ...order])];
    return {
      id,
      index: this.#index(saved),
      name: saved.name,
      autoName: saved.autoName,
      tree,
      shape,
      active: recent[0]!,
      recent,
      zoomed: saved.zoomed && order.length > 1,
      size: saved.size,
      manualSize: saved.manualSize,
      preset: panes.length === saved.panes.length ? saved.preset : undefined,
      synchronized: saved.synchronized,
    };
  }

  /** A pane whose session is gone leaves without a word: it was told of the session. */
  #takes({ id, session }: { id: PaneId; session: SessionId }): boolean {
    if (!this.#isSession(session)) return false;
    if (this.#shown.has(session) || this.#paneIds.has(id)) {
      this.#found.push(`pane %${id}: its number or session ${session} is in another pane too`);
      return false;
    }
    this.#shown.add(session);
    this.#paneIds.add(id);
    return true;
  }

  /** The saved tree without the panes that are gone; tiles where it does not fit the panes. */
  #shape(saved: SavedWindow, ids: readonly PaneId[]): LayoutNode {
    try {
      let tree: LayoutNode | undefined = parseLayout(saved.layout);
      for (const id of paneIds(tree)) if (tree && !ids.includes(id)) tree = removePane(tree, id);
      if (tree && paneIds(tree).length === ids.length) return tree;
    } catch {
      // Not a layout: as if it were that of other panes.
    }
    this.#found.push(`window ${saved.index}: its layout does not fit its panes; they are tiled`);
    return preset('tiled', ids, saved.size);
  }

  #index(saved: SavedWindow): number {
    let { index } = saved;
    if (this.#indexes.has(index)) {
      while (this.#indexes.has(index)) index++;
      this.#found.push(`window ${saved.index}: the number is taken; it is ${index} now`);
    }
    this.#indexes.add(index);
    return index;
  }
}
