/** What actions are made of: results, lines for the person, changes of the tab that is shown. */
import type { Step } from '../mode/event.ts';
import { shownTab, withTab, type ChatApp, type Effect, type Tab } from './state.ts';
import type { Timeline } from './timeline.ts';
import type { TimelineLayout } from './timeline-layout.ts';

export type Result = Step<ChatApp, Effect>;

/** What actions look at besides the state. */
export interface Surroundings {
  readonly layout: TimelineLayout;
}

/** No effect. */
export function only(app: ChatApp): Result {
  return { state: app, intents: [] };
}

/** These effects. */
export function does(app: ChatApp, ...intents: readonly Effect[]): Result {
  return { state: app, intents };
}

/** A line for the person. */
export function told(app: ChatApp, text: string, tone: 'info' | 'error' = 'info'): ChatApp {
  // The same line twice is one line.
  if (app.told.at(-1)?.text === text) return app;
  return { ...app, told: [...app.told, { text, tone }].slice(-TOLD_MAX) };
}

/** Lines that wait to be read at once: more of them nobody reads. */
const TOLD_MAX = 20;

/** The tab that is shown, changed. */
export function onTab(app: ChatApp, change: (tab: Tab) => Tab): ChatApp {
  return withTab(app, shownTab(app).key, change);
}

/** Its timeline, changed. */
export function onTimeline(app: ChatApp, change: (timeline: Timeline, tab: Tab) => Timeline): ChatApp {
  return onTab(app, tab => ({ ...tab, timeline: change(tab.timeline, tab) }));
}

/** Another tab, going round at the ends. */
export function show(app: ChatApp, index: number): ChatApp {
  const active = (index + app.tabs.length) % app.tabs.length;
  const next = { ...app, active };
  return withTab(next, next.tabs[active]!.key, tab => (tab.isUnread ? { ...tab, isUnread: false } : tab));
}

/** Closes the tab that is shown; with the last one the program ends. */
export function closeTab(app: ChatApp): Result {
  const { key } = shownTab(app);
  if (app.tabs.length === 1) return does(app, { type: 'close', key }, { type: 'quit' });
  const tabs = app.tabs.toSpliced(app.active, 1);
  return does(show({ ...app, tabs }, Math.min(app.active, tabs.length - 1)), { type: 'close', key });
}
