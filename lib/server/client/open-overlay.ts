/**
 * Opening the overlays that commands name.
 */
import type { OverlayName } from '../../cmd/spec.ts';
import { formatKey } from '../../input/keyname.ts';
import { HelpOverlay, helpGroups } from '../overlay/help.ts';
import { LoresOverlay } from '../overlay/lores.ts';
import { paletteOverlay } from '../overlay/palette.ts';
import type { AttachedClient } from './client.ts';
import { openApproval } from './open-approval.ts';
import { COPY_TYPING_TABLE } from './copy-table.ts';
import { modeHints } from './hints.ts';
import { openNavigator } from './open-navigator.ts';
import { chooseRoleWithAgent, rolesWithAgents } from './start-in-role.ts';
import { typeInto } from './typing.ts';

/** Opens an overlay over a client's screen. @param detail of the navigator: its view, '' for the last */
export function openOverlay(client: AttachedClient, name: OverlayName, detail: string): void {
  OPEN[name](client, detail);
}

/** The lore browser, with one lore selected. */
export function openLores(client: AttachedClient, selected: string): void {
  const { services } = client;
  const openPane = (argv: readonly string[], path: string): void => {
    client.sidebarState.isFocused = false;
    services.openPane([...argv, path], baseName(path));
  };
  client.show(
    host =>
      new LoresOverlay(host, {
        graph: services.graph(),
        selected,
        size: () => client.size,
        hints: focus =>
          focus === 'list'
            ? modeHints(services, 'browser', BROWSER_HINTS)
            : modeHints(services, 'browser-line', LINE_HINTS[focus]),
        actions: {
          open: path => openPane(services.pager(), path),
          edit: path => openPane(services.editor(), path),
          copy: text => services.copy(text),
          insert: path => insertText(client, path),
          make: root => makeLore(client, root),
        },
      }),
  );
}

/** Asks for a name, and makes a lore in a pane, where the editor follows, or what is wrong with the name is read. */
function makeLore(client: AttachedClient, root: string): void {
  client.prompt({
    questions: [{ label: 'name of the new lore: ', initial: '' }],
    history: 'session-name',
    answer: 'line',
    entered: ([name = '']) => client.services.makeLore(name.trim(), root),
  });
}

/** Types text into the focused pane, as if a person had. */
export function insertText(client: AttachedClient, text: string): void {
  const pane = client.services.model.windows.focused;
  if (pane) typeInto(client, pane, Buffer.from(text));
}

const BROWSER_HINTS: readonly (readonly [string, string])[] = [
  ['cancel', 'close'],
  ['accept', 'open'],
  ['edit', 'edit'],
  ['new', 'new'],
  ['copy', 'copy path'],
  ['insert-path', 'type path'],
  ['filter', 'filter'],
  ['search', 'full text'],
  ['backlinks', 'links here'],
  ['facet-next', 'label'],
  ['facet-toggle', 'use label'],
  ['preview-page-down', 'scroll'],
];

/** A filter narrows the list while it is typed; a full-text search begins with Enter. */
const LINE_HINTS: Readonly<Record<'filter' | 'search', readonly (readonly [string, string])[]>> = {
  filter: [
    ['accept', 'take'],
    ['cancel', 'back to the list'],
  ],
  search: [
    ['accept', 'search'],
    ['cancel', 'back to the list'],
  ],
};

const OPEN: Readonly<Record<OverlayName, (client: AttachedClient, detail: string) => void>> = {
  palette: client =>
    client.show(host =>
      paletteOverlay(
        host,
        client.services.keys,
        formatKey(client.services.prefix()),
        text =>
          client.prompt({
            questions: [{ label: ':', initial: text }],
            history: 'command',
            answer: 'line',
            entered: ([line = '']) => client.run(line),
          }),
        { items: rolesWithAgents(client), choose: id => chooseRoleWithAgent(client, id) },
      ),
    ),
  help: client =>
    client.show(
      host =>
        new HelpOverlay(
          host,
          helpGroups(client.services.keys, formatKey(client.services.prefix()), unusedTables(client)),
          () => client.size,
        ),
    ),
  lores: client => openLores(client, ''),
  navigator: openNavigator,
  approval: openApproval,
};

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Tables of copy mode that the options leave without use. */
function unusedTables({ services: { options } }: AttachedClient): string[] {
  const other = options.get('mode-keys') === 'vi' ? 'copy-mode' : 'copy-mode-vi';
  return options.get('copy-mode-typing') === 'leave' ? [other] : [other, COPY_TYPING_TABLE];
}
