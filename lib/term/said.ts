/**
 * What a program has last said of itself, for whoever was not listening then: signals of the past are not repeated.
 */
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import { loadChoice, saveChoice } from './checkpoint/attributes.ts';
import type { PaneSignal } from './screen-view.ts';

type Signal<T extends PaneSignal['type']> = Extract<PaneSignal, { type: T }>;

const MARKS = ['A', 'B', 'C', 'D'] as const;
/** States of progress, and the most of its percent. */
const MAX_STATE = 4;
const MAX_PERCENT = 100;

/** The last signal of each kind that holds until the next. */
export class Said implements Kept {
  #cwd: Signal<'cwd'> | undefined;
  #progress: Signal<'progress'> | undefined;
  #prompt: Signal<'prompt'> | undefined;

  /** OSC 7. */
  get cwd(): Signal<'cwd'> | undefined {
    return this.#cwd;
  }

  /** OSC 9;4. */
  get progress(): Signal<'progress'> | undefined {
    return this.#progress;
  }

  /** OSC 133. */
  get prompt(): Signal<'prompt'> | undefined {
    return this.#prompt;
  }

  hear(signal: PaneSignal): void {
    if (signal.type === 'cwd') this.#cwd = signal;
    else if (signal.type === 'progress') this.#progress = signal;
    else if (signal.type === 'prompt') this.#prompt = signal;
  }

  save(to: ByteWriter): void {
    to.flag(this.#cwd !== undefined);
    if (this.#cwd) to.text(this.#cwd.path);
    to.flag(this.#progress !== undefined);
    if (this.#progress) {
      to.count(this.#progress.state);
      to.count(this.#progress.percent);
    }
    saveChoice(to, MARKS, this.#prompt?.mark);
    to.flag(this.#prompt?.exit !== undefined);
    if (this.#prompt?.exit !== undefined) to.text(String(this.#prompt.exit));
  }

  load(from: ByteReader): void {
    if (from.flag()) this.#cwd = { type: 'cwd', path: from.text() };
    if (from.flag())
      this.#progress = { type: 'progress', state: from.count(MAX_STATE), percent: from.count(MAX_PERCENT) };
    const mark = loadChoice(from, MARKS);
    const exit = from.flag() ? Number(from.text()) : undefined;
    if (mark) this.#prompt = { type: 'prompt', mark, ...(exit === undefined ? {} : { exit }) };
  }
}
