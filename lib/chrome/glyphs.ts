/**
 * The signs chrome draws with. What stands for them on a terminal that takes only ASCII is the renderer's business
 * (render/ascii.ts), as it is for what programs draw.
 */
import type { Role } from '../base/styled.ts';
import type { SessionState } from './view.ts';

/** Mark and colour of each state. The marks differ in shape, also in ASCII, so colour is never the only sign. */
export const STATES: Readonly<Record<SessionState, { readonly mark: string; readonly role: Role }>> = {
  'needs-you': { mark: '◆', role: 'warn' },
  failed: { mark: '✕', role: 'alarm' },
  working: { mark: '●', role: 'accent' },
  starting: { mark: '◌', role: 'dim' },
  ready: { mark: '○', role: 'ok' },
  stopped: { mark: '■', role: 'dim' },
};

/** Line drawing by the neighbours a cell is joined to: bit 0 up, 1 down, 2 left, 3 right. */
export const JUNCTIONS = ' │││─┘┐┤─└┌├─┴┬┼';
