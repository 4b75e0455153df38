/**
 * What a client's terminal can do, from what the client says about its environment.
 *
 * Sources: terminfo of ncurses 6.4 for the names, the terminals' own documentation for what terminfo cannot say
 * (synchronized output, OSC 8, underline styles). In doubt a capability is off: the picture is then plainer, never broken.
 */

/** Capabilities the renderer asks about. */
export interface TerminalCaps {
  /** 0 is a terminal without colour. */
  readonly colors: 0 | 16 | 256 | 'truecolor';
  /** Takes UTF-8; else only ASCII is sent. */
  readonly unicode: boolean;
  /** DECSET 2026. */
  readonly synchronized: boolean;
  /** OSC 8. */
  readonly hyperlinks: boolean;
  /** SGR 4:2 to 4:5 and the underline colour, SGR 58. */
  readonly underlineStyles: boolean;
  /** SGR 53. */
  readonly overline: boolean;
  /** SGR 9. */
  readonly strikethrough: boolean;
  /** SGR 3. */
  readonly italic: boolean;
  /** Erased cells take the pen's background ("background colour erase"). */
  readonly bce: boolean;
  /** CHA, VPA, ECH, IL and DL; a VT100 has none of them. */
  readonly editing: boolean;
  /** SU and SD (scroll without moving the cursor). */
  readonly scroll: boolean;
  /** REP (repeat the last character). */
  readonly repeat: boolean;
  /** DECSCUSR. */
  readonly cursorShape: boolean;
  /** OSC 2, and XTWINOPS 22/23 to save and restore titles. */
  readonly title: boolean;
  /** May have another keyboard than the VT220's, and answers when asked for it; older ones might print the question. */
  readonly extendedKeys: boolean;
}

/** What a client knows of its terminal. */
export interface TerminalFacts {
  /** $TERM */
  readonly term: string;
  /** $COLORTERM */
  readonly colorterm?: string;
  /** $TERM_PROGRAM */
  readonly termProgram?: string;
  /** Whether the locale's character set is UTF-8. Unknown counts as yes. */
  readonly utf8?: boolean;
  /**
   * What is known better, from replies of the terminal or from the person: names of FEATURES, with `-` in front to
   * turn one off. Unknown names are ignored.
   */
  readonly features?: readonly string[];
}

const VT100: TerminalCaps = {
  colors: 0,
  unicode: true,
  synchronized: false,
  hyperlinks: false,
  underlineStyles: false,
  overline: false,
  strikethrough: false,
  italic: false,
  bce: false,
  editing: false,
  scroll: false,
  repeat: false,
  cursorShape: false,
  title: false,
  extendedKeys: false,
};

/** What practically every emulator of the last ten years does. */
const COMMON: TerminalCaps = {
  ...VT100,
  colors: 256,
  strikethrough: true,
  italic: true,
  bce: true,
  editing: true,
  scroll: true,
  cursorShape: true,
  title: true,
  extendedKeys: true,
};

/** Terminals with everything but, possibly, REP. */
const MODERN: TerminalCaps = {
  ...COMMON,
  colors: 'truecolor',
  synchronized: true,
  hyperlinks: true,
  underlineStyles: true,
  overline: true,
};

/** By $TERM; the first that matches counts. */
const TERMS: readonly (readonly [RegExp, TerminalCaps])[] = [
  [/^xterm-(kitty|ghostty)|^ghostty/, MODERN],
  [/^(foot|contour|rio|wezterm)\b/, { ...MODERN, repeat: true }],
  [/^alacritty/, { ...MODERN, overline: false, repeat: true }],
  [/^mintty/, { ...MODERN, repeat: true }],
  [/^tmux/, { ...COMMON, hyperlinks: true, underlineStyles: true, overline: true }],
  [
    /^screen/,
    { ...COMMON, italic: false, strikethrough: false, bce: false, scroll: false, cursorShape: false },
  ],
  [
    /^(vte|gnome)/,
    { ...COMMON, colors: 'truecolor', hyperlinks: true, underlineStyles: true, overline: true },
  ],
  [/^konsole/, { ...COMMON, colors: 'truecolor', hyperlinks: true, overline: true }],
  [/^st\b/, { ...COMMON, colors: 'truecolor' }],
  [/^rxvt/, { ...COMMON, strikethrough: false, scroll: false }],
  [/^(linux|fbterm|cygwin)/, { ...VT100, colors: 16, bce: true, editing: true }],
  [/^(vt[2-5]\d\d|ansi|pcansi)/, { ...VT100, editing: true }],
  [/^(vt1\d\d|vt52)/, VT100],
  [/^(xterm|putty|nsterm|iterm|ms-terminal|Eterm|eterm)/, COMMON],
];

/** By $TERM_PROGRAM: sharper than $TERM, which most of these set to xterm-256color. */
const PROGRAMS: Readonly<Record<string, Partial<TerminalCaps>>> = {
  'iTerm.app': { ...MODERN, repeat: true },
  WezTerm: { ...MODERN, repeat: true },
  ghostty: MODERN,
  kitty: MODERN,
  mintty: { ...MODERN, repeat: true },
  rio: MODERN,
  vscode: { ...MODERN, repeat: true },
  WarpTerminal: { colors: 'truecolor', synchronized: true },
  Hyper: { colors: 'truecolor' },
  Apple_Terminal: { colors: 256, bce: false, strikethrough: false, title: true },
};

/** What a feature name turns on, and what its negation leaves. */
const FEATURES: Readonly<Record<string, { on: Partial<TerminalCaps>; off: Partial<TerminalCaps> }>> = {
  truecolor: { on: { colors: 'truecolor' }, off: { colors: 256 } },
  '256': { on: { colors: 256 }, off: { colors: 16 } },
  color: { on: { colors: 16 }, off: { colors: 0 } },
  unicode: { on: { unicode: true }, off: { unicode: false } },
  sync: { on: { synchronized: true }, off: { synchronized: false } },
  hyperlinks: { on: { hyperlinks: true }, off: { hyperlinks: false } },
  'underline-styles': { on: { underlineStyles: true }, off: { underlineStyles: false } },
  overline: { on: { overline: true }, off: { overline: false } },
  strikethrough: { on: { strikethrough: true }, off: { strikethrough: false } },
  italic: { on: { italic: true }, off: { italic: false } },
  bce: { on: { bce: true }, off: { bce: false } },
  scroll: { on: { scroll: true }, off: { scroll: false } },
  repeat: { on: { repeat: true }, off: { repeat: false } },
  'cursor-shape': { on: { cursorShape: true }, off: { cursorShape: false } },
  title: { on: { title: true }, off: { title: false } },
};

/** Hints in the name itself, applied after the table. */
const SUFFIXES: readonly (readonly [RegExp, Partial<TerminalCaps>])[] = [
  [/-(m|mono)$/, { colors: 0 }],
  [/^(xterm|screen|rxvt|tmux)$|-(8|16)color$|-color$/, { colors: 16 }],
  [/-direct\d*$/, { colors: 'truecolor' }],
];

/**
 * The capabilities of a terminal. Never fails: a name nobody knows gets 16 colours and what every ANSI terminal
 * does. Whether to run at all on TERM=dumb is the caller's decision.
 */
export function deriveCaps(facts: TerminalFacts): TerminalCaps {
  const { term } = facts;
  const base = TERMS.find(([pattern]) => pattern.test(term))?.[1] ?? { ...COMMON, colors: 16, scroll: false };
  let caps: TerminalCaps = { ...base, unicode: facts.utf8 ?? true };
  for (const [pattern, hint] of SUFFIXES) if (pattern.test(term)) caps = { ...caps, ...hint };
  // Inside tmux or screen TERM_PROGRAM may still name the terminal outside, which is not the one we talk to.
  const nested = /^(tmux|screen)/.test(term);
  if (!nested && facts.termProgram !== undefined && Object.hasOwn(PROGRAMS, facts.termProgram)) {
    caps = { ...caps, ...PROGRAMS[facts.termProgram], unicode: caps.unicode };
  }
  if (/^(truecolor|24bit)$/i.test(facts.colorterm ?? '')) caps = { ...caps, colors: 'truecolor' };
  for (const name of facts.features ?? []) {
    const off = name.startsWith('-');
    const key = off ? name.slice(1) : name;
    if (Object.hasOwn(FEATURES, key)) caps = { ...caps, ...FEATURES[key]![off ? 'off' : 'on'] };
  }
  return caps;
}
