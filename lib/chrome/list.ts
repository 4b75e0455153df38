/**
 * The parts floating boxes and browsers share: where a box goes, list rows, the filter line.
 */
import { clamp, type Rect, type Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { clean, cutLine, editLine, justify, lineWidth, run, scrollTo } from './lines.ts';
import { rowBox, type Box, type PaintLine } from './paint.ts';

/** A row of a list: its text, and a dim note at the right edge. */
export interface ListItem {
  readonly line: StyledLine;
  readonly note: string;
}

/** A box of at most `width`×`height` cells, centred, its middle in the upper third where it can be. */
export function floatingRect(size: Size, width: number, height: number): Rect {
  const w = clamp(width, 1, size.cols >= 40 ? size.cols - 4 : size.cols);
  const h = clamp(height, 1, size.rows >= 12 ? size.rows - 3 : size.rows);
  return {
    x: Math.floor((size.cols - w) / 2),
    y: Math.max(Math.min(2, size.rows - h), Math.floor((size.rows - h) / 3)),
    width: w,
    height: h,
  };
}

/** The rows of a list that fit, the selected one marked and among them. `first` is the index of the top row. */
export function listLines(
  items: readonly ListItem[],
  selected: number,
  cols: number,
  height: number,
): { readonly lines: readonly PaintLine[]; readonly first: number } {
  const first = scrollTo(selected, items.length, height);
  const lines = items.slice(first, first + height).map((item, i): PaintLine => {
    const isSelected = first + i === selected;
    const note: StyledLine = item.note === '' ? [] : [run(`${item.note} `, 'dim')];
    const text = [{ text: isSelected ? '▸ ' : '  ' }, ...clean(item.line)];
    const runs = justify(text, note, cols);
    return isSelected ? { runs, fill: 'selection' } : { runs };
  });
  return { lines, first };
}

/** A line with a text being edited; `caretX` is the caret’s column in it. */
export interface FilterLine {
  readonly line: PaintLine;
  readonly caretX: number;
}

/** `label text        3/17`, with the caret's column. */
export function filterLine(
  field: { readonly label: string; readonly text: string; readonly caret: number },
  note: string,
  cols: number,
): FilterLine {
  const label = run(field.label, 'accent');
  const right: StyledLine = note === '' ? [] : [run(`${note} `, 'dim')];
  const labelWidth = lineWidth([label]);
  const noteWidth = lineWidth(right);
  // A text needs at least eight cells to be edited; the note gives way first.
  const showNote = noteWidth > 0 && cols - labelWidth - noteWidth >= 9;
  const room = Math.max(1, cols - labelWidth - (showNote ? noteWidth + 1 : 0));
  const edit = editLine(field.text, field.caret, room);
  return {
    line: { runs: justify([label, { text: edit.text }], showNote ? right : [], cols) },
    caretX: Math.min(cols - 1, labelWidth + edit.caretX),
  };
}

/** The title of a framed box, written over its top border. */
export function titleBox(rect: Rect, title: string, hit: NonNullable<Box['hit']>): Box {
  const line = cutLine([run(` ${title} `, 'header', { bold: true })], Math.max(0, rect.width - 4));
  return { ...rowBox(rect.x + 2, rect.y, lineWidth(line), line), hit };
}

/** What fits inside a frame. */
export function inside(rect: Rect): Rect {
  return {
    x: rect.x + 1,
    y: rect.y + 1,
    width: Math.max(0, rect.width - 2),
    height: Math.max(0, rect.height - 2),
  };
}
