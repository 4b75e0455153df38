/**
 * The pane area: borders, the places panes show through, their headers, and what fills the rest.
 */
import { intersect, type Rect, type Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { borderBoxes, borderGrid, borderHit, type BorderArea, type ShownPane } from './borders.ts';
import { headerParts } from './header.ts';
import { cutLine, lineWidth, run } from './lines.ts';
import { rowBox, type Box } from './paint.ts';
import { numberBoxes } from './pane-numbers.ts';
import { MAX_PANES } from './stand-ins.ts';
import type { ChromeView, Hit, PaneView } from './view.ts';

/** What of a view the pane area shows. */
export type WindowView = Pick<ChromeView, 'window' | 'offset' | 'panes' | 'emptyText'>;

/** A pane on the screen, and the cell of it that is at its rectangle's top left. */
interface Placed extends ShownPane {
  readonly view: PaneView;
  readonly paneX: number;
  readonly paneY: number;
}

/** Boxes of the pane area and of the header row above it. */
export function windowBoxes(view: WindowView, border: BorderArea): Box[] {
  const { area } = border;
  const placed = placePanes(view, area);
  const hit = (x: number, y: number): Hit => borderHit(placed, border, x, y);
  const boxes = [
    ...padBoxes(view, area),
    ...borderBoxes(borderGrid(placed, border), hit),
    ...placed.map(paneBox),
    ...placed.flatMap(pane => headerBoxes(pane, area)),
    ...placed.flatMap(pane => numberBoxes(pane.view, pane.rect, (x, y) => hitIn(pane, x, y))),
  ];
  if (placed.length === 0) boxes.push(...emptyBoxes(view.emptyText, area));
  else boxes.push(...moreBox(view, area));
  return boxes;
}

/** The panes that are at least partly visible. */
function placePanes(view: WindowView, area: Rect): Placed[] {
  const placed: Placed[] = [];
  // The window ends before the area does: a pane never reaches beyond its window.
  const room = intersect(area, { x: area.x, y: area.y, width: view.window.cols, height: view.window.rows });
  for (const pane of view.panes) {
    if (placed.length === MAX_PANES) break;
    const x = area.x + pane.rect.x - view.offset.x;
    const y = area.y + pane.rect.y - view.offset.y;
    const rect = intersect(room, { x, y, width: pane.rect.width, height: pane.rect.height });
    if (rect.width === 0 || rect.height === 0) continue;
    placed.push({
      id: pane.id,
      rect,
      focused: pane.focused,
      view: pane,
      paneX: rect.x - x,
      paneY: rect.y - y,
    });
  }
  return placed;
}

function paneBox(pane: Placed): Box {
  const { id, paneX, paneY } = pane;
  return {
    rect: pane.rect,
    fill: 'bg',
    lines: [],
    pane: { id, x: paneX, y: paneY },
    hit: (x, y) => hitIn(pane, x, y),
  };
}

function hitIn({ id, paneX, paneY }: Placed, x: number, y: number): Hit {
  return { type: 'pane', pane: id, x: paneX + x, y: paneY + y };
}

/** The two ends of a header on the row above the pane. */
function headerBoxes({ id, rect, view }: Placed, area: Rect): Box[] {
  const y = rect.y - 1;
  if (y < area.y - 1) return [];
  const parts = headerParts(view, rect.width);
  const hit = (): Hit => ({ type: 'header', pane: id });
  const box = (x: number, runs: StyledLine): Box => ({
    ...rowBox(rect.x + x, y, lineWidth(runs), runs),
    hit,
  });
  return [box(parts.leftX, parts.left), box(parts.rightX, parts.right)];
}

/** Blank where the window is smaller than the area, with the window's size in the corner. */
function padBoxes(view: WindowView, area: Rect): Box[] {
  const cols = view.window.cols - view.offset.x;
  const rows = view.window.rows - view.offset.y;
  if (cols >= area.width && rows >= area.height) return [];
  if (view.panes.length === 0) return [];
  const blank: Box = { rect: area, fill: 'bg', lines: [] };
  const label = [run(` window ${view.window.cols}×${view.window.rows} `, 'dim')];
  const width = lineWidth(label);
  const last = area.y + area.height - 1;
  const isFree = rows < area.height - 1 || cols < area.width - width - 1;
  if (width + 1 > area.width || !isFree) return [blank];
  return [blank, rowBox(area.x + area.width - width - 1, last, width, label)];
}

/** Signs at the right end of the header row for the sides on which the window goes on. */
function moreBox(view: WindowView, area: Rect): Box[] {
  const { offset, window } = view;
  const text =
    (offset.x > 0 ? '«' : '') +
    (offset.y > 0 ? '↑' : '') +
    (window.rows - offset.y > area.height ? '↓' : '') +
    (window.cols - offset.x > area.width ? '»' : '');
  if (text === '' || area.width < text.length) return [];
  return [
    rowBox(area.x + area.width - text.length, area.y - 1, text.length, [run(text, 'warn', { bold: true })]),
  ];
}

/** What to do next, in one line. */
function emptyBoxes(text: string, area: Rect): Box[] {
  const line = cutLine([run(text, 'dim')], area.width);
  const width = lineWidth(line);
  if (width === 0 || area.height === 0) return [];
  const x = area.x + Math.floor((area.width - width) / 2);
  return [rowBox(x, area.y + Math.floor(area.height / 3), width, line)];
}

/** Instead of everything where nothing fits. */
export function tooSmallBox(size: Size, needed: Size): Box {
  const line = [run(`too small: needs ${needed.cols}×${needed.rows}`, 'warn')];
  const width = Math.min(size.cols, lineWidth(line));
  return rowBox(Math.floor((size.cols - width) / 2), Math.floor((size.rows - 1) / 2), width, line);
}
