/**
 * How a program wants its keys: the kitty keyboard protocol's flags ("Progressive enhancement"), a stack of them for
 * each of the two screens, and xterm's modifyOtherKeys (ctlseqs: XTMODKEYS, XTQMODKEYS).
 */
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import type { XtermCore, XtermParams } from './xterm-core.ts';

/** The protocol's five flags; bits beyond them are not kept. */
const KNOWN_FLAGS = 31;
/**
 * Entries of a stack. Programs nest a few deep; beyond this the oldest goes, as the protocol wants it, so that a
 * program that pushes for ever costs nothing.
 */
const MAX_STACK = 32;
/** xterm's number for modifyOtherKeys among the modifier options, and its levels. */
const OTHER_KEYS = 4;
const MAX_LEVEL = 2;
/**
 * What XTQMODKEYS answers for the options that cannot be set here: cursor and function keys have their modifiers as
 * second parameter (2), keyboard and keypad follow no option (0).
 */
const FIXED_OPTIONS: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 2],
  [2, 2],
  [3, 0],
]);

/** Flags in force, and those that pops go back to. */
interface Stack {
  flags: number;
  readonly saved: number[];
}

/** How `CSI = flags ; mode u` changes the flags in force; other modes do nothing. */
const CHANGES: ReadonlyMap<number, (now: number, flags: number) => number> = new Map([
  [1, (_now, flags) => flags],
  [2, (now, flags) => now | flags],
  [3, (now, flags) => now & ~flags],
]);

/** The keyboard modes of one terminal. */
export class KeyboardModes implements Kept {
  #main: Stack = { flags: 0, saved: [] };
  #alternate: Stack = { flags: 0, saved: [] };
  #otherKeys = 0;

  /** Flags in force on that screen; 0 is the keyboard as it always was. */
  flags(alternate: boolean): number {
    return this.#stack(alternate).flags;
  }

  /** Level of modifyOtherKeys: 0, 1 or 2. */
  get modifyOtherKeys(): number {
    return this.#otherKeys;
  }

  /** Keeps the flags in force and puts others in their place. */
  push(alternate: boolean, flags: number): void {
    const stack = this.#stack(alternate);
    stack.saved.push(stack.flags);
    if (stack.saved.length > MAX_STACK) stack.saved.shift();
    stack.flags = flags & KNOWN_FLAGS;
  }

  /** Goes back by `count` pushes; to no flags where there were fewer. */
  pop(alternate: boolean, count: number): void {
    const stack = this.#stack(alternate);
    for (let i = 0; i < count; i++) {
      const flags = stack.saved.pop();
      stack.flags = flags ?? 0;
      if (flags === undefined) return;
    }
  }

  /** Changes the flags in force: mode 1 sets them, 2 adds, 3 takes away. */
  change(alternate: boolean, flags: number, mode: number): void {
    const stack = this.#stack(alternate);
    stack.flags = CHANGES.get(mode)?.(stack.flags, flags & KNOWN_FLAGS) ?? stack.flags;
  }

  /**
   * XTMODKEYS: sets an option; without a value, as it was at the start, and so all of them by 0. Levels nobody has
   * defined do nothing.
   */
  setOption(option: number, value: number | undefined): void {
    if (option !== OTHER_KEYS && !(option === 0 && value === undefined)) return;
    if (value === undefined) this.#otherKeys = 0;
    else if (value <= MAX_LEVEL) this.#otherKeys = value;
  }

  /** Value of an option, undefined where there is no such. */
  option(option: number): number | undefined {
    return option === OTHER_KEYS ? this.#otherKeys : FIXED_OPTIONS.get(option);
  }

  /** That screen's flags and stack are gone. */
  forget(alternate: boolean): void {
    const stack = this.#stack(alternate);
    stack.flags = 0;
    stack.saved.length = 0;
  }

  /** As new: after RIS and DECSTR. */
  reset(): void {
    this.#main = { flags: 0, saved: [] };
    this.#alternate = { flags: 0, saved: [] };
    this.#otherKeys = 0;
  }

  save(to: ByteWriter): void {
    for (const { flags, saved } of [this.#main, this.#alternate]) {
      to.count(saved.length);
      for (const entry of [flags, ...saved]) to.count(entry);
    }
    to.count(this.#otherKeys);
  }

  load(from: ByteReader): void {
    const stack = (): Stack => {
      const length = from.count(MAX_STACK);
      const flags = from.count(KNOWN_FLAGS);
      return { flags, saved: Array.from({ length }, () => from.count(KNOWN_FLAGS)) };
    };
    this.#main = stack();
    this.#alternate = stack();
    this.#otherKeys = from.count(MAX_LEVEL);
  }

  #stack(alternate: boolean): Stack {
    return alternate ? this.#alternate : this.#main;
  }
}

/** Parameter `index`, or undefined where it is not there. xterm's parser makes 0 of an empty one. */
function param(params: XtermParams, index: number): number | undefined {
  return index < params.length ? params.params[index] : undefined;
}

/** Puts the handlers of all of it into xterm's parser, which has none of its own for them. */
export function installKeyboardModes(
  core: XtermCore,
  modes: KeyboardModes,
  reply: (text: string) => void,
): void {
  const parser = core._inputHandler._parser;
  const alternate = (): boolean => core.buffers.active === core.buffers.alt;
  const on = (prefix: string, final: string, act: (params: XtermParams) => void): void =>
    parser.registerCsiHandler({ prefix, final }, params => (act(params), true));
  on('>', 'u', params => modes.push(alternate(), param(params, 0) ?? 0));
  on('<', 'u', params => modes.pop(alternate(), param(params, 0) || 1));
  on('=', 'u', params => modes.change(alternate(), param(params, 0) ?? 0, param(params, 1) || 1));
  on('?', 'u', () => reply(`\x1b[?${modes.flags(alternate())}u`));
  on('>', 'm', params => modes.setOption(param(params, 0) ?? 0, param(params, 1)));
  // "Disable key modifier options".
  on('>', 'n', params => modes.setOption(param(params, 0) ?? 0, 0));
  on('?', 'm', params => {
    const option = param(params, 0) ?? 0;
    const value = modes.option(option);
    if (value !== undefined) reply(`\x1b[>${option};${value}m`);
  });
  parser.registerEscHandler({ final: 'c' }, () => (modes.reset(), false));
  parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => (modes.reset(), false));
}
