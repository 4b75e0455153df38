/**
 * Windows and panes. Every operation keeps these true: window indexes are unique; a window has at least one pane,
 * its `active` pane is in its tree, `recent` lists exactly its panes; a session has at most one pane.
 */
import { CodedError } from '../base/errors.ts';
import type { Rect, Size } from '../base/geometry.ts';
import { removePane, splitPane, swap, type Placement } from '../layout/edit.ts';
import { resizeTree } from '../layout/fit.ts';
import { rects } from '../layout/query.ts';
import { paneIds, single } from '../layout/tree.ts';
import type { Axis, LayoutNode, PaneId, Preset } from '../layout/types.ts';
import type { RestoredWindows } from './restored-windows.ts';
import type { PaneRecord, SessionId, WindowId, WindowRecord } from './types.ts';

/** What windows are told and tell. */
export interface WindowPorts {
  /** Called after every change of what is shown where. */
  readonly changed: () => void;
  /** Index of the first window. */
  readonly baseIndex: () => number;
  /** Whether indexes close up when a window goes. */
  readonly renumber: () => boolean;
}

export class Windows {
  readonly #windows = new Map<WindowId, WindowRecord>();
  readonly #panes = new Map<PaneId, PaneRecord>();
  /** Windows by last use, most recent first. */
  #recent: WindowId[] = [];
  #nextPane = 0;
  #nextWindow = 0;
  readonly #ports: WindowPorts;

  constructor(ports: WindowPorts) {
    this.#ports = ports;
  }

  /** In order of index. */
  all(): readonly WindowRecord[] {
    return [...this.#windows.values()].sort((a, b) => a.index - b.index);
  }

  panes(): readonly PaneRecord[] {
    return [...this.#panes.values()];
  }

  window(id: WindowId): WindowRecord | undefined {
    return this.#windows.get(id);
  }

  pane(id: PaneId): PaneRecord | undefined {
    return this.#panes.get(id);
  }

  windowOf(pane: PaneRecord): WindowRecord {
    return this.#windows.get(pane.window)!;
  }

  byIndex(index: number): WindowRecord | undefined {
    return this.all().find(window => window.index === index);
  }

  /** `%N` of the pane that will be made next: its program is told before it is there. */
  get nextPane(): string {
    return `%${this.#nextPane}`;
  }

  get nextPaneId(): PaneId {
    return this.#nextPane;
  }

  /** Windows by last use, most recent first. */
  get recent(): readonly WindowRecord[] {
    return this.#recent.map(id => this.#windows.get(id)!);
  }

  /** Puts windows of an earlier process in place; there must be none yet. */
  restore({ windows, panes, recent, nextPane }: RestoredWindows): void {
    for (const window of windows) this.#windows.set(window.id, window);
    for (const pane of panes) this.#panes.set(pane.id, pane);
    this.#recent = [...recent];
    this.#nextPane = nextPane;
    this.#nextWindow = windows.length;
    if (windows.length > 0) this.#ports.changed();
  }

  /** The pane that shows `session`, if any does. */
  paneOf(session: SessionId): PaneRecord | undefined {
    return this.panes().find(pane => pane.session === session);
  }

  /** Panes of a window in layout order. */
  panesIn(window: WindowRecord): readonly PaneRecord[] {
    return paneIds(window.tree).map(id => this.#panes.get(id)!);
  }

  /** The current window. */
  get current(): WindowRecord | undefined {
    return this.#windows.get(this.#recent[0]!);
  }

  get last(): WindowRecord | undefined {
    return this.#windows.get(this.#recent[1]!);
  }

  /** The focused pane of the current window. */
  get focused(): PaneRecord | undefined {
    return this.current && this.#panes.get(this.current.active);
  }

  /** A new window with one pane for `session`; becomes current unless `background`. */
  create(spec: {
    session: SessionId;
    /** Given by a person; '' for none: then it is `program` until the focused program says otherwise. */
    name: string;
    program?: string;
    size: Size;
    background: boolean;
    index?: number;
  }): PaneRecord {
    const pane = this.#newPane(spec.session, this.#nextWindow as WindowId);
    this.#addWindow(single(pane.id, spec.size), pane, spec);
    return pane;
  }

  /** Splits `target`; 'no-space' where the new pane would not fit. The new pane is focused unless `background`. */
  split(
    target: PaneRecord,
    session: SessionId,
    axis: Axis,
    options: Placement & { background: boolean },
  ): PaneRecord | 'no-space' {
    const window = this.windowOf(target);
    const id = this.#nextPane;
    const tree = splitPane(window.tree, target.id, axis, id, options);
    if (tree === 'no-space') return tree;
    const pane = this.#newPane(session, window.id);
    window.zoomed = false;
    window.preset = undefined;
    setShape(window, tree);
    window.recent = [...window.recent, pane.id];
    if (!options.background) this.#touch(window, pane.id);
    this.#ports.changed();
    return pane;
  }

  /** Takes a pane out of its window; the last one takes the window with it. */
  remove(pane: PaneRecord): void {
    this.#panes.delete(pane.id);
    this.#detach(pane);
    this.#ports.changed();
  }

  /** Moves a pane into a window of its own. */
  breakOut(
    pane: PaneRecord,
    spec: { name: string; program?: string; background: boolean; index?: number },
  ): void {
    const from = this.windowOf(pane);
    if (paneIds(from.tree).length === 1) {
      if (spec.name) this.rename(from, spec.name);
      return;
    }
    this.#detach(pane);
    this.#addWindow(single(pane.id, from.size), pane, { ...spec, size: from.size });
  }

  /** Moves `source` beside `target`; 'no-space' where it does not fit (nothing is changed then). */
  join(
    source: PaneRecord,
    target: PaneRecord,
    axis: Axis,
    options: Placement & { background: boolean },
  ): 'no-space' | undefined {
    if (source === target)
      throw new CodedError('usage', `join-pane: pane %${source.id} cannot be joined to itself`);
    const to = this.windowOf(target);
    const from = this.windowOf(source);
    const base = from === to ? removePane(to.tree, source.id)! : to.tree;
    const tree = splitPane(base, target.id, axis, source.id, options);
    if (tree === 'no-space') return tree;
    if (from === to) {
      setShape(to, tree);
    } else {
      this.#detach(source);
      source.window = to.id;
      setShape(to, tree);
      to.recent = [...to.recent, source.id];
    }
    to.zoomed = false;
    to.preset = undefined;
    if (!options.background) this.focus(source);
    this.#ports.changed();
    return undefined;
  }

  /** Exchanges the places of two panes, also across windows. The focus stays with the place. */
  swap(a: PaneRecord, b: PaneRecord): void {
    if (a === b) return;
    const wa = this.windowOf(a);
    const wb = this.windowOf(b);
    setShape(wa, swap(wa.tree, a.id, b.id));
    if (wa !== wb) {
      setShape(wb, swap(wb.tree, a.id, b.id));
      const replace = (window: WindowRecord, from: PaneId, to: PaneId): void => {
        window.recent = window.recent.map(id => (id === from ? to : id));
        if (window.active === from) window.active = to;
      };
      replace(wa, a.id, b.id);
      replace(wb, b.id, a.id);
      a.window = wb.id;
      b.window = wa.id;
      wb.zoomed = false;
    }
    wa.zoomed = false;
    this.#ports.changed();
  }

  /** Makes a window current. */
  select(window: WindowRecord): void {
    if (this.#recent[0] === window.id) return;
    this.#recent = [window.id, ...this.#recent.filter(id => id !== window.id)];
    this.#ports.changed();
  }

  /** Makes a pane its window's active one. A zoomed window shows the newly focused pane unzoomed. */
  focus(pane: PaneRecord): void {
    const window = this.windowOf(pane);
    if (window.active === pane.id) return;
    window.zoomed = false;
    this.#touch(window, pane.id);
    this.#ports.changed();
  }

  toggleZoom(window: WindowRecord): void {
    if (paneIds(window.tree).length === 1) return;
    window.zoomed = !window.zoomed;
    this.#ports.changed();
  }

  /** Puts a changed tree in place; it must hold the same panes. */
  setTree(window: WindowRecord, tree: LayoutNode, preset?: Preset): void {
    setShape(window, tree);
    window.preset = preset;
    window.zoomed = false;
    this.#ports.changed();
  }

  resize(window: WindowRecord, size: Size): void {
    if (window.size.cols === size.cols && window.size.rows === size.rows) return;
    window.size = size;
    // From what a person shaped, not from what was shown: growing back then gives the same proportions.
    window.tree = resizeTree(window.shape, size);
    this.#ports.changed();
  }

  rename(window: WindowRecord, name: string): void {
    window.name = name;
    window.autoName = false;
    this.#ports.changed();
  }

  /** Sets a window's own value of synchronize-panes; undefined: that for all windows holds. */
  setSynchronized(window: WindowRecord, value: boolean | undefined): void {
    if (window.synchronized === value) return;
    window.synchronized = value;
    this.#ports.changed();
  }

  /** Gives a window a number that no other has. */
  renumber(window: WindowRecord, index: number): void {
    if (this.all().some(other => other !== window && other.index === index)) return;
    window.index = index;
    this.#ports.changed();
  }

  swapIndexes(a: WindowRecord, b: WindowRecord): void {
    [a.index, b.index] = [b.index, a.index];
    this.#ports.changed();
  }

  /** Numbers the windows without gaps, in their order. */
  closeUp(): void {
    this.#closeUp();
    this.#ports.changed();
  }

  /** Follows the focused program's name while nobody has given one. */
  setAutoName(window: WindowRecord, name: string): void {
    if (!window.autoName || window.name === name) return;
    window.name = name;
    this.#ports.changed();
  }

  setTitle(pane: PaneRecord, title: string): void {
    pane.title = title;
    this.#ports.changed();
  }

  /** Size of what a pane shows: the whole window while it is the zoomed one. */
  paneSize(pane: PaneRecord): Size {
    const window = this.windowOf(pane);
    if (window.zoomed && window.active === pane.id) return window.size;
    const rect = rects(window.tree).get(pane.id)!;
    return { cols: Math.max(1, rect.width), rows: Math.max(1, rect.height) };
  }

  /** Where a pane lies in its window's pane area. */
  place(pane: PaneRecord): Rect {
    const window = this.windowOf(pane);
    if (window.zoomed) return { x: 0, y: 0, width: window.size.cols, height: window.size.rows };
    return rects(window.tree).get(pane.id)!;
  }

  #newPane(session: SessionId, window: WindowId): PaneRecord {
    const pane: PaneRecord = { id: this.#nextPane++, session, window, title: '' };
    this.#panes.set(pane.id, pane);
    return pane;
  }

  #addWindow(
    tree: LayoutNode,
    pane: PaneRecord,
    spec: { name: string; program?: string; size: Size; background: boolean; index?: number },
  ): void {
    const id = this.#nextWindow++ as WindowId;
    pane.window = id;
    this.#windows.set(id, {
      id,
      index: spec.index ?? this.#freeIndex(),
      name: spec.name || (spec.program ?? ''),
      autoName: spec.name === '',
      tree,
      shape: tree,
      active: pane.id,
      recent: [pane.id],
      zoomed: false,
      size: spec.size,
      manualSize: false,
      preset: undefined,
      synchronized: undefined,
    });
    if (spec.background && this.#recent.length > 0) this.#recent.push(id);
    else this.#recent = [id, ...this.#recent];
    this.#ports.changed();
  }

  #closeUp(): void {
    for (const [n, window] of this.all().entries()) window.index = this.#ports.baseIndex() + n;
  }

  #freeIndex(): number {
    const used = new Set(this.all().map(window => window.index));
    let index = this.#ports.baseIndex();
    while (used.has(index)) index++;
    return index;
  }

  /** Takes a pane out of its window's tree without forgetting the pane. */
  #detach(pane: PaneRecord): void {
    const window = this.windowOf(pane);
    const tree = removePane(window.tree, pane.id);
    if (!tree) {
      this.#windows.delete(window.id);
      this.#recent = this.#recent.filter(id => id !== window.id);
      if (this.#ports.renumber()) this.#closeUp();
      return;
    }
    // What is left may fit a window that was too small for all.
    setShape(window, resizeTree(tree, window.size));
    window.recent = window.recent.filter(id => id !== pane.id);
    if (window.active === pane.id) {
      window.active = window.recent[0]!;
      window.zoomed = false;
    }
    if (paneIds(tree).length === 1) window.zoomed = false;
  }

  #touch(window: WindowRecord, pane: PaneId): void {
    window.active = pane;
    window.recent = [pane, ...window.recent.filter(id => id !== pane)];
  }
}

/** Puts a tree in place that a person shaped; what later sizes show is derived from it. */
function setShape(window: WindowRecord, tree: LayoutNode): void {
  window.tree = tree;
  window.shape = tree;
}
