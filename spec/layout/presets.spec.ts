import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { formatLayout, parseLayout } from '../../lib/layout/codec.ts';
import { nextPreset, preset, previousPreset, spreadEvenly } from '../../lib/layout/presets.ts';
import { rects } from '../../lib/layout/query.ts';
import { resizePane } from '../../lib/layout/resize.ts';
import { paneIds } from '../../lib/layout/tree.ts';
import { PRESETS } from '../../lib/layout/types.ts';
import type { Preset } from '../../lib/layout/types.ts';
import { assertSound, size } from './arbitrary.ts';

const test = suite('layout presets');

const SIZE = { cols: 83, rows: 29 };

test('arrangements have the geometry of tmux 3.3a', () => {
  const cases: readonly (readonly [Preset, string])[] = [
    ['even-horizontal', '602b,83x29,0,0{41x29,0,0,0,41x29,42,0,1}'],
    ['even-vertical', '5ff9,83x29,0,0[83x9,0,0,0,83x9,0,10,1,83x9,0,20,2]'],
    ['main-horizontal', '608a,83x29,0,0[83x24,0,0,0,83x4,0,25,1]'],
    ['main-vertical', '572a,83x29,0,0{80x29,0,0,0,2x29,81,0,1}'],
    ['tiled', 'ab0b,83x29,0,0[83x14,0,0,0,83x14,0,15,1]'],
    ['main-horizontal', 'f474,83x29,0,0[83x24,0,0,0,83x4,0,25{41x4,0,25,1,41x4,42,25,2}]'],
    ['main-vertical', '39f8,83x29,0,0{80x29,0,0,0,2x29,81,0[2x14,81,0,1,2x14,81,15,2]}'],
    ['tiled', 'f066,83x29,0,0[83x14,0,0{41x14,0,0,0,41x14,42,0,1},83x14,0,15,2]'],
    [
      'tiled',
      '8e93,83x29,0,0[83x9,0,0{41x9,0,0,0,41x9,42,0,1},83x9,0,10{41x9,0,10,2,41x9,42,10,3},83x9,0,20,4]',
    ],
  ];
  for (const [name, text] of cases) {
    assert.is(formatLayout(preset(name, paneIds(parseLayout(text)), SIZE)), text);
  }
});

test('the main pane has the size asked for', () => {
  const rows = preset('main-horizontal', [0, 1, 2], SIZE, { mainRows: { cells: 10 } });
  assert.is(rects(rows).get(0)!.height, 10);
  const cols = preset('main-vertical', [0, 1, 2], SIZE, { mainCols: { percent: 50 } });
  assert.is(rects(cols).get(0)!.width, 41);
});

test('equal panes differ by at most one cell', () => {
  const widths = [...rects(preset('even-horizontal', [0, 1, 2, 3, 4], SIZE)).values()].map(r => r.width);
  assert.equal(widths, [16, 16, 16, 16, 15]);
});

test('every arrangement fills every window with any number of panes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PRESETS), fc.integer({ min: 1, max: 30 }), size, (name, n, s) => {
      const ids = Array.from({ length: n }, (_, i) => i);
      const node = preset(name, ids, s);
      assertSound(node);
      assert.equal(paneIds(node), ids);
      if (s.cols > 70 && s.rows > 70) assert.equal([node.cols, node.rows], [s.cols, s.rows]);
    }),
    { numRuns: 150 },
  );
});

test('spreading evens out the row a pane stands in, then the one around it', () => {
  const uneven = resizePane(preset('even-horizontal', [0, 1, 2], SIZE), 0, 'right', 9);
  const spread = spreadEvenly(uneven, 1);
  assert.equal(
    [...rects(spread).values()].map(r => r.width),
    [27, 27, 27],
  );
  assert.is(spreadEvenly(spread, 1), spread);
  const main = preset('main-horizontal', [0, 1, 2], SIZE);
  assert.equal(
    [...rects(spreadEvenly(main, 1)).values()].map(r => r.height),
    [14, 14, 14],
  );
});

test('arrangements follow each other round', () => {
  assert.is(nextPreset(undefined), 'even-horizontal');
  assert.is(nextPreset('even-horizontal'), 'even-vertical');
  assert.is(nextPreset('tiled'), 'even-horizontal');
  assert.is(previousPreset(undefined), 'tiled');
  assert.is(previousPreset('even-horizontal'), 'tiled');
  assert.is(previousPreset('tiled'), 'main-vertical');
});

test.run();
