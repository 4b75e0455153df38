/**
 * Default keys of copy mode: tmux's two tables, with keys of our own for what tmux has none for. `/` and `?` search while
 * one types, the prompts of a shell have keys, and the page keys go half a page less a row.
 */
import type { DefaultKey } from './default-key.ts';

/** Keys that do one thing, and its command. */
type Row = readonly [keys: readonly string[], what: string, note: string];

function rows(table: string, list: readonly Row[]): readonly DefaultKey[] {
  return list.flatMap(([keys, what, note]) =>
    keys.map(key => ({ table, key, command: commandOf(what), note, group: 'Copy mode' as const })),
  );
}

/** A word alone is the name of an action, unless it is a command of its own. */
const commandOf = (what: string): string =>
  /^[a-z-]+$/.test(what) && what !== EDIT ? `send-keys -X ${what}` : what;

const searchPrompt = (direction: string, label: string): string =>
  `command-prompt -i -T search -p "${label}: " { send-keys -X search-${direction}-incremental "%%%" }`;
const jumpPrompt = (jump: string, label: string): string =>
  `command-prompt -1 -p "${label}: " { send-keys -X ${jump} "%%%" }`;
const EDIT = 'edit-history';
const SAVE = 'command-prompt -p "save to file: " { save-history "%%%" }';
const GO_TO_LINE = 'command-prompt -p "lines from the bottom: " { send-keys -X goto-line "%%%" }';

/** A digit of a count; `modifier` before it. */
const counts = (modifier: string, digits: string): readonly Row[] =>
  Array.from(digits, digit => [
    [`${modifier}${digit}`],
    `send-keys -X repeat-count ${digit}`,
    digit === '0'
      ? 'To the start of the line, or a digit of a count'
      : 'A digit of a count: how often the next key',
  ]);

/** What both tables have. */
const COMMON: readonly Row[] = [
  [['Up'], 'cursor-up', 'Up a row'],
  [['Down'], 'cursor-down', 'Down a row'],
  [['Left'], 'cursor-left', 'Left a character'],
  [['Right'], 'cursor-right', 'Right a character'],
  [['Home'], 'start-of-line', 'To the start of the line'],
  [['End'], 'end-of-line', 'To the end of the line'],
  [['PPage'], 'short-page-up', 'Up half a page less a row'],
  [['NPage'], 'short-page-down', 'Down half a page less a row'],
  [['M-Up'], 'halfpage-up', 'Up half a page'],
  [['M-Down'], 'halfpage-down', 'Down half a page'],
  [['C-Up'], 'scroll-up', 'Scroll up a row'],
  [['C-Down'], 'scroll-down', 'Scroll down a row'],
  [['q', 'C-c'], 'cancel', 'Back to the running program'],
  [['n'], 'search-again', 'To the next match'],
  [['N'], 'search-reverse', 'To the match before'],
  [[';'], 'jump-again', 'To that character again'],
  [[','], 'jump-reverse', 'To that character in the other direction'],
  [['f'], jumpPrompt('jump-forward', 'character'), 'To a character further on in the line'],
  [['F'], jumpPrompt('jump-backward', 'character before'), 'To a character before in the line'],
  [['t'], jumpPrompt('jump-to-forward', 'up to character'), 'To just before a character further on'],
  [['T'], jumpPrompt('jump-to-backward', 'back to character'), 'To just behind a character before'],
  [['X'], 'set-mark', 'Mark this place'],
  [['M-x'], 'jump-to-mark', 'To the marked place'],
  [['P'], 'toggle-position', 'Show or hide the position'],
  [['r'], 'refresh-from-pane', 'Count new lines from here'],
  [['M-p'], 'previous-prompt', 'To the prompt before'],
  [['M-n'], 'next-prompt', 'To the next prompt'],
  [['M-e'], EDIT, 'Open all of the text in the editor'],
  [['M-s'], SAVE, 'Save all of the text to a file'],
];

const VI: readonly Row[] = [
  [['k'], 'cursor-up', 'Up a row'],
  [['j'], 'cursor-down', 'Down a row'],
  [['h', 'C-h', 'BSpace'], 'cursor-left', 'Left a character'],
  [['l'], 'cursor-right', 'Right a character'],
  [['w'], 'next-word', 'To the next word'],
  [['b'], 'previous-word', 'To the word before'],
  [['e'], 'next-word-end', 'To the end of the word'],
  [['W'], 'next-space', 'To the word behind the next blank'],
  [['B'], 'previous-space', 'To the word before, by blanks'],
  [['E'], 'next-space-end', 'To the end of the word, by blanks'],
  [['^'], 'back-to-indentation', 'To the first character of the line'],
  [['$'], 'end-of-line', 'To the end of the line'],
  [['H'], 'top-line', 'To the top row'],
  [['M'], 'middle-line', 'To the middle row'],
  [['L'], 'bottom-line', 'To the bottom row'],
  [['g'], 'history-top', 'To the oldest line'],
  [['G'], 'history-bottom', 'To the newest line'],
  [['C-b'], 'page-up', 'Up a page'],
  [['C-f'], 'page-down', 'Down a page'],
  [['C-u'], 'halfpage-up', 'Up half a page'],
  [['C-d'], 'halfpage-down', 'Down half a page'],
  [['C-y', 'K'], 'scroll-up', 'Scroll up a row'],
  [['C-e', 'J'], 'scroll-down', 'Scroll down a row'],
  [['z'], 'scroll-middle', 'Put this row in the middle'],
  [['{'], 'previous-paragraph', 'To the blank line before'],
  [['}'], 'next-paragraph', 'To the next blank line'],
  [['%'], 'next-matching-bracket', 'To the other bracket'],
  [['['], 'previous-prompt', 'To the prompt before'],
  [[']'], 'next-prompt', 'To the next prompt'],
  [['/'], searchPrompt('forward', 'search down'), 'Search down'],
  [['?'], searchPrompt('backward', 'search up'), 'Search up'],
  [['*'], 'send-keys -FX search-forward-text "#{copy_cursor_word}"', 'To the same word further down'],
  [['#'], 'send-keys -FX search-backward-text "#{copy_cursor_word}"', 'To the same word further up'],
  [['Space'], 'begin-selection', 'Select from here'],
  [['V'], 'select-line', 'Select lines'],
  [['v', 'C-v'], 'rectangle-toggle', 'Select a block, or running text again'],
  [['o'], 'other-end', 'To the other end of the selection'],
  [['Escape'], 'clear-or-cancel', 'Select nothing, light nothing, or leave'],
  [['Enter', 'C-j', 'y'], 'copy-pipe-and-cancel', 'Copy and leave'],
  [['A'], 'append-selection-and-cancel', 'Add to what was copied last, and leave'],
  [['D'], 'copy-pipe-end-of-line-and-cancel', 'Copy to the end of the line, and leave'],
  [[':'], GO_TO_LINE, 'To so many lines from the bottom'],
  ...COMMON,
  ...counts('', '1234567890'),
];

const EMACS: readonly Row[] = [
  [['C-p'], 'cursor-up', 'Up a row'],
  [['C-n'], 'cursor-down', 'Down a row'],
  [['C-b'], 'cursor-left', 'Left a character'],
  [['C-f'], 'cursor-right', 'Right a character'],
  [['C-a'], 'start-of-line', 'To the start of the line'],
  [['C-e'], 'end-of-line', 'To the end of the line'],
  [['M-m'], 'back-to-indentation', 'To the first character of the line'],
  [['M-f'], 'next-word-end', 'To the end of the word'],
  [['M-b'], 'previous-word', 'To the word before'],
  [['M-v'], 'page-up', 'Up a page'],
  [['C-v', 'Space'], 'page-down', 'Down a page'],
  [['M-<'], 'history-top', 'To the oldest line'],
  [['M->'], 'history-bottom', 'To the newest line'],
  [['M-R'], 'top-line', 'To the top row'],
  [['M-r'], 'middle-line', 'To the middle row'],
  [['M-{'], 'previous-paragraph', 'To the blank line before'],
  [['M-}'], 'next-paragraph', 'To the next blank line'],
  [['C-M-f'], 'next-matching-bracket', 'To the other bracket'],
  [['C-M-b'], 'previous-matching-bracket', 'To the bracket before'],
  [['C-s'], searchPrompt('forward', 'search down'), 'Search down'],
  [['C-r'], searchPrompt('backward', 'search up'), 'Search up'],
  [['C-Space'], 'begin-selection', 'Select from here'],
  [['R'], 'rectangle-toggle', 'Select a block, or running text again'],
  [['C-g'], 'clear-selection', 'Select nothing'],
  [['M-w', 'C-w'], 'copy-pipe-and-cancel', 'Copy and leave'],
  [['C-k'], 'copy-pipe-end-of-line-and-cancel', 'Copy to the end of the line, and leave'],
  [['Escape'], 'cancel', 'Back to the running program'],
  [['g'], GO_TO_LINE, 'To so many lines from the bottom'],
  ...COMMON,
  ...counts('M-', '123456789'),
];

/** After the wheel, where letters are for the program (option copy-mode-typing). */
const TYPING: readonly Row[] = [
  [['Up'], 'scroll-up', 'Scroll up a row'],
  [['Down'], 'scroll-down', 'Scroll down a row'],
  [['PPage'], 'short-page-up', 'Up half a page less a row'],
  [['NPage'], 'short-page-down', 'Down half a page less a row'],
  [['Home'], 'history-top', 'To the oldest line'],
  [['End', 'Escape', 'C-c'], 'cancel', 'Back to the running program'],
];

/** The rows of copy mode's tables. */
export const COPY_KEYS: readonly DefaultKey[] = [
  ...rows('copy-mode-vi', VI),
  ...rows('copy-mode', EMACS),
  ...rows('copy-mode-typing', TYPING),
];
