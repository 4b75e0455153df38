/**
 * One attached terminal: its screen, its input, and the interface that lies between them.
 */
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import { areas, type Areas } from '../../chrome/areas.ts';
import type { ChromeView, Hint, MessageView } from '../../chrome/view.ts';
import type { ActionArgs, ClientPort, ModeAction, OverlayName, PromptRequest } from '../../cmd/spec.ts';
import { encodeKey } from '../../input/encoder.ts';
import type { Key } from '../../input/event.ts';
import type { LineEvent } from '../../mode/line-editor.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { mouseSequence } from '../../render/modes.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import { textOverlay } from '../overlay/text.ts';
import type { Overlay, OverlayHost } from '../overlay/overlay.ts';
import { bottomHints } from './hints.ts';
import { ClientInput } from './input.ts';
import { completeCommand } from './complete.ts';
import { copyTable } from './copy-table.ts';
import { LinePrompt } from './line-prompt.ts';
import { ClientKeyboard } from './keyboard.ts';
import { openOverlay } from './open-overlay.ts';
import { ClientScreen, type ScreenSource } from './screen.ts';
import type { ClientServices } from './services.ts';
import { sidebarAction, sidebarSource } from './sidebar-actions.ts';
import { ClientSidebar } from './sidebar.ts';
import { buildView } from './view.ts';

/** What is known of the terminal and the wire to it. */
export interface ClientOptions {
  readonly id: string;
  readonly tty: string;
  readonly size: Size;
  readonly caps: TerminalCaps;
  readonly isReadOnly: boolean;
  send(bytes: Uint8Array): void;
  /** See ScreenSource. */
  sendDirect(bytes: Uint8Array): number;
}

/** An error stays this many times as long as another message: it is read twice. */
const ERROR_FACTOR = 2;

export class AttachedClient implements ClientPort, Disposable {
  readonly id: string;
  readonly tty: string;
  readonly isReadOnly: boolean;
  readonly services: ClientServices;
  readonly screen: ClientScreen;
  readonly sidebarState: ClientSidebar;
  size: Size;
  lastUsedAt: number;
  overlay: Overlay | undefined;
  line: LinePrompt | undefined;
  readonly #input: ClientInput;
  readonly #keyboard: ClientKeyboard;
  readonly #owned = new DisposableStore();
  #message: MessageView | undefined;
  #messageTimer: Disposable | undefined;
  /** What the sidebar and an overlay show of the model may be out of date. */
  #isStale = true;
  #numbers: Disposable | undefined;

  constructor(services: ClientServices, options: ClientOptions) {
    this.services = services;
    this.id = options.id;
    this.tty = options.tty;
    this.isReadOnly = options.isReadOnly;
    this.size = options.size;
    this.lastUsedAt = services.clock.now();
    this.sidebarState = new ClientSidebar(
      () => sidebarSource(services),
      () => services.options.get('sidebar'),
    );
    this.#keyboard = this.#owned.add(new ClientKeyboard(this));
    this.#input = this.#owned.add(
      new ClientInput(services.clock, this.#keyboard, services.keys, () => this.#keyOptions()),
    );
    this.screen = this.#owned.add(
      new ClientScreen(
        services.clock,
        {
          view: () => this.#view(),
          pane: id => this.#pane(id),
          focused: () => (this.#hasPaneKeyboard ? services.model.windows.focused?.id : undefined),
          title: () => this.#title(),
          send: options.send,
          sendDirect: options.sendDirect,
        },
        { size: options.size, theme: services.theme(), caps: options.caps },
      ),
    );
  }

  /** Bytes that the terminal sent. */
  receive(bytes: Uint8Array): void {
    this.lastUsedAt = this.services.clock.now();
    this.screen.keyPressed();
    this.#input.bytes(bytes);
  }

  resize(size: Size): void {
    this.size = size;
    this.screen.resize(size);
    this.services.used(this);
  }

  /** Where the parts of the screen lie now. */
  get areas(): Areas {
    const place = this.sidebarState.place(this.size);
    return areas(this.size, {
      sidebarWidth: place === 'hidden' ? 0 : this.services.options.get('sidebar-width'),
      sidebarOverlay: place === 'over',
      bottomRow: this.services.options.get('status-hints'),
    });
  }

  /** Cells of the pane area: the size of a window that this client decides. */
  get windowSize(): Size {
    const { panes } = this.areas;
    return { cols: Math.max(1, panes.width), rows: Math.max(1, panes.height) };
  }

  /** Cell of the window at the top left of what this client sees: the cursor of the focused pane stays in sight. */
  get offset(): { x: number; y: number } {
    const { model } = this.services;
    const window = model.windows.current;
    const room = this.windowSize;
    if (!window || (window.size.cols <= room.cols && window.size.rows <= room.rows)) return { x: 0, y: 0 };
    const pane = model.windows.focused!;
    const rect = model.windows.place(pane);
    const cursor = model.sessionOf(pane).terminal?.view.cursor ?? { x: 0, y: 0 };
    const along = (at: number, all: number, shown: number): number =>
      Math.max(0, Math.min(all - shown, at - Math.floor(shown / 2)));
    return {
      x: along(rect.x + cursor.x, window.size.cols, room.cols),
      y: along(rect.y + cursor.y, window.size.rows, room.rows),
    };
  }

  /** The model, an option or the graph has changed. */
  changed(): void {
    this.#isStale = true;
    this.screen.chromeChanged();
  }

  /** Settings have changed: colours and mouse reports may have to follow. */
  settingsChanged(): void {
    this.screen.setTheme(this.services.theme());
    this.screen.raw(Buffer.from(mouseSequence(this.services.options.get('mouse') ? 'drag' : 'off')));
  }

  dispose(): void {
    this.#closeOverlay();
    this.#messageTimer?.dispose();
    this.#numbers?.dispose();
    this.#owned.dispose();
  }

  // ClientPort

  message(text: string, tone: 'info' | 'error'): void {
    this.#message = { text, tone };
    this.#messageTimer?.dispose();
    const ms = this.services.options.get('display-time') * (tone === 'error' ? ERROR_FACTOR : 1);
    this.#messageTimer = ms > 0 ? this.services.clock.after(ms, () => this.clearMessage()) : undefined;
    this.screen.chromeChanged();
  }

  showText(title: string, lines: readonly string[]): void {
    this.show(host => textOverlay(host, title, lines));
  }

  prompt(options: PromptRequest): void {
    const isSearch = options.history === 'search';
    const history = isSearch ? this.services.searchHistory : this.services.promptHistory;
    const none = { candidates: [], replace: 0 };
    this.line = new LinePrompt(options, history, before =>
      isSearch ? none : completeCommand(before, this.services),
    );
    this.screen.chromeChanged();
  }

  confirm(options: { text: string; command: string }): void {
    const yes = (): void => this.services.run(this, options.command);
    this.show(host => new ConfirmOverlay(host, { text: options.text, yes }));
  }

  open(overlay: OverlayName): void {
    openOverlay(this, overlay);
  }

  /** Puts an overlay over the screen in place of the one there. */
  show(make: (host: OverlayHost) => Overlay): void {
    this.#closeOverlay();
    // The keys go to one thing: a line that was being typed gives way.
    this.line = undefined;
    this.overlay = make({
      close: () => this.#closeOverlay(),
      redraw: () => this.screen.chromeChanged(),
      run: line => this.services.run(this, line),
      message: (text, tone) => this.message(text, tone),
    });
    this.screen.chromeChanged();
  }

  sidebar(action: 'toggle' | 'focus'): void {
    this.sidebarState[action](this.size);
    this.services.used(this);
    this.screen.chromeChanged();
  }

  displayPanes(): void {
    this.#numbers?.dispose();
    this.#numbers = this.services.clock.after(this.services.options.get('display-panes-time'), () => {
      this.#numbers = undefined;
      this.screen.chromeChanged();
    });
    this.screen.chromeChanged();
  }

  sendPrefix(): void {
    const pane = this.services.model.windows.focused;
    const terminal = pane && this.services.model.sessionOf(pane).terminal;
    if (pane && terminal)
      this.services.write(this, pane, encodeKey(this.services.prefix(), terminal.view.modes));
  }

  modeAction(action: ModeAction, { args, count }: ActionArgs = { args: [], count: 0 }): void {
    // An incremental search is asked for by the line itself.
    if (this.line && !action.endsWith('-incremental')) return this.lineEvent(action);
    if (this.overlay) return this.overlay.event(action);
    if (this.sidebarState.isFocused) return sidebarAction(this, action);
    const pane = this.services.model.windows.focused;
    if (pane) this.services.copies.action(pane.id, action, this, args, count);
  }

  /** Key table of a pane's copy mode; undefined where it is in none. */
  copyTable(pane: number): string | undefined {
    const state = this.services.copies.get(pane);
    return state && copyTable(state, this.services.options);
  }

  redraw(): void {
    this.screen.redraw();
  }

  /** Something happened to the command prompt. */
  lineEvent(event: LineEvent): void {
    const outcome = this.line?.event(event);
    if (outcome?.isOpen === false) this.line = undefined;
    this.screen.chromeChanged();
    if (outcome?.run !== undefined) this.services.run(this, outcome.run);
  }

  /** Ends the numbering of panes; false if there was none. */
  endNumbers(): boolean {
    const wereShown = this.#numbers !== undefined;
    this.#numbers?.dispose();
    this.#numbers = undefined;
    if (wereShown) this.screen.chromeChanged();
    return wereShown;
  }

  /** A message goes as soon as a key is pressed. */
  clearMessage(): void {
    if (this.#message === undefined) return;
    this.#messageTimer?.dispose();
    this.#message = undefined;
    this.screen.chromeChanged();
  }

  /** Gives input to the focused pane's program. */
  type(pane: PaneRecord, bytes: Uint8Array): void {
    if (this.isReadOnly) return this.message('This terminal is attached read-only', 'error');
    this.services.write(this, pane, bytes);
  }

  get #hasPaneKeyboard(): boolean {
    return !this.line && !this.overlay && !this.sidebarState.isFocused;
  }

  #keyOptions(): { prefix: Key; repeatMs: number; escapeMs: number } {
    const { options } = this.services;
    return {
      prefix: this.services.prefix(),
      repeatMs: options.get('repeat-time'),
      escapeMs: options.get('escape-time'),
    };
  }

  #pane(id: number): ReturnType<ScreenSource['pane']> {
    const { model, copies } = this.services;
    const pane = model.windows.pane(id);
    const view = pane && model.sessionOf(pane).terminal?.view;
    const state = view && copies.get(id);
    if (!state) return view && { view, offset: 0 };
    const { x, y } = state.cursor;
    const cursor = { x, y, visible: true, shape: 'block', blink: false } as const;
    return { view, offset: -state.top, cursor, lit: copies.lit(id) };
  }

  #view(): ChromeView {
    const { services } = this;
    if (this.#isStale) this.#refresh();
    const place = this.sidebarState.place(this.size);
    const width = services.options.get('sidebar-width');
    const graph = services.graph().graph;
    return buildView(
      {
        clock: services.clock,
        model: services.model,
        graph,
        git: cwd => services.git(cwd),
        copyPosition: id => services.copies.position(id),
      },
      {
        size: this.size,
        sidebar:
          place === 'hidden'
            ? undefined
            : this.sidebarState.view(graph.title, width, this.areas.sidebar.height - 1),
        offset: this.offset,
        hints: this.#hints(),
        message: this.#message,
        prompt: this.line?.view,
        prefixHeld: this.#input.isPrefixHeld,
        overlay: this.overlay?.view(),
        mark: this.isReadOnly ? 'READ-ONLY' : '',
        numberPanes: this.#numbers !== undefined,
      },
    );
  }

  #refresh(): void {
    this.#isStale = false;
    this.sidebarState.refresh();
    this.overlay?.refresh();
  }

  /** Names what is focused, so that a window list of the desktop tells terminals apart. */
  #title(): string {
    const { model } = this.services;
    const pane = model.windows.focused;
    if (!pane) return 'mux';
    const session = model.sessionOf(pane);
    return `${pane.title || session.terminal?.view.title || session.name} - mux`;
  }

  #hints(): readonly Hint[] | undefined {
    if (!this.services.options.get('status-hints') && !this.#input.isPrefixHeld) return undefined;
    return bottomHints(this.services, this.#input.isPrefixHeld, this.#keyboard.baseTable());
  }

  #closeOverlay(): void {
    const overlay = this.overlay;
    this.overlay = undefined;
    overlay?.dispose();
    this.screen.chromeChanged();
  }
}
