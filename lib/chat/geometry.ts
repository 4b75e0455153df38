/**
 * Where the parts of the screen lie:
 *
 *   tabs        where there are several
 *   title       model, role, effort, tokens, cost, context
 *   timeline
 *   status      while something goes on
 *   input       3 rows and more; the review in its place
 *   hints
 */
import { clamp, type Rect } from '../base/geometry.ts';
import { textLayout } from '../mode/composer-view.ts';
import { reviewRows } from './review-lines.ts';
import { shownTab, type ChatApp } from './state.ts';

/** Cells left of items: the mark of what is selected, and a blank. */
export const GUTTER = 2;
/** Rows of text that the input shows at most, on a screen that has them. */
const INPUT_ROWS_MAX = 12;

export interface Geometry {
  /** Of no height where there is one chat alone. */
  readonly tabs: Rect;
  readonly title: Rect;
  readonly timeline: Rect;
  /** Cells of an item: the timeline without its gutter and the scroll mark. */
  readonly inner: number;
  readonly status: Rect;
  /** With its frame. */
  readonly box: Rect;
  /** Inside it. */
  readonly input: Rect;
  readonly hints: Rect;
}

/** The parts on a screen as large as the program's; on a very small one parts are left out, from the least needed on. */
export function geometry(app: ChatApp): Geometry {
  const { cols, rows } = app.size;
  const tab = shownTab(app);
  const hintRows = rows >= 10 ? 1 : 0;
  const titleRows = rows >= 8 ? 1 : 0;
  const tabRows = app.tabs.length > 1 && rows >= 12 ? 1 : 0;
  const edge = rows >= 7 ? 1 : 0;
  const width = Math.max(1, cols - 2 * edge - 2);
  const statusRows = rows >= 6 ? 1 : 0;
  const fixed = hintRows + titleRows + tabRows + statusRows + 2 * edge;
  const most = clamp(Math.floor((rows - fixed) / 2), 1, INPUT_ROWS_MAX);
  const written = textLayout(tab.editor.text, width).lines.length + (tab.attachments.length > 0 ? 1 : 0);
  const wanted = tab.focus === 'review' ? reviewRows(tab, width) : written;
  const inputRows = clamp(wanted, 1, most);
  const timelineRows = Math.max(0, rows - fixed - inputRows);
  let y = 0;
  const take = (height: number): Rect => {
    const rect = { x: 0, y, width: cols, height };
    y += height;
    return rect;
  };
  const tabs = take(tabRows);
  const title = take(titleRows);
  const timeline = take(timelineRows);
  const status = take(statusRows);
  const box = take(inputRows + 2 * edge);
  const hints = take(hintRows);
  const input = { x: edge + 1, y: box.y + edge, width, height: inputRows };
  return { tabs, title, timeline, inner: Math.max(1, cols - GUTTER - 2), status, box, input, hints };
}
