/**
 * What a terminal can send us, decoded.
 */

/** A key with its modifiers. `name` is one character for text keys ('a', 'é', '%'), else a name from KEY_NAMES. */
export interface Key {
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Names of keys that are not one printable character, as tmux spells them. */
export const KEY_NAMES = [
  'Enter',
  'Escape',
  'Tab',
  'BTab',
  'BSpace',
  'Space',
  'Up',
  'Down',
  'Left',
  'Right',
  'Home',
  'End',
  'PPage',
  'NPage',
  'IC',
  'DC',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
  'F13',
  'F14',
  'F15',
  'F16',
  'F17',
  'F18',
  'F19',
  'F20',
  'F21',
  'F22',
  'F23',
  'F24',
] as const;

export type MouseAction =
  'press' | 'release' | 'drag' | 'move' | 'wheel-up' | 'wheel-down' | 'wheel-left' | 'wheel-right';

/** A mouse report in zero-based cells of the client's screen. `button` is 0 left, 1 middle, 2 right, -1 none. */
export interface MouseEvent {
  readonly action: MouseAction;
  readonly button: number;
  readonly x: number;
  readonly y: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** One decoded piece of input. `raw` is exactly the bytes it came from, so that an unbound key is passed on as typed. */
export type InputEvent =
  | { readonly type: 'key'; readonly key: Key; readonly raw: Uint8Array }
  /**
   * A key event of the kitty protocol or of modifyOtherKeys that is no press of a Key: a key let go, a modifier or
   * lock alone, a media key, one with Super. For programs that asked for such, and never to be typed elsewhere.
   */
  | { readonly type: 'key-report'; readonly raw: Uint8Array }
  | { readonly type: 'mouse'; readonly mouse: MouseEvent; readonly raw: Uint8Array }
  /** The content of a bracketed paste, in one piece or several; `first`/`last` mark its ends. */
  | { readonly type: 'paste'; readonly data: Uint8Array; readonly first: boolean; readonly last: boolean }
  | { readonly type: 'focus'; readonly focused: boolean }
  /** A terminal's answer to a query of ours (DA, DSR, OSC colour, DECRPM, XTVERSION, kitty flags), whole. */
  | { readonly type: 'reply'; readonly raw: Uint8Array }
  /** Bytes that are none of the above (invalid UTF-8, unknown sequences). */
  | { readonly type: 'unknown'; readonly raw: Uint8Array };
