/**
 * Modes that a program has set and its shell does not want: if it dies without taking them back, the shell is typed
 * mouse reports, or goes on where nothing can be scrolled. Which are on is kept apart, so that whoever knows who set
 * them can take them back; what a shell marks as a command (OSC 133 C and D) is known here.
 */
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import type { KeyboardModes } from './keyboard-modes.ts';
import { KEPT, type KeptMode, type KeptModes } from './modes.ts';
import type { XtermCore } from './xterm-core.ts';

/** A set of modes, one bit each. */
export type ModeSet = number;

/** What the modes are read from and taken back on. */
export interface ModeHome {
  readonly core: XtermCore;
  readonly keyboard: KeyboardModes;
  readonly kept: KeptModes;
}

/** One of them: whether it is on, and how it is turned off. */
interface Mode {
  /** It changes what is typed or reported to the program, and nothing that is seen. */
  readonly isInput: boolean;
  isOn(home: ModeHome): boolean;
  off(home: ModeHome): void;
}

const decOff = ({ core }: ModeHome, number: number): void =>
  void core._inputHandler.resetModePrivate({ length: 1, params: Int32Array.of(number) });
const decOn = ({ core }: ModeHome, number: number): void =>
  void core._inputHandler.setModePrivate({ length: 1, params: Int32Array.of(number) });

const isAlternate = ({ core }: ModeHome): boolean => core.buffers.active === core.buffers.alt;

const dec = (number: number, isOn: (home: ModeHome) => boolean, isInput: boolean): Mode => ({
  isInput,
  isOn,
  off: home => decOff(home, number),
});
const kept = (mode: KeptMode, isInput: boolean): Mode => ({
  isInput,
  isOn: home => home.kept.has(mode),
  off: home => home.kept.change(mode, false),
});
const modesOf = ({ core }: ModeHome): XtermCore['coreService']['decPrivateModes'] =>
  core.coreService.decPrivateModes;

/** All of them; the place is the bit. The alternate screen is left first, for it has saved what others had been. */
const MODES: readonly Mode[] = [
  {
    ...dec(1049, isAlternate, false),
    off(home) {
      decOff(home, 1049);
      home.keyboard.forget(true);
    },
  },
  dec(1000, ({ core }) => core.coreMouseService.activeProtocol !== 'NONE', true),
  dec(1006, ({ core }) => core.coreMouseService.activeEncoding !== 'DEFAULT', true),
  kept(KEPT.mouseUtf8, true),
  kept(KEPT.mouseUrxvt, true),
  dec(1004, home => modesOf(home).sendFocus, true),
  dec(2004, home => modesOf(home).bracketedPasteMode, true),
  dec(1, home => modesOf(home).applicationCursorKeys, true),
  dec(66, home => modesOf(home).applicationKeypad, true),
  kept(KEPT.scheme, true),
  kept(KEPT.resizes, true),
  {
    isInput: true,
    isOn: ({ keyboard }) => keyboard.flags(false) !== 0,
    off: ({ keyboard }) => keyboard.forget(false),
  },
  {
    isInput: true,
    isOn: home => isAlternate(home) && home.keyboard.flags(true) !== 0,
    off: ({ keyboard }) => keyboard.forget(true),
  },
  {
    isInput: true,
    isOn: ({ keyboard }) => keyboard.modifyOtherKeys !== 0,
    off: ({ keyboard }) => keyboard.setOption(0, undefined),
  },
  {
    isInput: false,
    isOn: ({ core }) => core.coreService.isCursorHidden,
    off: home => decOn(home, 25),
  },
  { isInput: false, isOn: home => !modesOf(home).wraparound, off: home => decOn(home, 7) },
  dec(2026, home => modesOf(home).synchronizedOutput, false),
  kept(KEPT.reverse, false),
  {
    isInput: false,
    isOn: ({ core }) => core.coreService.modes.insertMode,
    off: ({ core }) => core._inputHandler.resetMode({ length: 1, params: Int32Array.of(4) }),
  },
  {
    isInput: false,
    isOn: home => modesOf(home).origin,
    // Not by its sequence, which would put the cursor home.
    off: home => void (modesOf(home).origin = false),
  },
  {
    isInput: false,
    isOn({ core }) {
      const { active } = core.buffers;
      return active.scrollTop !== 0 || active.scrollBottom !== core.rows - 1;
    },
    off({ core }) {
      core.buffers.active.scrollTop = 0;
      core.buffers.active.scrollBottom = core.rows - 1;
    },
  },
];

/** Those that change what a program is typed. */
export const INPUT_MODES: ModeSet = MODES.reduce((set, mode, i) => (mode.isInput ? set | (1 << i) : set), 0);

/** The modes of one terminal. */
export class Leftovers implements Kept {
  readonly #home: ModeHome;
  /** What was on when the command that runs now was started; undefined between commands. */
  #before: ModeSet | undefined;

  constructor(home: ModeHome) {
    this.#home = home;
  }

  /** Those that are on. */
  get set(): ModeSet {
    let set = 0;
    for (let i = 0; i < MODES.length; i++) if (MODES[i]!.isOn(this.#home)) set |= 1 << i;
    return set;
  }

  /** Turns off those of `which` that are on. */
  drop(which: ModeSet): void {
    MODES.forEach((mode, i) => {
      if ((which & (1 << i)) !== 0 && mode.isOn(this.#home)) mode.off(this.#home);
    });
  }

  /** OSC 133: what a command has turned on ends with it, however it ended. */
  mark(mark: 'A' | 'B' | 'C' | 'D'): void {
    if (mark === 'C') this.#before = this.set;
    if (mark !== 'D') return;
    if (this.#before !== undefined) this.drop(~this.#before);
    this.#before = undefined;
  }

  /** RIS. */
  reset(): void {
    this.#before = undefined;
  }

  save(to: ByteWriter): void {
    to.flag(this.#before !== undefined);
    to.count(this.#before ?? 0);
  }

  load(from: ByteReader): void {
    const isKnown = from.flag();
    const set = from.count(2 ** MODES.length - 1);
    this.#before = isKnown ? set : undefined;
  }
}
