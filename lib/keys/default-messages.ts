/**
 * Default keys of messages and documents. In the viewer letters are keys until a filter line is opened; in the composer
 * they are written, so only keys without text are bound there: the rest is edited by the keys of the prompt.
 */
import { modeRows, type DefaultKey } from './default-key.ts';

const MAIL = modeRows('messages', 'Messages', [
  [['Up', 'k', 'C-p'], 'up', 'Up a row'],
  [['Down', 'j', 'C-n'], 'down', 'Down a row'],
  [['PPage', 'C-b'], 'page-up', 'Up a page'],
  [['NPage', 'C-f'], 'page-down', 'Down a page'],
  [['Home', 'g'], 'top', 'To the first row, where once more brings older messages'],
  [['End', 'G'], 'bottom', 'To the last row: the newest message, and those to come'],
  [['Enter'], 'accept', 'Read the messages, all of a long one; go on with a draft'],
  [['Space'], 'toggle', 'Fold or unfold'],
  [['Right', 'l', '+'], 'expand', 'To the messages'],
  [['Left', 'h', '-'], 'collapse', 'Back to the list'],
  [['Tab', 'BTab'], 'next-side', 'To the other side'],
  [['/', 'f', 'C-s'], 'filter', 'Filter the list, or the messages'],
  [['r'], 'reply', 'Answer the message'],
  [['n', 'c'], 'compose', 'Write a message'],
  [['a'], 'acknowledge', 'Mark all of it as read'],
  [['x', 'd'], 'delete', 'Throw the draft away'],
  [['o'], 'go', 'Go to the session'],
  [['y'], 'copy', 'Copy the text of the message'],
  [['J', 'M-Down', 'S-Down', 'C-d'], 'preview-page-down', 'Scroll in a long message'],
  [['K', 'M-Up', 'S-Up', 'C-u'], 'preview-page-up', 'Scroll back in a long message'],
  [['q', 'Escape', 'C-c', 'C-g'], 'cancel', 'Back to the list, then close'],
]);

const COMPOSER = modeRows('composer', 'Messages', [
  [['C-s', 'M-Enter'], 'send', 'Send the message'],
  [['Enter'], 'accept', 'A new line; in the list, write to the selected one'],
  [['C-t'], 'tag', 'One more receiver, or one less'],
  [['Tab', 'BTab'], 'next-side', 'To the text, or to the receivers'],
  [['Up', 'C-p'], 'up', 'Up a row'],
  [['Down', 'C-n'], 'down', 'Down a row'],
  [['C-Home', 'M-<'], 'top', 'To the beginning'],
  [['C-End', 'M->'], 'bottom', 'To the end'],
  [['C-x'], 'discard', 'Throw away what is written'],
  [['Escape', 'C-c', 'C-g'], 'cancel', 'Close; what is written is kept as a draft'],
]);

const DOCUMENTS = modeRows('documents', 'Messages', [
  [['Up', 'k', 'C-p'], 'up', 'Up a row'],
  [['Down', 'j', 'C-n'], 'down', 'Down a row'],
  [['PPage', 'C-b'], 'page-up', 'Up a page'],
  [['NPage', 'C-f'], 'page-down', 'Down a page'],
  [['Home', 'g'], 'top', 'To the first row'],
  [['End', 'G'], 'bottom', 'To the last row'],
  [['Enter'], 'accept', 'Show the document in a pane'],
  [['e'], 'edit', 'Show a copy of the document in your editor'],
  [['y'], 'copy', 'Copy the key of the document'],
  [['i'], 'insert-path', 'Type the key of the document into the pane'],
  [['h'], 'history', 'Show who changed the document, and what it was then'],
  [['/', 'f', 'C-s'], 'filter', 'Filter by key'],
  [['Tab', 'Right'], 'facet-next', 'To the other store'],
  [['BTab', 'Left'], 'facet-previous', 'To the store before'],
  [['Space'], 'facet-toggle', 'Only documents of this store, or all again'],
  [['J', 'M-Down', 'S-Down', 'C-d'], 'preview-page-down', 'Scroll the preview down'],
  [['K', 'M-Up', 'S-Up', 'C-u'], 'preview-page-up', 'Scroll the preview up'],
  [['q', 'Escape', 'C-c', 'C-g'], 'cancel', 'Close, or back to the documents'],
]);

/** The rows of the tables 'messages', 'composer' and 'documents'. */
export const MESSAGE_KEYS: readonly DefaultKey[] = [...MAIL, ...COMPOSER, ...DOCUMENTS];
