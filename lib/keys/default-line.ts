/** Keys of every line that is written, as readline has them. */

/** Keys, action and note, for a table of a mode. */
export const LINE_EDITING: readonly (readonly [readonly string[], string, string])[] = [
  [['Left', 'C-b'], 'cursor-left', 'Left a character'],
  [['Right', 'C-f'], 'cursor-right', 'Right a character'],
  [['Home', 'C-a'], 'start-of-line', 'To the start of the line'],
  [['End', 'C-e'], 'end-of-line', 'To the end of the line'],
  [['M-b', 'C-Left'], 'previous-word', 'To the word before'],
  [['M-f', 'C-Right'], 'next-word', 'To the next word'],
  [['BSpace', 'C-h'], 'backspace', 'Delete the character before'],
  [['DC', 'C-d'], 'delete', 'Delete this character'],
  [['C-k'], 'kill-line', 'Delete to the end of the line'],
  [['C-u'], 'kill-start', 'Delete to the start of the line'],
  [['C-w', 'M-BSpace'], 'kill-word', 'Delete the word before'],
  [['M-d'], 'kill-next-word', 'Delete to the end of the word'],
  [['C-y'], 'yank', 'Bring back what was deleted last'],
];
