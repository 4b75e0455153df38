import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { sidebarBox } from '../../lib/chrome/sidebar.ts';
import type { SidebarView } from '../../lib/chrome/view.ts';
import { sampleView } from './views.ts';

const test = suite('chrome/sidebar');
const view = sampleView({ cols: 100, rows: 30 }).sidebar!;
const RECT = { x: 0, y: 1, width: 24, height: 12 };

function draw(change: Partial<SidebarView> = {}, height = 12): string[] {
  return sidebarBox({ ...view, ...change }, { ...RECT, height }).lines.map(line =>
    plain(line.runs).trimEnd(),
  );
}

test('rows are indented by depth, with notes at the right edge', () => {
  const lines = draw();
  assert.is(lines[0], ' GRAPH  harbor');
  assert.is(lines[1], ' ▾ Roles              2');
  assert.is(lines[3], '  ! bad.role.md:3');
  assert.is(lines[4], ' ▸ Lores             17');
  assert.is(lines[6], '    ◆ review        12s');
});

test('names too wide are cut by cells, the note stays', () => {
  const rows = [{ id: 'x', kind: 'item' as const, text: '港口泊位管理系统设计', note: '12', depth: 1 }];
  assert.is(draw({ rows })[1], '    港口泊位管理系…  12');
});

test('the selected row is marked only while the sidebar has the keyboard, and its section is bold', () => {
  const fills = (focused: boolean): unknown[] =>
    sidebarBox({ ...view, focused }, RECT).lines.map(line => line.fill);
  assert.equal(fills(false).filter(Boolean), []);
  assert.is(fills(true)[6], 'selection');
  const bold = sidebarBox({ ...view, focused: true }, RECT).lines.flatMap(line =>
    line.runs.filter(run => run.bold),
  );
  assert.equal(
    bold.map(run => run.text.trim()),
    ['GRAPH', 'Sessions'],
  );
});

test('the selected row is always among those shown, and what is below is counted', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    id: `r${i}`,
    kind: 'item' as const,
    text: `row ${i}`,
    note: '',
    depth: 1,
  }));
  for (let i = 0; i < 40; i++) {
    const lines = draw({ rows, selected: `r${i}` }, 9);
    assert.is(lines.length, 9);
    assert.ok(
      lines.some(line => line.trim() === `row ${i}`),
      `${i}`,
    );
  }
  assert.is(draw({ rows, selected: 'r0' }, 9).at(-1), '   ↓ 33 more');
});

test('a click finds the row', () => {
  const box = sidebarBox(view, RECT);
  assert.equal(box.hit!(3, 6), { type: 'sidebar', id: 's1' });
  assert.equal(box.hit!(3, 0), { type: 'none' });
  assert.equal(box.hit!(3, 11), { type: 'none' });
});

test.run();
