/**
 * Selecting with the mouse: a drag takes characters, a double click a word, a triple click a line; dragged beyond the
 * pane's edge the text scrolls. Letting go copies. A pane that was not in copy mode before leaves it again.
 */
import type { Disposable } from '../../base/event.ts';
import { clamp, type Point } from '../../base/geometry.ts';
import type { PaneId } from '../../layout/types.ts';
import type { SelectionUnit } from '../../mode/copy/state.ts';
import type { AttachedClient } from './client.ts';

/** Clicks that follow each other this closely, on one cell, count together. */
const MULTI_CLICK_MS = 400;
/** What a double or triple click took stays lit for a moment, so that one sees what was copied. */
const SHOWN_MS = 300;
/** Beyond an edge the text moves a row at this pace, and faster the further away the pointer is. */
const SCROLL_MS = 50;
const ROWS_FOR_FASTER = 3;

const UNITS: readonly SelectionUnit[] = ['char', 'word', 'line'];

/** A button that is held. */
interface Gesture {
  readonly pane: PaneId;
  readonly at: Point;
  readonly unit: SelectionUnit;
  readonly wasInMode: boolean;
  hasBegun: boolean;
  /** Where the pointer is, in cells of the pane; may be outside. */
  pointer: Point;
}

export class MouseSelection implements Disposable {
  readonly #client: AttachedClient;
  #gesture: Gesture | undefined;
  #last:
    { readonly pane: PaneId; readonly at: Point; readonly time: number; readonly clicks: number } | undefined;
  /** Ends what a double click began, once its selection has been seen. */
  #ending: { readonly pane: PaneId; readonly timer: Disposable } | undefined;
  #scrolling: Disposable | undefined;

  constructor(client: AttachedClient) {
    this.#client = client;
  }

  /** The pane that the pressed button selects in. */
  get pane(): PaneId | undefined {
    return this.#gesture?.pane;
  }

  /** The left button is pressed on a cell of a pane whose program does not get it. */
  press(pane: PaneId, at: Point): void {
    const { copies, clock } = this.#client.services;
    const now = clock.now();
    const last = this.#last;
    const isAgain =
      last?.pane === pane && last.at.x === at.x && last.at.y === at.y && now - last.time < MULTI_CLICK_MS;
    const clicks = isAgain ? (last.clicks % UNITS.length) + 1 : 1;
    this.#last = { pane, at, time: now, clicks };
    const wasInMode = copies.has(pane) && this.#ending?.pane !== pane;
    if (clicks > 1) this.#stopEnding();
    else this.#end();
    const unit = UNITS[clicks - 1]!;
    this.#gesture = { pane, at, unit, wasInMode, hasBegun: false, pointer: at };
    if (clicks > 1) this.#begin(this.#gesture);
    else if (wasInMode) copies.action(pane, 'clear-selection', this.#client);
  }

  /** The pointer moves with the button held, to a cell counted from the pane's top left. */
  drag(pointer: Point): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    gesture.pointer = pointer;
    const hasMoved = pointer.x !== gesture.at.x || pointer.y !== gesture.at.y;
    if (!gesture.hasBegun && !hasMoved) return;
    if (!gesture.hasBegun) this.#begin(gesture);
    this.#follow(gesture);
    const isOutside = pointer.y < 0 || pointer.y >= this.#rows(gesture.pane);
    if (!isOutside) this.#stopScrolling();
    else this.#scrolling ??= this.#client.services.clock.every(SCROLL_MS, () => this.#scroll());
  }

  /** The button is let go. */
  release(): void {
    const gesture = this.#gesture;
    this.#gesture = undefined;
    this.#stopScrolling();
    if (!gesture?.hasBegun) return;
    const { copies, clock } = this.#client.services;
    copies.event(gesture.pane, { type: 'release' }, this.#client);
    copies.action(gesture.pane, 'copy-pipe-no-clear', this.#client);
    if (gesture.wasInMode) return;
    if (gesture.unit === 'char') return copies.leave(gesture.pane);
    const timer = clock.after(SHOWN_MS, () => this.#end());
    this.#ending = { pane: gesture.pane, timer };
  }

  dispose(): void {
    this.#stopScrolling();
    this.#end();
  }

  #begin(gesture: Gesture): void {
    const { copies } = this.#client.services;
    gesture.hasBegun = true;
    copies.enter(gesture.pane, { isByMouse: true });
    copies.event(gesture.pane, { type: 'press', at: gesture.at, unit: gesture.unit }, this.#client);
  }

  #follow({ pane, pointer }: Gesture): void {
    const at = { x: Math.max(0, pointer.x), y: clamp(pointer.y, 0, this.#rows(pane) - 1) };
    this.#client.services.copies.event(pane, { type: 'drag', at }, this.#client);
  }

  #scroll(): void {
    const gesture = this.#gesture;
    if (!gesture || !this.#client.services.copies.has(gesture.pane)) return this.#stopScrolling();
    const { y } = gesture.pointer;
    const away = y < 0 ? -y : y - this.#rows(gesture.pane) + 1;
    const rows = 1 + Math.floor(away / ROWS_FOR_FASTER);
    const name = y < 0 ? 'scroll-up' : 'scroll-down';
    this.#client.services.copies.action(gesture.pane, name, this.#client, [], rows);
    this.#follow(gesture);
  }

  #rows(pane: PaneId): number {
    const { windows } = this.#client.services.model;
    const record = windows.pane(pane);
    return record ? windows.paneSize(record).rows : 1;
  }

  #stopScrolling(): void {
    this.#scrolling?.dispose();
    this.#scrolling = undefined;
  }

  #stopEnding(): void {
    this.#ending?.timer.dispose();
    this.#ending = undefined;
  }

  /** Ends the copy mode that a double click began. */
  #end(): void {
    const ending = this.#ending;
    this.#stopEnding();
    if (ending) this.#client.services.copies.leave(ending.pane);
  }
}
