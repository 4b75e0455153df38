/**
 * The modes of a terminal that no program has changed.
 */
import type { TermModes } from '../../lib/term/screen-view.ts';

export const NO_MODES: TermModes = {
  alternateScreen: false,
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  focusReports: false,
  kittyFlags: 0,
  modifyOtherKeys: 0,
  mouseTracking: 'none',
  mouseEncoding: 'default',
  alternateScroll: true,
  synchronized: false,
};
