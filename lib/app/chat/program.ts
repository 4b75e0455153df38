/** The chat program: what comes from the terminal, the service and the clock goes into the state, and the state onto the screen. */
import type { Theme } from '../../config/theme.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import { toCoded } from '../../base/errors.ts';
import { editorText } from '../../chat/editor.ts';
import type { ChatKeys } from '../../chat/keyboard.ts';
import { screenPicture, type ScreenPicture } from '../../chat/paint/screen.ts';
import { reduce } from '../../chat/reduce.ts';
import { ChatScreen } from '../../chat/screen.ts';
import { shownTab, type ChatApp, type ChatEvent, type Effect, type Tab } from '../../chat/state.ts';
import { TimelineLayout } from '../../chat/timeline-layout.ts';
import { tabTitle } from '../../chat/paint/tabs.ts';
import type { InputEvent } from '../../input/event.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { titleSequence } from '../../render/modes.ts';
import { draftOf, type Drafts } from './drafts.ts';
import { stateSequence } from './reported-state.ts';
import { ChatTerminal } from './terminal.ts';

/** A frame is drawn so long after the first change, in ms: 60 a second, and a key is seen at once. */
const FRAME_MS = 16;
/** What a model says is drawn so often, in ms: faster than anybody reads, and half the work. */
const STREAM_MS = 40;
/** How often what counts seconds is drawn, in ms. */
const TICK_MS = 1000;
/** How long a line for the person stays, in ms. */
const TOLD_MS = 4000;
/** Bytes of a paste at most; the rest is left out, and told. */
const PASTE_MAX = 8 * 1024 * 1024;

/** What the program is made with. */
export interface ProgramOptions {
  readonly app: ChatApp;
  readonly theme: Theme;
  readonly caps: TerminalCaps;
  readonly keys: ChatKeys;
  readonly mouse: boolean;
  readonly drafts: Drafts;
  /** Name under which its tabs are kept. */
  readonly terminal: string;
  /** States are reported to the multiplexer around us. */
  readonly reports: boolean;
  /** Nothing moves by itself: seconds are not counted. */
  readonly isStill: boolean;
  readonly isInTmux: boolean;
}

/** What carries effects out. */
export interface Effects {
  run(effect: Effect): void;
  /** The program ends: answers that are under way are stopped. */
  end(): Promise<void>;
}

export class ChatProgram {
  readonly #options: ProgramOptions;
  readonly #layout = new TimelineLayout();
  readonly #terminal: ChatTerminal;
  readonly #screen: ChatScreen;
  #app: ChatApp;
  #picture: ScreenPicture | undefined;
  #effects: Effects | undefined;
  #frame: Disposable | undefined;
  /** Of the frame that is scheduled. */
  #interval = FRAME_MS;
  #drawnAt = 0;
  #isDirty = false;
  #ticks: Disposable | undefined;
  #told: Disposable | undefined;
  #title = '';
  #reported = '';
  #paste: Uint8Array[] = [];
  #pasteBytes = 0;
  #kept: readonly Tab[] = [];
  #failure: unknown;
  #end: (exit: number) => void = () => undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.#app = options.app;
    this.#screen = new ChatScreen(options.app, options.theme, options.caps);
    this.#terminal = new ChatTerminal({
      input: process.stdin,
      output: process.stdout as never,
      caps: options.caps,
      mouse: options.mouse,
      onInput: event => this.#input(event),
      onResize: size => this.dispatch({ type: 'size', size }),
      onBack: () => this.redraw(),
      onDrain: () => this.#schedule(),
      onEnd: exit => this.#end(exit),
    });
  }

  get app(): ChatApp {
    return this.#app;
  }

  get layout(): TimelineLayout {
    return this.#layout;
  }

  get terminal(): ChatTerminal {
    return this.#terminal;
  }

  /** Runs until the person leaves; resolves with the status to exit with. The terminal is given back before. */
  async run(effects: Effects): Promise<number> {
    this.#effects = effects;
    const exit = await new Promise<number>(resolve => {
      this.#end = resolve;
      for (const event of ['uncaughtException', 'unhandledRejection'] as const)
        process.on(event, (error: unknown) => this.#broken(error));
      this.#terminal.start();
      this.dispatch({ type: 'size', size: this.#terminal.size });
      this.#ticks = systemClock.every(TICK_MS, () => this.#tick());
    });
    this.#ticks?.dispose();
    this.#frame?.dispose();
    this.#keep();
    this.#options.drafts.flush();
    if (this.#reported !== '') this.#terminal.write(stateSequence('idle'));
    this.#terminal.giveBack();
    this.#screen.dispose();
    await effects.end();
    if (this.#failure !== undefined) throw this.#failure;
    // A terminal that is still read keeps the process alive.
    process.stdin.pause();
    return exit;
  }

  /** Something has happened. */
  dispatch(event: ChatEvent): void {
    const before = this.#app;
    const { state, intents } = reduce({ ...before, now: systemClock.now() }, event, { layout: this.#layout });
    this.#app = state;
    if (state.told.length > 0 && !this.#told) this.#tell();
    this.#keep();
    for (const intent of intents) {
      if (intent.type === 'quit') this.#end(0);
      else if (intent.type === 'redraw') this.redraw();
      else if (intent.type === 'suspend') this.#suspend();
      else this.#effects?.run(intent);
    }
    this.#schedule(event.type === 'conversation' ? STREAM_MS : FRAME_MS);
  }

  /** Other colours, from the next frame on. */
  setTheme(theme: Theme): void {
    this.#screen.setTheme(theme);
    this.#schedule();
  }

  /** It cannot go on: the terminal is given back, and `run` rejects with this. */
  fail(error: unknown): void {
    this.#failure = error;
    this.#end(1);
  }

  /** Draws all of it anew. */
  redraw(): void {
    this.#screen.invalidate();
    this.#schedule();
  }

  #broken(error: unknown): void {
    this.#terminal.giveBack();
    console.error(
      `mux: chat: ${process.env['MUX_DEBUG'] ? String((error as Error).stack) : toCoded(error).message}`,
    );
    this.#end(70);
  }

  #suspend(): void {
    this.#terminal.suspend();
  }

  /** A line goes after a while, and the next one is shown. */
  #tell(): void {
    this.#told = systemClock.after(TOLD_MS, () => {
      this.#told = undefined;
      this.dispatch({ type: 'shown' });
    });
  }

  #tick(): void {
    if (this.#options.isStill || !this.#app.tabs.some(({ state }) => state !== 'idle')) return;
    this.dispatch({ type: 'tick' });
  }

  #input(event: InputEvent): void {
    if (event.type === 'paste') return this.#pasted(event.data, event.first, event.last);
    if (!this.#picture) return;
    const meant = this.#options.keys.event(this.#app, event, this.#picture);
    if (meant) this.dispatch(meant);
  }

  #pasted(data: Uint8Array, isFirst: boolean, isLast: boolean): void {
    if (isFirst) {
      this.#paste = [];
      this.#pasteBytes = 0;
    }
    this.#pasteBytes += data.length;
    if (this.#pasteBytes <= PASTE_MAX) this.#paste.push(data.slice());
    if (!isLast) return;
    const text = Buffer.concat(this.#paste).toString('utf8').replace(/\r\n?/g, '\n');
    this.#paste = [];
    if (this.#pasteBytes > PASTE_MAX)
      this.dispatch({ type: 'told', text: 'more was pasted than 8 MiB: its end is left out', tone: 'error' });
    if (text !== '') this.dispatch({ type: 'paste', text });
  }

  /** A change is drawn at once, and what follows within a frame together. */
  #schedule(interval = FRAME_MS): void {
    this.#isDirty = true;
    if (this.#terminal.isFull || !this.#effects) return;
    const wait = Math.max(0, interval - (systemClock.now() - this.#drawnAt));
    // A key does not wait for the frame of what a model says.
    if (this.#frame && interval >= this.#interval) return;
    this.#frame?.dispose();
    this.#interval = interval;
    if (wait === 0) {
      // What came in one piece is one frame.
      const now = setImmediate(() => this.#draw());
      this.#frame = { dispose: () => clearImmediate(now) };
    } else this.#frame = systemClock.after(wait, () => this.#draw());
  }

  #draw(): void {
    this.#frame = undefined;
    if (!this.#isDirty || this.#terminal.isFull) return;
    this.#isDirty = false;
    this.#drawnAt = systemClock.now();
    this.#picture = screenPicture(this.#app, this.#layout, (table, action) =>
      this.#options.keys.keyOf(table, action),
    );
    this.#terminal.write(this.#screen.render(this.#app, this.#picture));
    this.#outside();
  }

  /** The terminal's title, and the state that a multiplexer around us shows. */
  #outside(): void {
    const title = titleSequence(this.#options.caps, `mux chat: ${tabTitle(shownTab(this.#app))}`);
    if (title !== this.#title) this.#terminal.write(title);
    this.#title = title;
    if (!this.#options.reports) return;
    const states = this.#app.tabs.map(({ state }) => state);
    const state = states.includes('waiting')
      ? 'approval'
      : states.some(one => one !== 'idle')
        ? 'working'
        : 'idle';
    if (state === this.#reported) return;
    this.#reported = state;
    this.#terminal.write(stateSequence(state));
  }

  /** Keeps what has changed of what is not the service's to keep. */
  #keep(): void {
    const { drafts, terminal } = this.#options;
    const { tabs, active } = this.#app;
    if (tabs === this.#kept) return;
    for (const tab of tabs) {
      const before = this.#kept.find(({ key }) => key === tab.key);
      if (before && KEPT.every(name => before[name] === tab[name])) continue;
      drafts.write(draftOf(tab, editorText(tab.editor)));
    }
    const names = (all: readonly Tab[]): string => all.map(({ chat }) => chat).join();
    if (names(this.#kept) !== names(tabs))
      drafts.writeTabs(terminal, { chats: tabs.map(({ chat }) => chat), active });
    this.#kept = tabs;
  }
}

/** Parts of a tab that are kept. */
const KEPT = [
  'editor',
  'attachments',
  'queued',
  'model',
  'role',
  'effort',
  'mode',
  'tools',
  'title',
  'resumeFrom',
] as const;
