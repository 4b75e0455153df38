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

const NAVIGATOR = modeRows('navigator', 'Sessions', [
  [['Enter'], 'accept', 'Go there, or bring a deleted one back'],
  ...MOVES,
  [['Tab'], 'next-view', 'Look at the sessions in the next way'],
  [['BTab'], 'previous-view', 'Look at the sessions in the way before'],
  [['/', 'f', 'C-s'], 'filter', 'Filter by name, repository, label and summary'],
  [['Right', 'l', '+'], 'expand', 'Unfold'],
  [['Left', 'h', '-'], 'collapse', 'Fold'],
  [['Space'], 'toggle', 'Fold or unfold'],
  [['C', 'M--'], 'collapse-all', 'Fold everything'],
  [['M-+'], 'expand-all', 'Unfold everything'],
  [['H'], 'home', 'To the session that had the focus'],
  [['n'], 'new', 'Start a session'],
  [['S'], 'stop', 'Stop its program'],
  [['r'], 'restart', 'Start its program again'],
  [['x', 'd'], 'delete', 'Delete the session, or a deleted one for good'],
  [['s', '*'], 'star', 'Star the session, or take its star away'],
  [['$', ',', 'R'], 'rename', 'Rename the session'],
  [['t'], 'tag', 'Tag the session: what is done is done to all that are tagged'],
  [['C-t'], 'tag-all', 'Tag all sessions that are shown'],
  [['T'], 'tag-none', 'Take all tags away'],
  [['L'], 'label', 'Add and take away labels'],
  [['v'], 'preview', 'Show or hide the preview'],
  [['q', 'Escape', 'C-c', 'C-g'], 'cancel', 'Close'],
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

/** The rows of the tables 'tree', 'navigator', 'buffers', 'menu' and 'off'. */
export const TREE_KEYS: readonly DefaultKey[] = [...TREE, ...NAVIGATOR, ...BUFFERS, ...MENU, ...OFF];
