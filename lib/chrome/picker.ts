/**
 * A floating list with a filter line.
 */
import type { Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { filterLine, floatingRect, inside, listLines, titleBox } from './list.ts';
import { cutLine, run } from './lines.ts';
import type { Box, Painting, PaintLine } from './paint.ts';
import type { Hit, PickerView } from './view.ts';

/** Largest floating box: a list wider or higher is not taken in at a glance. */
const MAX: Size = { cols: 80, rows: 20 };

/** The picker on a screen of `size`. Its height follows the number of all items, so filtering does not move it. */
export function pickerPainting(view: PickerView, size: Size): Painting {
  const count = Math.max(view.total, view.items.length, 1);
  const rect = floatingRect(size, MAX.cols, Math.min(MAX.rows, count + 4));
  const inner = inside(rect);
  const hintRows = view.hint !== '' && inner.height >= 4 ? 1 : 0;
  const height = Math.max(0, inner.height - 1 - hintRows);
  const note = view.items.length === view.total ? `${view.total}` : `${view.items.length}/${view.total}`;
  const filter = filterLine({ label: ' > ', text: view.filter, caret: view.caret }, note, inner.width);
  const list = listLines(view.items, view.selected, inner.width, height);
  const lines: PaintLine[] = [filter.line, ...list.lines];
  if (view.items.length === 0) lines.push({ runs: cutLine([run(`  ${view.empty}`, 'dim')], inner.width) });
  if (hintRows > 0) {
    while (lines.length < inner.height - 1) lines.push({ runs: [] });
    lines.push({ runs: hintRuns(view.hint, inner.width) });
  }
  const hit = (x: number, y: number): Hit => {
    const row = y - 2;
    const isInside = x > 0 && x < rect.width - 1 && row >= 0 && row < list.lines.length;
    return isInside ? { type: 'overlay-item', index: list.first + row } : { type: 'overlay' };
  };
  const box: Box = { rect, fill: 'bg', lines, frame: 'border-focus', hit };
  return {
    boxes: [box, titleBox(rect, view.title, () => ({ type: 'overlay' }))],
    caret: { x: inner.x + filter.caretX, y: inner.y },
  };
}

function hintRuns(hint: string, cols: number): StyledLine {
  return cutLine([run(` ${hint}`, 'dim')], cols);
}
