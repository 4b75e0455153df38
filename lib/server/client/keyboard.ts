/**
 * Who has a client's keyboard, and what its keys, pastes and focus reports do there.
 */
import type { Disposable } from '../../base/event.ts';
import { passKeyReport, passThrough } from '../../input/encoder.ts';
import type { Key, MouseEvent } from '../../input/event.ts';
import { formatKey, isOneCharacter } from '../../input/keyname.ts';
import { reportedKey } from '../../input/kitty-encoding.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { TermModes } from '../../term/screen-view.ts';
import type { AttachedClient } from './client.ts';
import { COPY_TYPING_TABLE, copyTable } from './copy-table.ts';
import type { InputSink } from './input.ts';
import { ClientMouse } from './mouse.ts';
import { LinePaste, PanePaste, type PasteTarget } from './paste.ts';
import { panesTypedInto, typeInto, typeKeys } from './typing.ts';

/** Keys held down at once that are remembered: more than a person has fingers. */
const MAX_DOWN = 32;

export class ClientKeyboard implements InputSink, Disposable {
  readonly #client: AttachedClient;
  readonly #mouse: ClientMouse;
  /** Where the paste under way goes: its first piece decides, whatever has the keyboard since. */
  #paste: readonly PasteTarget[] = [];
  /** Keys whose press went to a pane, which alone is told that they are let go. */
  readonly #down = new Map<string, number>();

  constructor(client: AttachedClient) {
    this.#client = client;
    this.#mouse = new ClientMouse(client);
  }

  /** Key table of whoever has the keyboard: the topmost thing on the screen. */
  baseTable(): string {
    const { line, overlay, sidebarState, numbers, passesKeys } = this.#client;
    // A table that does not exist binds nothing: the key itself is wanted.
    if (line) return line.takesKey ? 'any-key' : 'prompt';
    if (overlay) return overlay.table;
    if (numbers.takeKeys) return 'any-key';
    if (passesKeys) return 'off';
    if (sidebarState.isFocused) return 'sidebar';
    const pane = this.#focused;
    return (pane && copyTable(this.#client.services, pane.id)) ?? 'root';
  }

  command(commandLine: string): void {
    this.#client.numbers.end();
    this.#client.clearMessage();
    this.#client.services.run(this.#client, commandLine);
  }

  /** A key bound to nothing in the table in force. */
  key(key: Key, raw: Uint8Array): void {
    const client = this.#client;
    client.clearMessage();
    if (client.numbers.takeKeys && this.#number(key)) return;
    if (client.line || client.overlay) return this.#lineKey(key);
    this.#endCopyMode();
    const pane = this.#typingPane;
    if (!pane) return;
    if (!this.#modesOf(pane)) return this.#deadKey(pane, key);
    this.#noteDown(pane, raw);
    typeKeys(client, pane, modes => passThrough({ key, raw }, modes));
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
    if (bytes.length > 0) typeInto(this.#client, pane, bytes);
  }

  unknown(raw: Uint8Array): void {
    const pane = this.#typingPane;
    if (!pane || !this.#modesOf(pane) || this.#client.line || this.#client.overlay) return;
    typeKeys(this.#client, pane, () => raw);
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
    if (first) this.#paste = this.#pasteTargets();
    for (const target of this.#paste) target.piece(data, last);
    if (last) this.#paste = [];
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
    for (const target of this.#paste) target.piece(new Uint8Array(0), true);
    this.#paste = [];
    this.#mouse.dispose();
  }

  prefixChanged(): void {
    // The bottom row says what can be pressed now.
    this.#client.screen.chromeChanged();
  }

  #pasteTargets(): readonly PasteTarget[] {
    const { line, overlay, sidebarState, services } = this.#client;
    if (line || overlay) return [new LinePaste(text => this.#text({ type: 'paste', text }))];
    const pane = this.#focused;
    if (!pane || !services.model.sessionOf(pane).terminal || sidebarState.isFocused) return [];
    services.copies.leave(pane.id);
    return panesTypedInto(this.#client, pane).flatMap(one => {
      const modes = this.#modesOf(one);
      return modes ? [new PanePaste(modes, bytes => typeInto(this.#client, one, bytes))] : [];
    });
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
    return !pane || sidebarState.isFocused || services.copies.has(pane.id) ? undefined : pane;
  }

  /** Modes of a pane's program; undefined where none runs. */
  #modesOf(pane: PaneRecord): TermModes | undefined {
    const session = this.#client.services.model.sessionOf(pane);
    return session.exit ? undefined : session.terminal?.view.modes;
  }

  get #focused(): PaneRecord | undefined {
    return this.#client.services.model.windows.focused;
  }

  /** Lines are edited by the keys of the prompt, whatever they are part of. */
  #lineKey(key: Key): void {
    if (this.#client.line?.takesKey) return this.#text({ type: 'text', text: formatKey(key) });
    const edit = this.#client.services.keys.lookup('prompt', key)?.command;
    const { line, overlay } = this.#client;
    if (!line && overlay?.key) return overlay.key(key);
    const text = textOf(key);
    if (edit) this.#client.services.run(this.#client, edit);
    else if (text) this.#text({ type: 'text', text });
  }

  #text(event: ModeEvent): void {
    if (this.#client.line) this.#client.lineEvent(event);
    else this.#client.overlay?.event(event);
  }

  /** Ends a copy mode that typing ends: the key is for the program then, as all are while they are passed. */
  #endCopyMode(): void {
    const { services, sidebarState, passesKeys } = this.#client;
    const pane = sidebarState.isFocused ? undefined : this.#focused;
    if (!pane) return;
    if (passesKeys || copyTable(services, pane.id) === COPY_TYPING_TABLE) services.copies.leave(pane.id);
  }

  /** Keys of a pane whose program has ended; the bottom row says so. */
  #deadKey(pane: PaneRecord, key: Key): void {
    const { services, isReadOnly } = this.#client;
    if (isReadOnly) return;
    if (key.name === 'Enter') services.model.closePane(pane);
    else if (key.name === 'r' && !key.ctrl) services.run(this.#client, `respawn-pane -t %${pane.id}`);
  }

  /** A key while panes have numbers; false if it is meant for the pane after all. */
  #number(key: Key): boolean {
    const { numbers, services } = this.#client;
    const window = services.model.windows.current;
    const panes = window ? services.model.windows.panesIn(window).map(pane => `%${pane.id}`) : [];
    const command = numbers.key(key, panes);
    if (command) services.run(this.#client, command);
    return command !== undefined;
  }
}

/** What a key types into a line, '' for keys that are no text. */
function textOf(key: Key): string {
  if (key.ctrl || key.alt) return '';
  if (key.name === 'Space') return ' ';
  return isOneCharacter(key.name) ? key.name : '';
}
