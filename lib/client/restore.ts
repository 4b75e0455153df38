/** What terminals keep on stacks: taken off before a second server puts its own on them. */
export const UNSTACK = [
  '\x1b[<u\x1b[>4;0m', // keyboard as it was
  '\x1b[23;0t', // and its title
].join('');

/**
 * Undoes everything that mux may have asked of a terminal. Each sequence is harmless where it was not asked for, so
 * the whole is written on every way out, and by nobody but the client, which is the last to touch the terminal.
 * Sources: xterm ctlseqs (DEC private modes, DECSCUSR, DECSTBM, title stack), kitty keyboard protocol, OSC 8.
 */
export const RESTORE = [
  '\x1b[?2026l', // end of a synchronized update, should one be open
  '\x1b]8;;\x1b\\', // no link
  '\x1b[r', // the whole screen scrolls
  '\x1b[m', // no attributes
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l', // no mouse reports
  '\x1b[?1004l\x1b[?2004l\x1b[?2031l', // no focus, paste and colour-scheme reports
  UNSTACK, // before the screen changes: each screen has a keyboard of its own
  '\x1b[?1l\x1b>', // cursor keys and keypad as usual
  '\x1b[0 q\x1b[?25h', // the cursor as the person has it, visible
  '\x1b[?7h', // lines wrap
  '\x1b[?1049l', // back to the screen that was there before
].join('');

/** What sets a colour of the cursor (OSC 12). */
export const CURSOR_COLOR = '\x1b]12;';
/** The cursor's own colour again (OSC 112). Written only where one was set: the person may have chosen that by OSC 12. */
export const RESTORE_CURSOR_COLOR = '\x1b]112\x1b\\';
