/**
 * How large a screen and its history may be.
 */

/** Most lines of history one emulator keeps: at 200 columns a quarter of a gigabyte. The settings go no further. */
export const MAX_HISTORY = 100_000;
/** Largest screen, each way: beyond any terminal, and a bound on what one resize allocates. */
export const MAX_SIDE = 2000;
/** xterm's parser cannot do with less than two columns (a wide character). */
export const MIN_COLS = 2;
