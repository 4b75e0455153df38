/**
 * Menus of a client: where they open, and what the right button opens one for.
 */
import type { Hit, MenuView } from '../../chrome/view.ts';
import { quoteWord } from '../../cmd/parse.ts';
import type { MenuRequest } from '../../cmd/spec.ts';
import { paneMenu, windowMenu } from '../../keys/default-menus.ts';
import { MenuOverlay } from '../overlay/menu.ts';
import type { AttachedClient } from './client.ts';

/** Opens a menu over a client's screen. */
export function openMenu(client: AttachedClient, request: MenuRequest): void {
  // A menu in which nothing can be chosen would only have to be closed again.
  if (!request.entries.some(entry => entry?.command !== undefined)) return;
  const at = { x: columnOf(client, request), y: rowOf(client, request) };
  client.show(host => new MenuOverlay(host, request, at));
}

function columnOf(client: AttachedClient, { x, place }: MenuRequest): MenuView['at']['x'] {
  if (/^\d{1,4}$/.test(x)) return Number(x);
  const columns: Readonly<Record<string, () => MenuView['at']['x']>> = {
    M: () => client.pointer.x,
    P: () => spanOf(client, place.pane)?.x ?? 'center',
    W: () => tabColumn(client, place.pane),
    // Further right than any screen: it is moved back to where all of it is seen.
    R: () => client.size.cols,
  };
  return columns[x]?.() ?? 'center';
}

function rowOf(client: AttachedClient, { y, place }: MenuRequest): MenuView['at']['y'] {
  if (/^\d{1,4}$/.test(y)) return Number(y);
  const rows: Readonly<Record<string, () => MenuView['at']['y']>> = {
    M: () => client.pointer.y,
    P: () => spanOf(client, place.pane)?.y ?? 'center',
    // Below the tabs.
    W: () => 1,
    S: () => client.size.rows,
  };
  return rows[y]?.() ?? 'center';
}

/** The first row of a pane on the screen. */
function spanOf(
  client: AttachedClient,
  pane: string,
): { readonly x: number; readonly y: number } | undefined {
  return client.screen.cells?.spans.find(span => `%${span.pane}` === pane);
}

/** First column of the tab of a pane's window. */
function tabColumn(client: AttachedClient, target: string): number {
  const { windows } = client.services.model;
  const pane = windows.pane(Number(target.slice(1)));
  const index = pane && windows.windowOf(pane).index;
  for (let x = 0; x < client.size.cols; x++) {
    const hit = client.screen.cells?.hit(x, 0);
    if (hit?.type === 'tab' && hit.index === index) return x;
  }
  return 0;
}

/** Opens the menu of what was pressed with the right button; false where there is none, or a program wants the mouse. */
export function openMenuAt(client: AttachedClient, hit: Hit): boolean {
  const { model, copies } = client.services;
  if (hit.type === 'tab') {
    const window = model.windows.byIndex(hit.index);
    if (window) client.run(windowMenu('M'), targetPane(client, window.active));
    return window !== undefined;
  }
  if (hit.type === 'sidebar') return openSidebarMenu(client, hit.id);
  if (hit.type !== 'header' && hit.type !== 'pane') return false;
  const pane = model.windows.pane(hit.pane);
  if (!pane) return false;
  const { terminal } = model.sessionOf(pane);
  const isWanted = terminal && terminal.view.modes.mouseTracking !== 'none' && !copies.has(pane.id);
  if (hit.type === 'pane' && isWanted) return false;
  model.windows.focus(pane);
  client.run(paneMenu('M'), targetPane(client, pane.id));
  return true;
}

function targetPane(client: AttachedClient, id: number): { pane: string; session: string } {
  return { pane: `%${id}`, session: client.services.model.windows.pane(id)?.session ?? '' };
}

type Entry = readonly [text: string, key: string, command: string] | undefined;

const OPEN: Entry = ['Open', 'o', 'send-keys -X accept'];
const PATHS: readonly Entry[] = [
  ['Copy its path', 'y', 'send-keys -X copy'],
  ['Type its path', 'i', 'send-keys -X insert-path'],
];

/** Entries by the kind of a sidebar's row, which stands in front of the row's id. */
const ROWS: Readonly<Record<string, (id: string) => readonly Entry[]>> = {
  role: () => [OPEN, undefined, ...PATHS],
  toolset: () => [OPEN, undefined, ...PATHS],
  lore: () => [OPEN, ['Search all lores', 's', 'send-keys -X search-text'], undefined, ...PATHS],
  diagnostic: () => [OPEN],
  section: () => [['Fold or unfold', 'f', 'send-keys -X toggle']],
  session(id) {
    const target = quoteWord(id);
    return [
      ['Go there', 'g', `show-session ${target}`],
      [
        'Rename…',
        'n',
        `command-prompt -T session-name -p "(rename session)" -I "#{session_name}" 'rename-session -t ${target} -- "%%%"'`,
      ],
      undefined,
      ['Stop', 's', `confirm-before -p "Stop #{session_name}?" "stop ${target}"`],
      [
        'Start again',
        'R',
        `confirm-before -p "Start #{session_name} again, ending what runs?" "restart ${target}"`,
      ],
      ['Delete', 'X', `confirm-before -p "Delete #{session_name}, ending its program?" "delete ${target}"`],
    ];
  },
};

function openSidebarMenu(client: AttachedClient, row: string): boolean {
  const [kind = '', ...rest] = row.split(':');
  const id = rest.join(':');
  const entries = Object.hasOwn(ROWS, kind) ? ROWS[kind]!(id) : [];
  if (entries.length === 0) return false;
  const { sidebarState } = client;
  // What the entries do is done to the selected row.
  sidebarState.isFocused = true;
  sidebarState.event({ type: 'select', id: row });
  const session = kind === 'session' ? client.services.model.sessions.get(id) : undefined;
  openMenu(client, {
    title: session?.name ?? rest.at(-1) ?? '',
    entries: entries.map(entry => entry && { text: entry[0], key: entry[1], command: entry[2] }),
    x: 'M',
    y: 'M',
    staysOpen: false,
    isByMouse: true,
    place: { pane: '', session: session?.id ?? '' },
  });
  return true;
}
