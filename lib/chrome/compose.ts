/**
 * A view as boxes in painter's order. Each part is made anew only when its own part of the view changes.
 */
import type { Rect, Size } from '../base/geometry.ts';
import { MIN_SIZE, SIDEBAR_OVERLAY_UP_TO, areas, type Areas } from './areas.ts';
import { bottomPainting, isUrgent } from './bottom.ts';
import { browserPainting } from './browser.ts';
import { dialogPainting } from './dialog.ts';
import { helpPainting } from './help.ts';
import { menuPainting } from './menu.ts';
import { type Box, type Painting } from './paint.ts';
import { pickerPainting } from './picker.ts';
import { remember } from './same.ts';
import { sidebarBox } from './sidebar.ts';
import { topRow } from './tabs.ts';
import type { ChromeView, OverlayView } from './view.ts';
import { tooSmallBox, windowBoxes } from './window.ts';

/** Composes the views of one client. */
export class Composer {
  readonly #ground = remember(groundBox);
  readonly #top = remember(topRow);
  readonly #window = remember(windowBoxes);
  readonly #sidebar = remember(sidebarBox);
  readonly #sidebarBorder = remember(sidebarBorder);
  readonly #bottom = remember(bottomPainting);
  readonly #overlay = remember(overlayPainting);

  /** Boxes and caret for a view of a screen of `size`. */
  compose(view: ChromeView, size: Size): Painting {
    const ground = this.#ground(size);
    if (size.cols < MIN_SIZE.cols || size.rows < MIN_SIZE.rows) {
      return { boxes: [ground, tooSmallBox(size, MIN_SIZE)], caret: undefined };
    }
    const layout = viewAreas(view, size);
    const { hints, message, prompt, prefixHeld } = view;
    const bottom = this.#bottom({ hints, message, prompt, prefixHeld }, size);
    const overlay = view.overlay ? this.#overlay(view.overlay, size) : undefined;
    const boxes: Box[] = [ground, ...this.#windowBoxes(view, layout)];
    boxes.push(...this.#top(view.tabs, view.status, size.cols));
    if (!isUrgent(view)) boxes.push(...bottom.boxes);
    if (view.sidebar && layout.panes.x === 0) {
      boxes.push(this.#sidebar(view.sidebar, layout.sidebar), this.#sidebarBorder(layout.sidebar));
    }
    if (overlay) boxes.push(...overlay.boxes);
    // A message or a prompt is read over whatever else is open.
    if (isUrgent(view)) boxes.push(...bottom.boxes);
    return { boxes, caret: bottom.caret ?? overlay?.caret };
  }

  #windowBoxes(view: ChromeView, layout: Areas): readonly Box[] {
    const { window, offset, panes, emptyText } = view;
    const beside = layout.panes.x > 0;
    const boxes = this.#window({ window, offset, panes, emptyText }, { area: layout.panes, sidebar: beside });
    return beside && view.sidebar ? [this.#sidebar(view.sidebar, layout.sidebar), ...boxes] : boxes;
  }
}

/** The areas of a view. */
function viewAreas(view: ChromeView, size: Size): Areas {
  return areas(size, {
    sidebarWidth: view.sidebar?.width ?? 0,
    sidebarOverlay: size.cols <= SIDEBAR_OVERLAY_UP_TO,
    bottomRow: view.hints !== undefined,
  });
}

function groundBox(size: Size): Box {
  return { rect: { x: 0, y: 0, width: size.cols, height: size.rows }, fill: 'bg', lines: [] };
}

/** The border of a sidebar that lies over the panes. */
function sidebarBorder(sidebar: Rect): Box {
  return {
    rect: { x: sidebar.x + sidebar.width, y: sidebar.y, width: 1, height: sidebar.height },
    fill: 'bg',
    lines: [],
    pattern: { char: '│', role: 'border-focus' },
    hit: () => ({ type: 'sidebar-border' }),
  };
}

function overlayPainting(view: OverlayView, size: Size): Painting {
  if (view.type === 'picker') return pickerPainting(view, size);
  if (view.type === 'dialog') return dialogPainting(view, size);
  if (view.type === 'help') return helpPainting(view, size);
  if (view.type === 'menu') return menuPainting(view, size);
  return browserPainting(view, size);
}
