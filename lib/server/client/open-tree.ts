/**
 * Opening the trees: windows with their panes and sessions, paste buffers.
 */
import { quoteWord } from '../../cmd/parse.ts';
import type { CommandPlace, TreeRequest } from '../../cmd/spec.ts';
import type { Model } from '../../model/model.ts';
import type { TreeItem } from '../../mode/tree.ts';
import { BUFFERS_TREE, bufferItems, bufferPreview, deleteText } from '../overlay/buffers-tree.ts';
import {
  focusedItem,
  goTo,
  killOf,
  killText,
  sessionItems,
  sessionPreview,
  SESSIONS_TREE,
} from '../overlay/sessions-tree.ts';
import { TreeOverlay, type TreeOptions } from '../overlay/tree.ts';
import type { AttachedClient } from './client.ts';
import { modeHints } from './hints.ts';
import { stateOf } from './view.ts';

type Rows = readonly (readonly [action: string, text: string])[];

const FILTER_HINTS: Rows = [
  ['accept', 'take'],
  ['cancel', 'all again'],
];
const SESSION_HINTS: Rows = [
  ['accept', 'go there'],
  ['cancel', 'close'],
  ['filter', 'filter'],
  ['tag', 'tag'],
  ['kill', 'kill'],
  ['kill-tagged', 'kill tagged'],
  ['expand', 'unfold'],
  ['collapse', 'fold'],
  ['sort', 'sort'],
  ['command', 'command'],
];
const BUFFER_HINTS: Rows = [
  ['accept', 'paste'],
  ['cancel', 'close'],
  ['filter', 'filter'],
  ['delete', 'delete'],
  ['tag', 'tag'],
  ['paste-tagged', 'paste tagged'],
  ['delete-tagged', 'delete tagged'],
  ['sort', 'sort'],
  ['command', 'command'],
];

/** Opens a tree over a client's screen. */
export function openTree(client: AttachedClient, name: 'sessions' | 'buffers', request: TreeRequest): void {
  const { selected, items, ...own } = TREES[name](client, request);
  client.show(
    host =>
      new TreeOverlay(host, {
        ...own,
        items,
        selected,
        folded: request.start === 'windows' ? foldable(items('')) : [],
        hasPreview: request.hasPreview,
        order: request.order,
        isReversed: request.isReversed,
        size: () => client.size,
      }),
  );
}

/** What holds panes; the sessions in no window stay in sight. */
function foldable(items: readonly TreeItem[]): string[] {
  return items.filter(({ id, parent }) => parent === '' && id.startsWith('@')).map(({ id }) => id);
}

type Own = Omit<TreeOptions, 'folded' | 'hasPreview' | 'order' | 'isReversed' | 'size'>;

const TREES: Readonly<Record<'sessions' | 'buffers', (client: AttachedClient, request: TreeRequest) => Own>> =
  { sessions: sessionsTree, buffers: buffersTree };

function sessionsTree(client: AttachedClient, { template, start }: TreeRequest): Own {
  const { services } = client;
  const { model } = services;
  const at = focusedItem(model);
  const pane = model.windows.focused;
  return {
    kind: SESSIONS_TREE,
    table: 'tree',
    // The panes are folded away then: their window is what can be selected.
    selected: start === 'windows' && pane ? `@${pane.window}` : at,
    items: order => sessionItems(model, session => stateOf(model, session), order),
    hints: focus =>
      focus === 'list'
        ? modeHints(services, 'tree', SESSION_HINTS)
        : modeHints(services, 'browser-line', FILTER_HINTS),
    preview: item => sessionPreview(model, services.previews, item),
    accept: id => runAll(client, [id], template, goTo),
    act(action, ids, tree) {
      if (action === 'command') return askCommand(client, ids, id => placeOf(model, id));
      tree.ask(killText(model, ids), () => {
        runAll(client, ids, '', killOf);
        tree.clearTags();
      });
    },
  };
}

function buffersTree(client: AttachedClient, { template }: TreeRequest): Own {
  const { services } = client;
  const { buffers } = services;
  const paste = (name: string): string => `paste-buffer -p -b ${quoteWord(name)}`;
  return {
    kind: BUFFERS_TREE,
    table: 'buffers',
    selected: '',
    items: order => bufferItems(buffers, order),
    hints: focus =>
      focus === 'list'
        ? modeHints(services, 'buffers', BUFFER_HINTS)
        : modeHints(services, 'browser-line', FILTER_HINTS),
    preview: (item, size) => bufferPreview(buffers, item, size),
    accept: id => runAll(client, [id], template, paste),
    act(action, ids, tree) {
      if (action === 'command') return askCommand(client, ids, () => ({ pane: '', session: '' }));
      if (action === 'paste') {
        runAll(client, ids, '', paste);
        return tree.clearTags();
      }
      tree.ask(deleteText(ids), () => {
        for (const name of ids) buffers.delete(name);
        tree.clearTags();
      });
    },
  };
}

/** Runs a template's command on each item, or where there is none what the tree does. */
function runAll(
  client: AttachedClient,
  ids: readonly string[],
  template: string,
  own: (id: string) => string,
): void {
  const lines = ids.map(id => (template === '' ? own(id) : template.replaceAll('%%', () => quoteWord(id))));
  // One line: each is done before the next begins.
  const line = lines.filter(text => text !== '').join(' ; ');
  if (line !== '') client.services.run(client, line);
}

/** Asks for a command that is run on each item in turn, which is what it acts on where it names nothing. */
function askCommand(
  client: AttachedClient,
  ids: readonly string[],
  place: (id: string) => CommandPlace | undefined,
): void {
  const places = ids.flatMap(id => {
    const at = place(id);
    return at ? [{ id, at }] : [];
  });
  if (places.length === 0) return;
  client.prompt({
    questions: [{ label: places.length === 1 ? '(selected) ' : `(${places.length} tagged) `, initial: '' }],
    history: 'command',
    answer: 'line',
    entered([text = '']) {
      for (const { id, at } of places)
        client.run(
          text.replaceAll('%%', () => quoteWord(id)),
          at,
        );
    },
  });
}

/** Where a command on an item of the sessions' tree acts. */
function placeOf(model: Model, id: string): CommandPlace | undefined {
  const window = model.windows.all().find(w => `@${w.id}` === id);
  const pane = window
    ? model.windows.pane(window.active)
    : id.startsWith('%')
      ? model.windows.pane(Number(id.slice(1)))
      : undefined;
  if (pane) return { pane: `%${pane.id}`, session: pane.session };
  const session = model.sessions.get(id);
  return session && { pane: '', session: session.id };
}
