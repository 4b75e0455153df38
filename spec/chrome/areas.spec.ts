import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import type { Rect } from '../../lib/base/geometry.ts';
import { areas, sidebarPlace } from '../../lib/chrome/areas.ts';

const test = suite('chrome/areas');

test('a full screen has tabs, headers, panes and hints from top to bottom, the sidebar at the left', () => {
  const laid = areas({ cols: 120, rows: 36 }, { sidebarWidth: 28, sidebarOverlay: false, bottomRow: true });
  assert.equal(laid.top, { x: 0, y: 0, width: 120, height: 1 });
  assert.equal(laid.sidebar, { x: 0, y: 1, width: 28, height: 34 });
  assert.equal(laid.header, { x: 29, y: 1, width: 91, height: 1 });
  assert.equal(laid.panes, { x: 29, y: 2, width: 91, height: 33 });
  assert.equal(laid.bottom, { x: 0, y: 35, width: 120, height: 1 });
});

test('without hints the pane area is a row taller, and an overlaid sidebar takes nothing from it', () => {
  const laid = areas({ cols: 50, rows: 18 }, { sidebarWidth: 24, sidebarOverlay: true, bottomRow: false });
  assert.equal(laid.panes, { x: 0, y: 2, width: 50, height: 16 });
  assert.equal(laid.sidebar, { x: 0, y: 1, width: 24, height: 17 });
  assert.is(laid.bottom.height, 0);
});

test('the parts cover any screen once, however small', () => {
  const inside = (r: Rect, cols: number, rows: number): boolean =>
    r.x >= 0 && r.y >= 0 && r.width >= 0 && r.height >= 0 && r.x + r.width <= cols && r.y + r.height <= rows;
  fc.assert(
    fc.property(fc.nat(200), fc.nat(60), fc.nat(250), fc.boolean(), (cols, rows, sidebarWidth, bottomRow) => {
      const laid = areas({ cols, rows }, { sidebarWidth, sidebarOverlay: false, bottomRow });
      let cells = 0;
      for (const rect of Object.values(laid)) {
        assert.ok(inside(rect, cols, rows), JSON.stringify(rect));
        cells += rect.width * rect.height;
      }
      // The sidebar's border column belongs to no part.
      assert.is(cells, cols * rows - (laid.sidebar.width > 0 ? laid.sidebar.height : 0));
    }),
  );
});

test('the sidebar hides below 100 columns unless asked for, and lies over the panes on 60 and less', () => {
  assert.equal(
    [120, 100, 99, 60].map(cols => sidebarPlace(cols, false)),
    ['beside', 'beside', 'hidden', 'hidden'],
  );
  assert.equal(
    [120, 99, 61, 60, 20].map(cols => sidebarPlace(cols, true)),
    ['beside', 'beside', 'beside', 'over', 'over'],
  );
});

test.run();
