/**
 * A pane as a client's screen shows it: live, or as copy mode has it.
 */
import type { ClientServices } from './services.ts';
import type { ShownPane } from './screen.ts';

/** The pane of that id; undefined where there is none, or its program never started. */
export function shownPane({ model, copies }: ClientServices, id: number): ShownPane | undefined {
  const pane = model.windows.pane(id);
  const view = pane && copies.view(pane.id);
  const state = view && copies.get(pane.id);
  if (!state) return view && { view, offset: 0 };
  const { x, y } = state.cursor;
  const cursor = { x, y, visible: true, shape: 'default', blink: false } as const;
  return { view, offset: -state.top, cursor, lit: copies.lit(id) };
}
