/**
 * The split tree of a window, in tmux's words. Immutable: every operation returns a new tree.
 *
 * A tree fills a window of `cols`×`rows` cells exactly. Children of a split stand side by side ('h': left to right)
 * or above each other ('v': top to bottom) with one cell of border between neighbours, so that along the split's axis
 * the children's sizes plus (n - 1) borders equal its own. No pane is smaller than 1×1.
 */

/** Pane number, unique in a server: `%N`. */
export type PaneId = number;

/** Direction of a split: 'h' puts children side by side, 'v' above each other (tmux's split-window -h and -v). */
export type Axis = 'h' | 'v';

export interface LayoutPane {
  readonly type: 'pane';
  readonly id: PaneId;
  readonly cols: number;
  readonly rows: number;
}

export interface LayoutSplit {
  readonly type: 'split';
  readonly axis: Axis;
  readonly cols: number;
  readonly rows: number;
  /** Two or more; no child is a split of the same axis. */
  readonly children: readonly LayoutNode[];
}

export type LayoutNode = LayoutPane | LayoutSplit;

export type Direction = 'left' | 'right' | 'up' | 'down';

export const PRESETS = [
  'even-horizontal',
  'even-vertical',
  'main-horizontal',
  'main-vertical',
  'tiled',
] as const;
export type Preset = (typeof PRESETS)[number];
