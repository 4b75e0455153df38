/**
 * Numbers over panes, large enough to be read at a glance: five rows of five cells a digit, as tmux draws them.
 */
import type { Rect } from '../base/geometry.ts';
import type { Role, StyledLine } from '../base/styled.ts';
import { lineWidth, run } from './lines.ts';
import { rowBox, type Box } from './paint.ts';
import type { Hit, PaneView } from './view.ts';

/** Rows of five cells, top to bottom; bit 4 is the leftmost. */
const DIGITS: readonly (readonly number[])[] = [
  [0b11111, 0b10001, 0b10001, 0b10001, 0b11111],
  [0b00001, 0b00001, 0b00001, 0b00001, 0b00001],
  [0b11111, 0b00001, 0b11111, 0b10000, 0b11111],
  [0b11111, 0b00001, 0b11111, 0b00001, 0b11111],
  [0b10001, 0b10001, 0b11111, 0b00001, 0b00001],
  [0b11111, 0b10000, 0b11111, 0b00001, 0b11111],
  [0b11111, 0b10000, 0b11111, 0b10001, 0b11111],
  [0b11111, 0b00001, 0b00001, 0b00001, 0b00001],
  [0b11111, 0b10001, 0b11111, 0b10001, 0b11111],
  [0b11111, 0b10001, 0b11111, 0b00001, 0b11111],
];
const DIGIT_COLS = 5;
const DIGIT_ROWS = 5;

/** The number of a pane shown in `rect`: its digits, the pane's size and the key below; small where there is no room. */
export function numberBoxes(pane: PaneView, rect: Rect, hit: (x: number, y: number) => Hit): Box[] {
  const { number } = pane;
  if (!number || rect.width < 1 || rect.height < 1) return [];
  const digits = [...String(number.index)].map(Number);
  const width = digits.length * (DIGIT_COLS + 1) - 1;
  const role: Role = pane.focused ? 'border-focus' : 'header';
  const shown = pane.focused ? { bold: true } : {};
  const key = number.key === String(number.index) ? '' : ` key ${number.key} `;
  const size = ` ${pane.rect.width}x${pane.rect.height} `;
  const boxes: Box[] = [];
  const add = (x: number, y: number, text: string, isBlock: boolean): void => {
    const runs: StyledLine = [isBlock ? { text, role, inverse: true } : run(text, role, shown)];
    const at = { x: rect.x + x, y: rect.y + y };
    boxes.push({ ...rowBox(at.x, at.y, lineWidth(runs), runs), hit: dx => hit(at.x - rect.x + dx, y) });
  };
  const middle = (cols: number): number => Math.max(0, Math.floor((rect.width - cols) / 2));
  if (rect.width < width + 2 || rect.height < DIGIT_ROWS + 1) {
    const label = (number.key === '' ? ` ${number.index} ` : ` ${number.key} `).slice(0, rect.width);
    add(middle(label.length), Math.floor((rect.height - 1) / 2), label, true);
    return boxes;
  }
  const top = Math.max(0, Math.floor((rect.height - DIGIT_ROWS - 1) / 2));
  for (const [n, digit] of digits.entries()) {
    const x = middle(width) + n * (DIGIT_COLS + 1);
    for (const [row, bits] of DIGITS[digit]!.entries())
      for (const { from, count } of stretches(bits)) add(x + from, top + row, ' '.repeat(count), true);
  }
  const below = [key || size, ...(key && rect.height > DIGIT_ROWS + 1 ? [size] : [])];
  for (const [n, text] of below.entries())
    if (text.length <= rect.width) add(middle(text.length), top + DIGIT_ROWS + n, text, false);
  return boxes;
}

/** The runs of set bits in a row of a digit. */
function stretches(bits: number): { readonly from: number; readonly count: number }[] {
  const found: { from: number; count: number }[] = [];
  for (let x = 0; x < DIGIT_COLS; x++) {
    if ((bits & (1 << (DIGIT_COLS - 1 - x))) === 0) continue;
    const last = found.at(-1);
    if (last && last.from + last.count === x) last.count++;
    else found.push({ from: x, count: 1 });
  }
  return found;
}
