/**
 * Default keys of the modes: copy mode (close to tmux's vi table), the sidebar, pickers and browsers. In pickers and
 * browsers characters go to the filter line, so there only keys without text are bound.
 */
import type { DefaultKey, KeyGroup } from './default-key.ts';

/** Keys that do one thing, its name behind `send-keys -X`, and the note. */
type Row = readonly [keys: readonly string[], name: string, note: string];

function rows(table: string, group: KeyGroup, list: readonly Row[]): readonly DefaultKey[] {
  return list.flatMap(([keys, name, note]) =>
    keys.map(key => ({ table, key, command: `send-keys -X ${name}`, note, group })),
  );
}

const COPY_MODE = rows('copy-mode', 'Copy mode', [
  [['Up', 'k', 'C-p'], 'cursor-up', 'Up a line'],
  [['Down', 'j', 'C-n'], 'cursor-down', 'Down a line'],
  [['Left', 'h'], 'cursor-left', 'Left a character'],
  [['Right', 'l'], 'cursor-right', 'Right a character'],
  [['PPage', 'C-b'], 'page-up', 'Up a page'],
  [['NPage', 'C-f'], 'page-down', 'Down a page'],
  [['C-u', 'M-Up'], 'halfpage-up', 'Up half a page'],
  [['C-d', 'M-Down'], 'halfpage-down', 'Down half a page'],
  [['C-y', 'C-Up', 'K'], 'scroll-up', 'Scroll up a line'],
  [['C-e', 'C-Down', 'J'], 'scroll-down', 'Scroll down a line'],
  [['g'], 'history-top', 'To the oldest line'],
  [['G'], 'history-bottom', 'To the newest line'],
  [['H'], 'top-line', 'To the top of the screen'],
  [['M'], 'middle-line', 'To the middle of the screen'],
  [['L'], 'bottom-line', 'To the bottom of the screen'],
  [['Home', '0'], 'start-of-line', 'To the start of the line'],
  [['End', '$'], 'end-of-line', 'To the end of the line'],
  [['^'], 'back-to-indentation', 'To the first character of the line'],
  [['w'], 'next-word', 'To the next word'],
  [['b'], 'previous-word', 'To the word before'],
  [['e'], 'next-word-end', 'To the end of the word'],
  [['{'], 'previous-paragraph', 'To the paragraph before'],
  [['}'], 'next-paragraph', 'To the next paragraph'],
  [['/'], 'search-forward', 'Search down'],
  [['?'], 'search-backward', 'Search up'],
  [['n'], 'search-again', 'To the next match'],
  [['N'], 'search-reverse', 'To the match before'],
  [['Space'], 'begin-selection', 'Start selecting'],
  [['V'], 'select-line', 'Select whole lines'],
  [['v', 'C-v'], 'rectangle-toggle', 'Select a rectangle, or lines again'],
  [['o'], 'other-end', 'To the other end of the selection'],
  [['Enter', 'y', 'C-j'], 'copy-selection-and-cancel', 'Copy the selection and leave'],
  [['q', 'Escape', 'C-c'], 'cancel', 'Leave copy mode'],
]);

const SIDEBAR = rows('sidebar', 'Graph', [
  [['Up', 'k', 'C-p'], 'up', 'Up a row'],
  [['Down', 'j', 'C-n'], 'down', 'Down a row'],
  [['PPage', 'C-u'], 'page-up', 'Up a page'],
  [['NPage', 'C-d'], 'page-down', 'Down a page'],
  [['Home', 'g'], 'top', 'To the first row'],
  [['End', 'G'], 'bottom', 'To the last row'],
  [['Enter', 'l'], 'accept', 'Open what is selected'],
  [['Space', 'Left', 'Right'], 'toggle', 'Fold or unfold the section'],
  [['Tab'], 'next-section', 'To the next section'],
  [['/'], 'search-text', 'Search in the graph'],
  [['y'], 'copy', 'Copy the selector of what is selected'],
  [['i'], 'insert-path', 'Type the path of what is selected into the pane'],
  [['q', 'Escape', 'C-c'], 'cancel', 'Give the keys back to the pane'],
]);

/** What pickers and browsers have in common. */
const LIST: readonly Row[] = [
  [['Up', 'C-p'], 'up', 'Up a row'],
  [['Down', 'C-n'], 'down', 'Down a row'],
  [['PPage'], 'page-up', 'Up a page'],
  [['NPage'], 'page-down', 'Down a page'],
  [['C-Home', 'M-<'], 'top', 'To the first row'],
  [['C-End', 'M->'], 'bottom', 'To the last row'],
  [['Enter'], 'accept', 'Take what is selected'],
  [['Escape', 'C-c'], 'cancel', 'Close without taking anything'],
  [['C-y'], 'copy', 'Copy what is selected'],
];

const PICKER = rows('picker', 'General', [...LIST, [['Tab'], 'toggle', 'Mark or unmark the row']]);

const BROWSER = rows('browser', 'Graph', [
  ...LIST,
  [['Tab'], 'next-section', 'To the next part of the screen'],
  [['C-o'], 'insert-path', 'Type the path of what is selected into the pane'],
  [['C-t'], 'search-text', 'Search in the text instead of the names, or back'],
  [['C-l'], 'labels', 'Choose labels to narrow the list'],
  [['M-Down', 'S-Down', 'C-d'], 'preview-down', 'Scroll the preview down'],
  [['M-Up', 'S-Up', 'C-u'], 'preview-up', 'Scroll the preview up'],
]);

/** The rows of the mode tables. */
export const MODE_KEYS: readonly DefaultKey[] = [...COPY_MODE, ...SIDEBAR, ...PICKER, ...BROWSER];
