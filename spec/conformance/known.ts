/**
 * Recordings that end in another screen here than they were recorded with, and why that is right or cannot be helped.
 * One line each; a spec fails when such a recording ends alike after all.
 */
export const KNOWN: Readonly<Record<string, string>> = {
  decaln_reset: 'DECALN puts the cursor home (VT510); in the recording it stays',
  underline: 'SGR 21 is a double underline (ECMA-48); the recording takes it for the end of bold',
  saved_cursor_alt:
    'DECSC saves no pending wrap; in the recording it does, in those of xterm (t0060, t0061) not',
  't0055-EL': 'EL at a pending wrap erases nothing, as in most terminals; xterm erases the last column',
  't0084-CBT':
    'CBT ends a pending wrap; in the recording the cursor moves and the next character wraps all the same',
  't0103-reverse_wrap':
    'reverse wrap-around stops at lines that were not wrapped, as in xterm since patch 380',
  't0504-vim': 'the text was taken from a longer history than the recording holds',
};
