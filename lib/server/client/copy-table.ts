/**
 * Which keys copy mode has.
 */
import type { OptionStore } from '../../options/store.ts';
import type { CopyState } from '../../mode/copy/state.ts';

/** Few keys: what is bound to none of them ends the mode and is typed. */
export const COPY_TYPING_TABLE = 'copy-mode-typing';

/** Table of a pane in copy mode, by the options. */
export function copyTable(state: CopyState, options: OptionStore): string {
  const types = state.isByMouse && options.get('copy-mode-typing') === 'leave' && !state.search;
  if (types) return COPY_TYPING_TABLE;
  return options.get('mode-keys') === 'vi' ? 'copy-mode-vi' : 'copy-mode';
}
