/**
 * The windows of a fleet, filled while its members come up.
 */
import type { FleetWindow } from '../fleet/types.ts';
import { assign } from '../layout/edit.ts';
import { parseLayout } from '../layout/codec.ts';
import { resizeTree } from '../layout/fit.ts';
import { preset } from '../layout/presets.ts';
import { paneIds } from '../layout/tree.ts';
import { PRESETS, type Preset } from '../layout/types.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../model/types.ts';
import type { CommandContext } from './spec.ts';

/** Of the main pane: the window may have any size still, for often nobody looks at it yet. */
const MAIN = { mainCols: { percent: 60 }, mainRows: { percent: 60 } } as const;

/** One window on its way. */
interface Open {
  readonly window: WindowRecord;
  /** Panes by their place in the file. */
  readonly panes: Map<number, PaneRecord>;
}

export class FleetScreen {
  readonly #context: CommandContext;
  readonly #windows: readonly FleetWindow[];
  readonly #open = new Map<number, Open>();
  /** Index of the fleet's first window: they stand in the order of the file, whichever member is there first. */
  readonly #first: number;

  constructor(context: CommandContext, windows: readonly FleetWindow[]) {
    this.#context = context;
    this.#windows = windows;
    const last = context.model.windows.all().at(-1);
    this.#first = last ? last.index + 1 : context.options.get('base-index');
    this.#adopt();
  }

  /** Shows a session at its place. False where there is no room: it goes on without a pane. */
  show(session: SessionRecord, window: number, place: number): boolean {
    const { windows } = this.#context.model;
    // One that goes on is shown where it was.
    if (windows.paneOf(session.id)) return true;
    const pane = this.#place(session, window);
    if (pane === undefined) return false;
    this.#open.get(window)!.panes.set(place, pane);
    this.#arrange(window);
    return true;
  }

  /** Goes to the first pane of each window, and to the first window. */
  select(): void {
    const { windows } = this.#context.model;
    const open = [...this.#open].sort(([a], [b]) => a - b).map(([, one]) => one);
    for (const { panes } of open) {
      const pane = panes.get(Math.min(...panes.keys()));
      if (pane && windows.pane(pane.id) === pane) windows.focus(pane);
    }
    const [first] = open;
    if (first && windows.window(first.window.id) === first.window) windows.select(first.window);
  }

  /** Panes of members that are shown already: what comes is put beside them. */
  #adopt(): void {
    const { sessions, windows } = this.#context.model;
    for (const [at, { panes }] of this.#windows.entries())
      for (const [place, { session: name }] of panes.entries()) {
        const session = name === '' ? undefined : sessions.byName(name);
        const pane = session && windows.paneOf(session.id);
        if (!pane) continue;
        const window = windows.windowOf(pane);
        const open = this.#open.get(at) ?? { window, panes: new Map<number, PaneRecord>() };
        // One that was moved elsewhere stays there.
        if (open.window === window) open.panes.set(place, pane);
        this.#open.set(at, open);
      }
  }

  #place(session: SessionRecord, at: number): PaneRecord | undefined {
    const { model, host } = this.#context;
    const open = this.#open.get(at);
    const isThere = open && model.windows.window(open.window.id) === open.window;
    if (!isThere) {
      const index = this.#first + at;
      const pane = model.windows.create({
        session: session.id,
        name: this.#windows[at]!.name,
        program: session.agent,
        size: model.windows.current?.size ?? host.defaultSize(),
        background: true,
        ...(model.windows.byIndex(index) ? {} : { index }),
      });
      this.#open.set(at, { window: model.windows.windowOf(pane), panes: new Map() });
      return pane;
    }
    const beside = [...open.panes.values()].at(-1)!;
    for (const axis of ['h', 'v'] as const) {
      const pane = model.windows.split(beside, session.id, axis, {
        before: false,
        full: true,
        background: true,
      });
      if (pane !== 'no-space') return pane;
    }
    return undefined;
  }

  /** As the file says once all its panes are there, tiled before. */
  #arrange(at: number): void {
    const { window, panes } = this.#open.get(at)!;
    const { windows } = this.#context.model;
    const asked = this.#windows[at]!;
    const ids = [...panes].sort(([a], [b]) => a - b).map(([, pane]) => pane.id);
    if (ids.length !== paneIds(window.tree).length) return;
    const isComplete = ids.length === asked.panes.length;
    const name = presetOf(isComplete ? asked.layout : '');
    if (name) return windows.setTree(window, preset(name, ids, window.size, MAIN), name);
    const tree = assign(parseLayout(asked.layout), ids);
    if (tree) windows.setTree(window, resizeTree(tree, window.size));
  }
}

/** The arrangement a layout names, tiled for none; undefined where it is the text of a layout. */
function presetOf(layout: string): Preset | undefined {
  return layout === '' ? 'tiled' : PRESETS.find(name => name === layout);
}
