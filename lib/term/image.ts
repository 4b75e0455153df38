/**
 * Pictures (sixel, kitty graphics, iTerm2's): a frame of the picture's size in cells with the size in it, since cells are
 * all that a pane has. The cursor ends where the picture would have left it.
 * Sources: VT330/340 programmer reference (sixel), the kitty graphics protocol, iTerm2 "Inline Images Protocol".
 */
import { registerApcHandler } from './apc.ts';
import { CELL } from './cell-size.ts';
import type { Kept } from './checkpoint/bytes.ts';
import { ITERM_KEPT, itermPicture } from './iterm-image.ts';
import { KittyGraphics } from './kitty-graphics.ts';
import { BoundedPayload } from './payload.ts';
import { SixelSize } from './sixel.ts';
import type { XtermCore } from './xterm-core.ts';

/** A picture to be shown, in pixels or in cells where the program said so. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Cells wide and high, 0 for as many as the pixels need. */
  readonly cols: number;
  readonly rows: number;
  /** Where the cursor goes: to the start of the last row, behind the last cell, or nowhere. */
  readonly cursor: 'last row' | 'behind' | 'stays';
}

const BOX = { top: '┌─┐', middle: '│ │', bottom: '└─┘' } as const;
/** A single row or column has no room for a frame. */
const SHADE = '▒';

function row(pattern: string, width: number, text = ''): string {
  const [left = '', fill = '', right = ''] = pattern;
  if (width < 3) return SHADE.repeat(width);
  const inner = width - 2;
  const shown = text.length <= inner ? text : '';
  const before = Math.floor((inner - shown.length) / 2);
  return left + fill.repeat(before) + shown + fill.repeat(inner - before - shown.length) + right;
}

/** The rows of a frame of `cols`×`rows` cells with `label` in its middle, where it fits. */
export function frameRows(cols: number, rows: number, label: string): string[] {
  if (rows < 2) return [SHADE.repeat(cols)];
  const middle = Math.floor((rows - 1) / 2);
  return Array.from({ length: rows }, (_, y) => {
    if (y === 0) return row(BOX.top, cols, rows === 2 ? label : '');
    return y === rows - 1 ? row(BOX.bottom, cols) : row(BOX.middle, cols, y === middle ? label : '');
  });
}

/** Draws the frame at the cursor, scrolling as a picture would. Never more than a screen. */
export function drawPicture(core: XtermCore, picture: Picture): void {
  const input = core._inputHandler;
  const { active } = core.buffers;
  const start = Math.min(active.x, core.cols - 1);
  const wanted = {
    cols: picture.cols || Math.ceil(picture.width / CELL.width),
    rows: picture.rows || Math.ceil(picture.height / CELL.height),
  };
  if (wanted.cols < 1 || wanted.rows < 1) return;
  const cols = Math.min(wanted.cols, core.cols - start);
  const rows = Math.min(wanted.rows, core.rows);
  const label = picture.width > 0 ? `image ${picture.width}×${picture.height}` : 'image';
  const pen = { ...input._curAttrData, fg: 0, bg: 0, extended: input._curAttrData.extended };
  const top = active.y;
  frameRows(cols, rows, label).forEach((text, n) => {
    if (n > 0) {
      active.x = start;
      // A picture that is not to move the cursor does not scroll either: it is cut at the last row.
      if (picture.cursor === 'stays' && active.y >= core.rows - 1) return;
      input.lineFeed();
    }
    const line = active.lines.get(active.ybase + active.y);
    // Blanked first, so that no half of a wide character is left at the edges.
    line?.replaceCells(start, start + cols, active.getNullCell(input._eraseAttrData()));
    for (let i = 0; i < text.length; i++) line?.setCellFromCodepoint(start + i, text.charCodeAt(i), 1, pen);
  });
  active.x = picture.cursor === 'behind' ? Math.min(start + cols, core.cols - 1) : start;
  if (picture.cursor === 'stays') active.y = top;
}

/** Installs the handlers of all kinds of pictures. Returns the one that remembers something. */
export function installImages(core: XtermCore): Kept {
  const parser = core._inputHandler._parser;
  const draw = (picture: Picture): void => drawPicture(core, picture);
  parser.registerDcsHandler({ final: 'q' }, new SixelSize(draw));
  const drawIterm = (payload: string): void => {
    const picture = itermPicture(payload);
    if (picture) draw(picture);
  };
  parser.registerOscHandler(1337, new BoundedPayload(ITERM_KEPT, drawIterm, true));
  const kitty = new KittyGraphics(draw);
  registerApcHandler(core, 'G', kitty);
  return kitty;
}
