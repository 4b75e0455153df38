/**
 * DEC private modes that xterm's parser does not keep: those that act here, and those that are only reported (DECRQM).
 * Sources: ctlseqs "DEC Private Mode Set"; "Mode 2048: In-Band Window Resize Notifications".
 */
import type { Size } from '../base/geometry.ts';
import { CELL } from './cell-size.ts';
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import type { PaneColors } from './colors.ts';
import type { ModeState } from './replies.ts';
import type { XtermCore } from './xterm-core.ts';

export const KEPT = {
  /** DECCOLM: 132 columns; see vt-screen.ts for what setting it does. */
  columns: 3,
  /** DECSCNM: text and background have changed places. */
  reverse: 5,
  /** Mouse reports with cells as UTF-8. */
  mouseUtf8: 1005,
  /** The wheel is arrow keys on the alternate screen, for programs that have not asked for the mouse. On at the start. */
  alternateScroll: 1007,
  /** Mouse reports as urxvt has them. */
  mouseUrxvt: 1015,
  /** Reports of light and dark (Contour's "Dark and Light Mode detection"). */
  scheme: 2031,
  /** Reports of the size whenever it changes. */
  resizes: 2048,
} as const;
export type KeptMode = (typeof KEPT)[keyof typeof KEPT];

const NUMBERS: ReadonlySet<number> = new Set(Object.values(KEPT));
const INITIAL: readonly number[] = [KEPT.alternateScroll];
/** Modes that are what they are, whatever a program sets. */
const FIXED: ReadonlyMap<number, ModeState> = new Map([
  // Grapheme clusters are single characters (Contour's "Unicode Core").
  [2027, 'always set'],
]);
/** Ways to encode the mouse: the last one set holds. Those that xterm's parser keeps are 1006 and 1016. */
const OWN_ENCODINGS: readonly number[] = [KEPT.mouseUtf8, KEPT.mouseUrxvt];
const THEIR_ENCODINGS: readonly number[] = [1006, 1016];

const BRACKETED_PASTE = 2004;
const HOLD = 2026;

/** What modes act on. */
export interface ModePort {
  readonly colors: PaneColors;
  reply(text: string): void;
  /** Bracketed paste (2004) is about to be turned on. */
  onLineEditor(): void;
  /** The screen is no longer held (2026). */
  onRelease(): void;
}

/** `CSI 48 ; rows ; columns ; height ; width t`, in cells and pixels. */
export function resizeReport({ cols, rows }: Size): string {
  return `\x1b[48;${rows};${cols};${rows * CELL.height};${cols * CELL.width}t`;
}

/** The modes of one terminal. */
export class KeptModes implements Kept {
  readonly #core: XtermCore;
  readonly #port: ModePort;
  readonly #set = new Set(INITIAL);

  constructor(core: XtermCore, port: ModePort) {
    this.#core = core;
    this.#port = port;
  }

  has(mode: KeptMode): boolean {
    return this.#set.has(mode);
  }

  /** As DECRPM tells it; undefined for a mode that is not kept here. */
  state(number: number): ModeState | undefined {
    return FIXED.get(number) ?? (NUMBERS.has(number) ? (this.#set.has(number) ? 'set' : 'reset') : undefined);
  }

  /** DECSET or DECRST of any mode. */
  change(number: number, isOn: boolean): void {
    if (!isOn && number === HOLD) this.#port.onRelease();
    if (isOn && number === BRACKETED_PASTE) this.#port.onLineEditor();
    if (isOn && THEIR_ENCODINGS.includes(number)) this.#dropEncodings();
    if (!NUMBERS.has(number)) return;
    if (isOn && OWN_ENCODINGS.includes(number)) {
      this.#dropEncodings();
      this.#core.coreMouseService.activeEncoding = 'DEFAULT';
    }
    if (isOn) this.#set.add(number);
    else this.#set.delete(number);
    this.#act();
    if (isOn && number === KEPT.resizes) this.#port.reply(resizeReport(this.#core));
  }

  /** RIS. */
  reset(): void {
    this.#set.clear();
    for (const number of INITIAL) this.#set.add(number);
    this.#act();
  }

  save(to: ByteWriter): void {
    for (const number of NUMBERS) to.flag(this.#set.has(number));
  }

  load(from: ByteReader): void {
    this.#set.clear();
    for (const number of NUMBERS) if (from.flag()) this.#set.add(number);
    this.#act();
  }

  #dropEncodings(): void {
    for (const number of OWN_ENCODINGS) this.#set.delete(number);
  }

  #act(): void {
    this.#port.colors.watchScheme(this.has(KEPT.scheme));
    this.#port.colors.setReversed(this.has(KEPT.reverse));
  }
}

/** Installs the handlers that keep them. */
export function installModes(core: XtermCore, port: ModePort): KeptModes {
  const modes = new KeptModes(core, port);
  for (const final of ['h', 'l'])
    core._inputHandler._parser.registerCsiHandler({ prefix: '?', final }, params => {
      for (let i = 0; i < params.length; i++) modes.change(params.params[i]!, final === 'h');
      return false;
    });
  return modes;
}
