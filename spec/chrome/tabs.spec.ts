import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { hitTest } from '../../lib/chrome/paint.ts';
import { topRow } from '../../lib/chrome/tabs.ts';
import type { StatusView, TabView } from '../../lib/chrome/view.ts';
import { sampleView } from './views.ts';

const test = suite('chrome/tabs');
const { status } = sampleView({ cols: 80, rows: 24 });

function tabs(count: number, active: number): TabView[] {
  return Array.from({ length: count }, (_, i) => ({
    index: i + 1,
    name: `win${i + 1}`,
    active: i === active,
    state: 'ready',
    zoomed: false,
    synchronized: false,
  }));
}

/** The row as text: later boxes over earlier ones. */
function draw(list: readonly TabView[], cols: number, change: Partial<StatusView> = {}): string {
  const cells: string[] = [];
  for (const box of topRow(list, { ...status, ...change }, cols)) {
    cells.splice(box.rect.x, box.rect.width, ...plain(box.lines[0]!.runs));
  }
  return cells.join('');
}

test('tabs stand at the left, the status at the right', () => {
  assert.is(draw(tabs(2, 0), 64), ' 1 win1 ○ │ 2 win2 ○               harbor  ⎇ main  ◆1 ●1  09:41 ');
});

test('parts of the status go from the left as room runs short, its mark last', () => {
  const parts = [60, 42, 32, 27, 18].map(cols =>
    draw(tabs(1, 0), cols, { mark: 'READ-ONLY' }).slice(11).trim(),
  );
  assert.equal(parts, [
    'harbor  ⎇ main  ◆1 ●1  09:41  READ-ONLY',
    '◆1 ●1  09:41  READ-ONLY',
    '09:41  READ-ONLY',
    'READ-ONLY',
    '',
  ]);
});

test('the focused tab is always visible, with marks where there are more', () => {
  for (const cols of [20, 24, 40, 80, 120]) {
    for (const active of [0, 7, 19]) {
      const row = draw(tabs(20, active), cols);
      assert.match(row, ` ${active + 1} win`, `${cols} ${active}`);
      assert.is(row.startsWith('‹'), active > 0, row);
      assert.is(row.includes('›'), active < 19, row);
    }
  }
});

test('a click on a tab or a mark says which tab it means', () => {
  const boxes = topRow(tabs(20, 7), { ...status, graphTitle: '' }, 60);
  const at = (x: number): unknown => hitTest(boxes, { x, y: 0 });
  const first = at(0) as { type: string; index: number };
  assert.is(first.type, 'tab');
  assert.equal(at(2), { type: 'tab', index: first.index + 1 });
  assert.equal(at(59), { type: 'none' });
});

test('the state of a tab is a sign, the zoom a letter', () => {
  const [tab] = tabs(1, 0);
  assert.match(draw([{ ...tab!, state: 'needs-you', zoomed: true }], 60), ' 1 win1 Z ◆ ');
  assert.is(draw([], 60).trim().slice(0, 6), 'harbor');
});

test('progress stands behind the state, its kind readable without colour', () => {
  const [tab] = tabs(1, 0);
  const drawn = (state: 'normal' | 'error' | 'unknown' | 'paused'): string =>
    draw([{ ...tab!, progress: { state, percent: 45 } }], 60)
      .trim()
      .split('  ')[0]!;
  assert.equal((['normal', 'unknown', 'paused', 'error'] as const).map(drawn), [
    '1 win1 ○ 45%',
    '1 win1 ○ …',
    '1 win1 ○ 45%=',
    '1 win1 ○ 45%!',
  ]);
});

test.run();
