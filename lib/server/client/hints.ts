/**
 * The bottom row: what can be done now. Texts are notes of key bindings, so they follow what a person bound.
 */
import type { Hint, OverlayView } from '../../chrome/view.ts';
import { formatKey } from '../../input/keyname.ts';
import { isKey } from '../../keys/tables.ts';
import { runs } from '../../model/sessions.ts';
import type { ClientServices } from './services.ts';

type Rows = readonly (readonly [action: string, text: string])[];

/** What the prefix offers at first sight, by command, in order; short words since notes are sentences. */
const FIRST: readonly (readonly [command: string, text: string])[] = [
  ['show-help', 'help'],
  ['command-prompt', 'command'],
  ['navigator', 'sessions'],
  ['choose-lore', 'lores'],
  ['detach-client', 'detach'],
  ['next-attention', 'next that needs me'],
  ['command-palette', 'palette'],
];

/** While the prefix is held: more of them. */
const HELD: readonly (readonly [command: string, text: string])[] = [
  ['split-window -h', 'split right'],
  ['split-window -v', 'split below'],
  ['new-window', 'window'],
  ['next-window', 'next'],
  ['resize-pane -Z', 'zoom'],
  ['select-pane -t :.+', 'other pane'],
  ['toggle-sidebar', 'sidebar'],
  ['copy-mode', 'look back'],
  ...FIRST,
];

const COPY_HINTS: readonly (readonly [action: string, text: string])[] = [
  ['short-page-up', 'page up'],
  ['search-backward-incremental', 'search'],
  ['search-again', 'next match'],
  ['previous-prompt', 'prompt before'],
  ['begin-selection', 'select'],
  ['copy-pipe-and-cancel', 'copy'],
  ['cancel', 'leave'],
];

/** Hints of modes, by key table: the keys that matter, as `send-keys -X` actions. */
const MODES: Readonly<Record<string, readonly (readonly [action: string, text: string])[]>> = {
  'copy-mode-vi': COPY_HINTS,
  'copy-mode': COPY_HINTS,
  'copy-mode-typing': [
    ['short-page-up', 'page up'],
    ['history-top', 'oldest'],
    ['cancel', 'leave'],
  ],
  menu: [
    ['accept', 'do it'],
    ['down', 'next'],
    ['up', 'before'],
    ['cancel', 'close'],
  ],
  sidebar: [
    ['down', 'down'],
    ['toggle', 'fold'],
    ['accept', 'open'],
    ['next-section', 'next section'],
    ['cancel', 'back to the pane'],
  ],
};

/** Keys of a browser's lines. A filter narrows the list while it is typed; a full-text search begins with Enter. */
export const LINE_HINTS: Readonly<Record<'filter' | 'search', Rows>> = {
  filter: [
    ['accept', 'take'],
    ['cancel', 'back to the list'],
  ],
  search: [
    ['accept', 'search'],
    ['cancel', 'back to the list'],
  ],
};

/** What is over the screen has the keys: those of lists and help, which share a table. */
const OVERLAYS: Readonly<Partial<Record<OverlayView['type'], Rows>>> = {
  picker: [
    ['accept', 'take'],
    ['down', 'next'],
    ['up', 'before'],
    ['page-down', 'page down'],
    ['cancel', 'close'],
  ],
  help: [
    ['down', 'scroll'],
    ['page-down', 'page down'],
    ['page-up', 'page up'],
    ['cancel', 'close'],
  ],
};
/** Letters that are no keys of a table. */
const ANSWERS: readonly Hint[] = [
  { key: 'y', text: 'yes' },
  { key: 'n', text: 'no' },
];
const TYPED: readonly Hint[] = [{ key: 'a-z', text: 'narrow it down' }];

/**
 * Keys and words for the bottom row.
 * @param overlay what lies over the screen and has the keys, if anything does
 */
export function bottomHints(
  services: ClientServices,
  isPrefixHeld: boolean,
  table: string,
  overlay?: OverlayView['type'],
): readonly Hint[] {
  const prefix = formatKey(services.prefix());
  if (isPrefixHeld) return behindPrefix(services, '', HELD);
  if (overlay === 'dialog') return ANSWERS;
  const over = overlay && OVERLAYS[overlay];
  if (over) return [...TYPED, ...modeHints(services, table, over)];
  if (table === 'off') return offHints(services);
  const mode = MODES[table];
  if (mode) return modeHints(services, table, mode);
  const dead = deadHints(services);
  return dead ?? behindPrefix(services, `${prefix} `, FIRST);
}

/** Keys of a mode table for the lore browser and its like. */
export function modeHints(
  services: ClientServices,
  table: string,
  rows: readonly (readonly [action: string, text: string])[],
): readonly Hint[] {
  // In a mode's table the prefix is what it is everywhere.
  const prefix = services.prefix();
  const bound = services.keys.list(table).filter(({ key }) => !isKey(prefix, key));
  return rows.flatMap(([action, text]) => {
    const isIt = (command: string): boolean =>
      command === `send-keys -X ${action}` || command.includes(`{ send-keys -X ${action} `);
    const row = bound.find(({ binding }) => isIt(binding.command));
    return row ? [{ key: formatKey(row.key), text }] : [];
  });
}

/** What takes the keys back; the command too, where a person has unbound the key. */
function offHints(services: ClientServices): readonly Hint[] {
  const row = services.keys.list('off').find(({ binding }) => binding.command.startsWith('pass-keys'));
  return [
    {
      key: row ? formatKey(row.key) : 'mux pass-keys off',
      text: 'takes the keys back: all others go to the program',
    },
  ];
}

function behindPrefix(
  services: ClientServices,
  lead: string,
  rows: readonly (readonly [command: string, text: string])[],
): readonly Hint[] {
  const bound = services.keys.list('prefix');
  let isFirst = true;
  return rows.flatMap(([command, text]) => {
    const row = bound.find(({ binding }) => binding.command === command);
    if (!row) return [];
    // The prefix is said once: the row reads `C-b ? help  : command …`.
    const key = `${isFirst ? lead : ''}${formatKey(row.key)}`;
    isFirst = false;
    return [{ key, text }];
  });
}

/** Keys of a pane whose program has ended; undefined where the focused one runs. */
function deadHints(services: ClientServices): readonly Hint[] | undefined {
  const pane = services.model.windows.focused;
  const session = pane && services.model.sessionOf(pane);
  if (!session || runs(session)) return undefined;
  return [
    { key: 'Enter', text: 'close the pane' },
    { key: 'r', text: 'run it again' },
  ];
}
