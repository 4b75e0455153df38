/**
 * One attached terminal: its screen, its input, and the interface that lies between them.
 */
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import { areas, type Areas } from '../../chrome/areas.ts';
import type { ChromeView, Hint, OverlayView } from '../../chrome/view.ts';
import type {
  ActionArgs,
  ClientPort,
  CommandPlace,
  MenuRequest,
  ModeAction,
  OverlayName,
  PromptRequest,
  TreeRequest,
} from '../../cmd/spec.ts';
import { encodeKey } from '../../input/encoder.ts';
import type { Key } from '../../input/event.ts';
import type { LineEvent } from '../../mode/line-editor.ts';
import { PERSON_NAME } from '../../messages/types.ts';
import type { NavigatorViewName } from '../../mode/navigator-items.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import { textOverlay } from '../overlay/text.ts';
import type { Overlay, OverlayHost } from '../overlay/overlay.ts';
import { bottomHints } from './hints.ts';
import { ClientColors, COLOR_QUERY, COLOR_WATCH } from './colors.ts';
import { ClientInput } from './input.ts';
import { completeCommand } from './complete.ts';
import { LinePrompt } from './line-prompt.ts';
import { ClientKeyboard } from './keyboard.ts';
import { MessageLine } from './message-line.ts';
import { openOverlay } from './open-overlay.ts';
import { OuterTerminalModes, wantedModes } from './outer.ts';
import { openMenu } from './menus.ts';
import { openTree } from './open-tree.ts';
import { PaneNumbers, type NumbersRequest } from './pane-numbers.ts';
import { ClientScreen } from './screen.ts';
import type { ClientServices } from './services.ts';
import { shownPane } from './shown-pane.ts';
import { sidebarAction, sidebarSource } from './sidebar-actions.ts';
import { ClientSidebar } from './sidebar.ts';
import { dropLeftModes, typeKeys } from './typing.ts';
import { buildView, statusMark } from './view.ts';
import { windowOffset } from './window-offset.ts';

/** What is known of the terminal and the wire to it. */
export interface ClientOptions {
  readonly id: string;
  readonly tty: string;
  readonly size: Size;
  readonly caps: TerminalCaps;
  readonly isReadOnly: boolean;
  /** Known to nobody but its terminal: see OSC 8763 in term/signals.ts. */
  readonly mark: string;
  /** A tmux lies between us and the terminal. */
  readonly isInTmux: boolean;
  send(bytes: Uint8Array): void;
  /** See ScreenSource. */
  sendDirect(bytes: Uint8Array): number;
}

export class AttachedClient implements ClientPort, Disposable {
  readonly id: string;
  readonly tty: string;
  readonly isReadOnly: boolean;
  readonly mark: string;
  readonly isInTmux: boolean;
  readonly services: ClientServices;
  readonly screen: ClientScreen;
  readonly sidebarState: ClientSidebar;
  readonly colors = new ClientColors();
  size: Size;
  lastUsedAt: number;
  /** Whether the terminal has its desktop's focus; one that never tells has it. */
  isFocused = true;
  overlay: Overlay | undefined;
  line: LinePrompt | undefined;
  readonly #outer: OuterTerminalModes;
  readonly #asksColors: boolean;
  readonly #input: ClientInput;
  readonly #keyboard: ClientKeyboard;
  readonly #messages: MessageLine;
  readonly #owned = new DisposableStore();
  /** What the open prompt was asked for. */
  #request: PromptRequest | undefined;
  /** What the sidebar and an overlay show of the model may be out of date. */
  #isStale = true;
  readonly numbers: PaneNumbers;
  /** Where the mouse was seen last. */
  pointer = { x: 0, y: 0 };
  /** All keys go to the program, the prefix too. */
  passesKeys = false;
  /** How sessions were looked at last. */
  navigatorView: NavigatorViewName = 'all';

  constructor(services: ClientServices, options: ClientOptions) {
    this.services = services;
    this.id = options.id;
    this.tty = options.tty;
    this.isReadOnly = options.isReadOnly;
    this.mark = options.mark;
    this.isInTmux = options.isInTmux;
    this.size = options.size;
    // A terminal that takes titles takes other OSCs too, if only by leaving them out.
    this.#asksColors = options.caps.title && options.caps.colors !== 0;
    this.lastUsedAt = services.clock.now();
    this.sidebarState = new ClientSidebar(
      () => sidebarSource(services),
      () => services.options.get('sidebar'),
    );
    this.#outer = new OuterTerminalModes(options.caps, services.options.get('mouse') ? 'drag' : 'off');
    this.#messages = this.#owned.add(
      new MessageLine(
        services.clock,
        () => services.options.get('display-time'),
        () => this.screen.chromeChanged(),
      ),
    );
    this.numbers = this.#owned.add(new PaneNumbers(services.clock, () => this.screen.chromeChanged()));
    this.#keyboard = this.#owned.add(new ClientKeyboard(this));
    this.#input = this.#owned.add(
      new ClientInput(services.clock, this.#keyboard, services.keys, () => this.#keyOptions()),
    );
    this.screen = this.#owned.add(
      new ClientScreen(
        services.clock,
        {
          view: () => this.#view(),
          pane: id => shownPane(services, id),
          focused: () => (this.hasPaneKeyboard ? services.model.windows.focused?.id : undefined),
          title: () => this.#title(),
          modes: () => this.#outer.change(wantedModes(this)),
          send: options.send,
          sendDirect: options.sendDirect,
        },
        { size: options.size, theme: services.theme(), caps: options.caps },
      ),
    );
  }

  /** Takes the terminal over; the first thing that it is sent. */
  takeOver(): void {
    // The mark first: a server that has this client in one of its own panes knows it by that.
    this.screen.raw(Buffer.from(`\x1b]8763;${this.mark}\x1b\\${this.#outer.enter()}`));
  }

  /** Bytes that the terminal sent. */
  receive(bytes: Uint8Array): void {
    this.lastUsedAt = this.services.clock.now();
    this.screen.keyPressed();
    dropLeftModes(this.services.model);
    this.#input.bytes(bytes);
  }

  resize(size: Size): void {
    this.size = size;
    this.screen.resize(size);
    this.services.used(this);
  }

  /** Asks the terminal for its colours, and to be told when they change. */
  askColors(): void {
    if (this.#asksColors) this.screen.raw(Buffer.from(COLOR_WATCH));
  }

  /**
   * An answer of the terminal to something that it was asked. Its colours are those of the panes while this client is
   * the one used last.
   */
  reply(raw: Uint8Array): void {
    if (this.#outer.reply(raw)) this.screen.chromeChanged();
    const told = this.colors.take(raw);
    if (told === 'ask') this.screen.raw(Buffer.from(COLOR_QUERY));
    if (told === 'changed') this.services.colorsChanged(this);
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

  /** The model, an option or the graph has changed. */
  changed(): void {
    this.#isStale = true;
    this.screen.chromeChanged();
  }

  /** Settings have changed: colours and mouse reports may have to follow. */
  settingsChanged(): void {
    this.screen.setTheme(this.services.theme());
  }

  dispose(): void {
    this.#closeOverlay();
    this.#owned.dispose();
  }

  // ClientPort

  message(text: string, tone: 'info' | 'error'): void {
    this.#messages.show({ text, tone });
  }

  showText(title: string, lines: readonly string[]): void {
    this.show(host => textOverlay(host, title, lines));
  }

  run(commandLine: string, at?: CommandPlace): void {
    this.services.run(this, commandLine, at);
  }

  prompt(request: PromptRequest): void {
    const complete = (before: string): ReturnType<typeof completeCommand> =>
      completeCommand(before, this.services);
    this.#giveUpLine();
    this.#request = request;
    this.line = new LinePrompt(request, this.services.promptHistory(request.history), complete);
    this.screen.chromeChanged();
  }

  confirm(options: { text: string; command: string; at?: CommandPlace }): void {
    const yes = (): void => this.services.run(this, options.command, options.at);
    this.show(host => new ConfirmOverlay(host, { text: options.text, yes }));
  }

  open(overlay: OverlayName, detail = ''): void {
    openOverlay(this, overlay, detail);
  }

  openTree(tree: 'sessions' | 'buffers', request: TreeRequest): void {
    openTree(this, tree, request);
  }

  /** Puts an overlay over the screen in place of the one there. */
  show(make: (host: OverlayHost) => Overlay): void {
    this.#closeOverlay();
    // The keys go to one thing: a line that was being typed gives way.
    this.#giveUpLine();
    this.overlay = make({
      close: () => this.#closeOverlay(),
      redraw: () => this.screen.chromeChanged(),
      run: (line, at) => this.services.run(this, line, at),
      message: (text, tone) => this.message(text, tone),
    });
    this.screen.chromeChanged();
  }

  sidebar(action: 'toggle' | 'focus'): void {
    this.sidebarState[action](this.size);
    this.services.used(this);
    this.screen.chromeChanged();
  }

  openMenu(request: MenuRequest): void {
    openMenu(this, request);
  }

  displayPanes(request: NumbersRequest): void {
    this.numbers.show(request);
  }

  passKeys(isOn: boolean | undefined): void {
    this.passesKeys = isOn ?? !this.passesKeys;
    this.screen.chromeChanged();
  }

  sendPrefix(): void {
    const pane = this.services.model.windows.focused;
    if (pane) typeKeys(this, pane, modes => encodeKey(this.services.prefix(), modes));
  }

  modeAction(action: ModeAction, { args, count }: ActionArgs = { args: [], count: 0 }): void {
    // An incremental search is asked for by the line itself.
    if (this.line && !action.endsWith('-incremental')) return this.lineEvent(action);
    if (this.overlay) return this.overlay.event(action);
    if (this.sidebarState.isFocused) return sidebarAction(this, action);
    const pane = this.services.model.windows.focused;
    if (pane) this.services.copies.action(pane.id, action, this, args, count);
  }

  redraw(): void {
    this.screen.raw(Buffer.from(this.#outer.again()));
    this.screen.redraw();
  }

  /** Something happened to the command prompt. */
  lineEvent(event: LineEvent): void {
    const before = this.line?.view.text;
    const outcome = this.line?.event(event) ?? 'open';
    const text = outcome === 'open' ? this.line?.view.text : before;
    if (outcome === 'closed' || (outcome === 'open' && text !== before))
      this.#request?.changed?.(text ?? '', outcome === 'closed');
    if (outcome !== 'open') this.line = undefined;
    this.screen.chromeChanged();
    if (typeof outcome === 'object') this.#request?.entered(outcome);
  }

  /** What is typed while it is typed is told that there will be no more of it. */
  #giveUpLine(): void {
    const text = this.line?.view.text;
    this.line = undefined;
    if (text !== undefined) this.#request?.changed?.(text, true);
  }

  /** A message goes as soon as a key is pressed. */
  clearMessage(): void {
    this.#messages.clear();
  }

  /** Keys go to the focused pane, and to nothing that lies over it. */
  get hasPaneKeyboard(): boolean {
    return !this.line && !this.overlay && !this.sidebarState.isFocused;
  }

  #keyOptions(): { prefix: Key | undefined; repeatMs: number; escapeMs: number } {
    const { options } = this.services;
    return {
      prefix: this.passesKeys ? undefined : this.services.prefix(),
      repeatMs: options.get('repeat-time'),
      escapeMs: options.get('escape-time'),
    };
  }

  #view(): ChromeView {
    const { services } = this;
    if (this.#isStale) this.#refresh();
    const place = this.sidebarState.place(this.size);
    const overlay = this.overlay?.view();
    const width = services.options.get('sidebar-width');
    const graph = services.graph().graph;
    return buildView(
      {
        clock: services.clock,
        model: services.model,
        graph,
        git: cwd => services.git(cwd),
        copyPosition: id => services.copies.position(id),
        options: services.options,
        unread: services.messages.unread(PERSON_NAME),
      },
      {
        size: this.size,
        sidebar:
          place === 'hidden'
            ? undefined
            : this.sidebarState.view(graph.title, width, this.areas.sidebar.height - 1),
        offset: windowOffset(this.services.model, this.windowSize),
        hints: this.#hints(overlay?.type),
        message: this.#messages.view,
        prompt: this.line?.view,
        prefixHeld: this.#input.isPrefixHeld,
        overlay,
        mark: statusMark(services, this),
        numberPanes: this.numbers.areShown,
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
    const title = pane.title || session.terminal?.view.title || session.name;
    // A mux in the pane has said so already.
    return title.endsWith(' - mux') ? title : `${title} - mux`;
  }

  #hints(overlay: OverlayView['type'] | undefined): readonly Hint[] | undefined {
    if (!this.services.options.get('status-hints') && !this.#input.isPrefixHeld) return undefined;
    return bottomHints(this.services, this.#input.isPrefixHeld, this.#keyboard.baseTable(), overlay);
  }

  #closeOverlay(): void {
    const overlay = this.overlay;
    this.overlay = undefined;
    overlay?.dispose();
    this.screen.chromeChanged();
  }
}
