/**
 * Default keys behind the prefix: tmux's where it has them, so that habits carry over.
 */
import type { DefaultKey, KeyGroup } from './default-key.ts';
import { paneMenu, windowMenu } from './default-menus.ts';

type Row = readonly [key: string, command: string, note: string];

function rows(group: KeyGroup, repeat: boolean, list: readonly Row[]): readonly DefaultKey[] {
  return list.map(([key, command, note]) => ({ table: 'prefix', key, command, note, repeat, group }));
}

const GENERAL = rows('General', false, [
  ['?', 'show-help', 'Show all keys'],
  [':', 'command-prompt', 'Type a command'],
  ['P', 'command-palette', 'Find a command and run it'],
  ['d', 'detach-client', 'Detach; everything goes on running'],
  ['C-b', 'send-prefix', 'Send the prefix key to the program'],
  ['F12', 'pass-keys', 'Give all keys to the program until F12'],
  ['#', 'list-buffers', 'List the paste buffers'],
  ['<', windowMenu('W'), 'Open the menu of this window'],
  ['>', paneMenu('P'), 'Open the menu of this pane'],
  [
    'i',
    'display-message "#{window_index}:#{window_name} #{pane_id} #{pane_width}x#{pane_height}"',
    'Say which window and pane this is',
  ],
]);

const SESSIONS = rows('Sessions', false, [
  ['a', 'next-attention', 'Go to the next session that needs you'],
  [
    '$',
    `command-prompt -T session-name -p "(rename session)" -I "#{session_name}" 'rename-session -- "%%%"'`,
    'Rename the session in this pane',
  ],
  ['w', 'navigator', 'Look over the sessions and act on them'],
  ['s', 'choose-tree -s', 'Choose a window, pane or session'],
]);

const MESSAGES = rows('Messages', false, [
  ['m', 'choose-message', 'Read and answer messages'],
  ['M', 'compose-message', 'Write a message to sessions or a topic'],
  ['D', 'choose-document', 'Browse the documents of the project, and those of all'],
]);

const GOING = rows('Sessions', false, [
  ['b', 'switch-client -l', 'Go back to the session you were in last'],
  [')', 'switch-client -n', 'Go to the next session'],
  ['(', 'switch-client -p', 'Go to the session before'],
  ['S', 'shell-mode', "Open your shell in this session's directory"],
]);

const WINDOWS = rows('Windows', false, [
  ['c', 'new-window', 'Open a new window'],
  ['n', 'next-window', 'Go to the next window'],
  ['p', 'previous-window', 'Go to the window before'],
  ['l', 'last-window', 'Go to the window you were in last'],
  ...Array.from({ length: 10 }, (_, i): Row => [
    `${i}`,
    `select-window -t ${i}`,
    'Go to the window of that number',
  ]),
  [
    "'",
    `command-prompt -T window-target -p index 'select-window -t ":%%%"'`,
    'Go to a window by number or name',
  ],
  [
    ',',
    `command-prompt -T window-name -p "(rename window)" -I "#{window_name}" 'rename-window -- "%%%"'`,
    'Rename this window',
  ],
  [
    '.',
    `command-prompt -T window-target -p "(move window to)" 'move-window -t ":%%%"'`,
    'Give this window another number',
  ],
  [
    '&',
    'confirm-before -p "Kill window #{window_index} (#{window_name}) and all its panes?" kill-window',
    'Kill this window',
  ],
]);

const PANES = rows('Panes', false, [
  ['%', 'split-window -h', 'Split this pane into left and right'],
  ['"', 'split-window -v', 'Split this pane into top and bottom'],
  ['o', 'select-pane -t :.+', 'Go to the next pane'],
  [';', 'select-pane -l', 'Go to the pane you were in last'],
  ['q', 'display-panes', 'Show the numbers of the panes'],
  ['z', 'resize-pane -Z', 'Give this pane the whole window, or take it back'],
  ['!', 'break-pane', 'Move this pane to a window of its own'],
  ['x', 'confirm-before -p "Kill pane #{pane_index} (#{pane_title})?" kill-pane', 'Kill this pane'],
  ['{', 'swap-pane -U', 'Swap this pane with the one before'],
  ['}', 'swap-pane -D', 'Swap this pane with the one after'],
  ['C-o', 'rotate-window', 'Move every pane to the next place'],
  ['M-o', 'rotate-window -D', 'Move every pane to the place before'],
  ['Space', 'next-layout', 'Arrange the panes by the next layout'],
  ['E', 'select-layout -E', 'Spread the panes out evenly'],
  ['M-1', 'select-layout even-horizontal', 'Put the panes side by side'],
  ['M-2', 'select-layout even-vertical', 'Put the panes one above the other'],
  ['M-3', 'select-layout main-horizontal', 'One big pane above, the others below it'],
  ['M-4', 'select-layout main-vertical', 'One big pane at the left, the others beside it'],
  ['M-5', 'select-layout tiled', 'Arrange the panes in a grid'],
]);

/** Direction keys with tmux's flag and the words for it. */
const DIRECTIONS = [
  ['Up', '-U', 'above', 'up'],
  ['Down', '-D', 'below', 'down'],
  ['Left', '-L', 'at the left', 'to the left'],
  ['Right', '-R', 'at the right', 'to the right'],
] as const;

const MOVES = rows(
  'Panes',
  true,
  DIRECTIONS.flatMap(([key, flag, place, way]): readonly Row[] => [
    [key, `select-pane ${flag}`, `Go to the pane ${place}`],
    [`C-${key}`, `resize-pane ${flag}`, `Move the border ${way} by one`],
    [`M-${key}`, `resize-pane ${flag} 5`, `Move the border ${way} by five`],
  ]),
);

const GRAPH = rows('Graph', false, [
  ['Tab', 'toggle-sidebar', 'Show or hide the sidebar'],
  ['BTab', 'focus-sidebar', 'Give the keys to the sidebar'],
  ['L', 'choose-lore', 'Browse and search the lores'],
]);

const COPY = rows('Copy mode', false, [
  ['[', 'copy-mode', 'Look back through what the pane has shown'],
  ['PPage', 'copy-mode -u', 'Scroll back by one page'],
  [']', 'paste-buffer -p', 'Paste what was copied last'],
  ['=', 'choose-buffer', 'Choose a paste buffer, with previews'],
  ['-', 'delete-buffer', 'Delete what was copied last'],
]);

/** The rows of the table 'prefix'. */
export const PREFIX_KEYS: readonly DefaultKey[] = [
  ...GENERAL,
  ...SESSIONS,
  ...GOING,
  ...MESSAGES,
  ...WINDOWS,
  ...PANES,
  ...MOVES,
  ...GRAPH,
  ...COPY,
];
