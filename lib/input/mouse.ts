/**
 * Mouse reports in both directions (ctlseqs, "Mouse Tracking"): default, UTF-8 (1005), SGR (1006), urxvt (1015), pixels (1016).
 */
import type { Point } from '../base/geometry.ts';
import type { TermModes } from '../term/screen-view.ts';
import { encodeText } from './controls.ts';
import { param } from './csi.ts';
import type { Csi } from './csi.ts';
import type { MouseAction, MouseEvent } from './event.ts';

/** Bits of the button number. `extra` is buttons 8 to 11 (back, forward …), which keep that number in `button`. */
const BITS = { shift: 4, alt: 8, ctrl: 16, motion: 32, wheel: 64, extra: 128 } as const;
/** The low two bits that say "no button". */
const NO_BUTTON = 3;
const FIRST_EXTRA_BUTTON = 8;

const WHEELS: readonly MouseAction[] = ['wheel-up', 'wheel-down', 'wheel-left', 'wheel-right'];

/** Larger numbers are no cell of any terminal, so the report is noise. */
const MAX_CELL = 65_535;

/** What happened and to which button. Undefined where the number means nothing. */
function decodeButton(
  code: number,
  released: boolean,
): { readonly action: MouseAction; readonly button: number } | undefined {
  const low = code & 3;
  if ((code & BITS.wheel) !== 0) {
    const action = WHEELS[low]!;
    return released || (code & BITS.extra) !== 0 ? undefined : { action, button: -1 };
  }
  const extra = (code & BITS.extra) !== 0;
  const button = extra ? FIRST_EXTRA_BUTTON + low : low === NO_BUTTON ? -1 : low;
  if (released) return { action: 'release', button };
  if ((code & BITS.motion) !== 0) return { action: button === -1 ? 'move' : 'drag', button };
  return { action: button === -1 ? 'release' : 'press', button };
}

/** A report out of its button number and one-based cell. */
function report(code: number, column: number, row: number, released: boolean): MouseEvent | undefined {
  if (!(code >= 0 && code <= 255)) return undefined;
  if (!(column >= 1 && column <= MAX_CELL && row >= 1 && row <= MAX_CELL)) return undefined;
  const what = decodeButton(code, released);
  return (
    what && {
      ...what,
      x: column - 1,
      y: row - 1,
      ctrl: (code & BITS.ctrl) !== 0,
      alt: (code & BITS.alt) !== 0,
      shift: (code & BITS.shift) !== 0,
    }
  );
}

/** `CSI < b ; x ; y M` or `m`, or urxvt's `CSI b+32 ; x ; y M`. Undefined where it is no report. */
export function mouseOfCsi(csi: Csi): MouseEvent | undefined {
  if (csi.params.length !== 3 || csi.params.some(values => values.length !== 1)) return undefined;
  const [code, column, row] = [param(csi, 0, 0, -1), param(csi, 1, 0, 0), param(csi, 2, 0, 0)];
  if (csi.marker === '<') return report(code, column, row, csi.final === 'm');
  return csi.marker === '' && csi.final === 'M' ? report(code - 32, column, row, false) : undefined;
}

/** The three bytes behind `CSI M`. Undefined where they are no report. */
export function mouseOfX10(code: number, column: number, row: number): MouseEvent | undefined {
  return report(code - 32, column - 32, row - 32, false);
}

/** Which actions each tracking mode (DECSET 9, 1000, 1002, 1003) reports. */
const REPORTED: Readonly<Record<TermModes['mouseTracking'], ReadonlySet<MouseAction>>> = {
  none: new Set(),
  x10: new Set(['press']),
  press: new Set(['press', 'release', ...WHEELS]),
  drag: new Set(['press', 'release', 'drag', ...WHEELS]),
  any: new Set(['press', 'release', 'drag', 'move', ...WHEELS]),
};

/** The button number without modifiers; `forgets` where the encoding cannot say which button was released. */
function encodeButton(event: MouseEvent, forgets: boolean): number {
  const wheel = WHEELS.indexOf(event.action);
  if (wheel >= 0) return BITS.wheel + wheel;
  if (event.action === 'release' && forgets) return NO_BUTTON;
  const { button } = event;
  // A release whose button the outer terminal did not tell is taken for the left one's: SGR has no number for none.
  const none = event.action === 'release' ? 0 : NO_BUTTON;
  const base = button < 0 ? none : button < FIRST_EXTRA_BUTTON ? button & 3 : BITS.extra + (button & 3);
  return event.action === 'drag' || event.action === 'move' ? base + BITS.motion : base;
}

function modifierBits(event: MouseEvent): number {
  return (event.shift ? BITS.shift : 0) + (event.alt ? BITS.alt : 0) + (event.ctrl ? BITS.ctrl : 0);
}

/** Largest zero-based cell that fits into one byte with 33 added. */
const MAX_DEFAULT_CELL = 222;

function encodeDefault(code: number, cell: Point): Uint8Array | undefined {
  if (cell.x > MAX_DEFAULT_CELL || cell.y > MAX_DEFAULT_CELL) return undefined;
  return Uint8Array.of(0x1b, 0x5b, 0x4d, code + 32, cell.x + 33, cell.y + 33);
}

/** Largest zero-based cell that, with 33 added, is two bytes of UTF-8: no longer ones were ever sent. */
const MAX_UTF8_CELL = 2014;

function encodeUtf8(code: number, cell: Point): Uint8Array | undefined {
  if (cell.x > MAX_UTF8_CELL || cell.y > MAX_UTF8_CELL) return undefined;
  return encodeText(`\x1b[M${String.fromCharCode(code + 32, cell.x + 33, cell.y + 33)}`);
}

function encodeSgr(code: number, x: number, y: number, released: boolean): Uint8Array {
  return encodeText(`\x1b[<${code};${x + 1};${y + 1}${released ? 'm' : 'M'}`);
}

/** Pixels of a cell for programs that ask for pixel reports (1016); no real size is known behind another terminal. */
const CELL_PIXELS = { width: 8, height: 16 } as const;

/**
 * The report a program asked for, or undefined where it asked for none: wrong tracking mode, a cell outside its
 * screen's corner, or one that the encoding has no bytes for (beyond 223 in the default, 2,015 in UTF-8).
 * @param cell zero-based, of the pane
 */
export function encodeMouse(
  event: MouseEvent,
  modes: Pick<TermModes, 'mouseTracking' | 'mouseEncoding'>,
  cell: Point,
): Uint8Array | undefined {
  if (!REPORTED[modes.mouseTracking].has(event.action) || cell.x < 0 || cell.y < 0) return undefined;
  if (event.action === 'press' && event.button < 0) return undefined;
  const x10 = modes.mouseTracking === 'x10';
  if (x10 && event.button > 2) return undefined;
  const encoding = modes.mouseEncoding;
  const pixels = encoding === 'sgr-pixels';
  const forgets = !pixels && encoding !== 'sgr';
  const code = encodeButton(event, forgets) + (x10 ? 0 : modifierBits(event));
  if (encoding === 'default') return encodeDefault(code, cell);
  if (encoding === 'utf8') return encodeUtf8(code, cell);
  if (encoding === 'urxvt') return encodeText(`\x1b[${code + 32};${cell.x + 1};${cell.y + 1}M`);
  const x = pixels ? cell.x * CELL_PIXELS.width + CELL_PIXELS.width / 2 : cell.x;
  const y = pixels ? cell.y * CELL_PIXELS.height + CELL_PIXELS.height / 2 : cell.y;
  return encodeSgr(code, x, y, event.action === 'release');
}
