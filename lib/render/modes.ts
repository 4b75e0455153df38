/**
 * Taking over a terminal. It is the client that gives it back (client/restore.ts). Source: ctlseqs "DEC Private Mode Set", XTWINOPS, DECSCUSR, XTMODKEYS;
 * the kitty keyboard protocol ("Progressive enhancement", "Detection of support").
 */
import type { TerminalCaps } from './caps.ts';

/** What an attached client's terminal is to report. */
export interface OuterModes {
  /** Mouse reports: clicks and drags, or all movement too (for hover), or none. */
  readonly mouse: 'off' | 'drag' | 'any';
}

/** Characters of a title that are sent: what tab bars show, with room; the rest is cut. */
const MAX_TITLE = 256;

/** Every way to report the mouse and to encode it, whoever turned it on. */
const MOUSE_MODES = [1000, 1002, 1003, 1005, 1006, 1015, 1016] as const;
/** DECSET of each kind of mouse report. */
const MOUSE_SET: Readonly<Record<OuterModes['mouse'], string>> = {
  off: '',
  drag: '\x1b[?1002h\x1b[?1006h',
  any: '\x1b[?1003h\x1b[?1006h',
};
const MOUSE_RESET = MOUSE_MODES.map(mode => `\x1b[?${mode}l`).join('');

/**
 * Changes the kind of mouse reports on a terminal that mux has taken over.
 */
export function mouseSequence(mouse: OuterModes['mouse']): string {
  return MOUSE_RESET + MOUSE_SET[mouse];
}

/**
 * Asks for the kitty keyboard's flags, then for DA1. Every terminal answers the second, those without the protocol
 * ignore the first: its answer comes before that of DA1 or not at all.
 */
export const KEYBOARD_QUERY = '\x1b[?u\x1b[c';
/** modifyOtherKeys, level 2: keys with modifiers by `CSI 27 ; m ; c ~`, also those that have legacy forms. */
export const OTHER_KEYS_ON = '\x1b[>4;2m';
export const OTHER_KEYS_OFF = '\x1b[>4;0m';
/** Bracketed paste and focus reports. */
export const REPORTS_ON = '\x1b[?2004h\x1b[?1004h';

/** Puts these flags on the terminal's stack: one pop gives it back what it had. */
export function kittyPushSequence(flags: number): string {
  return `\x1b[>${flags}u`;
}

/** Changes the flags that were pushed. */
export function kittyFlagsSequence(flags: number): string {
  return `\x1b[=${flags};1u`;
}

/** DECKPAM or DECKPNM. */
export function keypadSequence(application: boolean): string {
  return application ? '\x1b=' : '\x1b>';
}

/**
 * Takes over the terminal: saves the title, alternate screen, no automatic wrapping (a character that the terminal
 * measures wider than we do then cannot push its row onto the next), no origin or insert mode, ASCII character set,
 * numeric keypad, bracketed paste, focus reports, mouse. To be followed by a full drawing.
 */
export function enterSequence(caps: TerminalCaps, modes: OuterModes): string {
  return [
    caps.title ? '\x1b[22;0t' : '',
    '\x1b[?1049h',
    '\x1b[?7l\x1b[?6l\x1b[4l',
    caps.unicode ? '' : '\x1b(B\x0f',
    '\x1b[?1l\x1b>',
    REPORTS_ON,
    MOUSE_SET[modes.mouse],
  ].join('');
}

/** Sets the terminal's title (OSC 2), control characters and bidirectional overrides removed; '' without titles. */
export function titleSequence(caps: TerminalCaps, text: string): string {
  if (!caps.title) return '';
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu, '');
  const shown = caps.unicode ? clean : clean.replace(/[^ -~]/g, '?');
  return `\x1b]2;${Array.from(shown).slice(0, MAX_TITLE).join('')}\x1b\\`;
}
