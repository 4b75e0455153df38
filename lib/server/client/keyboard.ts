/**
 * Who has a client's keyboard, and what its keys, pastes and focus reports do there.
 */
import type { Disposable } from '../../base/event.ts';
import { passKeyReport, passThrough, type KeyModes } from '../../input/encoder.ts';
import type { Key, MouseEvent } from '../../input/event.ts';
import { formatKey, isOneCharacter } from '../../input/keyname.ts';
import { reportedKey } from '../../input/kitty-encoding.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { AttachedClient } from './client.ts';
import type { InputSink } from './input.ts';
import { ClientMouse } from './mouse.ts';
import { LinePaste, PanePaste, type PasteTarget } from './paste.ts';

/** Keys held down at once that are remembered: more than a person has fingers. */
const MAX_DOWN = 32;

export class ClientKeyboard implements InputSink, Disposable {
  readonly #client: AttachedClient;
  readonly #mouse: ClientMouse;
  /** Where the paste under way goes: its first piece decides, whatever has the keyboard since. */
  #paste: PasteTarget | undefined;
  /** Keys whose press went to a pane, which alone is told that they are let go. */
  readonly #down = new Map<string, number>();

  constructor(client: AttachedClient) {
    this.#client = client;
    this.#mouse = new ClientMouse(client);
  }

  /** Key table of whoever has the keyboard: the topmost thing on the screen. */
  baseTable(): string {
    const { line, overlay, sidebarState } = this.#client;
    if (line) return 'prompt';
    if (overlay) return overlay.table;
    if (sidebarState.isFocused) return 'sidebar';
    const pane = this.#focused;
    return pane && this.#client.services.scrolls.get(pane.id) ? 'copy-mode' : 'root';
  }

  command(commandLine: string): void {
    this.#client.endNumbers();
    this.#client.clearMessage();
    this.#client.services.run(this.#client, commandLine);
  }

  /** A key bound to nothing in the table in force. */
  key(key: Key, raw: Uint8Array): void {
    const client = this.#client;
    client.clearMessage();
    if (client.endNumbers()) return this.#number(key);
    if (client.line || client.overlay) return this.#lineKey(key);
    const pane = this.#typingPane;
    if (!pane) return;
    const modes = this.#modesOf(pane);
    if (!modes) return this.#deadKey(pane, key);
    this.#noteDown(pane, raw);
    client.type(pane, passThrough({ key, raw }, modes));
  }

  /** A key let go, a modifier alone: for the program that asked for such, and for nothing of mux. */
  keyReport(raw: Uint8Array): void {
    const pane = this.#typingPane;
    const modes = pane && this.#modesOf(pane);
    if (!pane || !modes || this.#client.line || this.#client.overlay || this.#client.isReadOnly) return;
    const key = reportedKey(raw);
    if (key?.isRelease && this.#down.get(key.id) !== pane.id) return;
    if (key?.isRelease) this.#down.delete(key.id);
    else this.#noteDown(pane, raw);
    const bytes = passKeyReport(raw, modes);
    if (bytes.length > 0) this.#client.type(pane, bytes);
  }

  unknown(raw: Uint8Array): void {
    const pane = this.#typingPane;
    if (!pane || !this.#modesOf(pane) || this.#client.line || this.#client.overlay) return;
    this.#client.type(pane, raw);
  }

  unbound(key: Key): void {
    const prefix = formatKey(this.#client.services.prefix());
    this.#client.message(`${prefix} ${formatKey(key)} is not bound`, 'error');
  }

  reply(raw: Uint8Array): void {
    this.#client.reply(raw);
  }

  mouse(event: MouseEvent): void {
    this.#mouse.handle(event);
  }

  paste(data: Uint8Array, first: boolean, last: boolean): void {
    if (first) this.#paste = this.#pasteTarget();
    this.#paste?.piece(data, last);
    if (last) this.#paste = undefined;
  }

  focus(focused: boolean): void {
    const { services } = this.#client;
    this.#client.isFocused = focused;
    // What is let go elsewhere is not told here.
    this.#down.clear();
    services.focusChanged();
    if (focused) services.used(this.#client);
  }

  /** A paste that the terminal will not end any more is ended, so that its program does not wait for ever. */
  dispose(): void {
    this.#paste?.piece(new Uint8Array(0), true);
    this.#paste = undefined;
  }

  prefixChanged(): void {
    // The bottom row says what can be pressed now.
    this.#client.screen.chromeChanged();
  }

  #pasteTarget(): PasteTarget | undefined {
    const { line, overlay, sidebarState, services } = this.#client;
    if (line || overlay) return new LinePaste(text => this.#text({ type: 'paste', text }));
    const pane = this.#focused;
    const terminal = pane && services.model.sessionOf(pane).terminal;
    if (!terminal || sidebarState.isFocused) return undefined;
    services.scrolls.leave(pane.id);
    return new PanePaste(terminal.view.modes, bytes => this.#client.type(pane, bytes));
  }

  #noteDown(pane: PaneRecord, raw: Uint8Array): void {
    const key = reportedKey(raw);
    if (!key) return;
    if (this.#down.size >= MAX_DOWN) this.#down.clear();
    this.#down.set(key.id, pane.id);
  }

  /** The pane that keys go to where nothing lies over it; undefined while it looks back or the sidebar has them. */
  get #typingPane(): PaneRecord | undefined {
    const { sidebarState, services } = this.#client;
    const pane = this.#focused;
    return !pane || sidebarState.isFocused || services.scrolls.get(pane.id) ? undefined : pane;
  }

  /** Modes of a pane's program; undefined where none runs. */
  #modesOf(pane: PaneRecord): KeyModes | undefined {
    const session = this.#client.services.model.sessionOf(pane);
    return session.exit ? undefined : session.terminal?.view.modes;
  }

  get #focused(): PaneRecord | undefined {
    return this.#client.services.model.windows.focused;
  }

  /** Lines are edited by the keys of the prompt, whatever they are part of. */
  #lineKey(key: Key): void {
    const edit = this.#client.services.keys.lookup('prompt', key)?.command;
    const text = textOf(key);
    if (edit) this.#client.services.run(this.#client, edit);
    else if (text) this.#text({ type: 'text', text });
  }

  #text(event: ModeEvent): void {
    if (this.#client.line) this.#client.lineEvent(event);
    else this.#client.overlay?.event(event);
  }

  /** Keys of a pane whose program has ended; the bottom row says so. */
  #deadKey(pane: PaneRecord, key: Key): void {
    const { services, isReadOnly } = this.#client;
    if (isReadOnly) return;
    if (key.name === 'Enter') services.model.closePane(pane);
    else if (key.name === 'r' && !key.ctrl) services.run(this.#client, `respawn-pane -t %${pane.id}`);
  }

  #number(key: Key): void {
    if (/^[0-9]$/.test(key.name)) this.#client.services.run(this.#client, `select-pane -t .${key.name}`);
  }
}

/** What a key types into a line, '' for keys that are no text. */
function textOf(key: Key): string {
  if (key.ctrl || key.alt) return '';
  if (key.name === 'Space') return ' ';
  return isOneCharacter(key.name) ? key.name : '';
}
