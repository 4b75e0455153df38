/**
 * One client's sidebar: whether it is shown, what is folded and selected, and what choosing a row does.
 */
import { SIDEBAR_ASKED_BELOW, sidebarPlace } from '../../chrome/areas.ts';
import type { SidebarView } from '../../chrome/view.ts';
import type { Size } from '../../base/geometry.ts';
import {
  reduceSidebar,
  sidebar,
  type Sidebar,
  type SidebarEvent,
  type SidebarIntent,
} from '../../mode/sidebar.ts';
import type { SidebarSource } from '../../mode/sidebar-rows.ts';

/** What a chosen row leads to. */
export type SidebarChoice = Extract<SidebarIntent, { type: 'activate' }>;

export class ClientSidebar {
  readonly #source: () => SidebarSource;
  readonly #setting: () => 'auto' | 'on' | 'off';
  #state: Sidebar;
  /** What the person asked for on this screen; undefined: what the setting says. */
  #asked: boolean | undefined;
  isFocused = false;

  constructor(source: () => SidebarSource, setting: () => 'auto' | 'on' | 'off') {
    this.#source = source;
    this.#setting = setting;
    this.#state = sidebar(source());
  }

  /** Where it goes on a screen of this size. */
  place(size: Size): 'beside' | 'over' | 'hidden' {
    const setting = this.#setting();
    const wanted = this.#asked ?? setting !== 'off';
    return wanted ? sidebarPlace(size.cols, this.#asked === true || setting === 'on') : 'hidden';
  }

  toggle(size: Size): void {
    const isShown = this.place(size) !== 'hidden';
    this.#asked = !isShown;
    if (isShown) this.isFocused = false;
    // On a small screen it lies in the way: whoever asks for it there wants to use it.
    else this.isFocused = size.cols < SIDEBAR_ASKED_BELOW;
  }

  focus(size: Size): void {
    if (this.place(size) === 'hidden') this.#asked = true;
    this.isFocused = true;
  }

  /** Graph or sessions have changed: rows follow, the selection stays on its row. */
  refresh(): void {
    this.#apply({ type: 'source', source: this.#source() });
  }

  /** A named action or a click; the row chosen by it, if any. */
  event(event: SidebarEvent): SidebarChoice | undefined {
    const intents = this.#apply(event);
    if (intents.some(intent => intent.type === 'cancel')) this.isFocused = false;
    return intents.find((intent): intent is SidebarChoice => intent.type === 'activate');
  }

  get selected(): string {
    return this.#state.selected;
  }

  view(title: string, width: number, rows: number): SidebarView {
    if (rows > 0 && rows !== this.#state.height) this.#apply({ type: 'rows', rows });
    return { title, rows: this.#state.rows, selected: this.#state.selected, focused: this.isFocused, width };
  }

  #apply(event: SidebarEvent): readonly SidebarIntent[] {
    const { state, intents } = reduceSidebar(this.#state, event);
    this.#state = state;
    return intents;
  }
}
