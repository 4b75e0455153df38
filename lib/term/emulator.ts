/**
 * A terminal: bytes of a program in, a readable screen, answers and signals out. Over @xterm/headless, parsed before
 * `write` returns.
 */
import { Emitter } from '../base/event.ts';
import type { Disposable, Event } from '../base/event.ts';
import { clamp } from '../base/geometry.ts';
import type { Size } from '../base/geometry.ts';
import type { Terminal } from '@xterm/headless';
import type { CellLine } from './cell.ts';
import { MAX_HISTORY, MAX_SIDE, MIN_COLS } from './bounds.ts';
import { loadState, openState, saveState } from './checkpoint/checkpoint.ts';
import type { ByteReader, ByteWriter } from './checkpoint/bytes.ts';
import type { CheckpointOptions, EmulatorState } from './checkpoint/checkpoint.ts';
import { ScreenState } from './checkpoint/screen.ts';
import { PaneColors } from './colors.ts';
import type { ColorOverrides } from './colors.ts';
import { installHandlers } from './handlers.ts';
import type { InstalledHandlers } from './handlers.ts';
import { installGuards } from './guards.ts';
import { KeyboardModes, installKeyboardModes } from './keyboard-modes.ts';
import { Leftovers, type ModeSet } from './leftovers.ts';
import { LinkTable } from './links.ts';
import { KEPT, resizeReport } from './modes.ts';
import { Outbox } from './outbox.ts';
import { DEFAULT_PALETTE } from './palette.ts';
import type { Palette } from './palette.ts';
import { schemeReport } from './replies.ts';
import { anchorAt, locateAnchor, logicalLines } from './text-view.ts';
import type { Anchor, Cursor, LogicalLine, PaneSignal, TermModes, TextView } from './screen-view.ts';
import { Said } from './said.ts';
import { Scrollback } from './scrollback.ts';
import { LineView, readCursor, readModes } from './state.ts';
import { Feed } from './feed.ts';
import { SHORT_WAYS, type Ways } from './ways.ts';
import { widthProvider } from './widths.ts';
import { openCore } from './xterm-core.ts';
import type { XtermCore } from './xterm-core.ts';

/** How an emulator is made. What is left out has a default that names nobody. */
export interface EmulatorOptions extends Size {
  /** Lines kept above the screen, 0 to MAX_HISTORY. */
  readonly historyLines: number;
  /** mux's version, for XTVERSION and DA2. */
  readonly version?: string;
  /** The TERM the program was started with, for XTGETTCAP. */
  readonly termName?: string;
  /** This machine's name, by which OSC 7 paths are judged. */
  readonly hostname?: string;
  /** Colours told to programs that ask. */
  readonly palette?: Palette;
  /** Ways around xterm's parser; default SHORT_WAYS. What is seen is the same by any. */
  readonly ways?: Ways;
}

/** How an emulator is made of a checkpoint, which has its size and its history's; `historyLines` sets another limit. */
export type RestoreOptions = Omit<EmulatorOptions, keyof Size | 'historyLines'> &
  Partial<Pick<EmulatorOptions, 'historyLines'>>;

function historyLimit(lines: number): number {
  return clamp(Math.trunc(lines), 0, MAX_HISTORY);
}

/** A terminal emulator. */
export class Emulator implements TextView, Disposable {
  readonly #terminal: Terminal;
  readonly #core: XtermCore;
  readonly #links = new LinkTable();
  readonly #scrollback: Scrollback;
  readonly #parser: Feed;
  readonly #outbox = new Outbox();
  readonly #keyboard = new KeyboardModes();
  readonly #replies = new Emitter<Uint8Array>();
  readonly #signals = new Emitter<PaneSignal>();
  readonly #faults = new Emitter<unknown>();
  readonly #lineEdits = new Emitter<void>();
  readonly #releases = new Emitter<void>();
  readonly #colors: PaneColors;
  readonly #handlers: InstalledHandlers;
  readonly #leftovers: Leftovers;
  readonly #encoder = new TextEncoder();
  readonly #pendingFaults: unknown[] = [];
  #seq = 0;
  #title = '';
  #disposed = false;
  /** What the program has last said of where it is and what it does, also in what was replayed. */
  readonly said = new Said();

  /** Bytes to write back to the program: answers to its questions. At most one event per write. */
  readonly onReply: Event<Uint8Array> = this.#replies.event;
  /** What the program's output says beyond cells. Fired after the chunk is parsed. */
  readonly onSignal: Event<PaneSignal> = this.#signals.event;
  /** A fault of the parser, after which the rest of that chunk was dropped and the parser set back. */
  readonly onFault: Event<unknown> = this.#faults.event;

  /**
   * A prompt begins (OSC 133 A), or a line editor does (it turns on bracketed paste). Fired while output is parsed, before
   * anything is made of it: the listener may drop modes and must not write.
   */
  readonly onLineEdit: Event<void> = this.#lineEdits.event;

  /**
   * A screen that was held (mode 2026) is as the program wants it seen. Fired while output is parsed, since the next hold
   * may begin in the same chunk: the listener may read the screen, without history, and must not write.
   */
  readonly onRelease: Event<void> = this.#releases.event;

  constructor(options: EmulatorOptions) {
    const { terminal, core } = openCore({
      cols: clamp(Math.trunc(options.cols), MIN_COLS, MAX_SIDE),
      rows: clamp(Math.trunc(options.rows), 1, MAX_SIDE),
    });
    this.#terminal = terminal;
    this.#core = core;
    core.unicodeService.register(widthProvider);
    core.unicodeService.activeVersion = widthProvider.version;
    core._inputHandler._oscLinkService = this.#links;
    this.#scrollback = new Scrollback(
      terminal,
      core,
      this.#links,
      historyLimit(options.historyLines),
      () => this.#handlers.prompts,
    );
    const ways = options.ways ?? SHORT_WAYS;
    this.#parser = new Feed(core, ways.flood(core, this.#scrollback));
    installGuards(core, ways.print);
    this.#colors = new PaneColors(options.palette ?? DEFAULT_PALETTE);
    this.#handlers = installHandlers(core, {
      outbox: this.#outbox,
      version: options.version ?? '0.0.0',
      termName: options.termName ?? 'xterm-256color',
      hostname: options.hostname ?? '',
      colors: this.#colors,
      said: this.said,
      onHardReset: () => this.#afterHardReset(),
      onSoftReset: () => this.#resetCursorBlink(),
      onPromptMark: mark => {
        if (mark === 'A') this.#lineEdits.fire();
        this.#leftovers.mark(mark);
      },
      onLineEditor: () => this.#lineEdits.fire(),
      onRelease: () => this.#releases.fire(),
    });
    this.#leftovers = new Leftovers({ core, keyboard: this.#keyboard, kept: this.#handlers.modes });
    installKeyboardModes(core, this.#keyboard, text => this.#outbox.reply(text));
    terminal.onData(data => this.#outbox.reply(data));
    core._inputHandler.onTitleChange(title => {
      if (title === this.#title) return;
      this.#title = title;
      this.#outbox.signal({ type: 'title', title });
    });
    terminal.onBell(() => this.#outbox.signal({ type: 'bell' }));
  }

  /**
   * The emulator that `checkpoint` was called of, as it was then. What a program could be told differently since is
   * taken from `options`. Throws a CheckpointError for all that this version's `checkpoint` has not made.
   */
  static restore(bytes: Uint8Array, options: RestoreOptions = {}): Emulator {
    const { size, from } = openState(bytes);
    const emulator = new Emulator({ ...options, ...size, historyLines: 0 });
    emulator.#outbox.muted = true;
    try {
      loadState(from, emulator.#state());
    } catch (error) {
      emulator.dispose();
      throw error;
    }
    emulator.#outbox.muted = false;
    if (options.historyLines !== undefined) emulator.setHistoryLines(options.historyLines);
    return emulator;
  }

  /**
   * The whole state as bytes, for `restore`; undefined where the last chunk has ended inside a sequence or a string:
   * then to be tried after the next. Between two characters, also of one cluster, and inside a character it is there.
   */
  checkpoint(options: CheckpointOptions = {}): Uint8Array | undefined {
    const canBe = !this.#disposed && this.#parser.isBetween && this.#scrollback.isSettled;
    return canBe ? saveState(this, this.#state(), options) : undefined;
  }

  get cols(): number {
    return this.#core.cols;
  }

  get rows(): number {
    return this.#core.rows;
  }

  get seq(): number {
    return this.#seq;
  }

  get title(): string {
    return this.#title;
  }

  get cursor(): Cursor {
    return readCursor(this.#core, this.#terminal.options.cursorBlink === true);
  }

  get modes(): TermModes {
    return readModes(this.#core, this.#keyboard, this.#handlers.modes);
  }

  /** Colours that the program has set for itself; undefined if none. */
  get colors(): ColorOverrides | undefined {
    return this.#colors.overrides;
  }

  /** Modes that are on and would be in the way of a shell. */
  get modeSet(): ModeSet {
    return this.#leftovers.set;
  }

  /** Turns off those of `which` that are on: whoever set them is dead. */
  dropModes(which: ModeSet): void {
    if (which === 0 || this.#disposed || (which & this.modeSet) === 0) return;
    this.#leftovers.drop(which);
    this.#seq++;
  }

  /** Whether the program has asked to be told of light and dark (mode 2031). */
  get watchesScheme(): boolean {
    return this.#colors.watchesScheme;
  }

  /** The person's colours are others now; `tells`: a program that asked for it (mode 2031) hears of light and dark. */
  setPalette(palette: Palette, tells = true): void {
    this.#colors.setOuter(palette);
    if (!tells || this.#disposed || !this.#colors.takeSchemeChange()) return;
    this.#outbox.reply(schemeReport(this.#colors));
    this.#deliver();
  }

  get historySize(): number {
    const { active, alt } = this.#core.buffers;
    return active === alt ? 0 : this.#scrollback.history.size;
  }

  /** A view of a line without copying its cells; valid until the next write, resize or reset. */
  line(y: number): CellLine | undefined {
    if (y < 0) return this.#scrollback.history.row(this.historySize + y);
    if (!(y < this.#core.rows)) return undefined;
    const { active } = this.#core.buffers;
    const line = active.lines.get(active.ybase + y);
    return line && new LineView(line, this.#links, this.#handlers.prompts.has(line));
  }

  get scrolledRows(): number {
    const { history } = this.#scrollback;
    return history.forgottenRows + history.size;
  }

  logicalLines(y: number, step: 1 | -1): Iterable<LogicalLine> {
    return logicalLines(this, this.#scrollback.history, y, step);
  }

  anchor(y: number, x: number): Anchor {
    return anchorAt(this, this.#scrollback.history, y, x);
  }

  locate(anchor: Anchor): { readonly y: number; readonly x: number } | undefined {
    return locateAnchor(this, this.#scrollback.history, anchor);
  }

  /** Parses a chunk, wholly, before it returns; replies and signals are fired at the end. Never throws for what the bytes are. */
  write(bytes: Uint8Array): void {
    this.#feed(bytes);
    this.#deliver();
  }

  /** Like `write` for bytes of the past: nothing is answered and nothing signalled, then or later. */
  replay(bytes: Uint8Array): void {
    this.#outbox.muted = true;
    this.#feed(bytes);
    this.#outbox.muted = false;
    this.#deliver();
  }

  /** Changes the size, re-wrapping lines of the normal screen; sizes out of bounds are moved into them. */
  resize(cols: number, rows: number): void {
    if (this.#disposed) return;
    // A cluster does not go on across a resize: its cell may be elsewhere.
    this.#core._inputHandler._parser.precedingJoinState = 0;
    const width = clamp(Math.trunc(cols), MIN_COLS, MAX_SIDE);
    const height = clamp(Math.trunc(rows), 1, MAX_SIDE);
    const { cols: before, rows: rowsBefore } = this;
    this.#handlers.cursors.across(() => this.#scrollback.resize(width, height));
    this.#seq++;
    if ((width === before && height === rowsBefore) || !this.#handlers.modes.has(KEPT.resizes)) return;
    this.#outbox.reply(resizeReport(this));
    this.#deliver();
  }

  /** Forgets the lines above the screen. */
  clearHistory(): void {
    this.#scrollback.clear();
    this.#seq++;
  }

  /** Keeps at most `lines` above the screen from now on; the oldest beyond that are forgotten. */
  setHistoryLines(lines: number): void {
    if (this.#disposed) return;
    this.#scrollback.history.setLimit(historyLimit(lines));
    this.#seq++;
  }

  /** As new: empty screen and history, default modes, no title. */
  reset(): void {
    if (this.#disposed) return;
    this.#parser.reset();
    this.#terminal.reset();
    this.#handlers.modes.reset();
    this.#afterHardReset();
    this.#seq++;
  }

  /** Frees the buffers. What is written afterwards is ignored. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#terminal.dispose();
    this.#replies.dispose();
    this.#signals.dispose();
    this.#faults.dispose();
    this.#lineEdits.dispose();
    this.#releases.dispose();
  }

  /** All that is remembered between two writes. */
  #state(): EmulatorState {
    const seq = {
      save: (to: ByteWriter): void => to.long(this.#seq),
      load: (from: ByteReader): void => void (this.#seq = from.long()),
    };
    const screen = new ScreenState(this.#core, this.#handlers.prompts);
    const own = [
      this.#links,
      screen,
      this.#keyboard,
      this.#colors,
      this.#parser.carry,
      this.said,
      this.#leftovers,
      seq,
    ];
    return { history: this.#scrollback.history, parts: [...own, ...this.#handlers.kept] };
  }

  #feed(bytes: Uint8Array): void {
    if (this.#disposed || bytes.length === 0) return;
    this.#seq++;
    try {
      this.#parser.feed(bytes);
      this.#scrollback.settle();
    } catch (error) {
      this.#parser.reset();
      this.#pendingFaults.push(error);
    }
  }

  #deliver(): void {
    const { reply, signals } = this.#outbox.take();
    if (reply !== '') this.#replies.fire(this.#encoder.encode(reply));
    for (const signal of signals) this.#signals.fire(signal);
    if (this.#pendingFaults.length > 0)
      for (const fault of this.#pendingFaults.splice(0)) this.#faults.fire(fault);
  }

  /** What RIS leaves behind in xterm. */
  #afterHardReset(): void {
    this.#scrollback.clear();
    this.#keyboard.reset();
    this.#leftovers.reset();
    this.#core.coreService.isCursorHidden = false;
    this.#core._inputHandler.setTitle('');
    this.#resetCursorBlink();
  }

  /** DECSET 12 is an option to xterm, and outlives its resets. */
  #resetCursorBlink(): void {
    this.#terminal.options.cursorBlink = false;
  }
}
