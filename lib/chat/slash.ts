/** Commands that are written instead of being bound to keys. */

/** Words behind a slash: name, action, and what it does. */
export const SLASH: readonly (readonly [word: string, action: string, text: string])[] = [
  ['help', 'help', 'the keys'],
  ['menu', 'menu', 'all chats'],
  ['new', 'new-tab', 'a new chat in a tab'],
  ['close', 'close-tab', 'close the tab'],
  ['model', 'pick-model', 'choose the model'],
  ['role', 'pick-role', 'choose the role'],
  ['effort', 'pick-effort', 'how hard the model thinks'],
  ['mode', 'pick-mode', 'what may run without being asked about'],
  ['tools', 'pick-tools', 'turn tools on and off'],
  ['file', 'pick-file', 'a file that goes with the next message'],
  ['lore', 'pick-lore', 'a lore that goes with the next message'],
  ['theme', 'pick-theme', 'other colours'],
  ['rename', 'rename', 'give the chat a title'],
  ['favourite', 'favourite', 'mark the chat, or no longer'],
  ['fork', 'fork', 'a new chat that begins like this one'],
  ['truncate', 'truncate', 'delete from the selected message on'],
  ['export', 'export', 'write the chat to a file, .md or .json'],
  ['copy', 'copy', 'copy the last answer'],
  ['editor', 'open-editor', 'write on in your editor'],
  ['open', 'open-chat', 'the whole chat in your editor'],
  ['info', 'info', 'tokens, costs, what is in the chat'],
  ['debug', 'debug', 'requests and events as they went'],
  ['quit', 'quit', 'leave; everything is kept'],
];
