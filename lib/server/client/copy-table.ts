/**
 * Which keys copy mode has.
 */
import type { ClientServices } from './services.ts';

/** Few keys: what is bound to none of them ends the mode and is typed. */
export const COPY_TYPING_TABLE = 'copy-mode-typing';

/** Key table of a pane's copy mode, by the options; undefined where it is in none. */
export function copyTable({ copies, options }: ClientServices, pane: number): string | undefined {
  const state = copies.get(pane);
  if (!state) return undefined;
  const types = state.isByMouse && options.get('copy-mode-typing') === 'leave' && !state.search;
  if (types) return COPY_TYPING_TABLE;
  return options.get('mode-keys') === 'vi' ? 'copy-mode-vi' : 'copy-mode';
}
