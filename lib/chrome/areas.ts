/**
 * Where the parts of a client's screen lie. The server asks the same function for the size of a window.
 *
 *   row 0          tabs and status
 *   row 1          sidebar title │ headers of the topmost panes
 *   rows 2…n       sidebar rows  │ pane area
 *   last row       hints, message or prompt (may be absent)
 */
import { clamp, type Rect, type Size } from '../base/geometry.ts';

/** Below this nothing but a remark fits: two panes of a few cells, their headers, tabs and hints need it. */
export const MIN_SIZE: Size = { cols: 20, rows: 6 };
/** Larger sizes are cut to this. No monitor shows more, and one client's cells stay below 10 MB. */
export const MAX_SIZE: Size = { cols: 1000, rows: 500 };
/** Below this many columns the sidebar is shown only when asked for. */
export const SIDEBAR_ASKED_BELOW = 100;
/** Up to this many columns the sidebar lies over the panes instead of beside them: half a screen is no pane. */
export const SIDEBAR_OVERLAY_UP_TO = 60;

/** What a screen shows besides panes. */
export interface AreaOptions {
  /** Cells without the border column; 0 for no sidebar. */
  readonly sidebarWidth: number;
  /** The sidebar lies over the panes and takes no room from them. */
  readonly sidebarOverlay: boolean;
  /** A bottom row is kept for hints. */
  readonly bottomRow: boolean;
}

/** Rectangles of the screen in cells; of zero size where a part is absent. None overlap, but an overlaid sidebar. */
export interface Areas {
  readonly top: Rect;
  /** Without its border, which is the column right of it. Begins in the header row. */
  readonly sidebar: Rect;
  readonly header: Rect;
  readonly panes: Rect;
  readonly bottom: Rect;
}

/** Lays out a screen of any size, also 0×0. */
export function areas(size: Size, options: AreaOptions): Areas {
  const { cols, rows } = size;
  const top = Math.min(1, rows);
  const bottomRows = options.bottomRow && rows > 1 ? 1 : 0;
  const body = rows - top - bottomRows;
  const headerRows = Math.min(1, body);
  // A column for the border and at least one for the panes stay.
  const width = clamp(options.sidebarWidth, 0, Math.max(0, cols - 2));
  const left = width > 0 && !options.sidebarOverlay ? width + 1 : 0;
  return {
    top: { x: 0, y: 0, width: cols, height: top },
    sidebar: { x: 0, y: top, width, height: width > 0 ? body : 0 },
    header: { x: left, y: top, width: cols - left, height: headerRows },
    panes: { x: left, y: top + headerRows, width: cols - left, height: body - headerRows },
    bottom: { x: 0, y: rows - bottomRows, width: cols, height: bottomRows },
  };
}

/** Where a wanted sidebar goes on a screen of `cols` columns; `asked` means a person asked for it on this screen. */
export function sidebarPlace(cols: number, asked: boolean): 'beside' | 'over' | 'hidden' {
  if (cols < SIDEBAR_ASKED_BELOW && !asked) return 'hidden';
  return cols <= SIDEBAR_OVERLAY_UP_TO ? 'over' : 'beside';
}
