/**
 * A floating list with a filter: palette, sessions, buffers, what to do with a role.
 */
import type { StyledLine } from '../../base/styled.ts';
import type { ModeEvent } from '../../mode/event.ts';
import { highlight } from '../../mode/highlight.ts';
import {
  picker,
  pickerView,
  reducePicker,
  type Picker,
  type PickerEvent,
  type PickerItem,
} from '../../mode/picker.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

export interface PickerOptions {
  readonly title: string;
  readonly hint: string;
  readonly empty: string;
  /** Id of the item to begin with. */
  readonly selected?: string;
  /** Read anew when the model has changed; the same list again means that nothing has. */
  readonly items: () => readonly PickerItem[];
  readonly accept: (id: string) => void;
  /** Text before an item's own, e.g. a state mark. */
  readonly prefix?: (item: PickerItem) => StyledLine;
}

export class PickerOverlay implements Overlay {
  readonly table = 'picker';
  readonly #host: OverlayHost;
  readonly #options: PickerOptions;
  #items: readonly PickerItem[];
  #state: Picker;

  constructor(host: OverlayHost, options: PickerOptions) {
    this.#host = host;
    this.#options = options;
    this.#items = options.items();
    this.#state = picker(options, this.#items);
  }

  view(): ReturnType<typeof pickerView> {
    const { prefix } = this.#options;
    return prefix
      ? pickerView(this.#state, (item, ranges) => [...prefix(item), ...highlight(item.text, ranges)])
      : pickerView(this.#state);
  }

  event(event: ModeEvent): void {
    this.#apply(event);
  }

  select(index: number): void {
    const before = this.#state.selected;
    this.#apply({ type: 'select', index });
    if (this.#state.selected === before) this.#apply('accept');
  }

  /** The selection stays on its item. */
  refresh(): void {
    const items = this.#options.items();
    if (items === this.#items) return;
    this.#items = items;
    this.#state = reducePicker(this.#state, { type: 'items', items }).state;
  }

  dispose(): void {}

  #apply(event: PickerEvent): void {
    const { state, intents } = reducePicker(this.#state, event);
    this.#state = state;
    for (const intent of intents) {
      if (intent.type === 'cancel') this.#host.close();
      if (intent.type === 'accept') {
        this.#host.close();
        this.#options.accept(intent.id);
      }
    }
    this.#host.redraw();
  }
}
