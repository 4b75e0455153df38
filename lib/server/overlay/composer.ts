/**
 * The composer over a client's screen. Whatever is written is given to the drafts at once, so that closing, in whatever
 * way, loses nothing.
 */
import { toCoded } from '../../base/errors.ts';
import type { Size } from '../../base/geometry.ts';
import { browserAreas, previewTextWidth, type BrowserAreas } from '../../chrome/browser.ts';
import type { BrowserView, Hint } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import {
  composer,
  reduceComposer,
  streamsOf,
  type Composer,
  type ComposerEvent,
  type ComposerIntent,
  type Receiver,
} from '../../mode/composer.ts';
import { composerView, textLayout, textTop, type TextLayout } from '../../mode/composer-view.ts';
import { textOf } from '../../mode/text-editor.ts';
import type { SavedDraft } from '../mail/drafts.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

export interface ComposerOptions {
  readonly title: string;
  readonly draft: SavedDraft;
  readonly size: () => Size;
  readonly hints: (state: Composer) => readonly Hint[];
  readonly receivers: () => readonly Receiver[];
  /** Keeps what is written. False where there is no room for another draft. */
  readonly keep: (draft: Pick<SavedDraft, 'to' | 'text'>) => boolean;
  /** Publishes to each stream. Rejects where some are missing; the same again sends only those. */
  readonly send: (streams: readonly string[]) => Promise<void>;
  /** It was closed: by whom it was opened is shown again. */
  readonly ended: (how: 'sent' | 'discarded' | 'closed', text: string) => void;
}

export class ComposerOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #options: ComposerOptions;
  #state: Composer;
  #top = 0;
  #closed = false;
  readonly #disposed: () => void;

  /** @param disposed called once, however it was closed */
  constructor(host: OverlayHost, options: ComposerOptions, disposed: () => void) {
    const { to, text, answers } = options.draft;
    this.#host = host;
    this.#options = options;
    this.#disposed = disposed;
    this.#state = composer(options.receivers(), { to, text, isAnswer: answers !== null });
  }

  get table(): string {
    return this.#state.question ? 'picker' : 'composer';
  }

  view(): BrowserView {
    const { height } = this.#areas.preview;
    const layout = this.#layout();
    this.#top = textTop(layout, this.#top, height);
    const { hints, title } = this.#options;
    return composerView(this.#state, layout, { top: this.#top, height, hints: hints(this.#state), title });
  }

  event(event: ModeEvent): void {
    this.#state = reduceComposer(this.#state, { type: 'rows', rows: this.#areas.list.height }).state;
    this.#apply(event);
  }

  select(index: number): void {
    this.#apply({ type: 'select', index });
  }

  refresh(): void {
    this.#state = reduceComposer(this.#state, {
      type: 'receivers',
      receivers: this.#options.receivers(),
    }).state;
  }

  dispose(): void {
    this.#closed = true;
    this.#disposed();
  }

  get #areas(): BrowserAreas {
    return browserAreas(this.#options.size(), false);
  }

  #layout(): TextLayout {
    return textLayout(this.#state.editor, previewTextWidth(this.#areas));
  }

  #apply(event: ComposerEvent): void {
    const before = this.#state;
    const { state, intents } = reduceComposer(before, event);
    this.#state = state;
    if (state.editor.lines !== before.editor.lines || state.to !== before.to) this.#keep();
    for (const intent of intents) this.#carryOut(intent);
    if (!this.#closed) this.#host.redraw();
  }

  #keep(): void {
    const { to, editor } = this.#state;
    if (!this.#options.keep({ to, text: textOf(editor) }))
      this.#host.message(
        'this draft is not kept: there are too many; send some, or throw them away',
        'error',
      );
  }

  #carryOut(intent: ComposerIntent): void {
    if (intent.type === 'tell') return this.#host.message(intent.text, 'info');
    if (intent.type === 'send') return void this.#send();
    const { ended } = this.#options;
    const text = textOf(this.#state.editor);
    this.#host.close();
    ended(intent.type === 'discard' ? 'discarded' : 'closed', text);
  }

  async #send(): Promise<void> {
    const { send, ended } = this.#options;
    const streams = streamsOf(this.#state);
    try {
      await send(streams);
    } catch (error) {
      this.#host.message(`not sent: ${toCoded(error).message}`, 'error');
      this.#state = reduceComposer(this.#state, { type: 'failed' }).state;
      if (!this.#closed) this.#host.redraw();
      return;
    }
    // The terminal may have gone meanwhile: it is sent all the same.
    if (this.#closed) return;
    this.#host.close();
    ended('sent', streams.length === 1 ? '' : `${streams.length} messages`);
  }
}
