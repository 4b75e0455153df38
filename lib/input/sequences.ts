/**
 * Which key a sequence stands for: xterm's (ctlseqs, "PC-Style Function Keys", "VT220-Style Function Keys"), with
 * the other forms that rxvt, the Linux console and older terminals send.
 */

/** Final letters of `CSI … X` and `SS3 X`; with a modifier `CSI 1 ; m X`. */
export const LETTER_KEYS: ReadonlyMap<string, string> = new Map([
  ['A', 'Up'],
  ['B', 'Down'],
  ['C', 'Right'],
  ['D', 'Left'],
  ['F', 'End'],
  ['H', 'Home'],
  ['P', 'F1'],
  ['Q', 'F2'],
  ['R', 'F3'],
  ['S', 'F4'],
]);

/** Numbers of `CSI n ~`. 1 and 4 are Linux and PuTTY, 7 and 8 rxvt, 11–14 VT220 and rxvt, 42–45 xterm. */
export const TILDE_KEYS: ReadonlyMap<number, string> = new Map([
  [1, 'Home'],
  [2, 'IC'],
  [3, 'DC'],
  [4, 'End'],
  [5, 'PPage'],
  [6, 'NPage'],
  [7, 'Home'],
  [8, 'End'],
  [11, 'F1'],
  [12, 'F2'],
  [13, 'F3'],
  [14, 'F4'],
  [15, 'F5'],
  [17, 'F6'],
  [18, 'F7'],
  [19, 'F8'],
  [20, 'F9'],
  [21, 'F10'],
  [23, 'F11'],
  [24, 'F12'],
  [25, 'F13'],
  [26, 'F14'],
  [28, 'F15'],
  [29, 'F16'],
  [31, 'F17'],
  [32, 'F18'],
  [33, 'F19'],
  [34, 'F20'],
  [42, 'F21'],
  [43, 'F22'],
  [44, 'F23'],
  [45, 'F24'],
]);

/** The keypad in application mode: `SS3 X` (ctlseqs, "VT102-Style Function Keys"). */
export const KEYPAD_KEYS: ReadonlyMap<string, string> = new Map([
  [' ', 'Space'],
  ['I', 'Tab'],
  ['M', 'Enter'],
  ['X', '='],
  ['j', '*'],
  ['k', '+'],
  ['l', ','],
  ['m', '-'],
  ['n', '.'],
  ['o', '/'],
  ...Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(0x70 + digit), String(digit)] as const),
]);

/** rxvt: `CSI a` is Shift-Up, `SS3 a` is Control-Up. */
export const RXVT_ARROWS: ReadonlyMap<string, string> = new Map([
  ['a', 'Up'],
  ['b', 'Down'],
  ['c', 'Right'],
  ['d', 'Left'],
]);

/** rxvt: the `~` of a VT220 sequence replaced says which modifiers are held. */
export const RXVT_FINALS: ReadonlyMap<string, { readonly ctrl: boolean; readonly shift: boolean }> = new Map([
  ['$', { ctrl: false, shift: true }],
  ['^', { ctrl: true, shift: false }],
  ['@', { ctrl: true, shift: true }],
]);

/** The Linux console: `CSI [ X`. */
export const LINUX_KEYS: ReadonlyMap<string, string> = new Map([
  ['A', 'F1'],
  ['B', 'F2'],
  ['C', 'F3'],
  ['D', 'F4'],
  ['E', 'F5'],
]);

/** Keys that send `SS3 X` instead of `CSI X` in application cursor mode (DECCKM). */
export const CURSOR_KEYS: ReadonlySet<string> = new Set(['Up', 'Down', 'Right', 'Left', 'End', 'Home']);

/** The form of each key when it is sent: xterm's, so the first where several stand above. */
export const LETTER_OF: ReadonlyMap<string, string> = new Map(
  Array.from(LETTER_KEYS, ([letter, name]) => [name, letter]),
);

/** Number of `CSI n ~` by key; for F1 to F4, Home and End the letter above is what xterm sends. */
export const TILDE_OF: ReadonlyMap<string, number> = new Map(
  Array.from(TILDE_KEYS, ([code, name]) => [name, code]),
);
