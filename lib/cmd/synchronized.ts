/**
 * Which panes get what a person types: the focused one, or all of its window where the option synchronize-panes holds.
 */
import type { Model } from '../model/model.ts';
import type { CommandContext } from './spec.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../model/types.ts';
import type { OptionStore } from '../options/store.ts';

/** The option of a window: its own value, else the one for all. */
export function isSynchronized(window: WindowRecord, options: Pick<OptionStore, 'get'>): boolean {
  return window.synchronized ?? options.get('synchronize-panes');
}

/** The sessions that a command types into: where a person's own key runs it on no pane by name, all that typing goes to. */
export function commandTargets(
  context: CommandContext,
  session: SessionRecord,
  isNamed: boolean,
): readonly SessionRecord[] {
  const { model, options, isInterface, copy } = context;
  const pane = isInterface && !isNamed ? model.windows.paneOf(session.id) : undefined;
  if (!pane) return [session];
  const isInMode = (one: PaneRecord): boolean => copy.facts(one) !== undefined;
  const others = typedInto(pane, { model, options, isInMode }).slice(1);
  const running = others.map(one => model.sessionOf(one)).filter(one => one.terminal && !one.exit);
  return [session, ...running];
}

/** The panes that get what is typed into `pane`, itself first. Those that are looked back in are left alone. */
export function typedInto(
  pane: PaneRecord,
  {
    model,
    options,
    isInMode,
  }: {
    readonly model: Model;
    readonly options: Pick<OptionStore, 'get'>;
    readonly isInMode: (pane: PaneRecord) => boolean;
  },
): readonly PaneRecord[] {
  const window = model.windows.windowOf(pane);
  if (!isSynchronized(window, options)) return [pane];
  const others = model.windows.panesIn(window).filter(other => other !== pane && !isInMode(other));
  return [pane, ...others];
}
