/**
 * Default keys of the chat program. It has no prefix: what is written gets every key without a modifier, and what needs one has
 * another key too, since some terminals keep Alt to themselves. `chat` counts beneath the table of whatever has the keys.
 */
import { modeRows, type DefaultKey } from './default-key.ts';
import { LINE_EDITING } from './default-line.ts';

const EVERYWHERE = modeRows('chat', 'Chat', [
  [['F1', 'M-h'], 'help', 'Show the keys'],
  [['C-o', 'M-m'], 'menu', 'All chats: open, search, rename, delete'],
  [['C-t'], 'new-tab', 'A new chat in a tab'],
  [['M-w', 'F10'], 'close-tab', 'Close the tab; the chat is kept'],
  [['C-PPage', 'M-j'], 'previous-tab', 'To the tab before'],
  [['C-NPage', 'M-;'], 'next-tab', 'To the next tab'],
  [['F2'], 'pick-model', 'Choose the model'],
  [['F3'], 'pick-role', 'Choose the role'],
  [['F4', 'M-t'], 'next-effort', 'Think more, or less'],
  [['F5'], 'next-mode', 'Ask about everything, about little, or only plan'],
  [['F7'], 'pick-tools', 'Turn tools on and off'],
  [['F8'], 'pick-file', 'A file that goes with the next message'],
  [['F9'], 'pick-lore', 'A lore that goes with the next message'],
  [['F6', 'M-i'], 'info', 'Tokens, costs and what is in the chat'],
  [['F12'], 'debug', 'Requests and events as they went'],
  [['PPage'], 'page-up', 'Scroll up half a page'],
  [['NPage'], 'page-down', 'Scroll down half a page'],
  [['C-Home', 'M-<'], 'top', 'To the beginning'],
  [['C-End', 'M->'], 'bottom', 'To the end'],
  [['M-Up'], 'scroll-up', 'Scroll up a line'],
  [['M-Down'], 'scroll-down', 'Scroll down a line'],
  [['C-l'], 'redraw', 'Draw the screen anew'],
  [['C-z'], 'suspend', 'Back to the shell for a while'],
  [['C-c'], 'interrupt', 'Stop the answer; else throw away the text, else leave'],
  [['C-q'], 'quit', 'Leave; everything is kept'],
  ...Array.from({ length: 9 }, (_, n) => [[`M-${n + 1}`], `tab-${n + 1}`, `To tab ${n + 1}`] as const),
]);

const INPUT = modeRows('chat-input', 'Chat', [
  [['Enter'], 'send', 'Send; during an answer it is said next'],
  [['S-Enter', 'M-Enter', 'C-j'], 'newline', 'Begin a line'],
  [['Tab'], 'complete', 'Complete @file or /command, else go to the timeline'],
  [['Escape'], 'leave-input', 'To the timeline'],
  [['Up', 'C-p'], 'history-up', 'A row up, then the message before'],
  [['Down', 'C-n'], 'history-down', 'A row down, then the next message'],
  [['C-r'], 'pick-history', 'Search what was sent before'],
  [['C-g', 'M-o'], 'open-editor', 'Write on in your editor'],
  [['M-q'], 'take-back', 'Take back what waits to be said'],
  [['C-_'], 'undo', 'Take back the last change'],
  [['M-_'], 'redo', 'Do it again'],
  ...LINE_EDITING,
]);

const TIMELINE = modeRows('chat-timeline', 'Chat', [
  [['k', 'C-p'], 'previous-item', 'To the item before'],
  [['j', 'C-n'], 'next-item', 'To the next item'],
  [['Up'], 'scroll-up', 'Scroll up a line'],
  [['Down'], 'scroll-down', 'Scroll down a line'],
  [['['], 'previous-block', 'To the block of code or text before'],
  [[']'], 'next-block', 'To the next block of code or text'],
  [['g', 'Home'], 'top', 'To the beginning'],
  [['G', 'End'], 'bottom', 'To the end'],
  [['z', 'Space', 'Enter'], 'fold', 'Fold or open it'],
  [['Z'], 'fold-all', 'Fold all, or open all'],
  [['y'], 'copy', 'Copy it'],
  [['Y'], 'copy-name', 'Copy the name of the chat'],
  [['o'], 'open-item', 'Open it in your editor'],
  [['O'], 'open-chat', 'Open the whole chat in your editor'],
  [['d'], 'side-by-side', 'Diffs beside or below each other'],
  [['e'], 'edit-resend', 'Edit your message and go on from there'],
  [['f'], 'fork', 'A new chat that begins like this one up to here'],
  [['x'], 'truncate', 'Delete from here on'],
  [['Tab', 'i', 'Escape', 'q'], 'to-input', 'To what you write'],
]);

const REVIEW = modeRows('chat-review', 'Chat', [
  [['y', 'Enter'], 'accept', 'Let it run'],
  [['A'], 'accept-all', 'Let all of them run'],
  [['a'], 'always', 'Let it and its like run from now on'],
  [['n'], 'reject', 'Do not; say why'],
  [['e'], 'edit-call', 'Change the command, then run it'],
  [['d'], 'side-by-side', 'Diffs beside or below each other'],
  [['Up', 'k'], 'scroll-up', 'Scroll up a line'],
  [['Down', 'j'], 'scroll-down', 'Scroll down a line'],
  [['Tab', 'i', 'Escape'], 'to-input', 'To what you write; it goes on waiting'],
]);

const MENU = modeRows('chat-menu', 'Chat', [
  [['Up', 'C-p'], 'up', 'Up a row'],
  [['Down', 'C-n'], 'down', 'Down a row'],
  [['PPage'], 'page-up', 'Up a page'],
  [['NPage'], 'page-down', 'Down a page'],
  [['Enter'], 'accept', 'Open the chat in a tab'],
  [['Tab'], 'next-side', 'Search titles, or what was said'],
  [['C-t'], 'new-tab', 'A new chat in a tab'],
  [['C-s', 'F7'], 'favourite', 'A favourite, or no longer'],
  [['C-r', 'F8'], 'rename', 'Give it another title'],
  [['DC', 'C-x'], 'delete-chat', 'Delete the chat'],
  [['C-_'], 'undo', 'Bring back the chat that was deleted last'],
  [['M-Down'], 'preview-page-down', 'Scroll the preview down'],
  [['M-Up'], 'preview-page-up', 'Scroll the preview up'],
  [['Escape', 'C-c', 'C-o'], 'cancel', 'Close the list'],
]);

/** All of them. */
export const CHAT_KEYS: readonly DefaultKey[] = [...EVERYWHERE, ...INPUT, ...TIMELINE, ...REVIEW, ...MENU];

/** Enter begins a line and C-j sends: for hands that are used to it. Bound over the others. */
export const CTRL_J_KEYS: readonly DefaultKey[] = modeRows('chat-input', 'Chat', [
  [['C-j', 'M-Enter', 'S-Enter'], 'send', 'Send; during an answer it is said next'],
  [['Enter'], 'newline', 'Begin a line'],
]);
