/**
 * A menu over a client's screen. Its entries run command lines.
 */
import type { MenuView } from '../../chrome/view.ts';
import type { MenuRequest } from '../../cmd/spec.ts';
import { formatKey } from '../../input/keyname.ts';
import type { Key } from '../../input/event.ts';
import type { ModeEvent } from '../../mode/event.ts';
import { menu, reduceMenu, type Menu, type MenuEvent } from '../../mode/menu.ts';
import type { Overlay, OverlayHost, PointerAction } from './overlay.ts';

export class MenuOverlay implements Overlay {
  readonly table = 'menu';
  readonly #host: OverlayHost;
  readonly #request: MenuRequest;
  readonly #at: MenuView['at'];
  #state: Menu;
  /** The pointer has been on an entry since the menu opened: letting go of the button means something now. */
  #wasOnEntry = false;

  /** @param at the cell of its top left corner */
  constructor(host: OverlayHost, request: MenuRequest, at: MenuView['at']) {
    this.#host = host;
    this.#request = request;
    this.#at = at;
    const entries = request.entries.map(
      entry => entry && { text: entry.text, key: entry.key, isEnabled: entry.command !== undefined },
    );
    // Who opened it by a key goes on with the keys.
    this.#state = menu(entries, { isFirst: !request.isByMouse });
  }

  view(): MenuView {
    const { entries, selected } = this.#state;
    return { type: 'menu', title: this.#request.title, at: this.#at, entries, selected };
  }

  event(event: ModeEvent): void {
    this.#apply(event);
  }

  /** Keys that are no text can be an entry's too. */
  key(key: Key): void {
    this.#apply({ type: 'key', key: formatKey(key) });
  }

  /** An entry is chosen by a click, or by letting go of the button that opened the menu over it. */
  pointer(action: PointerAction, index: number): void {
    this.#apply({ type: 'point', index });
    const isChosen = action === 'press' || (action === 'release' && this.#wasOnEntry);
    if (index >= 0 && action !== 'press') this.#wasOnEntry = true;
    if (isChosen && this.#state.selected >= 0) this.#apply('accept');
    else if (action === 'release' && this.#wasOnEntry && !this.#request.staysOpen && index < 0)
      this.#host.close();
  }

  select(index: number): void {
    this.pointer('press', index);
  }

  refresh(): void {}

  dispose(): void {}

  #apply(event: MenuEvent): void {
    const { state, intents } = reduceMenu(this.#state, event);
    this.#state = state;
    for (const intent of intents) {
      this.#host.close();
      const command = intent.type === 'accept' ? this.#request.entries[intent.index]?.command : undefined;
      if (command) this.#host.run(command, this.#request.place);
    }
    this.#host.redraw();
  }
}
