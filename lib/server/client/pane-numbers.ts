/**
 * The numbers that display-panes lays over a client's panes, for a time or until a key.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Key } from '../../input/event.ts';

/** What display-panes asked for. */
export interface NumbersRequest {
  /** 0: until a key. */
  readonly ms: number;
  /** Command text for the pane that is chosen, `%%` being it. */
  readonly template: string;
  readonly takesKeys: boolean;
}

/** Panes with a digit, and those with a letter after them. */
const DIGITS = 10;
const LETTERS = 26;

/** The key that chooses the pane of that index: 0 to 9, then a to z; '' beyond. */
export function numberKey(index: number): string {
  if (index < DIGITS) return String(index);
  return index < DIGITS + LETTERS ? String.fromCharCode(0x61 + index - DIGITS) : '';
}

export class PaneNumbers implements Disposable {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #request: NumbersRequest | undefined;
  #timer: Disposable | undefined;

  /** @param changed the numbers have come or gone */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get areShown(): boolean {
    return this.#request !== undefined;
  }

  /** The next key is looked at here first. */
  get takeKeys(): boolean {
    return this.#request?.takesKeys === true;
  }

  show(request: NumbersRequest): void {
    this.#timer?.dispose();
    this.#request = request;
    this.#timer = request.ms > 0 ? this.#clock.after(request.ms, () => this.end()) : undefined;
    this.#changed();
  }

  end(): void {
    if (!this.#request) return;
    this.#timer?.dispose();
    this.#request = undefined;
    this.#changed();
  }

  /**
   * A key, which ends them. Returns the command text of the pane that it chooses among `panes` (`%N`, in order); '' for a
   * key that only ends them, undefined for one that is meant for somebody else.
   */
  key(key: Key, panes: readonly string[]): string | undefined {
    const request = this.#request;
    if (!request?.takesKeys) return undefined;
    this.end();
    if (key.name === 'Escape') return '';
    if (key.ctrl || key.alt) return undefined;
    const chosen = panes.find((_, index) => numberKey(index) === key.name);
    return chosen === undefined ? undefined : request.template.replaceAll('%%', () => chosen);
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
