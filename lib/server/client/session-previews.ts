/**
 * Sessions as previews show them, whether a pane does or not. The screen knows what it draws by numbers: one that no
 * pane shows gets a negative one, which no pane has.
 */
import type { PreviewPane } from '../../chrome/view.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord } from '../../model/types.ts';

export class SessionPreviews {
  readonly #model: Model;
  readonly #numbers = new WeakMap<SessionRecord, number>();
  #last = 0;

  constructor(model: Model) {
    this.#model = model;
  }

  /** Number of what shows a session: its pane's, else one of its own. */
  numberOf(session: SessionRecord): number {
    return this.#model.windows.paneOf(session.id)?.id ?? this.#own(session);
  }

  /** The session of a number of its own; undefined where it is gone, and for panes. */
  session(number: number): SessionRecord | undefined {
    if (number >= 0) return undefined;
    return this.#model.sessions.every().find(session => this.#numbers.get(session) === number);
  }

  /** A session's screen for a preview; undefined where it has none. */
  preview(session: SessionRecord): PreviewPane | undefined {
    const view = session.terminal?.view;
    if (!view) return undefined;
    const pane = this.#model.windows.paneOf(session.id);
    return {
      id: this.numberOf(session),
      title: pane?.title || session.name,
      size: { cols: view.cols, rows: view.rows },
      row: view.cursor.y,
    };
  }

  #own(session: SessionRecord): number {
    const known = this.#numbers.get(session);
    if (known !== undefined) return known;
    this.#numbers.set(session, --this.#last);
    return this.#last;
  }
}
