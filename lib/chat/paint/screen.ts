/** The whole screen of the chat program as boxes, and what lies under the mouse. */
import { contains, type Point, type Rect } from '../../base/geometry.ts';
import type { Box, Painting } from '../../chrome/paint.ts';
import { geometry, type Geometry } from '../geometry.ts';
import { shownTab, type ChatApp, type Target } from '../state.ts';
import type { TimelineLayout } from '../timeline-layout.ts';
import { inputPainting } from './input.ts';
import { overlayPainting } from './overlay.ts';
import { hintsBox, statusBox } from './status.ts';
import { tabsBox } from './tabs.ts';
import { timelineBoxes } from './timeline.ts';
import { titleBox } from './title.ts';

/** A part of the screen that reacts to the mouse. */
export interface Zone {
  readonly rect: Rect;
  /** In cells of the zone. */
  readonly target: (x: number, y: number) => Target;
}

/** What a part paints, and where it reacts. */
export interface Part {
  readonly boxes: readonly Box[];
  readonly zones: readonly Zone[];
  readonly caret?: Point | undefined;
}

/** A screen that was composed. */
export interface ScreenPicture {
  readonly painting: Painting;
  readonly geometry: Geometry;
  target(x: number, y: number): Target;
}

/** How keys are written for people: the first key of an action, '' where it has none. */
export type KeyOf = (table: string, action: string) => string;

/** Composes the screen. */
export function screenPicture(app: ChatApp, layout: TimelineLayout, keyOf: KeyOf): ScreenPicture {
  const place = geometry(app);
  const tab = shownTab(app);
  const ground: Box = {
    rect: { x: 0, y: 0, width: app.size.cols, height: app.size.rows },
    fill: 'bg',
    lines: [],
  };
  const parts: Part[] = [
    { boxes: [ground], zones: [] },
    ...(place.tabs.height > 0 ? [tabsBox(app, place.tabs)] : []),
    ...(place.title.height > 0 ? [titleBox(tab, place.title)] : []),
    timelineBoxes(tab, layout, place),
    ...(place.status.height > 0 ? [statusBox(app, layout, place, keyOf)] : []),
    inputPainting(tab, place, keyOf),
    ...(place.hints.height > 0 ? [hintsBox(app, place.hints, keyOf)] : []),
  ];
  const overlay = app.overlay && overlayPainting(app, app.overlay, keyOf);
  const zones = (overlay ? [overlay] : parts).flatMap(part => part.zones);
  const caret = overlay ? overlay.caret : parts.find(part => part.caret)?.caret;
  return {
    geometry: place,
    painting: { boxes: [...parts, ...(overlay ? [overlay] : [])].flatMap(part => part.boxes), caret },
    target: (x, y) => {
      const zone = zones.findLast(({ rect }) => contains(rect, { x, y }));
      return zone ? zone.target(x - zone.rect.x, y - zone.rect.y) : { type: 'none' };
    },
  };
}
