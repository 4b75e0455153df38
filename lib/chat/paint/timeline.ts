/** The timeline: rows of items, a mark beside those that are the person's or selected, and where one is in the whole. */
import type { Role, Run, StyledLine } from '../../base/styled.ts';
import type { Box, PaintLine } from '../../chrome/paint.ts';
import { lineWidth } from '../../chrome/lines.ts';
import type { Geometry } from '../geometry.ts';
import type { Item } from '../item.ts';
import type { Tab } from '../state.ts';
import type { TimelineLayout, TimelineRow } from '../timeline-layout.ts';
import { blockRows } from '../block-rows.ts';
import type { Part } from './screen.ts';

/** What an empty chat says. */
const WELCOME: readonly StyledLine[] = [
  [{ text: 'A new chat', bold: true }],
  [],
  [{ text: 'Write below, Enter sends it', role: 'dim' }],
  [{ text: '/ commands   @ files   F1 keys   C-o all chats', role: 'dim' }],
];

/** Marks left of items. */
const MARKS: Partial<Record<Item['kind'], { readonly mark: string; readonly role: Role }>> = {
  user: { mark: '┃', role: 'accent' },
};

/** The rows of the timeline with their margins. */
export function timelineBoxes(tab: Tab, layout: TimelineLayout, place: Geometry): Part {
  const { timeline: rect, inner } = place;
  if (rect.height === 0) return { boxes: [], zones: [] };
  if (tab.timeline.items.length === 0) return { boxes: tab.isLoading ? [] : [welcome(place)], zones: [] };
  const { rows } = layout.window(tab.timeline, inner, rect.height);
  const lit = tab.focus === 'timeline' ? blockRows(tab.timeline, layout, inner) : () => false;
  const lines = rows.map((row): PaintLine => ({ runs: [...gutter(tab, row, lit), ...row.line] }));
  const box: Box = { rect: { ...rect, width: rect.width - 1 }, fill: 'bg', lines };
  return {
    boxes: [box, ...thumb(tab, rows, place)],
    zones: [
      {
        rect,
        target: (_x, y) => {
          const row = rows[y];
          return row ? { type: 'item', index: row.index, line: row.at } : { type: 'none' };
        },
      },
    ],
  };
}

function gutter(tab: Tab, row: TimelineRow, lit: (row: TimelineRow) => boolean): Run[] {
  const item = tab.timeline.items[row.index]!;
  const isSelected = tab.focus === 'timeline' && item.id === tab.timeline.selected;
  const isBlank = lineWidth(row.line) === 0;
  if (isSelected && lit(row)) return [{ text: '▌ ', role: 'warn' }];
  const own = MARKS[item.kind];
  if (own && !isBlank) return [{ text: `${own.mark} `, role: own.role }];
  return [{ text: '  ' }];
}

/** A short stroke at the right edge, as far down as what is shown lies in the whole; none where all is shown. */
function thumb(tab: Tab, rows: readonly TimelineRow[], { timeline: rect }: Geometry): Box[] {
  const count = tab.timeline.items.length;
  const [first] = rows;
  const last = rows.at(-1);
  if (
    !first ||
    !last ||
    rows.length < rect.height ||
    (first.index === 0 && first.at === 0 && tab.timeline.anchor === 'end')
  )
    return [];
  // Items stand for lines: what lies outside was never measured.
  const height = Math.max(
    1,
    Math.min(rect.height, Math.round(((last.index - first.index + 1) / count) * rect.height)),
  );
  const isAtEnd = tab.timeline.anchor === 'end';
  const free = rect.height - height;
  const y = isAtEnd ? free : Math.min(free, Math.round((first.index / count) * rect.height));
  const at = { x: rect.x + rect.width - 1, y: rect.y + y, width: 1, height };
  return [{ rect: at, fill: 'bg', lines: [], pattern: { char: '▐', role: 'border' } }];
}

function welcome({ timeline: rect }: Geometry): Box {
  const height = Math.min(WELCOME.length, rect.height);
  const y = rect.y + Math.max(0, Math.floor((rect.height - height) / 3));
  const lines = WELCOME.slice(0, height).map((line): PaintLine => {
    const gap = Math.max(0, Math.floor((rect.width - lineWidth(line)) / 2));
    return { runs: [{ text: ' '.repeat(gap) }, ...line] };
  });
  return { rect: { x: rect.x, y, width: rect.width, height }, fill: 'bg', lines };
}
