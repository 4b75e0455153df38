/**
 * The output half of an attached client: chrome and panes become a frame, the frame becomes bytes. At most one frame
 * is on its way to the terminal at any time; what changes meanwhile is in the next one, so the latest always wins.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import { ChromeScreen } from '../../chrome/screen.ts';
import type { ChromeCells, ChromeView, PaneSpan } from '../../chrome/view.ts';
import type { Theme } from '../../config/theme.ts';
import { composeChrome, composeCursor, composePane } from '../../frame/compose.ts';
import { Frame } from '../../frame/frame.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { titleSequence } from '../../render/modes.ts';
import { Renderer } from '../../render/renderer.ts';
import type { LitStretch } from '../../mode/copy/view.ts';
import type { Cursor, ScreenView } from '../../term/screen-view.ts';
import { LitStyles } from './lit-styles.ts';

/** 60 frames a second at most, whatever the programs print. */
const FRAME_MS = 16;
/** After a key the next frames come at once for this long, so that echo is not held for the next tick. */
const EAGER_MS = 60;
/** A pane that holds its screen (DEC mode 2026) is shown after this all the same: its program may have died. */
const HOLD_MS = 150;

/** Writes that may wait for a terminal: beyond it, bells of a stalled one would pile up. */
const MAX_IN_FLIGHT = 16;

/** A pane as it is shown: its screen, and what copy mode makes of it. */
export interface ShownPane {
  readonly view: ScreenView;
  /** Lines scrolled back. */
  readonly offset: number;
  /** In place of the program's cursor. */
  readonly cursor?: Cursor;
  readonly lit?: readonly LitStretch[];
}

/** What the screen shows, asked for when a frame is made. */
export interface ScreenSource {
  view(): ChromeView;
  /** A visible pane's screen, scrolled back by `offset` lines; undefined where there is none. */
  pane(id: number): ShownPane | undefined;
  /** The pane whose cursor is shown, unless something else has the keyboard. */
  focused(): number | undefined;
  /** Title of the terminal's own window. */
  title(): string;
  /** Bytes that make the terminal report what is wanted now; '' mostly. */
  modes(): string;
  /** Bytes for the terminal, by its client, which acknowledges them. */
  send(bytes: Uint8Array): void;
  /** Bytes of `bytes` that the terminal took at once, without its client; 0 where only the client can write. */
  sendDirect(bytes: Uint8Array): number;
}

export class ClientScreen implements Disposable {
  readonly #clock: Clock;
  readonly #source: ScreenSource;
  readonly #chrome: ChromeScreen;
  readonly #frame: Frame;
  readonly #renderer: Renderer;
  /** Panes that are held: since when, and when they were last drawn while they were. */
  readonly #held = new Map<number, { readonly since: number; readonly drawnAt: number }>();
  /** The pane whose cursor the frame has. */
  #cursorPane: number | undefined;
  /** Panes whose screens have changed since the last frame. */
  readonly #changed = new Set<number>();
  readonly #caps: TerminalCaps;
  #lit: LitStyles;
  #title = '';
  #cells: ChromeCells | undefined;
  #spans = new Map<number, PaneSpan[]>();
  #chromeIsDirty = true;
  #isDirty = false;
  /** Writes on their way to the terminal; the next frame waits until there is none. */
  #inFlight = 0;
  #lastFrameAt = -Infinity;
  #eagerUntil = -Infinity;
  #timer: Disposable | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #disposed = false;

  constructor(clock: Clock, source: ScreenSource, options: { size: Size; theme: Theme; caps: TerminalCaps }) {
    this.#clock = clock;
    this.#source = source;
    this.#caps = options.caps;
    this.#lit = new LitStyles(options.theme, options.caps.colors);
    this.#chrome = new ChromeScreen(options.size, options.theme, options.caps.colors);
    this.#frame = new Frame(options.size.cols, options.size.rows);
    this.#renderer = new Renderer(options.caps);
  }

  /** The chrome drawn last: hit tests read it. */
  get cells(): ChromeCells | undefined {
    return this.#cells;
  }

  /** Chrome may have changed: it is built anew for the next frame. */
  chromeChanged(): void {
    this.#chromeIsDirty = true;
    this.#schedule();
  }

  /** What the last frame shows: panes, and previews by their numbers. */
  get shownPanes(): readonly number[] {
    return Array.from(this.#spans.keys());
  }

  /** Whether a pane was shown by the last frame: in its window, or as a preview. */
  shows(id: number): boolean {
    return this.#spans.has(id);
  }

  /** A visible pane's screen has changed. */
  paneChanged(id: number): void {
    this.#changed.add(id);
    this.#schedule();
  }

  /**
   * A pane's program lets its screen be seen. Drawn at once, not at the next frame: the program may hold it again right
   * away, and would never be seen whole.
   */
  paneReleased(id: number): void {
    const hold = this.#held.get(id);
    const spans = this.#spans.get(id);
    if (!hold || !spans || this.#chromeIsDirty) return;
    const now = this.#clock.now();
    // As often as it can be seen.
    if (now - hold.drawnAt < FRAME_MS) return;
    const pane = this.#source.pane(id);
    if (!pane || this.#frame.chrome !== this.#cells) return;
    this.#hold(id, { since: now, drawnAt: now });
    composePane(this.#frame, spans, pane.view, pane.offset, this.#lit.highlights(pane.lit));
    if (this.#source.focused() === id) this.#placeCursor(id, pane);
    this.#schedule();
  }

  /** A key was pressed: its effect is shown in the next frame, at once. */
  keyPressed(): void {
    this.#eagerUntil = this.#clock.now() + EAGER_MS;
  }

  /** The terminal has written the last frame. */
  acknowledged(): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    if (this.#isDirty) this.#schedule();
  }

  /** Sends what is no part of the picture: a bell, a clipboard. Dropped while the terminal is far behind. */
  raw(bytes: Uint8Array): void {
    if (this.#inFlight < MAX_IN_FLIGHT) this.#send(bytes);
  }

  resize(size: Size): void {
    this.#frame.resize(size.cols, size.rows);
    this.redraw();
  }

  setTheme(theme: Theme): void {
    this.#lit = new LitStyles(theme, this.#caps.colors);
    this.#frame.forgetSources();
    this.#chrome.setTheme(theme);
    this.chromeChanged();
  }

  /** Draws everything anew, trusting nothing that the terminal shows. */
  redraw(): void {
    this.#renderer.invalidate();
    this.#frame.forgetSources();
    this.chromeChanged();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    if (this.#immediate) clearImmediate(this.#immediate);
    this.#chrome.dispose();
  }

  #schedule(): void {
    this.#isDirty = true;
    if (this.#inFlight > 0 || this.#disposed || this.#immediate) return;
    const now = this.#clock.now();
    const wait = now < this.#eagerUntil ? 0 : this.#lastFrameAt + FRAME_MS - now;
    if (wait > 0) {
      this.#timer ??= this.#clock.after(wait, () => this.#draw());
      return;
    }
    // After the events at hand: a burst of output that is being read makes one frame.
    this.#immediate = setImmediate(() => this.#draw());
  }

  #draw(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#immediate = undefined;
    if (this.#disposed || this.#inFlight > 0) return;
    this.#isDirty = false;
    this.#lastFrameAt = this.#clock.now();
    const bytes = this.#render();
    if (bytes.length > 0) this.#send(bytes);
    // Behind the picture, which somebody waits for: mostly there is nothing to say.
    const beside = this.#titleChange() + this.#source.modes();
    if (beside) this.#send(Buffer.from(beside));
  }

  #titleChange(): string {
    const title = this.#source.title();
    if (title === this.#title) return '';
    this.#title = title;
    return titleSequence(this.#caps, title);
  }

  #send(bytes: Uint8Array): void {
    // A client that has just sent a key is alive and in the foreground: only then may its terminal be written to.
    const isEager = this.#clock.now() < this.#eagerUntil;
    const written = isEager && this.#inFlight === 0 ? this.#source.sendDirect(bytes) : 0;
    if (written === bytes.length) return;
    this.#inFlight++;
    this.#source.send(bytes.subarray(written));
  }

  #render(): Uint8Array {
    this.#updateChrome();
    const focused = this.#source.focused();
    const held = this.#heldPanes();
    const kept = composeChrome(this.#frame, this.#cells!, held);
    for (const [id, spans] of this.#spans) {
      if (kept ? kept.has(id) : held.has(id) || !this.#changed.has(id)) continue;
      const pane = this.#source.pane(id);
      if (!pane) continue;
      composePane(this.#frame, spans, pane.view, pane.offset, this.#lit.highlights(pane.lit));
      this.#changed.delete(id);
    }
    if (kept) this.#forgetHidden(kept);
    const isHeld = focused !== undefined && (kept ?? held).has(focused) && this.#cursorPane === focused;
    // Where the cursor is while a picture is made is no place it was meant to be seen at.
    if (!isHeld || this.#cells!.caret)
      this.#placeCursor(focused, focused === undefined ? undefined : this.#source.pane(focused));
    return this.#renderer.render(this.#frame);
  }

  #placeCursor(id: number | undefined, pane: ShownPane | undefined): void {
    this.#cursorPane = this.#cells!.caret ? undefined : id;
    composeCursor(
      this.#frame,
      this.#cells!,
      pane && { pane: id!, view: pane.view, historyOffset: pane.offset, cursor: pane.cursor },
    );
  }

  /** Panes that are not shown, or no more at all, have been noted for nothing: showing them draws them whole. */
  #forgetHidden(kept: ReadonlySet<number>): void {
    for (const id of Array.from(this.#changed)) if (!kept.has(id)) this.#changed.delete(id);
    for (const id of Array.from(this.#held.keys())) if (!this.#spans.has(id)) this.#held.delete(id);
  }

  /** Has chrome drawn if it may have changed. */
  #updateChrome(): void {
    if (!this.#chromeIsDirty && this.#cells) return;
    this.#chromeIsDirty = false;
    const cells = this.#chrome.render(this.#source.view());
    if (cells === this.#cells) return;
    this.#cells = cells;
    this.#spans = new Map();
    for (const span of cells.spans) {
      const spans = this.#spans.get(span.pane);
      if (spans) spans.push(span);
      else this.#spans.set(span.pane, [span]);
    }
  }

  /** Visible panes whose programs ask that nothing be shown for now. */
  #heldPanes(): Set<number> {
    const ids = Array.from(this.#spans.keys());
    return new Set(
      ids.filter(id => {
        const pane = this.#source.pane(id);
        return pane !== undefined && this.#isHeld(id, pane.view);
      }),
    );
  }

  /** Whether the program asked to hold its screen, and has not done so for too long. */
  #isHeld(id: number, view: ScreenView): boolean {
    if (!view.modes.synchronized) {
      this.#held.delete(id);
      return false;
    }
    const now = this.#clock.now();
    const since = this.#held.get(id)?.since;
    if (since === undefined) {
      this.#hold(id, { since: now, drawnAt: -Infinity });
      return true;
    }
    return now - since < HOLD_MS;
  }

  /** A hold begins, and a look at whether it has ended when it is too long. */
  #hold(id: number, hold: { readonly since: number; readonly drawnAt: number }): void {
    this.#held.set(id, hold);
    this.#clock.after(HOLD_MS, () => this.#schedule());
  }
}
