/**
 * Default keys of the trees (windows and sessions, paste buffers) and of menus: those of tmux's modes. In a tree letters
 * are keys until its filter line is opened, and the digits choose rows.
 */
import { modeRows, type DefaultKey, type ModeRow } from './default-key.ts';

const MOVES: readonly ModeRow[] = [
  [['Up', 'k', 'C-p'], 'up', 'Up a row'],
  [['Down', 'j', 'C-n'], 'down', 'Down a row'],
  [['PPage', 'C-b'], 'page-up', 'Up a page'],
  [['NPage', 'C-f'], 'page-down', 'Down a page'],
  [['Home', 'g'], 'top', 'To the first row'],
  [['End', 'G'], 'bottom', 'To the last row'],
];

const SHARED: readonly ModeRow[] = [
  [['/', 'f', 'C-s'], 'filter', 'Filter the rows'],
  [['t'], 'tag', 'Tag the row, or take its tag away'],
  [['C-t'], 'tag-all', 'Tag all rows'],
  [['T'], 'tag-none', 'Take all tags away'],
  [[':'], 'command', 'Type a command for the tagged rows, %% being each'],
  [['O'], 'sort', 'Sort in another order'],
  [['r'], 'reverse', 'Reverse the order'],
  [['v'], 'preview', 'Show or hide the preview'],
  [['q', 'Escape', 'C-c', 'C-g'], 'cancel', 'Close'],
];

const TREE = modeRows('tree', 'Sessions', [
  [['Enter'], 'accept', 'Go there'],
  ...MOVES,
  [['Right', 'l', '+'], 'expand', 'Unfold'],
  [['Left', 'h', '-'], 'collapse', 'Fold'],
  [['Space', 'Tab'], 'toggle', 'Fold or unfold'],
  [['M-+'], 'expand-all', 'Unfold everything'],
  [['M--'], 'collapse-all', 'Fold everything'],
  [['H'], 'home', 'To the pane that had the focus'],
  [['x'], 'kill', 'Kill what is selected'],
  [['X'], 'kill-tagged', 'Kill what is tagged'],
  ...SHARED,
]);

const BUFFERS = modeRows('buffers', 'Copy mode', [
  [['Enter', 'p'], 'accept', 'Paste the buffer'],
  ...MOVES,
  [['P'], 'paste-tagged', 'Paste the tagged buffers'],
  [['d'], 'delete', 'Delete the buffer'],
  [['D'], 'delete-tagged', 'Delete the tagged buffers'],
  ...SHARED,
]);

/** Letters are the keys of a menu's own entries. */
const MENU = modeRows('menu', 'General', [
  [['Up', 'C-p', 'BTab'], 'up', 'Up an entry'],
  [['Down', 'C-n', 'Tab'], 'down', 'Down an entry'],
  [['PPage', 'Home'], 'top', 'To the first entry'],
  [['NPage', 'End'], 'bottom', 'To the last entry'],
  [['Enter'], 'accept', 'Do what the entry says'],
  [['Escape', 'C-c', 'C-g'], 'cancel', 'Close the menu'],
]);

/** While all keys are the program's, one takes them back. */
const OFF: readonly DefaultKey[] = [
  { table: 'off', key: 'F12', command: 'pass-keys', note: 'Take the keys back', group: 'General' },
];

/** The rows of the tables 'tree', 'buffers', 'menu' and 'off'. */
export const TREE_KEYS: readonly DefaultKey[] = [...TREE, ...BUFFERS, ...MENU, ...OFF];
