/**
 * Which panes are looked back in, and how far. A look back belongs to the pane: every client sees it.
 */
import type { Model } from '../model/model.ts';
import type { PaneId } from '../layout/types.ts';
import { reduceScroll, scroll, type Scroll, type ScrollEvent } from '../mode/scroll.ts';
import type { TextView } from '../term/screen-view.ts';

/** Actions of the copy-mode table by the names scroll mode knows. */
const ALIASES: Readonly<Record<string, string>> = { 'cursor-up': 'up', 'cursor-down': 'down' };

export class ScrollStates {
  readonly #states = new Map<PaneId, Scroll>();
  readonly #model: Model;
  readonly #changed: (pane: PaneId) => void;

  /** @param changed called after every change of a pane's look back */
  constructor(model: Model, changed: (pane: PaneId) => void) {
    this.#model = model;
    this.#changed = changed;
  }

  get(pane: PaneId): Scroll | undefined {
    return this.#states.get(pane);
  }

  /** Lines scrolled back; 0 is live. */
  offset(pane: PaneId): number {
    return this.#states.get(pane)?.offset ?? 0;
  }

  /** Begins a look back, if the pane has none. */
  enter(pane: PaneId, byWheel: boolean): void {
    const view = this.#view(pane);
    if (!view || this.#states.has(pane)) return;
    this.#states.set(pane, scroll(view.historySize, view.rows, byWheel));
    this.#changed(pane);
  }

  leave(pane: PaneId): void {
    if (this.#states.delete(pane)) this.#changed(pane);
  }

  /** An action of scroll mode, or its wheel. */
  event(pane: PaneId, event: ScrollEvent): void {
    const state = this.#states.get(pane);
    if (!state) return;
    const named = typeof event === 'string' ? (ALIASES[event] ?? event) : event;
    const { state: next, intents } = reduceScroll(state, named);
    this.#states.set(pane, next);
    if (intents.length > 0) this.#states.delete(pane);
    this.#changed(pane);
  }

  /** The pane's program printed something: what is looked at stays where it is. */
  follow(pane: PaneId): void {
    const state = this.#states.get(pane);
    const view = this.#view(pane);
    if (!state || !view) return;
    if (view.rows !== state.rows) this.event(pane, { type: 'rows', rows: view.rows });
    const added = view.historySize - state.history;
    if (added !== 0)
      this.event(pane, { type: 'content', history: view.historySize, added: Math.max(0, added) });
  }

  /** Forgets the looks back into panes that are gone. */
  keep(isThere: (pane: PaneId) => boolean): void {
    for (const pane of Array.from(this.#states.keys())) if (!isThere(pane)) this.#states.delete(pane);
  }

  #view(pane: PaneId): TextView | undefined {
    const record = this.#model.windows.pane(pane);
    return record && this.#model.sessionOf(record).terminal?.view;
  }
}
