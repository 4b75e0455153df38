/**
 * The bottom row: a prompt, else a message, else the keys that can be pressed now.
 */
import type { Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { hintLine } from './hints.ts';
import { filterLine } from './list.ts';
import { cutLine, lineWidth, run } from './lines.ts';
import { rowBox, type Box, type Painting } from './paint.ts';
import type { ChromeView, Hint, MessageView } from './view.ts';

/** Part of the screen the keys after the prefix may cover. */
const PREFIX_SHARE = 2 / 3;
/** Widest entry of the prefix keys, in cells; longer texts are cut. */
const MAX_ENTRY = 34;

/** What of a view the bottom row shows. */
export type BottomView = Pick<ChromeView, 'hints' | 'message' | 'prompt' | 'prefixHeld'>;

/** Whether there is anything that must be shown even over the panes or an overlay. */
export function isUrgent(view: BottomView): boolean {
  return view.prompt !== undefined || view.message !== undefined;
}

/** The bottom row of a screen of `size`; while the prefix is held, as many rows as its keys need. */
export function bottomPainting(view: BottomView, size: Size): Painting {
  const y = size.rows - 1;
  if (view.prompt) {
    const { line, caretX } = filterLine(view.prompt, '', size.cols);
    return { boxes: [rowBox(0, y, size.cols, line.runs)], caret: { x: caretX, y } };
  }
  if (view.message)
    return { boxes: [rowBox(0, y, size.cols, messageRuns(view.message, size.cols))], caret: undefined };
  const hints = view.hints ?? [];
  if (hints.length === 0 && view.hints === undefined) return { boxes: [], caret: undefined };
  return { boxes: view.prefixHeld ? prefixBoxes(hints, size) : [hintBox(hints, size)], caret: undefined };
}

function messageRuns(message: MessageView, cols: number): StyledLine {
  const line: StyledLine =
    message.tone === 'error'
      ? [{ text: ' ✕ ', role: 'alarm' }, run(message.text, 'alarm')]
      : [run(` ${message.text}`)];
  return cutLine(line, cols);
}

function hintBox(hints: readonly Hint[], size: Size): Box {
  return rowBox(0, size.rows - 1, size.cols, hintLine(hints, size.cols));
}

/** All keys of the prefix in columns of equal width, over the lowest rows of the screen. */
function prefixBoxes(hints: readonly Hint[], size: Size): Box[] {
  const keyWidth = Math.min(12, Math.max(0, ...hints.map(hint => lineWidth([run(hint.key)]))));
  const textWidth = Math.max(0, ...hints.map(hint => lineWidth([run(hint.text)])));
  const width = Math.min(MAX_ENTRY, size.cols, keyWidth + textWidth + 4);
  const columns = Math.max(1, Math.floor(size.cols / width));
  const height = Math.min(
    Math.ceil(hints.length / columns),
    Math.max(1, Math.floor(size.rows * PREFIX_SHARE)),
  );
  if (height <= 1) return [hintBox(hints, size)];
  const lines = Array.from({ length: height }, (_, row) => ({
    runs: Array.from({ length: columns }, (_c, column) => hints[column * height + row]).flatMap(hint =>
      hint ? entryRuns(hint, keyWidth, width) : [],
    ),
  }));
  const y = size.rows - height;
  const rule = { text: '─'.repeat(size.cols), role: 'border' } as const;
  return [
    rowBox(0, y - 1, size.cols, [rule]),
    { rect: { x: 0, y, width: size.cols, height }, fill: 'bg', lines },
  ];
}

/** One key, right-aligned, and its text, together `width` cells. */
function entryRuns(hint: Hint, keyWidth: number, width: number): StyledLine {
  const key = cutLine([run(hint.key, 'accent')], keyWidth);
  const line = cutLine(
    [{ text: ' '.repeat(1 + keyWidth - lineWidth(key)) }, ...key, run(` ${hint.text}`, 'dim')],
    width - 1,
  );
  return [...line, { text: ' '.repeat(Math.max(0, width - lineWidth(line))) }];
}
