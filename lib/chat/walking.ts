/** Moving through the timeline: scrolling, from item to item and from block to block, folding. */
import { graphemes } from '../base/text.ts';
import { blocksOf } from './blocks.ts';
import { geometry, type Geometry } from './geometry.ts';
import type { Item } from './item.ts';
import { itemText } from './item-text.ts';
import { onTab, onTimeline, type Surroundings } from './step.ts';
import { shownTab, type ChatApp } from './state.ts';
import { isOpen, type Timeline } from './timeline.ts';

/** Rows that a page key scrolls. */
export function half(rows: number): number {
  return Math.max(1, Math.floor(rows / 2) - 1);
}

/** Shows a timeline from there on. */
export function withAnchor(timeline: Timeline, anchor: Timeline['anchor']): Timeline {
  return { ...timeline, anchor: timeline.items.length === 0 ? 'end' : anchor };
}

/** The selection, where there is one, on another item. */
export function selected(timeline: Timeline, index: number): Timeline {
  return timeline.selected === ''
    ? timeline
    : { ...timeline, selected: timeline.items[index]?.id ?? '', block: -1 };
}

/** Scrolls by what `rows` says of the screen. */
export function scroll(app: ChatApp, { layout }: Surroundings, rows: (place: Geometry) => number): ChatApp {
  const place = geometry(app);
  return onTimeline(app, timeline => ({
    ...timeline,
    anchor: layout.scroll(timeline, place.inner, place.timeline.height, rows(place)),
  }));
}

/** The selected item, where there is one. */
export function selectedItem({ items, selected: id }: Timeline): Item | undefined {
  return id === '' ? undefined : items.find(item => item.id === id);
}

/** Text of what is selected: a block, an item, or the last answer. */
export function selectedText(timeline: Timeline): string | undefined {
  const item = selectedItem(timeline) ?? timeline.items.findLast(({ kind }) => kind === 'assistant');
  if (!item) return undefined;
  const block = timeline.block < 0 ? undefined : blocksOf(item)[timeline.block];
  return block ?? itemText(item);
}

/** To the timeline, on what was selected, or the last item. */
export function toTimeline(app: ChatApp): ChatApp {
  return onTab(app, tab => {
    const id = selectedItem(tab.timeline)?.id ?? tab.timeline.items.at(-1)?.id ?? '';
    return { ...tab, focus: 'timeline', suggestions: undefined, timeline: { ...tab.timeline, selected: id } };
  });
}

function reveal(app: ChatApp, { layout }: Surroundings, index: number, block = -1): ChatApp {
  const place = geometry(app);
  return onTimeline(app, timeline => {
    const next = { ...timeline, selected: timeline.items[index]?.id ?? '', block };
    const anchor = layout.reveal(next, place.inner, place.timeline.height, index);
    return { ...next, anchor };
  });
}

/** To the item before or after. */
export function walk(app: ChatApp, around: Surroundings, by: 1 | -1): ChatApp {
  const { timeline } = shownTab(app);
  const at = timeline.items.findIndex(({ id }) => id === timeline.selected);
  const to = at < 0 ? timeline.items.length - 1 : Math.max(0, Math.min(timeline.items.length - 1, at + by));
  return to < 0 ? app : reveal(app, around, to);
}

/** Through the blocks of items: code, paragraphs. */
export function walkBlocks(app: ChatApp, around: Surroundings, by: 1 | -1): ChatApp {
  const { timeline } = shownTab(app);
  const at = timeline.items.findIndex(({ id }) => id === timeline.selected);
  if (at < 0) return walk(app, around, by);
  const count = blocksOf(timeline.items[at]!).length;
  const block = timeline.block < 0 ? (by > 0 ? 0 : -1) : timeline.block + by;
  if (block >= 0 && block < count) return reveal(app, around, at, block);
  const next = at + by;
  if (next < 0 || next >= timeline.items.length) return app;
  return reveal(app, around, next, by > 0 ? 0 : blocksOf(timeline.items[next]!).length - 1);
}

/** Opens the selected item, or folds it. */
export function fold(app: ChatApp, around: Surroundings): ChatApp {
  const { timeline } = shownTab(app);
  const item = selectedItem(timeline);
  if (!item) return app;
  const folded = onTimeline(app, one => ({
    ...one,
    folds: new Map(one.folds).set(item.id, !isOpen(one, item)),
  }));
  return reveal(folded, around, timeline.items.indexOf(item), timeline.block);
}

/** Kinds that can be folded. */
const FOLDABLE: ReadonlySet<Item['kind']> = new Set(['thought', 'call', 'files', 'system']);

/** Folds everything, or opens it where nothing is open. */
export function foldAll(timeline: Timeline): Timeline {
  const items = timeline.items.filter(({ kind }) => FOLDABLE.has(kind));
  const isAnyOpen = items.some(item => isOpen(timeline, item));
  return { ...timeline, folds: new Map(items.map(item => [item.id, !isAnyOpen])) };
}

/** The last message that is kept at an item or before it. */
export function messageAt({ items }: Timeline, index: number): string {
  return items.slice(0, index + 1).findLast(({ message }) => message !== '')?.message ?? '';
}

/** The beginning of an item, on one line. */
export function excerpt(item: Item): string {
  const text = itemText(item).trim().replace(/\s+/g, ' ');
  return graphemes(text.slice(0, 400)).slice(0, 70).join('');
}
