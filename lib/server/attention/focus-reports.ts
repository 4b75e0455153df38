/**
 * Which program has the focus of a person's terminal, and telling programs that asked (DECSET 1004).
 */
import { encodeFocus } from '../../input/encoder.ts';
import type { Model } from '../../model/model.ts';

/**
 * One program at most has the focus: that of the focused pane, while a terminal that can type into it has the focus
 * of its own desktop. Whatever changes that, the one that loses it hears so before the other.
 */
export class FocusReports {
  readonly #model: Model;
  readonly #isWatched: () => boolean;
  #session: string | undefined;

  /** @param isWatched whether any terminal that may type has the focus */
  constructor(model: Model, isWatched: () => boolean) {
    this.#model = model;
    this.#isWatched = isWatched;
  }

  /** Something may have changed: another pane, a terminal that came, went, or told of its focus. */
  update(): void {
    const session = this.#isWatched() ? this.#model.windows.focused?.session : undefined;
    const before = this.#session;
    if (session === before) return;
    this.#session = session;
    this.#tell(before, false);
    this.#tell(session, true);
  }

  #tell(id: string | undefined, focused: boolean): void {
    const session = id === undefined ? undefined : this.#model.sessions.get(id);
    const terminal = session && !session.exit ? session.terminal : undefined;
    terminal?.dropLeftModes();
    const bytes = terminal && encodeFocus(focused, terminal.view.modes);
    // Where it does not read, it has the focus all the same: dropped, as with everything else that is typed.
    if (bytes) terminal.write(bytes);
  }
}
