/**
 * Who has a client's keyboard, and what its keys, pastes and focus reports do there.
 */
import { encodeFocus, passThrough } from '../../input/encoder.ts';
import type { Key, MouseEvent } from '../../input/event.ts';
import { formatKey, isOneCharacter } from '../../input/keyname.ts';
import { PasteEncoder } from '../../input/paste.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { AttachedClient } from './client.ts';
import type { InputSink } from './input.ts';
import { ClientMouse } from './mouse.ts';

export class ClientKeyboard implements InputSink {
  readonly #client: AttachedClient;
  readonly #mouse: ClientMouse;
  #paste: readonly { readonly encoder: PasteEncoder; readonly pane: PaneRecord }[] = [];

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
    return pane && this.#client.services.scrolls.get(pane.id) ? 'copy-mode' : 'root';
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
    const pane = this.#focused;
    if (!pane || client.sidebarState.isFocused || client.services.scrolls.get(pane.id)) return;
    const session = client.services.model.sessionOf(pane);
    if (session.exit || !session.terminal) return this.#deadKey(pane, key);
    client.typeKeys(pane, modes => (key.name === '' ? raw : passThrough({ key, raw }, modes)));
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
      services.scrolls.leave(pane.id);
      this.#paste = this.#client.typedInto(pane).flatMap(one => {
        const modes = services.model.sessionOf(one).terminal?.view.modes;
        return modes ? [{ pane: one, encoder: new PasteEncoder(modes) }] : [];
      });
    }
    // Every piece goes where the first one went, whatever has been focused since.
    for (const one of this.#paste) this.#client.type(one.pane, one.encoder.encode(data, last));
    if (last) this.#paste = [];
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
