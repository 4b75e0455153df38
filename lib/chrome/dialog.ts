/**
 * A floating question: lines of text, perhaps a line to enter, a hint with the keys.
 */
import { clamp, type Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { filterLine, floatingRect, inside, titleBox } from './list.ts';
import { clean, cutLine, lineWidth, run, wrapLine } from './lines.ts';
import type { Painting, PaintLine } from './paint.ts';
import type { DialogView, Hit } from './view.ts';

const MAX: Size = { cols: 80, rows: 20 };
/** Narrower boxes look lost on a screen. */
const MIN_COLS = 44;

/** The dialog on a screen of `size`; as large as its text needs. */
export function dialogPainting(view: DialogView, size: Size): Painting {
  const texts = view.lines.slice(0, MAX.rows).map(clean);
  const wanted = Math.max(
    ...[...texts, [run(view.hint)], [run(view.title)]].map(line => lineWidth(line) + 4),
    0,
  );
  const width = floatingRect(size, clamp(wanted, MIN_COLS, MAX.cols), 1).width;
  const cols = Math.max(0, width - 4);
  const body: StyledLine[] = texts.flatMap(line => wrapLine(line, cols, MAX.rows));
  const extra = (view.input ? 2 : 0) + (view.hint === '' ? 0 : 2);
  const rect = floatingRect(size, width, Math.min(MAX.rows, body.length + extra + 2));
  const inner = inside(rect);
  // Where not all fits, the text gives way, then the blank rows: what is asked for and its keys stay.
  const spare = Math.max(0, inner.height - extra);
  const lines: PaintLine[] = body.slice(0, spare).map(line => ({ runs: [{ text: ' ' }, ...line] }));
  const isTight = inner.height < extra + 1;
  let caret: Painting['caret'];
  if (view.input) {
    if (!isTight) lines.push({ runs: [] });
    const field = filterLine({ label: ' > ', ...view.input }, '', inner.width);
    caret = { x: inner.x + field.caretX, y: inner.y + lines.length };
    lines.push(field.line);
  }
  if (view.hint !== '') {
    if (!isTight) lines.push({ runs: [] });
    lines.push({ runs: cutLine([run(` ${view.hint}`, 'dim')], inner.width) });
  }
  const hit = (): Hit => ({ type: 'overlay' });
  return {
    boxes: [{ rect, fill: 'bg', lines, frame: 'border-focus', hit }, titleBox(rect, view.title, hit)],
    caret,
  };
}
