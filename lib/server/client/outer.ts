/**
 * What a client's terminal is asked to report, beyond the picture: the best keyboard protocol it has, the mouse, the
 * keypad. It follows whoever has the keyboard, so that a program in a pane is told as much as it asked for.
 */
import type { TerminalCaps } from '../../render/caps.ts';
import type { TermModes } from '../../term/screen-view.ts';
import {
  enterSequence,
  kittyFlagsSequence,
  kittyPushSequence,
  KEYBOARD_QUERY,
  keypadSequence,
  mouseSequence,
  OTHER_KEYS_OFF,
  OTHER_KEYS_ON,
  REPORTS_ON,
  type OuterModes,
} from '../../render/modes.ts';
import type { AttachedClient } from './client.ts';

/** What is wanted of the terminal now. */
export interface WantedModes extends OuterModes {
  /** Flags of the kitty keyboard protocol that the program with the keyboard has asked for. */
  readonly kittyFlags: number;
  /** That program wants the keypad's own sequences (DECKPAM). */
  readonly applicationKeypad: boolean;
}

/**
 * Flags that mux wants for itself: 1 tells keys apart that share a byte, 4 tells what a key is on other layouts, so
 * that the prefix works on a Cyrillic one. Releases and sequences for text it has no use for.
 */
const OWN_FLAGS = 1 | 4;
/** All keys as sequences (8) can be typed elsewhere only if their text (16) is known. */
const ALL_KEYS = 8;
const TEXT = 16;

/** `CSI ? flags u`: the terminal speaks the kitty protocol. */
const KITTY_REPLY = /^(?:\x1b\[|\x9b)\?\d{1,3}u$/;
/** DA1, which every terminal answers: what was asked before it has been answered, or never will be. */
const FENCE_REPLY = /^(?:\x1b\[|\x9b)\?[\d;]*c$/;

/** The keyboard protocol spoken with a terminal; 'asked' until it has answered. */
type Protocol = 'none' | 'asked' | 'kitty' | 'other-keys';

export class OuterTerminalModes {
  readonly #caps: TerminalCaps;
  #protocol: Protocol = 'none';
  /** The protocol that the terminal was told to speak. */
  #spoken: Protocol = 'none';
  #told: WantedModes;

  constructor(caps: TerminalCaps, mouse: OuterModes['mouse']) {
    this.#caps = caps;
    this.#told = { mouse, kittyFlags: 0, applicationKeypad: false };
  }

  /** Takes the terminal over, and asks what keyboard it has. */
  enter(): string {
    if (this.#caps.extendedKeys) this.#protocol = 'asked';
    return enterSequence(this.#caps, this.#told) + (this.#caps.extendedKeys ? KEYBOARD_QUERY : '');
  }

  /**
   * Takes an answer of the terminal; true if something is to be changed now. Answers to questions that nobody asked,
   * or that come late, do nothing.
   */
  reply(raw: Uint8Array): boolean {
    // Longer ones are answers to other questions.
    if (raw.length > 64 || this.#protocol === 'none' || this.#protocol === 'kitty') return false;
    const text = String.fromCharCode(...raw);
    if (KITTY_REPLY.test(text)) this.#protocol = 'kitty';
    else if (this.#protocol === 'asked' && FENCE_REPLY.test(text)) this.#protocol = 'other-keys';
    else return false;
    return true;
  }

  /** Bytes that make the terminal report what is wanted now; '' mostly. */
  change(wanted: WantedModes): string {
    const told = this.#told;
    this.#told = wanted;
    return (
      (wanted.mouse === told.mouse ? '' : mouseSequence(wanted.mouse)) +
      (wanted.applicationKeypad === told.applicationKeypad ? '' : keypadSequence(wanted.applicationKeypad)) +
      this.#keyboardChange(flagsFor(wanted), flagsFor(told))
    );
  }

  /** All of it once more, for a terminal that may have been reset. */
  again(): string {
    const { mouse, applicationKeypad } = this.#told;
    return (
      REPORTS_ON +
      mouseSequence(mouse) +
      keypadSequence(applicationKeypad) +
      (this.#spoken === 'kitty' ? kittyFlagsSequence(flagsFor(this.#told)) : '') +
      (this.#spoken === 'other-keys' ? OTHER_KEYS_ON : '')
    );
  }

  #keyboardChange(flags: number, before: number): string {
    const spoken = this.#spoken;
    if (this.#protocol === 'kitty') {
      this.#spoken = 'kitty';
      if (spoken !== 'kitty') return (spoken === 'none' ? '' : OTHER_KEYS_OFF) + kittyPushSequence(flags);
      return flags === before ? '' : kittyFlagsSequence(flags);
    }
    if (this.#protocol !== 'other-keys' || spoken !== 'none') return '';
    this.#spoken = 'other-keys';
    return OTHER_KEYS_ON;
  }
}

/** What a client's terminal should report: to the program that has its keyboard as much as that asked for. */
export function wantedModes(client: AttachedClient): WantedModes {
  const { model, options, copies } = client.services;
  const modesOf = (id: number): TermModes | undefined => {
    const pane = model.windows.pane(id);
    return pane && model.sessionOf(pane).terminal?.view.modes;
  };
  const moves = client.screen.shownPanes.some(id => modesOf(id)?.mouseTracking === 'any');
  const focused = client.hasPaneKeyboard ? model.windows.focused : undefined;
  const modes = focused && !copies.has(focused.id) ? modesOf(focused.id) : undefined;
  return {
    mouse: !options.get('mouse') ? 'off' : moves ? 'any' : 'drag',
    kittyFlags: modes?.kittyFlags ?? 0,
    applicationKeypad: modes?.applicationKeypad ?? false,
  };
}

function flagsFor({ kittyFlags }: WantedModes): number {
  return OWN_FLAGS | kittyFlags | ((kittyFlags & ALL_KEYS) !== 0 ? TEXT : 0);
}
