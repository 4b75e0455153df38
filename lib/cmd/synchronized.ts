/**
 * Which panes get what a person types: the focused one, or all of its window where the option synchronize-panes holds.
 */
import type { Model } from '../model/model.ts';
import type { PaneRecord, WindowRecord } from '../model/types.ts';
import type { OptionStore } from '../options/store.ts';

/** The option of a window: its own value, else the one for all. */
export function isSynchronized(window: WindowRecord, options: Pick<OptionStore, 'get'>): boolean {
  return window.synchronized ?? options.get('synchronize-panes');
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
