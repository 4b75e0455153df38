/**
 * One attached terminal: its screen, its input, and the interface that lies between them.
 */
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import { areas, type Areas } from '../../chrome/areas.ts';
import { browserAreas } from '../../chrome/browser.ts';
import type { ChromeView, Hint, MessageView } from '../../chrome/view.ts';
import type { ClientPort, ModeAction } from '../../cmd/spec.ts';
import { encodeFocus, encodeKey, passThrough } from '../../input/encoder.ts';
import type { Key } from '../../input/event.ts';
import { formatKey, isOneCharacter } from '../../input/keyname.ts';
import { PasteEncoder } from '../../input/paste.ts';
import type { LineEvent } from '../../mode/line-editor.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { mouseSequence } from '../../render/modes.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import type { Overlay, OverlayHost } from '../overlay/overlay.ts';
import { bottomHints } from './hints.ts';
import { ClientInput } from './input.ts';
import { completeCommand } from './complete.ts';
import { LinePrompt, type PromptOptions } from './line-prompt.ts';
import { ClientMouse } from './mouse.ts';
import { openOverlay } from './open-overlay.ts';
import { ClientScreen } from './screen.ts';
import type { ClientServices } from './services.ts';
import { chooseInSidebar, sidebarAction, sidebarSource } from './sidebar-actions.ts';
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
}

/** Messages are read in this time; errors take longer. */
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
  readonly #caps: TerminalCaps;
  readonly #input: ClientInput;
  readonly #mouse: ClientMouse;
  readonly #owned = new DisposableStore();
  #prompt: LinePrompt | undefined;
  #message: MessageView | undefined;
  #messageTimer: Disposable | undefined;
  #numbers: Disposable | undefined;
  #paste: { encoder: PasteEncoder; pane: PaneRecord } | undefined;

  constructor(services: ClientServices, options: ClientOptions) {
    this.services = services;
    this.id = options.id;
    this.tty = options.tty;
    this.isReadOnly = options.isReadOnly;
    this.size = options.size;
    this.#caps = options.caps;
    this.lastUsedAt = services.clock.now();
    this.sidebarState = new ClientSidebar(
      () => sidebarSource(services),
      () => services.options.get('sidebar'),
    );
    this.#mouse = new ClientMouse(this);
    this.#input = this.#owned.add(
      new ClientInput(services.clock, this.#sink(), services.keys, () => this.#keyOptions()),
    );
    this.screen = this.#owned.add(
      new ClientScreen(
        services.clock,
        {
          view: () => this.#view(),
          pane: id => this.#pane(id),
          focused: () => (this.#hasPaneKeyboard ? services.model.windows.focused?.id : undefined),
          send: options.send,
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
    this.sidebarState.refresh();
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
    this.#messageTimer = this.services.clock.after(ms, () => this.#clearMessage());
    this.screen.chromeChanged();
  }

  prompt(options: PromptOptions): void {
    this.#prompt = new LinePrompt(options, this.services.promptHistory, before =>
      completeCommand(before, this.services),
    );
    this.screen.chromeChanged();
  }

  confirm(options: { text: string; command: string }): void {
    this.show(host => new ConfirmOverlay(host, options));
  }

  open(kind: 'palette' | 'help' | 'sessions' | 'lores' | 'buffers'): void {
    openOverlay(this, kind);
  }

  /** Puts an overlay over the screen in place of the one there. */
  show(make: (host: OverlayHost) => Overlay): void {
    this.#closeOverlay();
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

  modeAction(action: ModeAction): void {
    if (this.#prompt) return this.#promptEvent(action);
    if (this.overlay) return this.overlay.event(action);
    if (this.sidebarState.isFocused) return sidebarAction(this, action);
    const pane = this.services.model.windows.focused;
    if (pane) this.services.scrolls.event(pane.id, action);
  }

  copyMode({ pageUp }: { pageUp: boolean }): void {
    const pane = this.services.model.windows.focused;
    if (!pane) return;
    this.services.scrolls.enter(pane.id, false);
    if (pageUp) this.services.scrolls.event(pane.id, 'page-up');
  }

  redraw(): void {
    this.screen.redraw();
  }

  /** Gives input to the focused pane's program. */
  type(pane: PaneRecord, bytes: Uint8Array): void {
    if (this.isReadOnly) return this.message('This terminal is attached read-only', 'error');
    this.services.write(this, pane, bytes);
  }

  /** Cells of the lore browser's preview. */
  previewWidth(): number {
    return Math.max(1, browserAreas(this.size, true).preview.width);
  }

  get #hasPaneKeyboard(): boolean {
    return !this.#prompt && !this.overlay && !this.sidebarState.isFocused;
  }

  #keyOptions(): { prefix: Key; repeatMs: number; escapeMs: number } {
    const { options } = this.services;
    return {
      prefix: this.services.prefix(),
      repeatMs: options.get('repeat-time'),
      escapeMs: options.get('escape-time'),
    };
  }

  #sink(): ConstructorParameters<typeof ClientInput>[1] {
    return {
      baseTable: () => this.#baseTable(),
      command: line => this.services.run(this, line),
      key: (key, raw) => this.#key(key, raw),
      unbound: key =>
        this.message(`${formatKey(this.services.prefix())} ${formatKey(key)} is not bound`, 'error'),
      mouse: event => this.#mouse.handle(event),
      paste: (data, first, last) => this.#pasted(data, first, last),
      focus: focused => this.#focus(focused),
      prefixChanged: () => this.screen.chromeChanged(),
    };
  }

  #baseTable(): string {
    if (this.#prompt) return 'prompt';
    if (this.overlay) return this.overlay.table;
    if (this.sidebarState.isFocused) return 'sidebar';
    const pane = this.services.model.windows.focused;
    return pane && this.services.scrolls.get(pane.id) ? 'copy-mode' : 'root';
  }

  #key(key: Key, raw: Uint8Array): void {
    if (this.#numbers) return this.#number(key);
    if (this.#message) this.#clearMessage();
    const text = textOf(key);
    if (this.#prompt || this.overlay) {
      const edit = this.services.keys.lookup('prompt', key)?.command;
      if (edit) return this.services.run(this, edit);
      if (text) this.#textEvent({ type: 'text', text });
      return;
    }
    const pane = this.services.model.windows.focused;
    if (!pane || this.sidebarState.isFocused || this.services.scrolls.get(pane.id)) return;
    const session = this.services.model.sessionOf(pane);
    if (session.exit || !session.terminal) return this.#deadKey(pane, key);
    this.type(pane, key.name === '' ? raw : passThrough({ key, raw }, session.terminal.view.modes));
  }

  /** Keys of a pane whose program has ended; the hints row says so. */
  #deadKey(pane: PaneRecord, key: Key): void {
    if (this.isReadOnly) return;
    if (key.name === 'Enter') this.services.model.closePane(pane);
    else if (key.name === 'r' && !key.ctrl) this.services.run(this, `respawn-pane -t %${pane.id}`);
  }

  #number(key: Key): void {
    this.#numbers?.dispose();
    this.#numbers = undefined;
    this.screen.chromeChanged();
    if (/^[0-9]$/.test(key.name)) this.services.run(this, `select-pane -t .${key.name}`);
  }

  #textEvent(event: LineEvent & object): void {
    if (this.#prompt) this.#promptEvent(event);
    else if (event.type !== 'candidates') this.overlay?.event(event);
  }

  #promptEvent(event: LineEvent): void {
    const outcome = this.#prompt!.event(event);
    if (outcome !== 'open') this.#prompt = undefined;
    this.screen.chromeChanged();
    if (typeof outcome === 'object') this.services.run(this, outcome.run);
  }

  #pasted(data: Uint8Array, first: boolean, last: boolean): void {
    if (this.#prompt || this.overlay) {
      return this.#textEvent({ type: 'paste', text: Buffer.from(data).toString() });
    }
    const pane = this.services.model.windows.focused;
    const terminal = pane && this.services.model.sessionOf(pane).terminal;
    if (first && pane && terminal && !this.sidebarState.isFocused) {
      this.services.scrolls.leave(pane.id);
      this.#paste = { pane, encoder: new PasteEncoder(terminal.view.modes) };
    }
    // Every piece goes where the first one went, whatever has been focused since.
    if (this.#paste) this.type(this.#paste.pane, this.#paste.encoder.encode(data, last));
    if (last) this.#paste = undefined;
  }

  #focus(focused: boolean): void {
    const pane = this.services.model.windows.focused;
    const terminal = pane && this.services.model.sessionOf(pane).terminal;
    const bytes = terminal && encodeFocus(focused, terminal.view.modes);
    if (pane && bytes && !this.isReadOnly) this.services.write(this, pane, bytes);
    if (focused) this.services.used(this);
  }

  #pane(id: number): ReturnType<ConstructorParameters<typeof ClientScreen>[1]['pane']> {
    const { model, scrolls } = this.services;
    const pane = model.windows.pane(id);
    const terminal = pane && model.sessionOf(pane).terminal;
    return terminal && { view: terminal.view, offset: scrolls.offset(id) };
  }

  #view(): ChromeView {
    const { services } = this;
    const place = this.sidebarState.place(this.size);
    const width = services.options.get('sidebar-width');
    const graph = services.graph().graph;
    return buildView(
      {
        clock: services.clock,
        model: services.model,
        graph,
        git: cwd => services.git(cwd),
        scrollOf: id => services.scrolls.get(id),
      },
      {
        size: this.size,
        unicode: this.#caps.unicode,
        sidebar:
          place === 'hidden'
            ? undefined
            : this.sidebarState.view(graph.title, width, this.areas.sidebar.height - 1),
        offset: this.offset,
        hints: this.#hints(),
        message: this.#message,
        prompt: this.#prompt?.view,
        prefixHeld: this.#input.isPrefixHeld,
        overlay: this.overlay?.view(),
        mark: this.isReadOnly ? 'READ-ONLY' : '',
        numberPanes: this.#numbers !== undefined,
      },
    );
  }

  #hints(): readonly Hint[] | undefined {
    if (!this.services.options.get('status-hints') && !this.#input.isPrefixHeld) return undefined;
    return bottomHints(this.services, this.#input.isPrefixHeld, this.#baseTable());
  }

  #clearMessage(): void {
    this.#messageTimer?.dispose();
    this.#message = undefined;
    this.screen.chromeChanged();
  }

  #closeOverlay(): void {
    const overlay = this.overlay;
    this.overlay = undefined;
    overlay?.dispose();
    this.screen?.chromeChanged();
  }

  /** For sidebar actions: what a chosen row leads to. */
  chooseSidebar(choice: Parameters<typeof chooseInSidebar>[1]): void {
    chooseInSidebar(this, choice);
  }
}

/** What a key types into a line, '' for keys that are no text. */
function textOf(key: Key): string {
  if (key.ctrl || key.alt) return '';
  if (key.name === 'Space') return ' ';
  return isOneCharacter(key.name) ? key.name : '';
}
