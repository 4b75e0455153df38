/**
 * Opening the overlays that commands name.
 */
import type { OverlayName } from '../../cmd/spec.ts';
import { formatKey } from '../../input/keyname.ts';
import { HelpOverlay, helpGroups } from '../overlay/help.ts';
import { BrowserOverlay } from '../overlay/browser.ts';
import { paletteOverlay } from '../overlay/palette.ts';
import type { AttachedClient } from './client.ts';
import { openApproval } from './open-approval.ts';
import { COPY_TYPING_TABLE } from './copy-table.ts';
import { LINE_HINTS, modeHints } from './hints.ts';
import { openDocuments } from './open-documents.ts';
import { openComposer } from './open-composer.ts';
import { openMail } from './open-mail.ts';
import { openNavigator } from './open-navigator.ts';
import { chooseRoleWithAgent, rolesWithAgents } from './start-in-role.ts';
import { insertText } from './typing.ts';

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
  const graph = services.graph();
  const pathOf = (file: string): string => `${graph.graph.root}/${file}`;
  client.show(
    host =>
      new BrowserOverlay(host, {
        source: {
          items: () => graph.graph.lores,
          onChange: listener => graph.onChange(listener),
          preview: (name, width) => graph.preview(name, width),
          search: (pattern, limit) => graph.search(pattern, limit),
          backlinks: name => graph.backlinks(name),
        },
        table: 'browser',
        selected,
        size: () => client.size,
        hints: focus =>
          focus === 'list'
            ? modeHints(services, 'browser', BROWSER_HINTS)
            : modeHints(services, 'browser-line', LINE_HINTS[focus]),
        act(deed, _name, file) {
          if (deed === 'copy') {
            services.copy(pathOf(file));
            client.message(`Copied ${file}`, 'info');
          } else if (deed === 'insert-path') insertText(client, file);
          else if (deed === 'open') openPane(services.pager(), pathOf(file));
          else if (deed === 'edit') openPane(services.editor(), pathOf(file));
          return deed === 'copy' || deed === 'history';
        },
        create: () => makeLore(client, graph.graph.root),
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
  messages: openMail,
  composer: (client, to) => openComposer(client, to),
  documents: client => openDocuments(client, ''),
};

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Tables of copy mode that the options leave without use. */
function unusedTables({ services: { options } }: AttachedClient): string[] {
  const other = options.get('mode-keys') === 'vi' ? 'copy-mode' : 'copy-mode-vi';
  return options.get('copy-mode-typing') === 'leave' ? [other] : [other, COPY_TYPING_TABLE];
}
