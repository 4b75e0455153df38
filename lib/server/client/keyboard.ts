/**
 * Who has a client's keyboard, and what its keys, pastes and focus reports do there.
 */
import type { Disposable } from '../../base/event.ts';
import { encodeFocus, passThrough } from '../../input/encoder.ts';
import type { Key, MouseEvent } from '../../input/event.ts';
import { formatKey, isOneCharacter } from '../../input/keyname.ts';
import { PasteEncoder } from '../../input/paste.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { AttachedClient } from './client.ts';
import { COPY_TYPING_TABLE } from './copy-table.ts';
import type { InputSink } from './input.ts';
import { ClientMouse } from './mouse.ts';

export class ClientKeyboard implements InputSink, Disposable {
  readonly #client: AttachedClient;
  readonly #mouse: ClientMouse;
  #paste: { readonly encoder: PasteEncoder; readonly pane: PaneRecord } | undefined;

  constructor(client: AttachedClient) {
    this.#client = client;
    this.#mouse = new ClientMouse(client);
  }

  dispose(): void {
    this.#mouse.dispose();
  }

  /** Key table of whoever has the keyboard: the topmost thing on the screen. */
  baseTable(): string {
    const { line, overlay, sidebarState } = this.#client;
    if (line) return 'prompt';
    if (overlay) return overlay.table;
    if (sidebarState.isFocused) return 'sidebar';
    const pane = this.#focused;
    return (pane && this.#client.copyTable(pane.id)) ?? 'root';
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
    const pane = this.#focused;
    if (!pane || client.sidebarState.isFocused || !this.#leavesCopyMode(pane)) return;
    const session = client.services.model.sessionOf(pane);
    if (session.exit || !session.terminal) return this.#deadKey(pane, key);
    client.type(pane, key.name === '' ? raw : passThrough({ key, raw }, session.terminal.view.modes));
  }

  unbound(key: Key): void {
    const prefix = formatKey(this.#client.services.prefix());
    this.#client.message(`${prefix} ${formatKey(key)} is not bound`, 'error');
  }

  mouse(event: MouseEvent): void {
    this.#mouse.handle(event);
  }

  paste(data: Uint8Array, first: boolean, last: boolean): void {
    const { line, overlay, sidebarState, services } = this.#client;
    if (line || overlay) return this.#text({ type: 'paste', text: Buffer.from(data).toString() });
    const pane = this.#focused;
    const terminal = pane && services.model.sessionOf(pane).terminal;
    if (first && pane && terminal && !sidebarState.isFocused) {
      services.copies.leave(pane.id);
      this.#paste = { pane, encoder: new PasteEncoder(terminal.view.modes) };
    }
    // Every piece goes where the first one went, whatever has been focused since.
    if (this.#paste) this.#client.type(this.#paste.pane, this.#paste.encoder.encode(data, last));
    if (last) this.#paste = undefined;
  }

  focus(focused: boolean): void {
    const { services, isReadOnly } = this.#client;
    const pane = this.#focused;
    const terminal = pane && services.model.sessionOf(pane).terminal;
    const bytes = terminal && encodeFocus(focused, terminal.view.modes);
    if (bytes && !isReadOnly) terminal.write(bytes);
    if (focused) services.used(this.#client);
  }

  prefixChanged(): void {
    // The bottom row says what can be pressed now.
    this.#client.screen.chromeChanged();
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

  /** Whether a key is for a pane's program: in copy mode only where typing ends that, which it then does. */
  #leavesCopyMode(pane: PaneRecord): boolean {
    const table = this.#client.copyTable(pane.id);
    if (table === COPY_TYPING_TABLE) this.#client.services.copies.leave(pane.id);
    return table === undefined || table === COPY_TYPING_TABLE;
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
