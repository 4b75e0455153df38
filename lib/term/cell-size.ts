/** Pixels of a cell, for programs that ask or draw pictures: no cell has a known size here, and 8×16 is what they expect. */
export const CELL = { width: 8, height: 16 } as const;
