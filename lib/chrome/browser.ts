/**
 * A whole-screen list with a live preview at its right; on narrow screens the preview is below or hidden.
 */
import type { Rect, Size } from '../base/geometry.ts';
import type { Run, StyledLine } from '../base/styled.ts';
import { dialogPainting } from './dialog.ts';
import { hintLine } from './hints.ts';
import { previewPaneBoxes, titledRule } from './preview.ts';
import { filterLine, listLines } from './list.ts';
import { clean, cutLine, justify, lineWidth, run, wrapLine } from './lines.ts';
import { rowBox, type Box, type Painting, type PaintLine } from './paint.ts';
import type { BrowserView, Hit } from './view.ts';

/** Below this many columns a list and a preview side by side are both too narrow to read. */
const SIDE_BY_SIDE_FROM = 70;
/** Below this many rows there is no preview below the list. */
const PREVIEW_BELOW_FROM = 16;
/** Title, filter, rule. */
const HEAD_ROWS = 3;

/** Rectangles of a browser: pages of the list and of the preview are as high as these. */
export interface BrowserAreas {
  readonly list: Rect;
  /** Of zero size where it is hidden. */
  readonly preview: Rect;
}

/** Cells of a line of text in a preview: a blank column stays free at either side. */
export function previewTextWidth({ preview }: BrowserAreas): number {
  return Math.max(1, preview.width - 2);
}

/** Lays out a browser on a screen of `size`. */
export function browserAreas(size: Size, hasFacets: boolean, hasPreview = true): BrowserAreas {
  const top = Math.min(size.rows, HEAD_ROWS + (hasFacets ? 1 : 0));
  const height = Math.max(0, size.rows - top - 1);
  if (!hasPreview) {
    const none = { x: 0, y: top + height, width: 0, height: 0 };
    return { list: { x: 0, y: top, width: size.cols, height }, preview: none };
  }
  if (size.cols >= SIDE_BY_SIDE_FROM) {
    const width = Math.floor(size.cols * 0.4);
    return {
      list: { x: 0, y: top, width, height },
      preview: { x: width + 1, y: top, width: size.cols - width - 1, height },
    };
  }
  const below = size.rows >= PREVIEW_BELOW_FROM ? Math.floor(height / 2) : 0;
  return {
    list: { x: 0, y: top, width: size.cols, height: height - below },
    preview: {
      x: 0,
      y: top + height - below + (below > 0 ? 1 : 0),
      width: below > 0 ? size.cols : 0,
      height: Math.max(0, below - 1),
    },
  };
}

/** The browser on a screen of `size`. */
export function browserPainting(view: BrowserView, size: Size): Painting {
  const { list, preview } = browserAreas(size, view.facets.length > 0, view.hasPreview);
  const field = { label: ` ${view.filterLabel}: `, text: view.filter, caret: Math.max(0, view.caret) };
  const filter = filterLine(field, '', size.cols);
  const filterY = view.facets.length > 0 ? 2 : 1;
  const isBeside = preview.x > 0;
  const hasPreview = preview.height > 0 && preview.width > 0;
  const overlay = (): Hit => ({ type: 'overlay' });
  const boxes: Box[] = [
    {
      rect: { x: 0, y: 0, ...sized(size) },
      fill: 'bg',
      lines: headLines(view, filter.line, size.cols),
      hit: (x, y) => (y === 1 ? facetHit(view, x) : overlay()),
    },
    {
      ...rowBox(0, list.y - 1, size.cols, ruleRuns(view, size.cols, isBeside ? list.width : -1)),
      hit: overlay,
    },
    listBox(view, list),
  ];
  if (isBeside) boxes.push(divider(list.width, list.y, list.height));
  if (hasPreview && !isBeside) {
    boxes.push({
      ...rowBox(0, preview.y - 1, size.cols, titledRule(view.previewTitle, size.cols)),
      hit: overlay,
    });
  }
  if (hasPreview) boxes.push(...previewBoxes(view, { list, preview }));
  boxes.push({ ...rowBox(0, size.rows - 1, size.cols, hintLine(view.hints, size.cols)), hit: overlay });
  const inFilter = view.caret < 0 ? undefined : { x: filter.caretX, y: Math.min(filterY, size.rows - 1) };
  const caret = view.previewCaret && hasPreview ? caretIn(preview, view.previewCaret) : inFilter;
  const dialog = view.dialog && dialogPainting(view.dialog, size);
  return { boxes: [...boxes, ...(dialog?.boxes ?? [])], caret: dialog ? dialog.caret : caret };
}

/** Text of a preview begins behind its blank column. */
function caretIn(
  preview: Rect,
  { x, y }: { readonly x: number; readonly y: number },
): { x: number; y: number } {
  return {
    x: preview.x + Math.min(x + 1, preview.width - 1),
    y: preview.y + Math.min(y, preview.height - 1),
  };
}

function sized(size: Size): { readonly width: number; readonly height: number } {
  return { width: size.cols, height: size.rows };
}

/** Title with the count, facets, filter. */
function headLines(view: BrowserView, filter: PaintLine, cols: number): PaintLine[] {
  const shown = view.shown ?? view.items.length;
  const count = shown === view.total ? `${view.total}` : `${shown} of ${view.total}`;
  const title = justify([run(` ${view.title}`, 'header', { bold: true })], [run(`${count} `, 'dim')], cols);
  if (view.facets.length === 0) return [{ runs: title }, filter];
  const facets = [{ text: ' ' }, ...view.facets.slice(0, cols).map(facetRun)];
  return [{ runs: title }, { runs: cutLine(facets, cols) }, filter];
}

/** Brackets, since colour alone may not say which are chosen. */
function facetRun(facet: BrowserView['facets'][number]): Run {
  return facet.active ? run(`[${facet.text}]`, 'accent', { bold: true }) : run(` ${facet.text} `, 'dim');
}

/** The facet in that column of the facets' row. */
function facetHit(view: BrowserView, x: number): Hit {
  let end = 1;
  for (const [index, facet] of view.facets.entries()) {
    const start = end;
    end += lineWidth([facetRun(facet)]);
    if (x >= start && x < end) return { type: 'overlay-facet', index };
  }
  return { type: 'overlay' };
}

function ruleRuns(view: BrowserView, cols: number, joint: number): StyledLine {
  if (joint < 0) return [{ text: '─'.repeat(cols), role: 'border' }];
  return [
    { text: '─'.repeat(joint) + '┬', role: 'border' },
    ...titledRule(view.previewTitle, Math.max(0, cols - joint - 1)),
  ];
}

function listBox(view: BrowserView, rect: Rect): Box {
  const { lines, first } = listLines(view.items, view.selected, rect.width, rect.height);
  const empty: PaintLine[] =
    view.items.length > 0
      ? []
      : wrapLine([run(`  ${view.empty}`, 'dim')], rect.width, 4).map(runs => ({ runs }));
  return {
    rect,
    fill: 'bg',
    lines: [...lines, ...empty],
    hit: (_x, y) => (y < lines.length ? { type: 'overlay-item', index: first + y } : { type: 'overlay' }),
  };
}

/** The preview from its scroll position on, wrapped, one blank column at its left. */
function previewBox(view: BrowserView, rect: Rect, width: number): Box {
  const lines: PaintLine[] = [];
  const from = Math.max(0, view.previewScroll);
  for (const line of view.preview.slice(from, from + rect.height)) {
    const pieces = wrapLine(clean(line), width, rect.height - lines.length);
    for (const piece of pieces) lines.push({ runs: [{ text: ' ' }, ...piece] });
    if (lines.length >= rect.height) break;
  }
  return { rect, fill: 'bg', lines, hit: () => ({ type: 'overlay-preview' }) };
}

/** Text alone, or panes below what is said of them. */
function previewBoxes(view: BrowserView, at: BrowserAreas): Box[] {
  const { preview } = at;
  const panes = view.previewPanes ?? [];
  if (panes.length === 0) return [previewBox(view, preview, previewTextWidth(at))];
  const head = view.preview.slice(0, Math.max(0, preview.height - 2));
  const hit = (): Hit => ({ type: 'overlay-preview' });
  const lines = head.map((line): PaintLine => ({
    runs: cutLine([{ text: ' ' }, ...clean(line)], preview.width),
  }));
  const boxes: Box[] = [{ rect: preview, fill: 'bg', lines, hit }];
  const used = head.length > 0 ? head.length + 1 : 0;
  if (used > 0)
    boxes.push({
      ...rowBox(preview.x, preview.y + used - 1, preview.width, titledRule('', preview.width)),
      hit,
    });
  const rest = { ...preview, y: preview.y + used, height: preview.height - used };
  return [...boxes, ...previewPaneBoxes(panes, rest)];
}

function divider(x: number, y: number, height: number): Box {
  return {
    rect: { x, y, width: 1, height },
    fill: 'bg',
    lines: [],
    pattern: { char: '│', role: 'border' },
    hit: () => ({ type: 'overlay' }),
  };
}
