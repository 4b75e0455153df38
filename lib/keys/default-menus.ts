/**
 * The menus of a pane and of a window's tab, as display-menu's words: tmux's entries where it has them. They open by a
 * key behind the prefix or by the right button; each entry acts on the pane that the menu was opened for.
 */

/** An entry: its text, key and command; undefined for a rule. */
type Entry = readonly [text: string, key: string, command: string] | undefined;

const PANE: readonly Entry[] = [
  ['#{?pane_dead,-,}Look back', '[', 'copy-mode'],
  ['#{?buffer_name,,-}Paste #{=/12/…:buffer_sample}', ']', 'paste-buffer -p'],
  undefined,
  ['Split right', 'h', 'split-window -h'],
  ['Split below', 'v', 'split-window -v'],
  undefined,
  ['#{?#{>:#{window_panes},1},,-}#{?window_zoomed_flag,Unzoom,Zoom}', 'z', 'resize-pane -Z'],
  ['#{?#{>:#{window_panes},1},,-}Swap with the one before', 'u', 'swap-pane -U'],
  ['#{?#{>:#{window_panes},1},,-}Swap with the one after', 'd', 'swap-pane -D'],
  ['#{?#{>:#{window_panes},1},,-}Move to a new window', '!', 'break-pane'],
  [
    '#{?#{>:#{window_panes},1},,-}#{?pane_synchronized,Type into this one only,Type into all panes}',
    's',
    'set-option synchronize-panes',
  ],
  undefined,
  [
    'Rename…',
    'n',
    `command-prompt -T session-name -p "(rename session)" -I "#{session_name}" 'rename-session -- "%%%"'`,
  ],
  [
    'Start again',
    'R',
    'confirm-before -p "Start #{session_name} again, ending what runs?" "respawn-pane -k"',
  ],
  ['Kill', 'X', 'confirm-before -p "Kill pane #{pane_index} (#{session_name})?" kill-pane'],
];

const WINDOW: readonly Entry[] = [
  ['#{?window_active,-,}Go there', 'g', 'select-window'],
  ['#{?window_index,,-}Swap with the one before', 'l', 'swap-window -d -t :-'],
  ['Swap with the one after', 'r', 'swap-window -d -t :+'],
  undefined,
  [
    'Rename…',
    'n',
    `command-prompt -T window-name -p "(rename window)" -I "#{window_name}" 'rename-window -- "%%%"'`,
  ],
  ['Next layout', 'y', 'next-layout'],
  [
    '#{?#{>:#{window_panes},1},,-}#{?pane_synchronized,Type into one pane only,Type into all panes}',
    's',
    'set-option synchronize-panes',
  ],
  ['New window', 'c', 'new-window'],
  undefined,
  [
    'Kill',
    'X',
    'confirm-before -p "Kill window #{window_index} (#{window_name}) and all its panes?" kill-window',
  ],
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function menuLine(title: string, entries: readonly Entry[], place: string): string {
  const words = entries.map(entry => (entry ? entry.map(quoted).join(' ') : "''"));
  return `display-menu -T ${quoted(title)} -x ${place} -y ${place} ${words.join(' ')}`;
}

/** The command that opens the menu of a pane; `place` as display-menu takes it. */
export function paneMenu(place: 'M' | 'P'): string {
  return menuLine('#{pane_index} #{session_name}', PANE, place);
}

/** The command that opens the menu of a window. */
export function windowMenu(place: 'M' | 'W'): string {
  return menuLine('#{window_index} #{window_name}', WINDOW, place);
}
