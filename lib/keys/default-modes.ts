/**
 * Default keys of the modes. In pickers characters go to the filter line, so
 * there only keys without text are bound; in the lore browser letters are keys until its filter line is opened.
 */
import { COPY_KEYS } from './default-copy.ts';
import type { DefaultKey, KeyGroup } from './default-key.ts';
import { LINE_EDITING } from './default-line.ts';

/** Keys that do one thing, its name behind `send-keys -X`, and the note. */
type Row = readonly [keys: readonly string[], name: string, note: string];

function rows(table: string, group: KeyGroup, list: readonly Row[]): readonly DefaultKey[] {
  return list.flatMap(([keys, name, note]) =>
    keys.map(key => ({ table, key, command: `send-keys -X ${name}`, note, group })),
  );
}

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
  [['/'], 'search-text', 'Browse and search the lores'],
  [['y'], 'copy', 'Copy the path of what is selected'],
  [['i'], 'insert-path', 'Type the path of what is selected into the pane'],
  [['q', 'Escape', 'C-c'], 'cancel', 'Give the keys back to the pane'],
]);

const PICKER = rows('picker', 'General', [
  [['Up', 'C-p'], 'up', 'Up a row'],
  [['Down', 'C-n'], 'down', 'Down a row'],
  [['PPage'], 'page-up', 'Up a page'],
  [['NPage'], 'page-down', 'Down a page'],
  [['C-Home', 'M-<'], 'top', 'To the first row'],
  [['C-End', 'M->'], 'bottom', 'To the last row'],
  [['Enter'], 'accept', 'Take what is selected'],
  [['Escape', 'C-c'], 'cancel', 'Close without taking anything'],
]);

const BROWSER = rows('browser', 'Graph', [
  [['Up', 'k', 'C-p'], 'up', 'Up a row'],
  [['Down', 'j', 'C-n'], 'down', 'Down a row'],
  [['PPage', 'C-b'], 'page-up', 'Up a page'],
  [['NPage', 'C-f'], 'page-down', 'Down a page'],
  [['Home', 'g'], 'top', 'To the first lore'],
  [['End', 'G'], 'bottom', 'To the last lore'],
  [['Enter'], 'accept', 'Open the lore in a pane'],
  [['e'], 'edit', 'Edit the lore in a pane'],
  [['b'], 'backlinks', 'Only lores with a link to this one'],
  [['l'], 'links', 'Only lores that this one links to'],
  [['BSpace'], 'return', 'Back to the lore that the last link was followed from'],
  [['h'], 'history', 'What was changed in the lore, and when'],
  [['n'], 'new', 'Make a lore and edit it in a pane'],
  [['r'], 'rename', 'Give the lore another name, and mend the links to it'],
  [['y'], 'copy', 'Copy the path of the lore'],
  [['i'], 'insert-path', 'Type the path of the lore into the pane'],
  [['/'], 'filter', 'Filter by name, title and description'],
  [['s'], 'search', 'Search in the text of all lores'],
  [['Tab', 'Right'], 'facet-next', 'To the next label'],
  [['BTab', 'Left'], 'facet-previous', 'To the label before'],
  [['Space'], 'facet-toggle', 'Only lores with this label, or all again'],
  [['c'], 'facet-clear', 'All labels again'],
  [['J', 'M-Down', 'S-Down', 'C-d'], 'preview-page-down', 'Scroll the preview down'],
  [['K', 'M-Up', 'S-Up', 'C-u'], 'preview-page-up', 'Scroll the preview up'],
  [['q', 'Escape', 'C-c'], 'cancel', 'Close the browser'],
]);

const BROWSER_LINE = rows('browser-line', 'Graph', [
  [['Up', 'C-p'], 'up', 'Up a row'],
  [['Down', 'C-n'], 'down', 'Down a row'],
  [['Enter'], 'accept', 'Take the line and go back to the list'],
  [['Escape', 'C-c'], 'cancel', 'Give the line up'],
]);

/** Editing a line: the command prompt, and every filter line beneath the keys of its own table. */
const PROMPT = rows('prompt', 'General', [
  [['Enter'], 'accept', 'Run the line'],
  [['Escape', 'C-c', 'C-g'], 'cancel', 'Close the line'],
  [['Tab'], 'complete', 'Complete the word'],
  [['BTab'], 'complete-back', 'The completion before'],
  [['Up', 'C-p'], 'history-up', 'The line before'],
  [['Down', 'C-n'], 'history-down', 'The next line'],
  ...LINE_EDITING,
]);

/** The rows of the mode tables. */
export const MODE_KEYS: readonly DefaultKey[] = [
  ...COPY_KEYS,
  ...SIDEBAR,
  ...PICKER,
  ...BROWSER,
  ...BROWSER_LINE,
  ...PROMPT,
];
