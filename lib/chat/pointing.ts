/** The mouse: what is pointed at gets the keys, and what is pointed at twice is opened. */
import { actionOf } from './actions.ts';
import { only, show, type Result, type Surroundings } from './step.ts';
import { reduceOverlay } from './overlays.ts';
import { shownTab, withTab, type ChatApp, type ChatEvent } from './state.ts';
import { isOpen } from './timeline.ts';

/** A press of the first button. */
export function pointed(
  app: ChatApp,
  { target }: Extract<ChatEvent, { readonly type: 'click' }>,
  around: Surroundings,
): Result {
  if (app.overlay) {
    if (target.type === 'overlay-item')
      return reduceOverlay(app, { type: 'select', index: target.index }, around);
    return only(app);
  }
  const tab = shownTab(app);
  if (target.type === 'tab') return only(show(app, target.index));
  if (target.type === 'new-tab') return actionOf('new-tab')!(app, around);
  if (target.type === 'action') return actionOf(target.name)?.(app, around) ?? only(app);
  if (target.type === 'input') return only(withTab(app, tab.key, one => ({ ...one, focus: 'input' })));
  if (target.type !== 'item') return only(app);
  const item = tab.timeline.items[target.index];
  if (!item) return only(app);
  const isAgain = tab.focus === 'timeline' && tab.timeline.selected === item.id;
  const folds =
    isAgain || target.line === 0
      ? new Map(tab.timeline.folds).set(item.id, !isOpen(tab.timeline, item))
      : tab.timeline.folds;
  return only(
    withTab(app, tab.key, one => ({
      ...one,
      focus: 'timeline',
      suggestions: undefined,
      timeline: { ...one.timeline, folds, selected: item.id, block: -1 },
    })),
  );
}
