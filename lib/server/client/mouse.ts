/**
 * The mouse of an attached client: tabs, borders, sidebar and lists are ours; inside a pane it belongs to the program
 * if that asked for it, else the wheel looks back and the left button selects.
 */
import type { Disposable } from '../../base/event.ts';
import type { Hit } from '../../chrome/view.ts';
import { encodeMouse } from '../../input/mouse.ts';
import type { MouseEvent } from '../../input/event.ts';
import { borders } from '../../layout/query.ts';
import { moveBorder } from '../../layout/resize.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { AttachedClient } from './client.ts';
import { openMenuAt } from './menus.ts';
import type { PointerAction } from '../overlay/overlay.ts';
import { runMouseBinding } from './mouse-bindings.ts';
import { MouseSelection } from './mouse-select.ts';
import { chooseInSidebar, explainSelected } from './sidebar-actions.ts';
import { typeInto } from './typing.ts';

/** What the pressed button drags until it is let go. */
type Drag =
  | { readonly type: 'border'; readonly pane: number; readonly axis: 'x' | 'y'; x: number; y: number }
  /** The program in a pane has the button: its release is reported wherever it happens. */
  | { readonly type: 'pane'; readonly pane: number };

export class ClientMouse implements Disposable {
  readonly #client: AttachedClient;
  readonly #selection: MouseSelection;
  #drag: Drag | undefined;

  constructor(client: AttachedClient) {
    this.#client = client;
    this.#selection = new MouseSelection(client);
  }

  dispose(): void {
    this.#selection.dispose();
  }

  handle(event: MouseEvent): void {
    this.#client.pointer = { x: event.x, y: event.y };
    if (event.action === 'drag' && this.#selection.pane !== undefined)
      return this.#selected(event, this.#selection.pane);
    if (!event.action.startsWith('wheel') && this.#overlayPointer(event)) return;
    if (event.action === 'drag' && this.#drag) return this.#dragged(event, this.#drag);
    if (event.action === 'release') return this.#released(event);
    const hit = this.#client.screen.cells?.hit(event.x, event.y) ?? { type: 'none' };
    if (event.action.startsWith('wheel')) return this.#wheel(event, hit);
    if (event.action === 'press') return this.#pressed(event, hit);
    if (hit.type === 'pane') this.#report(event, hit);
  }

  #pressed(event: MouseEvent, hit: Hit): void {
    const { services, overlay, sidebarState } = this.#client;
    if (overlay) {
      if (hit.type === 'overlay-item') overlay.select(hit.index);
      else if (hit.type === 'overlay-facet') overlay.facet?.(hit.index);
      else if (hit.type !== 'overlay' && hit.type !== 'overlay-preview') overlay.event('cancel');
      return;
    }
    if (hit.type !== 'sidebar' && hit.type !== 'sidebar-border' && sidebarState.isFocused) {
      sidebarState.isFocused = false;
      this.#client.screen.chromeChanged();
    }
    if (runMouseBinding(this.#client, event, hit)) return;
    if (event.button === 2 && openMenuAt(this.#client, hit)) return;
    switch (hit.type) {
      case 'tab':
        return services.run(this.#client, `select-window -t ${hit.index}`);
      case 'sidebar':
        return this.#sidebarPressed(hit.id);
      case 'border':
        this.#drag = { type: 'border', pane: hit.pane, axis: hit.axis, x: event.x, y: event.y };
        return;
      case 'header':
        // A header lies on the border above its pane: pressed it focuses, dragged it moves that border.
        this.#focus(hit.pane);
        this.#drag = this.#borderAbove(hit.pane, event);
        return;
      case 'pane':
        this.#focus(hit.pane);
        return this.#panePressed(event, hit);
      default:
        return;
    }
  }

  /** Overlays that follow the pointer are told of it; false where there is none. A press beside one closes it. */
  #overlayPointer({ action, x, y }: MouseEvent): boolean {
    const { overlay, screen } = this.#client;
    if (!overlay?.pointer || this.#drag || this.#selection.pane !== undefined) return false;
    const hit = screen.cells?.hit(x, y) ?? { type: 'none' };
    if (action === 'press' && hit.type !== 'overlay' && hit.type !== 'overlay-item') overlay.event('cancel');
    else if (action !== 'move')
      overlay.pointer(action as PointerAction, hit.type === 'overlay-item' ? hit.index : -1);
    return true;
  }

  /** The program's, if it asked for the mouse; else the left button selects. */
  #panePressed(event: MouseEvent, hit: Extract<Hit, { type: 'pane' }>): void {
    const { services } = this.#client;
    const pane = services.model.windows.pane(hit.pane);
    const view = pane && services.model.sessionOf(pane).terminal?.view;
    if (!view) return;
    if (view.modes.mouseTracking !== 'none' && !services.copies.has(pane.id)) return this.#report(event, hit);
    if (event.button === 0) this.#selection.press(pane.id, { x: hit.x, y: hit.y });
  }

  /** The pointer of a selection, wherever it is. */
  #selected(event: MouseEvent, id: number): void {
    const span = this.#client.screen.cells?.spans.find(s => s.pane === id);
    if (span) this.#selection.drag({ x: event.x - span.x + span.paneX, y: event.y - span.y + span.paneY });
  }

  #sidebarPressed(id: string): void {
    const { sidebarState, screen } = this.#client;
    const wasSelected = sidebarState.selected === id && sidebarState.isFocused;
    sidebarState.isFocused = true;
    sidebarState.event({ type: 'select', id });
    // A section folds at once; a row is selected first and opened by a second click.
    const choice = id.startsWith('section:')
      ? sidebarState.event('toggle')
      : wasSelected
        ? sidebarState.event('accept')
        : undefined;
    if (choice) chooseInSidebar(this.#client, choice);
    else explainSelected(this.#client);
    screen.chromeChanged();
  }

  #wheel(event: MouseEvent, hit: Hit): void {
    const { services, overlay, sidebarState, screen } = this.#client;
    const name = event.action;
    if (overlay) {
      const isPreview = hit.type === 'overlay-preview';
      overlay.event(isPreview ? `preview-${name}` : name);
    } else if (hit.type === 'tab') {
      const isBack = name === 'wheel-up' || name === 'wheel-left';
      services.run(this.#client, isBack ? 'previous-window' : 'next-window');
    } else if (hit.type === 'sidebar') {
      sidebarState.event(name);
      screen.chromeChanged();
    } else if (hit.type === 'pane') {
      this.#paneWheel(event, hit);
    }
  }

  #paneWheel(event: MouseEvent, hit: Extract<Hit, { type: 'pane' }>): void {
    const { services } = this.#client;
    const pane = services.model.windows.pane(hit.pane);
    const view = pane && services.model.sessionOf(pane).terminal?.view;
    if (!pane || !view) return;
    const isInMode = services.copies.has(pane.id);
    if (view.modes.mouseTracking !== 'none' && !isInMode) return this.#report(event, hit);
    if (view.modes.alternateScreen && !isInMode)
      return view.modes.alternateScroll ? this.#arrows(event, pane) : undefined;
    if (event.action === 'wheel-up')
      services.copies.enter(pane.id, { leavesAtBottom: true, isByMouse: true });
    services.copies.action(pane.id, event.action, this.#client);
  }

  /** Programs on the alternate screen that know no mouse get arrow keys, as terminals do (DECSET 1007). */
  #arrows(event: MouseEvent, pane: PaneRecord): void {
    const { services } = this.#client;
    const key = event.action === 'wheel-up' ? 'Up' : event.action === 'wheel-down' ? 'Down' : '';
    if (key) services.run(this.#client, `send-keys -t %${pane.id} ${key} ${key} ${key}`);
  }

  #dragged(event: MouseEvent, drag: Drag): void {
    const { services } = this.#client;
    if (drag.type === 'pane') return this.#reportOutside(event, drag.pane);
    const pane = services.model.windows.pane(drag.pane);
    if (!pane) return void (this.#drag = undefined);
    const window = services.model.windows.windowOf(pane);
    const delta = drag.axis === 'x' ? event.x - drag.x : event.y - drag.y;
    if (delta === 0) return;
    const tree = moveBorder(window.tree, pane.id, drag.axis === 'x' ? 'h' : 'v', delta);
    if (tree !== window.tree) services.model.windows.setTree(window, tree);
    drag.x = event.x;
    drag.y = event.y;
  }

  #released(event: MouseEvent): void {
    const drag = this.#drag;
    this.#drag = undefined;
    this.#selection.release();
    if (drag?.type === 'pane') this.#reportOutside(event, drag.pane);
  }

  /** A drag of the border on which a pane's header lies; none where that is the window's edge. */
  #borderAbove(id: number, { x, y }: MouseEvent): Drag | undefined {
    const { windows } = this.#client.services.model;
    const pane = windows.pane(id);
    if (!pane || windows.windowOf(pane).zoomed) return undefined;
    const place = windows.place(pane);
    const border = borders(windows.windowOf(pane).tree).find(
      b => b.axis === 'v' && b.y === place.y - 1 && place.x >= b.x && place.x < b.x + b.length,
    );
    return border && { type: 'border', pane: border.pane, axis: 'y', x, y };
  }

  #focus(id: number): void {
    const { windows } = this.#client.services.model;
    const pane = windows.pane(id);
    if (pane) windows.focus(pane);
  }

  /** Tells the program in a pane, if it asked. */
  #report(event: MouseEvent, hit: { readonly pane: number; readonly x: number; readonly y: number }): void {
    const { services } = this.#client;
    const pane = services.model.windows.pane(hit.pane);
    const view = pane && services.model.sessionOf(pane).terminal?.view;
    if (!pane || !view || services.copies.has(pane.id)) return;
    const bytes = encodeMouse(event, view.modes, { x: hit.x, y: hit.y });
    if (!bytes) return;
    if (event.action === 'press') this.#drag = { type: 'pane', pane: pane.id };
    typeInto(this.#client, pane, bytes);
  }

  /** A report for a pane wherever the pointer is: the place is moved to the pane's nearest cell. */
  #reportOutside(event: MouseEvent, id: number): void {
    const span = this.#client.screen.cells?.spans.find(s => s.pane === id);
    const pane = this.#client.services.model.windows.pane(id);
    if (!span || !pane) return;
    const size = this.#client.services.model.windows.paneSize(pane);
    const within = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));
    this.#report(event, {
      pane: id,
      x: within(event.x - span.x + span.paneX, size.cols),
      y: within(event.y - span.y + span.paneY, size.rows),
    });
  }
}
