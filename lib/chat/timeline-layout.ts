/**
 * Which lines of a timeline are on the screen. Only what is near is ever measured: a chat of thousands of items opens and scrolls
 * as one of ten does.
 */
import type { StyledLine } from '../base/styled.ts';
import { itemLines, PROSE_COLS } from './item-lines.ts';
import type { Item } from './item.ts';
import { GrowingProse } from './prose.ts';
import { isOpen, type Anchor, type Timeline } from './timeline.ts';

/** Items whose lines are kept: some screens in each direction. */
const KEPT = 512;
/** Texts that grow at the same time: one for each chat that is open. */
const GROWING = 32;

/** One row of the screen. */
export interface TimelineRow {
  readonly line: StyledLine;
  /** Of `items`; -1 for a blank row. */
  readonly index: number;
  /** Line of its item. */
  readonly at: number;
}

/** What is on the screen. */
export interface TimelineWindow {
  readonly rows: readonly TimelineRow[];
  /** The last item is shown to its end. */
  readonly isAtEnd: boolean;
  readonly isAtTop: boolean;
}

interface Measured {
  readonly key: string;
  readonly lines: readonly StyledLine[];
}

/** Lines of items of any timelines, as they are drawn. */
export class TimelineLayout {
  readonly #known = new Map<Item, Measured>();
  readonly #growing = new Map<string, GrowingProse>();
  /** Where the anchor was found last. */
  #found = -1;
  isSideBySide = true;

  /** The lines of an item, with the blank line that parts it from the next. */
  lines(timeline: Timeline, index: number, width: number): readonly StyledLine[] {
    const item = timeline.items[index]!;
    const isItemOpen = isOpen(timeline, item);
    const isTight = !isItemOpen && isFoldedLine(item) && isFoldedLine(timeline.items[index + 1]);
    const key = `${width} ${isItemOpen} ${isTight} ${this.isSideBySide}`;
    const known = this.#known.get(item);
    if (known?.key === key) {
      this.#known.delete(item);
      this.#known.set(item, known);
      return known.lines;
    }
    const grown =
      item.kind === 'assistant' && item.isStreaming ? this.#grown(item.id, item.text, width) : undefined;
    const look = { width, isOpen: isItemOpen, isSideBySide: this.isSideBySide };
    const lines = [...itemLines(item, look, grown), ...(isTight ? [] : [[]])];
    this.#known.set(item, { key, lines });
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value!);
    return lines;
  }

  /** The rows of a screen of `height`. */
  window(timeline: Timeline, width: number, height: number): TimelineWindow {
    const { items, anchor } = timeline;
    const start = this.#start(timeline, width, height);
    const rows: TimelineRow[] = [];
    let { index, line } = start;
    for (; index < items.length && rows.length < height; index++, line = 0) {
      const lines = this.lines(timeline, index, width);
      for (let at = line; at < lines.length && rows.length < height; at++)
        rows.push({ line: lines[at]!, index, at });
    }
    const last = rows.at(-1);
    const isAtEnd =
      last === undefined ||
      (last.index === items.length - 1 && last.at >= this.lines(timeline, last.index, width).length - 1);
    return { rows, isAtEnd: anchor === 'end' || isAtEnd, isAtTop: start.index === 0 && start.line === 0 };
  }

  /** The anchor after scrolling by `delta` lines, down if positive. */
  scroll(timeline: Timeline, width: number, height: number, delta: number): Anchor {
    let { index, line } = this.#start(timeline, width, height);
    line += delta;
    while (line < 0 && index > 0) {
      index--;
      line += this.lines(timeline, index, width).length;
    }
    if (line < 0) line = 0;
    while (index < timeline.items.length && line >= this.lines(timeline, index, width).length) {
      line -= this.lines(timeline, index, width).length;
      index++;
    }
    return this.#anchor(timeline, width, height, index, line);
  }

  /** The anchor by which an item (or a line of it) is seen: the one there is, where it is seen already. */
  reveal(timeline: Timeline, width: number, height: number, index: number, line = 0): Anchor {
    if (index < 0 || index >= timeline.items.length) return timeline.anchor;
    const { rows } = this.window(timeline, width, height);
    const count = this.lines(timeline, index, width).length;
    const last = line > 0 ? line : count - 1;
    const isFirstSeen = rows.some(row => row.index === index && row.at === line);
    const isLastSeen = rows.some(row => row.index === index && row.at === last);
    if (isFirstSeen && (isLastSeen || count > height)) return timeline.anchor;
    const first = rows[0];
    const isBelow =
      first !== undefined && (index > first.index || (index === first.index && line > first.at));
    if (isBelow && count <= height) {
      // Its end on the last row.
      const at = { ...timeline, anchor: { id: timeline.items[index]!.id, line: 0 } };
      return this.#shifted(at, width, height, count - height, index);
    }
    return this.#anchor(timeline, width, height, index, line);
  }

  #shifted(timeline: Timeline, width: number, height: number, delta: number, from: number): Anchor {
    let index = from;
    let line = delta;
    while (line < 0 && index > 0) {
      index--;
      line += this.lines(timeline, index, width).length;
    }
    return this.#anchor(timeline, width, height, index, Math.max(0, line));
  }

  /** Where nothing is left below, the end is kept to. */
  #anchor(timeline: Timeline, width: number, height: number, index: number, line: number): Anchor {
    const item = timeline.items[index];
    if (!item) return 'end';
    const end = this.#fromEnd(timeline, width, height);
    if (index > end.index || (index === end.index && line >= end.line)) return 'end';
    return { id: item.id, line };
  }

  /** First line shown. */
  #start(
    timeline: Timeline,
    width: number,
    height: number,
  ): { readonly index: number; readonly line: number } {
    const { anchor, items } = timeline;
    if (anchor === 'end') return this.#fromEnd(timeline, width, height);
    const index = this.#indexOf(items, anchor.id);
    if (index < 0) return this.#fromEnd(timeline, width, height);
    const count = this.lines(timeline, index, width).length;
    const start = { index, line: Math.min(anchor.line, Math.max(0, count - 1)) };
    const end = this.#fromEnd(timeline, width, height);
    return index > end.index || (index === end.index && start.line > end.line) ? end : start;
  }

  /** Long chats are not gone through for each frame: an item mostly stands where it stood. */
  #indexOf(items: readonly Item[], id: string): number {
    if (items[this.#found]?.id !== id) this.#found = items.findIndex(item => item.id === id);
    return this.#found;
  }

  #fromEnd(
    timeline: Timeline,
    width: number,
    height: number,
  ): { readonly index: number; readonly line: number } {
    let room = height;
    for (let index = timeline.items.length - 1; index >= 0; index--) {
      const count = this.lines(timeline, index, width).length;
      if (count >= room) return { index, line: count - room };
      room -= count;
    }
    return { index: 0, line: 0 };
  }

  #grown(id: string, text: string, width: number): readonly StyledLine[] {
    let growing = this.#growing.get(id);
    const cols = Math.min(width, PROSE_COLS);
    if (growing?.width !== cols) growing = new GrowingProse(cols);
    this.#growing.delete(id);
    this.#growing.set(id, growing);
    if (this.#growing.size > GROWING) this.#growing.delete(this.#growing.keys().next().value!);
    return growing.lines(text);
  }
}

/** Items that are one line while they are folded stand below each other without a gap. */
function isFoldedLine(item: Item | undefined): boolean {
  return (
    item?.kind === 'call' || item?.kind === 'thought' || item?.kind === 'files' || item?.kind === 'notice'
  );
}
