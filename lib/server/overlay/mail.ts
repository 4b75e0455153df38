/**
 * The message viewer over a client's screen. What it shows comes from the thread that keeps messages; it is asked again
 * when something was published, but never more often than a person sees, whatever storm of messages comes.
 */
import type { Clock } from '../../base/clock.ts';
import { toCoded } from '../../base/errors.ts';
import type { Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import { browserAreas, previewTextWidth, type BrowserAreas } from '../../chrome/browser.ts';
import { STATES } from '../../chrome/glyphs.ts';
import type { BrowserView, Hint } from '../../chrome/view.ts';
import type { Topic } from '../../messages/types.ts';
import type { ModeEvent } from '../../mode/event.ts';
import {
  mail,
  reduceMail,
  selectedStream,
  type Mail,
  type MailEvent,
  type MailIntent,
} from '../../mode/mail.ts';
import type { MailMessage } from '../../mode/mail-rows.ts';
import type { MailStream } from '../../mode/mail-streams.ts';
import {
  mailLayout,
  mailScroll,
  mailView,
  seenMessages,
  type BodyCache,
  type MailLayout,
} from '../../mode/mail-view.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Between two askings. */
const PAUSE_MS = 80;

export interface MailOptions {
  readonly clock: Clock;
  /** Id of the stream to begin with. */
  readonly selected: string;
  readonly size: () => Size;
  readonly hints: (state: Mail) => readonly Hint[];
  readonly age: (at: number) => string;
  readonly topics: () => Promise<readonly Topic[]>;
  /** The streams as they are now, with the topics that were told last. */
  readonly streams: (topics: readonly Topic[]) => readonly MailStream[];
  readonly messages: (stream: MailStream, limit: number) => Promise<readonly MailMessage[]>;
  /** Calls when messages, or what is unread, may be others. */
  readonly onChange: (listener: () => void) => Disposable;
  /** Marks messages as read by the person. */
  readonly markRead: (messages: readonly MailMessage[]) => Promise<unknown>;
  /** Carries out what was chosen, but closing and telling. */
  readonly act: (intent: Exclude<MailIntent, { type: 'cancel' | 'tell' | 'load' }>) => void;
}

export class MailOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #options: MailOptions;
  readonly #subscription: Disposable;
  readonly #cache: BodyCache = new Map();
  #state: Mail;
  #topics: readonly Topic[] = [];
  /** Messages that were unread when they were first shown in this stream: they stay marked as new while one is there. */
  #fresh = new Set<string>();
  #marked = new Set<string>();
  #trouble = '';
  #isLoading = false;
  #isWanted = false;
  #timer: Disposable | undefined;
  #closed = false;

  constructor(host: OverlayHost, options: MailOptions) {
    this.#host = host;
    this.#options = options;
    this.#state = mail(options.streams([]), options.selected);
    this.#subscription = options.onChange(() => this.#want());
    this.#want();
  }

  get table(): string {
    return this.#state.isFiltering || this.#state.tree.focus === 'filter' ? 'browser-line' : 'messages';
  }

  view(): BrowserView {
    this.#measure();
    const { hints } = this.#options;
    const about = { hints: hints(this.#state), marks: STATES, trouble: this.#trouble };
    return mailView(this.#state, this.#layout(), about);
  }

  event(event: ModeEvent): void {
    this.#measure();
    this.#apply(event);
  }

  /** A second click goes into the messages. */
  select(index: number): void {
    const before = this.#state.tree.selected;
    this.#apply({ type: 'select', index });
    if (this.#state.tree.selected === before) this.#apply('accept');
  }

  refresh(): void {
    this.#apply({ type: 'streams', streams: this.#options.streams(this.#topics) }, false);
  }

  dispose(): void {
    this.#closed = true;
    this.#timer?.dispose();
    this.#subscription.dispose();
  }

  get #areas(): BrowserAreas {
    return browserAreas(this.#options.size(), false);
  }

  #measure(): void {
    const { list, preview } = this.#areas;
    const extent = { type: 'extent', rows: list.height, height: Math.max(1, preview.height) } as const;
    this.#state = reduceMail(this.#state, extent).state;
  }

  #layout(): MailLayout {
    const { age } = this.#options;
    return mailLayout(this.#state, { width: previewTextWidth(this.#areas), age, cache: this.#cache });
  }

  #apply(event: MailEvent, redraws = true): void {
    const before = selectedStream(this.#state)?.id;
    const { state, intents } = reduceMail(this.#state, event);
    this.#state = state;
    if (selectedStream(state)?.id !== before) this.#fresh = new Set();
    for (const intent of intents) this.#carryOut(intent);
    if (this.#closed) return;
    this.#markSeen();
    if (redraws) this.#host.redraw();
  }

  #carryOut(intent: MailIntent): void {
    if (intent.type === 'load') return this.#want();
    if (intent.type === 'tell') return this.#host.message(intent.text, 'info');
    if (intent.type === 'cancel') return this.#host.close();
    this.#options.act(intent);
    if (!this.#closed) this.#want();
  }

  /** What a person has in front of them while they go through the messages is read. */
  #markSeen(): void {
    if (this.#state.focus !== 'messages') return;
    const layout = this.#layout();
    const seen = seenMessages(this.#state, layout, mailScroll(this.#state, layout)).filter(
      ({ id, isUnread }) => isUnread && !this.#marked.has(id),
    );
    if (seen.length === 0) return;
    for (const { id } of seen) this.#marked.add(id);
    this.#options
      .markRead(seen)
      .then(() => this.#want())
      .catch((error: unknown) => {
        // Still unread: the next time they are seen is another try.
        for (const { id } of seen) this.#marked.delete(id);
        this.#host.message(toCoded(error).message, 'error');
      });
  }

  #want(): void {
    this.#isWanted = true;
    if (this.#isLoading || this.#timer || this.#closed) return;
    void this.#load();
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    this.#isWanted = false;
    const stream = selectedStream(this.#state);
    try {
      const { topics, messages } = this.#options;
      const [known, found] = await Promise.all([topics(), stream ? messages(stream, this.#state.limit) : []]);
      this.#topics = known;
      this.#trouble = '';
      if (!this.#closed) this.#take(stream, found);
    } catch (error) {
      this.#trouble = toCoded(error).message;
      if (!this.#closed) this.#host.redraw();
    }
    this.#isLoading = false;
    if (this.#closed) return;
    // Another stream was chosen meanwhile: that is waited for by a person.
    const isOther = selectedStream(this.#state)?.id !== stream?.id;
    this.#timer = this.#options.clock.after(isOther ? 0 : PAUSE_MS, () => {
      this.#timer = undefined;
      if (this.#isWanted || isOther) this.#want();
    });
  }

  #take(stream: MailStream | undefined, found: readonly MailMessage[]): void {
    this.#apply({ type: 'streams', streams: this.#options.streams(this.#topics) }, false);
    if (!stream || selectedStream(this.#state)?.id !== stream.id) return this.#host.redraw();
    for (const { id, isUnread } of found) if (isUnread) this.#fresh.add(id);
    const messages = found.map(one => ({ ...one, isUnread: this.#fresh.has(one.id) }));
    this.#apply({ type: 'messages', stream: stream.id, messages });
  }
}
