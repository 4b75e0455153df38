/**
 * Key help: groups of keys in two columns.
 */
import { clamp, type Rect, type Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { filterLine, floatingRect, inside, titleBox } from './list.ts';
import { cutLine, justify, lineWidth, run } from './lines.ts';
import type { Painting, PaintLine } from './paint.ts';
import type { HelpView, Hit } from './view.ts';

/** Wider than this, a key and its text are too far apart from the other column's. */
const MAX_COLS = 110;
/** Two columns of less than 34 cells cut most texts. */
const TWO_COLUMNS_FROM = 90;
/** Lines of help that are laid out; the whole key table has about 200. */
const MAX_LINES = 2000;

/** Help as laid out on a screen. */
interface Layout {
  readonly rect: Rect;
  readonly inner: Rect;
  readonly columns: 1 | 2;
  /** Cells of a column. */
  readonly width: number;
  readonly left: readonly StyledLine[];
  readonly right: readonly StyledLine[];
  /** Rows of text: of all, and that are seen at once. */
  readonly total: number;
  readonly height: number;
}

function layOut(view: HelpView, size: Size): Layout {
  const rect = floatingRect(size, MAX_COLS, size.rows);
  const inner = inside(rect);
  const columns = inner.width >= TWO_COLUMNS_FROM ? 2 : 1;
  const width = Math.floor((inner.width - 2 * (columns - 1)) / columns);
  const [left, right] = columnLines(view, width, columns);
  const total = Math.max(left.length, right.length);
  return { rect, inner, columns, width, left, right, total, height: Math.max(0, inner.height - 1) };
}

/** Rows that help takes on a screen of `size`, and how many of them are seen at once: what scrolling goes by. */
export function helpExtent(view: HelpView, size: Size): { readonly rows: number; readonly height: number } {
  const { total, height } = layOut(view, size);
  return { rows: height, height: total };
}

/** The help box on a screen of `size`. */
export function helpPainting(view: HelpView, size: Size): Painting {
  const { rect, inner, columns, width, left, right, total, height } = layOut(view, size);
  const first = clamp(view.scroll, 0, Math.max(0, total - height));
  const filter = filterLine(
    { label: ' > ', text: view.filter, caret: view.caret },
    scrollNote(first, height, total),
    inner.width,
  );
  const lines: PaintLine[] = [filter.line];
  for (let y = first; y < Math.min(total, first + height); y++) {
    const start = left[y] ?? [];
    const gap = ' '.repeat(Math.max(0, width + 2 - lineWidth(start)));
    lines.push({ runs: columns === 1 ? start : [...start, { text: gap }, ...(right[y] ?? [])] });
  }
  if (total === 0) lines.push({ runs: [{ text: '  no key matches; Esc clears the filter', role: 'dim' }] });
  const hit = (): Hit => ({ type: 'overlay' });
  return {
    boxes: [{ rect, fill: 'bg', lines, frame: 'border-focus', hit }, titleBox(rect, 'Keys', hit)],
    caret: { x: inner.x + filter.caretX, y: inner.y },
  };
}

function scrollNote(first: number, height: number, total: number): string {
  return total <= height ? '' : `${first + 1}–${Math.min(total, first + height)} of ${total}`;
}

/** All groups as lines, whole groups to the left until it holds half of them. */
function columnLines(view: HelpView, width: number, columns: number): [StyledLine[], StyledLine[]] {
  const groups = view.groups.map(group => groupLines(group, width));
  const all = Math.min(
    MAX_LINES,
    groups.reduce((sum, lines) => sum + lines.length, 0),
  );
  const left: StyledLine[] = [];
  const right: StyledLine[] = [];
  for (const lines of groups) {
    const isLeft = columns === 1 || (right.length === 0 && left.length + lines.length / 2 <= all / 2);
    const column = isLeft || left.length === 0 ? left : right;
    column.push(...lines.slice(0, MAX_LINES - column.length));
  }
  return [left, right];
}

function groupLines(group: HelpView['groups'][number], width: number): StyledLine[] {
  const keyWidth = Math.min(18, Math.max(0, ...group.keys.map(key => lineWidth([run(key.key)]))) + 2);
  const lines: StyledLine[] = [cutLine([run(` ${group.title}`, 'header', { bold: true })], width)];
  for (const { key, text } of group.keys.slice(0, MAX_LINES)) {
    const keys = justify([{ text: '  ' }, run(key, 'accent')], [], keyWidth + 2);
    const pad = ' '.repeat(Math.max(1, keyWidth + 2 - lineWidth(keys)));
    lines.push(cutLine([...keys, { text: pad }, run(text)], width));
  }
  lines.push([]);
  return lines;
}
