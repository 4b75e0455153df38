/**
 * A menu where it was asked for: a small framed box with a row for each entry and its key at the right.
 */
import { clamp, type Rect, type Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { titleBox } from './list.ts';
import { cutLine, justify, lineWidth, run, scrollTo } from './lines.ts';
import type { Painting, PaintLine } from './paint.ts';
import type { Hit, MenuView } from './view.ts';

/** Wider ones hide what they are about. */
const MAX_COLS = 48;

/** Where the menu lies on a screen of `size`: its corner at the asked place, moved so that all of it is seen. */
export function menuRect(view: MenuView, size: Size): Rect {
  const widths = view.entries.map(entry =>
    entry ? lineWidth(left(entry.text)) + lineWidth(right(entry.key)) + 2 : 0,
  );
  const title = view.title === '' ? 0 : lineWidth([run(view.title)]) + 4;
  const width = clamp(Math.max(...widths, title) + 2, 1, Math.min(MAX_COLS, size.cols));
  const height = clamp(view.entries.length + 2, 1, size.rows);
  const x = view.at.x === 'center' ? Math.floor((size.cols - width) / 2) : view.at.x;
  const y = view.at.y === 'center' ? Math.floor((size.rows - height) / 2) : view.at.y;
  return { x: clamp(x, 0, size.cols - width), y: clamp(y, 0, size.rows - height), width, height };
}

const left = (text: string): StyledLine => [run(` ${text}`)];
const right = (key: string): StyledLine => (key === '' ? [] : [run(`${key} `, 'accent')]);

/** The menu on a screen of `size`. */
export function menuPainting(view: MenuView, size: Size): Painting {
  const rect = menuRect(view, size);
  const cols = Math.max(0, rect.width - 2);
  const rows = Math.max(0, rect.height - 2);
  const first = scrollTo(view.selected, view.entries.length, rows);
  const lines = view.entries.slice(first, first + rows).map((entry, row): PaintLine => {
    if (!entry) return { runs: [{ text: '─'.repeat(cols), role: 'border' }] };
    if (!entry.isEnabled) return { runs: cutLine([run(` ${entry.text}`, 'dim')], cols) };
    const runs = justify(left(entry.text), right(entry.key), cols);
    return first + row === view.selected ? { runs, fill: 'selection' } : { runs };
  });
  const hit = (x: number, y: number): Hit => {
    const isInside = x > 0 && x < rect.width - 1 && y > 0 && y <= lines.length;
    return isInside ? { type: 'overlay-item', index: first + y - 1 } : { type: 'overlay' };
  };
  const box = { rect, fill: 'bg', lines, frame: 'border-focus', hit } as const;
  const title = view.title === '' ? [] : [titleBox(rect, view.title, () => ({ type: 'overlay' }))];
  return { boxes: [box, ...title], caret: undefined };
}
