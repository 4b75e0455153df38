/**
 * Opening the overlays that commands name.
 */
import { STATES } from '../../chrome/glyphs.ts';
import { visible } from '../../base/text.ts';
import { quoteWord } from '../../cmd/parse.ts';
import type { OverlayName } from '../../cmd/spec.ts';
import { formatKey } from '../../input/keyname.ts';
import { HelpOverlay, helpGroups } from '../overlay/help.ts';
import { LoresOverlay } from '../overlay/lores.ts';
import { paletteOverlay } from '../overlay/palette.ts';
import { PickerOverlay } from '../overlay/picker-overlay.ts';
import type { AttachedClient } from './client.ts';
import { COPY_TYPING_TABLE } from './copy-table.ts';
import { modeHints } from './hints.ts';
import { stateOf } from './view.ts';

/** Opens an overlay over a client's screen. */
export function openOverlay(client: AttachedClient, name: OverlayName): void {
  OPEN[name](client);
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
        },
      }),
  );
}

/** Types text into the focused pane, as if a person had. */
export function insertText(client: AttachedClient, text: string): void {
  const pane = client.services.model.windows.focused;
  if (pane) client.type(pane, Buffer.from(text));
}

const BROWSER_HINTS: readonly (readonly [string, string])[] = [
  ['cancel', 'close'],
  ['accept', 'open'],
  ['edit', 'edit'],
  ['copy', 'copy path'],
  ['insert-path', 'type path'],
  ['filter', 'filter'],
  ['search', 'full text'],
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

const OPEN: Readonly<Record<OverlayName, (client: AttachedClient) => void>> = {
  palette: client =>
    client.show(host =>
      paletteOverlay(host, client.services.keys, formatKey(client.services.prefix()), text =>
        client.prompt({ label: ':', initial: text, template: '%%' }),
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
  sessions: openSessions,
  buffers: openBuffers,
};

function openSessions(client: AttachedClient): void {
  const { model } = client.services;
  const focused = model.windows.focused?.session ?? '';
  client.show(
    host =>
      new PickerOverlay(host, {
        title: 'Sessions',
        hint: 'Enter goes there · Esc closes',
        empty: 'no session is like that',
        selected: focused,
        items: () =>
          model.sessions.all().map(session => {
            const pane = model.windows.paneOf(session.id);
            const window = pane && model.windows.windowOf(pane);
            return {
              id: session.id,
              text: session.name,
              note: window ? `${window.index} ${window.name}` : 'hidden',
              keywords: `${session.agent} ${session.launch.argv.join(' ')}`,
            };
          }),
        prefix: item => {
          const session = model.sessions.get(item.id);
          const { mark, role } = STATES[session ? stateOf(model, session) : 'stopped'];
          return [{ text: `${mark} `, role }];
        },
        accept: id => client.services.run(client, `show-session ${id}`),
      }),
  );
}

function openBuffers(client: AttachedClient): void {
  const { buffers } = client.services;
  client.show(
    host =>
      new PickerOverlay(host, {
        title: 'Paste buffers',
        hint: 'Enter pastes · Esc closes',
        empty: 'there are no buffers',
        items: () =>
          buffers.all().map(buffer => ({
            id: buffer.name,
            text: visible(Buffer.from(buffer.data.subarray(0, 200)).toString()),
            note: `${buffer.data.length} bytes`,
          })),
        accept: name => client.services.run(client, `paste-buffer -p -b ${quoteWord(name)}`),
      }),
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Tables of copy mode that the options leave without use. */
function unusedTables({ services: { options } }: AttachedClient): string[] {
  const other = options.get('mode-keys') === 'vi' ? 'copy-mode' : 'copy-mode-vi';
  return options.get('copy-mode-typing') === 'leave' ? [other] : [other, COPY_TYPING_TABLE];
}
