/**
 * Panes that show through a preview: live, with their own colours, one below the other.
 */
import { clamp, type Rect } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import { cutLine, lineWidth, run } from './lines.ts';
import { rowBox, type Box } from './paint.ts';
import type { Hit, PreviewPane } from './view.ts';

/** Rows of a pane below which nothing of it can be told; what does not fit is left out. */
const MIN_ROWS = 4;

/** The panes in `rect`, each with its share of the rows; from the second on under a rule with its title. */
export function previewPaneBoxes(panes: readonly PreviewPane[], rect: Rect): Box[] {
  const count = clamp(panes.length, 0, Math.max(1, Math.floor(rect.height / MIN_ROWS)));
  const boxes: Box[] = [];
  const hit = (): Hit => ({ type: 'overlay-preview' });
  for (const [n, pane] of panes.slice(0, count).entries()) {
    const top = rect.y + Math.floor((n * rect.height) / count);
    const bottom = rect.y + Math.floor(((n + 1) * rect.height) / count);
    const rule = n === 0 ? 0 : 1;
    if (rule > 0) boxes.push({ ...rowBox(rect.x, top, rect.width, titledRule(pane.title, rect.width)), hit });
    const height = Math.min(pane.size.rows, bottom - top - rule);
    const width = Math.min(pane.size.cols, rect.width);
    if (height <= 0 || width <= 0) continue;
    // What a program shows last stands where its cursor is.
    const y = clamp(pane.row - height + 1, 0, pane.size.rows - height);
    const place = { x: rect.x, y: top + rule, width, height };
    boxes.push({ rect: place, fill: 'bg', lines: [], pane: { id: pane.id, x: 0, y }, hit });
  }
  return boxes;
}

/** `─ title ──────` */
export function titledRule(title: string, cols: number): StyledLine {
  if (title === '' || cols < 6) return [{ text: '─'.repeat(cols), role: 'border' }];
  const text = cutLine([run(` ${title} `, 'dim')], cols - 2);
  const rest = Math.max(0, cols - 1 - lineWidth(text));
  return [{ text: '─', role: 'border' }, ...text, { text: '─'.repeat(rest), role: 'border' }];
}
