/** Which rows of the selected item the selected block takes. */
import { plain } from '../base/styled.ts';
import { blocksOf } from './blocks.ts';
import type { Timeline } from './timeline.ts';
import type { TimelineLayout, TimelineRow } from './timeline-layout.ts';

/**
 * Whether a row belongs to what is selected. Blocks are parted by empty lines, as they are drawn: a block inside which there are
 * such lines takes as many stretches as it has of them.
 */
export function blockRows(
  timeline: Timeline,
  layout: TimelineLayout,
  width: number,
): (row: TimelineRow) => boolean {
  const index = timeline.items.findIndex(({ id }) => id === timeline.selected);
  const item = timeline.items[index];
  if (!item) return () => false;
  const lines = layout.lines(timeline, index, width);
  const isText = (at: number): boolean => plain(lines[at] ?? []).trim() !== '';
  if (timeline.block < 0) return row => row.index === index && (isText(row.at) || row.at < lines.length - 1);
  const blocks = blocksOf(item);
  const stretches = blocks.map(block => block.trim().split(/\n\s*\n/).length);
  const first = stretches.slice(0, timeline.block).reduce((sum, count) => sum + count, 0);
  const last = first + (stretches[timeline.block] ?? 1) - 1;
  const stretchOf = stretchNumbers(lines.map((_, at) => isText(at)));
  return row => {
    const stretch = stretchOf[row.at];
    return (
      row.index === index && stretch !== undefined && stretch >= first && stretch <= last && isText(row.at)
    );
  };
}

function stretchNumbers(texts: readonly boolean[]): number[] {
  let number = -1;
  return texts.map((isText, at) => {
    if (isText && !texts[at - 1]) number++;
    return number;
  });
}
