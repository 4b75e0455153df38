import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rect } from '../../lib/base/geometry.ts';
import { borderBoxes, borderGrid, borderHit, type ShownPane } from '../../lib/chrome/borders.ts';
import { JUNCTIONS } from '../../lib/chrome/glyphs.ts';
import { NOTHING } from '../../lib/chrome/paint.ts';

const test = suite('chrome/borders');
const AREA: Rect = { x: 1, y: 1, width: 7, height: 5 };

function shown(
  ...rects: readonly (readonly [x: number, y: number, width: number, height: number])[]
): ShownPane[] {
  return rects.map(([x, y, width, height], i) => ({
    id: i + 1,
    rect: { x: AREA.x + x, y: AREA.y + y, width, height },
    focused: false,
  }));
}

/** The grid as text: the header row first, the sidebar's column at the left. */
function draw(panes: readonly ShownPane[], sidebar = false): string[] {
  const grid = borderGrid(panes, { area: AREA, sidebar });
  const text = [...grid.cells].map(cell => JUNCTIONS[cell & 15]).join('');
  return Array.from({ length: grid.rows }, (_, y) => text.slice(y * grid.cols, (y + 1) * grid.cols));
}

test('every set of joined directions has its sign', () => {
  const table: Readonly<Record<string, readonly string[]>> = {
    '│': ['U', 'D', 'UD'],
    '─': ['L', 'R', 'LR'],
    '┘': ['UL'],
    '└': ['UR'],
    '┐': ['DL'],
    '┌': ['DR'],
    '┤': ['UDL'],
    '├': ['UDR'],
    '┴': ['ULR'],
    '┬': ['DLR'],
    '┼': ['UDLR'],
  };
  for (const [sign, sets] of Object.entries(table)) {
    for (const set of sets) {
      const bits = [...set].reduce((sum, direction) => sum + (1 << 'UDLR'.indexOf(direction)), 0);
      assert.is(JUNCTIONS[bits], sign, set);
    }
  }
});

test('two panes side by side share one line that hangs from the header row', () => {
  assert.equal(draw(shown([0, 0, 3, 5], [4, 0, 3, 5])), [
    ' ───┬───',
    '    │   ',
    '    │   ',
    '    │   ',
    '    │   ',
    '    │   ',
  ]);
});

test('four panes meet in a cross, three in a tee', () => {
  assert.is(draw(shown([0, 0, 3, 2], [4, 0, 3, 2], [0, 3, 3, 2], [4, 3, 3, 2]))[3], ' ───┼───');
  assert.is(draw(shown([0, 0, 3, 5], [4, 0, 3, 2], [4, 3, 3, 2]))[3], '    ├───');
  assert.is(draw(shown([0, 0, 3, 2], [4, 0, 3, 5], [0, 3, 3, 2]))[3], ' ───┤   ');
  assert.is(draw(shown([0, 0, 7, 2], [0, 3, 3, 2], [4, 3, 3, 2]))[3], ' ───┬───');
  assert.is(draw(shown([0, 0, 3, 2], [4, 0, 3, 2], [0, 3, 7, 2]))[3], ' ───┴───');
});

test('lines join the border of a sidebar', () => {
  assert.equal(draw(shown([0, 0, 7, 2], [0, 3, 7, 2]), true), [
    '┌───────',
    '│       ',
    '│       ',
    '├───────',
    '│       ',
    '│       ',
  ]);
});

test('a window smaller than its area is closed at the right and below', () => {
  assert.equal(draw(shown([0, 0, 4, 3])), [
    ' ────┐  ',
    '     │  ',
    '     │  ',
    '     │  ',
    ' ────┘  ',
    '        ',
  ]);
});

test('boxes hold every line cell once, with the focused frame in its own role', () => {
  const panes = shown([0, 0, 3, 5], [4, 0, 3, 2], [4, 3, 3, 2]).map((pane, i) => ({
    ...pane,
    focused: i === 0,
  }));
  const grid = borderGrid(panes, { area: AREA, sidebar: true });
  const boxes = borderBoxes(grid, () => NOTHING);
  const cells = boxes.reduce((sum, { rect }) => sum + rect.width * rect.height, 0);
  assert.is(cells, grid.cells.filter(cell => cell !== 0).length);
  const roles = new Set(boxes.flatMap(box => box.pattern?.role ?? box.lines[0]!.runs.map(run => run.role)));
  assert.equal([...roles].sort(), ['border', 'border-focus']);
});

test('a border moves the pane left of it or above it; the header row and the sidebar answer for themselves', () => {
  const panes = shown([0, 0, 3, 5], [4, 0, 3, 2], [4, 3, 3, 2]);
  const at = (x: number, y: number): unknown =>
    borderHit(panes, { area: AREA, sidebar: true }, AREA.x + x, AREA.y + y);
  assert.equal(at(3, 1), { type: 'border', pane: 1, axis: 'x' });
  assert.equal(at(3, 2), { type: 'border', pane: 1, axis: 'x' });
  assert.equal(at(5, 2), { type: 'border', pane: 2, axis: 'y' });
  assert.equal(at(3, -1), { type: 'border', pane: 1, axis: 'x' });
  assert.equal(at(5, -1), { type: 'header', pane: 2 });
  assert.equal(at(-1, 2), { type: 'sidebar-border' });
});

test.run();
