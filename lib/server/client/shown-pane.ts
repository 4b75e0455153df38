/**
 * A pane as a client's screen shows it: live, or as copy mode has it.
 */
import type { ClientServices } from './services.ts';
import type { ShownPane } from './screen.ts';

/** The pane of that id, or the session that a preview shows by it; undefined where there is none. */
export function shownPane(services: ClientServices, id: number): ShownPane | undefined {
  const { model, copies, stopped, previews } = services;
  const hidden = previews.session(id)?.terminal?.view;
  if (hidden) return { view: hidden, offset: 0 };
  const pane = model.windows.pane(id);
  if (!pane) return undefined;
  const view = copies.view(id);
  if (!view) return { view: stopped.of(model.sessionOf(pane)), offset: 0 };
  const state = copies.get(id);
  if (!state) return { view, offset: 0 };
  const { x, y } = state.cursor;
  const cursor = { x, y, visible: true, shape: 'default', blink: false } as const;
  return { view, offset: -state.top, cursor, lit: copies.lit(id) };
}
