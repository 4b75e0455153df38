/**
 * DEC private modes that xterm's parser does not keep: those that act here, and those that are only reported (DECRQM).
 */
import type { Kept } from './checkpoint/bytes.ts';
import type { PaneColors } from './colors.ts';
import type { ModeState } from './replies.ts';
import type { XtermCore } from './xterm-core.ts';

/** DECCOLM: 132 columns; see vt-screen.ts for what setting it does. */
const COLUMN_MODE = 3;
/** Reports of light and dark (Contour's "Dark and Light Mode detection"). */
const SCHEME_REPORTS = 2031;
/** Modes that are what they are, whatever a program sets. */
const FIXED: ReadonlyMap<number, ModeState> = new Map([
  // Grapheme clusters are single characters (Contour's "Unicode Core").
  [2027, 'always set'],
]);
/** Most modes that are remembered: those known. */
const KEPT: ReadonlySet<number> = new Set([COLUMN_MODE, SCHEME_REPORTS]);

/** The modes of one terminal. */
export interface KeptModes extends Kept {
  /** As DECRPM tells it; undefined for a mode that is not kept here. */
  readonly state: (number: number) => ModeState | undefined;
  /** RIS. */
  readonly reset: () => void;
}

/** Installs the handlers that keep them. */
export function installModes(core: XtermCore, colors: PaneColors): KeptModes {
  const set = new Set<number>();
  for (const final of ['h', 'l'])
    core._inputHandler._parser.registerCsiHandler({ prefix: '?', final }, params => {
      for (let i = 0; i < params.length; i++) {
        const number = params.params[i]!;
        if (!KEPT.has(number)) continue;
        if (final === 'h') set.add(number);
        else set.delete(number);
      }
      colors.watchScheme(set.has(SCHEME_REPORTS));
      return false;
    });
  return {
    state: number =>
      FIXED.get(number) ?? (KEPT.has(number) ? (set.has(number) ? 'set' : 'reset') : undefined),
    reset() {
      set.clear();
      colors.watchScheme(false);
    },
    save(to) {
      for (const number of KEPT) to.flag(set.has(number));
    },
    load(from) {
      for (const number of KEPT) if (from.flag()) set.add(number);
    },
  };
}
