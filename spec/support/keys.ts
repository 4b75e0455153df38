/**
 * What a terminal sends for keys and the mouse: xterm's legacy encoding, and SGR mouse reports (DECSET 1006).
 */

/** Ctrl and a letter or one of `@[\]^_`. */
export function ctrl(key: string): string {
  return String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f);
}

/** The prefix, then a key. */
export function prefix(key: string): string {
  return ctrl('b') + key;
}

export const ENTER = '\r';
export const ESCAPE = '\x1b';
export const TAB = '\t';
export const BTAB = '\x1b[Z';
export const BSPACE = '\x7f';
export const UP = '\x1b[A';
export const DOWN = '\x1b[B';
export const RIGHT = '\x1b[C';
export const LEFT = '\x1b[D';
export const PAGE_UP = '\x1b[5~';
export const PAGE_DOWN = '\x1b[6~';

/** Arrow keys with Ctrl. */
export const CTRL = { up: '\x1b[1;5A', down: '\x1b[1;5B', right: '\x1b[1;5C', left: '\x1b[1;5D' } as const;

/** A report of the mouse at a zero-based cell; `button` as SGR codes it (0 left, 32 added for drags, 64 wheel up). */
function report(button: number, x: number, y: number, end: 'M' | 'm'): string {
  return `\x1b[<${button};${x + 1};${y + 1}${end}`;
}

/** The left button pressed and let go. */
export function click(x: number, y: number): string {
  return report(0, x, y, 'M') + report(0, x, y, 'm');
}

/** The right button pressed and let go. */
export function rightClick(x: number, y: number): string {
  return report(2, x, y, 'M') + report(2, x, y, 'm');
}

/** The right button pressed at one cell, and then moved and let go at another. */
export function rightDrag(
  from: readonly [number, number],
  to: readonly [number, number],
): { readonly press: string; readonly rest: string } {
  return { press: report(2, ...from, 'M'), rest: report(34, ...to, 'M') + report(2, ...to, 'm') };
}

/** The left button pressed at one cell, moved and let go at another. */
export function drag(from: readonly [number, number], to: readonly [number, number]): string {
  return report(0, ...from, 'M') + report(32, ...to, 'M') + report(0, ...to, 'm');
}

export function wheelUp(x: number, y: number): string {
  return report(64, x, y, 'M');
}

export function wheelDown(x: number, y: number): string {
  return report(65, x, y, 'M');
}

/** A paste as a terminal brackets it (DECSET 2004). */
export function paste(text: string): string {
  return `\x1b[200~${text}\x1b[201~`;
}
