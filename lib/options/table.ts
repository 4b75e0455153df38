/**
 * What `show-options` lists and `set-option` changes, in tmux's names where tmux has the same thing. One row per
 * option; parsing, formatting, help and the manual read the row. Options that mirror a key of config.yaml start from
 * it and change only until the server ends.
 */
import { CodedError, nearest } from '../base/errors.ts';
import type { Size } from '../base/geometry.ts';

interface RowBase {
  /** One line: what it does. */
  readonly text: string;
  /** The key of config.yaml that it mirrors. */
  readonly config?: string;
  /** Each window may have a value of its own. */
  readonly scope?: 'window';
}

/** One option. Units: cells, lines, ms as the row says. */
export type OptionRow = RowBase &
  (
    | { readonly type: 'flag'; readonly default: boolean }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default: string }
    | {
        readonly type: 'number';
        readonly min: number;
        readonly max: number;
        readonly unit: string;
        readonly default: number;
      }
    | { readonly type: 'string'; readonly default: string }
    /** COLSxROWS in cells. */
    | { readonly type: 'cells'; readonly max: number; readonly default: Size }
  );

/** An hour: a time on the screen or between two keys that is longer is a mistake. */
const HOUR_MS = 3_600_000;

export const OPTIONS = {
  'automatic-rename': {
    type: 'flag',
    default: true,
    text: 'windows are named after the program that runs in them',
  },
  'base-index': {
    type: 'number',
    min: 0,
    max: 1000,
    unit: '',
    default: 1,
    text: 'number of the first window',
  },
  // As many as fit in a menu; each is at most as large as what a program may copy.
  'buffer-limit': { type: 'number', min: 1, max: 1000, unit: '', default: 50, text: 'paste buffers kept' },
  'copy-command': {
    type: 'string',
    default: '',
    text: 'shell command that gets what is copied; empty: the clipboard tool that is installed',
  },
  'copy-mode-typing': {
    type: 'choice',
    choices: ['keys', 'leave'],
    default: 'keys',
    text: 'what letters do after the wheel has scrolled: keys of copy mode, or leave it and type',
  },
  'default-command': {
    type: 'string',
    default: '',
    text: 'shell line that new panes run; empty: a login shell',
  },
  'default-shell': { type: 'string', default: '', text: 'shell of new panes; empty: $SHELL' },
  'default-size': {
    type: 'cells',
    max: 1000,
    default: { cols: 80, rows: 24 },
    config: 'server.default_size',
    text: 'size of windows nobody looks at',
  },
  // The emulator is xterm.js; every system has this entry, and it survives an ssh to a host that knows no tmux-256color.
  'default-terminal': { type: 'string', default: 'xterm-256color', text: 'TERM in new panes' },
  'display-panes-time': {
    type: 'number',
    min: 100,
    max: HOUR_MS,
    unit: 'ms',
    default: 3000,
    text: 'how long the numbers of the panes stay',
  },
  'display-time': {
    type: 'number',
    min: 0,
    max: HOUR_MS,
    unit: 'ms',
    default: 4000,
    text: 'how long a message stays; 0: until a key',
  },
  // Bytes of one key come tens of milliseconds apart on a slow line; a key pressed after Escape comes later than that.
  'escape-time': {
    type: 'number',
    min: 0,
    max: 5000,
    unit: 'ms',
    default: 50,
    text: 'wait after Escape for the rest of a key',
  },
  'history-limit': {
    type: 'number',
    min: 0,
    // As many as an emulator holds (term/emulator.ts): more would be promised and not kept.
    max: 100_000,
    unit: 'lines',
    default: 10_000,
    config: 'server.history_lines',
    text: 'scrollback a pane keeps',
  },
  'lore-rank': {
    type: 'choice',
    choices: ['matches', 'relevance'],
    default: 'matches',
    text: 'which lores a search lists first: those with most matches, or those with rare words',
  },
  'mode-keys': {
    type: 'choice',
    choices: ['vi', 'emacs'],
    default: 'vi',
    text: 'keys of copy mode',
  },
  mouse: { type: 'flag', default: true, config: 'screen.mouse', text: 'whether mux takes mouse events' },
  prefix: { type: 'string', default: 'C-b', config: 'screen.prefix', text: 'the key that starts a command' },
  'remain-on-exit': {
    type: 'choice',
    choices: ['on', 'off', 'failed'],
    default: 'on',
    config: 'server.remain_on_exit',
    text: 'whether a pane stays when its program has ended',
  },
  'renumber-windows': { type: 'flag', default: false, text: 'close the gap when a window is closed' },
  'repeat-time': {
    type: 'number',
    min: 0,
    max: 10_000,
    unit: 'ms',
    default: 500,
    text: 'a repeatable key may be repeated without the prefix for so long',
  },
  'set-clipboard': {
    type: 'choice',
    choices: ['off', 'write', 'ask'],
    default: 'write',
    config: 'screen.clipboard',
    text: 'what programs may do with the clipboard',
  },
  sidebar: {
    type: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
    config: 'screen.sidebar',
    text: 'the sidebar; auto: while the screen is wide enough',
  },
  'sidebar-width': {
    type: 'number',
    min: 10,
    max: 80,
    unit: 'cells',
    default: 28,
    config: 'screen.sidebar_width',
    text: 'width of the sidebar',
  },
  'status-hints': {
    type: 'flag',
    default: true,
    config: 'screen.hints',
    text: 'the bottom row with what the keys do now',
  },
  'synchronize-panes': {
    type: 'flag',
    default: false,
    scope: 'window',
    text: 'what is typed goes to all panes of the window',
  },
  theme: {
    type: 'string',
    default: 'dark',
    config: 'screen.theme',
    text: 'a name in themes/, or the path of a theme file',
  },
  'window-size': {
    type: 'choice',
    choices: ['latest', 'smallest', 'largest'],
    default: 'latest',
    config: 'server.window_size',
    text: 'whose size a window takes when several clients look at it',
  },
  'word-separators': {
    type: 'string',
    // tmux's: all of ASCII's punctuation but the underscore.
    default: '!"#$%&\'()*+,-./:;<=>?@[\\]^`{|}~',
    text: 'characters that part words in copy mode, besides blanks',
  },
  'wrap-search': { type: 'flag', default: true, text: 'a search goes on at the other end' },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<R> = R extends { type: 'flag' }
  ? boolean
  : R extends { type: 'choice'; choices: readonly (infer C)[] }
    ? C
    : R extends { type: 'number' }
      ? number
      : R extends { type: 'cells' }
        ? Size
        : string;

/** What an option holds: boolean, number, text, or a size in cells. */
export type OptionValue<N extends OptionName = OptionName> = ValueOf<(typeof OPTIONS)[N]>;

/** All options in the order of their names. */
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/** @throws CodedError `not_found` with the name that was probably meant */
export function optionName(name: string): OptionName {
  if (Object.hasOwn(OPTIONS, name)) return name as OptionName;
  const near = nearest(name, OPTION_NAMES);
  const shown = JSON.stringify(name.length > 40 ? name.slice(0, 39) + '…' : name);
  throw new CodedError(
    'not_found',
    `option ${shown}: no such option`,
    near ? `did you mean ${near}?` : 'show-options lists them',
  );
}

/** The value that `text` stands for. @throws CodedError `usage`: what was expected */
export function parseOption<N extends OptionName>(name: N, text: string): OptionValue<N> {
  const row: OptionRow = OPTIONS[name];
  const result = PARSERS[row.type](row as never, text);
  if (result !== undefined) return result as OptionValue<N>;
  const shown = JSON.stringify(text.length > 40 ? text.slice(0, 39) + '…' : text);
  throw new CodedError('usage', `${name}: expected ${expectation(row)}, found ${shown}`, hintFor(row, text));
}

/** `value` as parseOption reads it. */
export function formatOption<N extends OptionName>(name: N, value: OptionValue<N>): string {
  const row: OptionRow = OPTIONS[name];
  if (row.type === 'flag') return value ? 'on' : 'off';
  if (row.type === 'cells') return `${(value as Size).cols}x${(value as Size).rows}`;
  return String(value);
}

/** What may be written for an option, as one noun phrase: `on or off`, `a number from 0 to 5000 (ms)`. */
export function expectation(row: OptionRow): string {
  if (row.type === 'choice') return `one of ${row.choices.join(', ')}`;
  if (row.type === 'number')
    return `a number from ${row.min} to ${row.max}${row.unit ? ` (${row.unit})` : ''}`;
  if (row.type === 'cells') return `a size in cells like 80x24, at most ${row.max}x${row.max}`;
  return {
    flag: 'on or off',
    string: 'text without control characters',
  }[row.type];
}

const FLAG_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  off: false,
  yes: true,
  no: false,
  true: true,
  false: false,
  '1': true,
  '0': false,
};

type Row<T extends OptionRow['type']> = Extract<OptionRow, { type: T }>;

/** By type: the value, or undefined for a text that is none. */
const PARSERS: { readonly [T in OptionRow['type']]: (row: Row<T>, text: string) => unknown } = {
  flag: (_row, text) => (Object.hasOwn(FLAG_WORDS, text) ? FLAG_WORDS[text] : undefined),
  choice: (row, text) => row.choices.find(choice => choice === text),
  number(row, text) {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    return value >= row.min && value <= row.max ? value : undefined;
  },
  string: (_row, text) => (/[\u0000-\u001f\u007f-\u009f]/.test(text) ? undefined : text),
  cells(row, text) {
    const match = /^(\d{1,4})x(\d{1,4})$/.exec(text);
    const [cols, rows] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    return [cols, rows].every(n => n >= 1 && n <= row.max) ? { cols, rows } : undefined;
  },
};

function hintFor(row: OptionRow, text: string): string | undefined {
  const near = row.type === 'choice' ? nearest(text, row.choices) : undefined;
  return near === undefined ? undefined : `did you mean ${near}?`;
}
