/**
 * tmux's five arrangements (select-layout) and even spreading.
 */
import type { Size } from '../base/geometry.ts';
import { adjust, fitNode, minimum, resizeTree, share } from './fit.ts';
import { pathTo, rebuild } from './path.ts';
import { extent, join, single } from './tree.ts';
import { PRESETS } from './types.ts';
import type { Axis, LayoutNode, LayoutSplit, PaneId, Preset } from './types.ts';

/** A size in cells, or in percent of the window without the border. */
export type MainSize = { readonly cells: number } | { readonly percent: number };

/** Sizes of the main pane: tmux's options main-pane-width and main-pane-height. */
export interface PresetOptions {
  readonly mainCols?: MainSize;
  readonly mainRows?: MainSize;
}

/** tmux's defaults: a terminal of the classic size. */
const MAIN: Readonly<Record<Axis, MainSize>> = { h: { cells: 80 }, v: { cells: 24 } };

type Arrange = (ids: readonly PaneId[], size: Size, options: PresetOptions) => LayoutNode;

const ARRANGE: Readonly<Record<Preset, Arrange>> = {
  'even-horizontal': (ids, size) => even('h', ids, size),
  'even-vertical': (ids, size) => even('v', ids, size),
  'main-horizontal': (ids, size, options) => main('v', ids, size, options.mainRows ?? MAIN.v),
  'main-vertical': (ids, size, options) => main('h', ids, size, options.mainCols ?? MAIN.h),
  tiled,
};

/**
 * The panes `ids` arranged in a window of `size`. Where the window is too small for them the tree is as small as it can
 * be (see `resizeTree`). No ids is a broken invariant and throws.
 */
export function preset(
  name: Preset,
  ids: readonly PaneId[],
  size: Size,
  options: PresetOptions = {},
): LayoutNode {
  const first = ids[0];
  if (first === undefined) throw new Error('a layout needs panes');
  if (ids.length === 1) return single(first, size);
  return resizeTree(ARRANGE[name](ids, size, options), size);
}

/** The arrangement after `current`; the first one where none is in force. */
export function nextPreset(current: Preset | undefined): Preset {
  const index = current === undefined ? -1 : PRESETS.indexOf(current);
  return PRESETS[(index + 1) % PRESETS.length]!;
}

/** The arrangement before `current`; the last one where none is in force. */
export function previousPreset(current: Preset | undefined): Preset {
  const index = current === undefined ? 0 : PRESETS.indexOf(current);
  return PRESETS.at(index - 1)!;
}

/**
 * tmux's select-layout -E: pane `id` and its neighbours in the same split get sizes that differ by at most a cell; where
 * they have them already, the split around that is tried, and so on outwards.
 */
export function spreadEvenly(tree: LayoutNode, id: PaneId): LayoutNode {
  const path = pathTo(tree, id) ?? [];
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const { split } = path[depth]!;
    const spread = spreadChildren(split);
    if (spread.children.some((child, i) => child !== split.children[i]))
      return rebuild(path.slice(0, depth), spread);
  }
  return tree;
}

/** The same split with children of equal size; the first ones get the cells that are left over. */
function spreadChildren(split: LayoutSplit): LayoutSplit {
  const { axis, children } = split;
  const sizes = share(
    extent(split, axis) - (children.length - 1),
    children.map(() => 1),
    children.map(child => minimum(child, axis)),
  );
  return { ...split, children: children.map((child, i) => fitNode(child, axis, sizes[i]!)) };
}

/** A row or column of equal panes; larger than `size` where they need it. */
function even(axis: Axis, ids: readonly PaneId[], size: Size): LayoutNode {
  const tiny = join(
    axis,
    ids.map(id => single(id, { cols: 1, rows: 1 })),
  );
  const fitted = resizeTree(tiny, size);
  return fitted.type === 'split' ? spreadChildren(fitted) : fitted;
}

/** A main pane first along `axis`, the others in a row across behind it. */
function main(axis: Axis, ids: readonly PaneId[], size: Size, wanted: MainSize): LayoutNode {
  const room = Math.max(2, (axis === 'h' ? size.cols : size.rows) - 1);
  const cells = 'cells' in wanted ? wanted.cells : Math.floor((room * wanted.percent) / 100);
  const mainSize = Math.max(1, Math.min(room - 1, Math.trunc(cells) || 1));
  const part = (along: number): Size =>
    axis === 'h' ? { cols: along, rows: size.rows } : { cols: size.cols, rows: along };
  const others = even(axis === 'h' ? 'v' : 'h', ids.slice(1), part(room - mainSize));
  // The others may have needed more room across than the window has: the main pane follows them.
  const cross = axis === 'h' ? others.rows : others.cols;
  const first = single(
    ids[0]!,
    axis === 'h' ? { cols: mainSize, rows: cross } : { cols: cross, rows: mainSize },
  );
  return join(axis, [first, others]);
}

/** A grid of equal cells filled row by row; the last of a row and the last row take what is left over. */
function tiled(ids: readonly PaneId[], size: Size): LayoutNode {
  let rows = 1;
  let columns = 1;
  while (rows * columns < ids.length) {
    rows++;
    if (rows * columns < ids.length) columns++;
  }
  const width = Math.max(1, Math.floor((size.cols - (columns - 1)) / columns));
  const height = Math.max(1, Math.floor((size.rows - (rows - 1)) / rows));
  const fullWidth = Math.max(size.cols, (width + 1) * columns - 1);
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = ids
      .slice(row * columns, (row + 1) * columns)
      .map(id => single(id, { cols: width, rows: height }));
    const used = cells.length * (width + 1) - 1;
    const last = cells.at(-1)!;
    return join('h', [...cells.slice(0, -1), adjust(last, 'h', fullWidth - used)]);
  });
  const used = rows * (height + 1) - 1;
  return join('v', [...lines.slice(0, -1), adjust(lines.at(-1)!, 'v', Math.max(0, size.rows - used))]);
}
