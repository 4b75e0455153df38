/**
 * Opening the browser of lores, and that of one lore's changes.
 */
import { toCoded } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { FileCommit } from '../../git/history.ts';
import type { SearchRank } from '../../graph/search.ts';
import type { BrowserDeed } from '../../mode/browser.ts';
import type { BrowserItem } from '../../mode/browser-list.ts';
import { BrowserOverlay } from '../overlay/browser.ts';
import type { AttachedClient } from './client.ts';
import { LINE_HINTS, modeHints } from './hints.ts';
import { LoreItems } from './lore-items.ts';
import type { ClientServices } from './services.ts';
import { insertText } from './typing.ts';
import { agoText } from './view.ts';

type Rows = readonly (readonly [action: string, text: string])[];

const LIST_HINTS: Rows = [
  ['cancel', 'close'],
  ['accept', 'open'],
  ['edit', 'edit'],
  ['filter', 'filter'],
  ['search', 'full text'],
  ['links', 'links'],
  ['backlinks', 'links here'],
  ['return', 'back'],
  ['history', 'history'],
  ['insert-path', 'type path'],
  ['new', 'new'],
  ['rename', 'rename'],
  ['facet-next', 'label'],
  ['facet-toggle', 'use label'],
  ['copy', 'copy path'],
  ['preview-page-down', 'scroll'],
];
const HISTORY_HINTS: Rows = [
  ['cancel', 'back'],
  ['filter', 'filter'],
  ['copy', 'copy commit'],
  ['insert-path', 'type commit'],
  ['preview-page-down', 'scroll'],
];

/** The lore browser, with one lore selected; '' for the first. */
export function openLores(client: AttachedClient, selected: string): void {
  const { services } = client;
  const graph = services.graph();
  const items = new LoreItems(graph, services.clock);
  client.show(
    host =>
      new BrowserOverlay(host, {
        source: {
          items: () => items.list,
          onChange: listener => items.follow(listener),
          preview: (name, width) => graph.preview(name, width),
          search: (pattern, limit) => graph.search(pattern, limit, rankOf(services)),
          backlinks: name => graph.backlinks(name),
          links: name => graph.links(name),
        },
        table: 'browser',
        selected,
        size: () => client.size,
        hints: focus => hints(client, focus, LIST_HINTS),
        act: (deed, name, file) => act(client, deed, { name, file, root: graph.graph.root }),
        create: () => makeLore(client, graph.graph.root),
      }),
  );
}

interface Chosen {
  readonly name: string;
  /** Of an imported lore absolute. */
  readonly file: string;
  readonly root: string;
}

/** True: the browser stays. */
function act(client: AttachedClient, deed: BrowserDeed, lore: Chosen): boolean {
  const { services } = client;
  const { name, file, root } = lore;
  const path = file.startsWith('/') ? file : `${root}/${file}`;
  const openPane = (argv: readonly string[]): void => {
    client.sidebarState.isFocused = false;
    services.openPane([...argv, path], path.slice(path.lastIndexOf('/') + 1));
  };
  if (deed === 'copy') {
    services.copy(path);
    client.message(`Copied ${file}`, 'info');
  } else if (deed === 'insert-path') insertText(client, file);
  else if (deed === 'open') openPane(services.pager());
  else if (deed === 'edit') openPane(services.editor());
  else if (deed === 'history') void openHistory(client, name);
  else if (deed === 'rename') rename(client, lore);
  return deed === 'copy' || deed === 'history';
}

function rankOf({ options }: ClientServices): SearchRank {
  return options.get('lore-rank') === 'relevance' ? 'relevance' : 'matches';
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

/** Asks for another name, and opens the browser again with the lore under it, or under its old one and with the reason. */
function rename(client: AttachedClient, { name, root }: Chosen): void {
  if (name.startsWith('@'))
    return client.message(`${name} belongs to another repository: rename it there`, 'error');
  const before = name.replace(/^lores\//, '');
  client.prompt({
    questions: [{ label: 'new name of the lore: ', initial: before }],
    history: 'session-name',
    answer: 'line',
    entered: ([line = '']) => {
      const after = line.trim();
      if (after === '' || after === before) return openLores(client, name);
      void client.services.runSelf(['lore', 'rename', '--', name, after], root).then(({ exit, text }) => {
        client.message(text, exit === 0 ? 'info' : 'error');
        openLores(client, exit === 0 ? `lores/${after.replace(/^lores\//, '')}` : name);
      });
    },
  });
}

/** The changes of one lore, each with what it changed. Leaving goes back to all lores. */
async function openHistory(client: AttachedClient, name: string): Promise<void> {
  const { services } = client;
  const graph = services.graph();
  const label = name.replace(/^lores\//, '');
  let commits: readonly FileCommit[];
  try {
    commits = await graph.history(name);
  } catch (error) {
    return client.message(`history of ${label}: ${toCoded(error).message}`, 'error');
  }
  const files = new Map(commits.map(({ commit, file }) => [commit, file]));
  const unchanging = new Emitter<void>();
  client.show(
    host =>
      new BrowserOverlay(host, {
        source: {
          items: () => commits.map(entry => change(entry, services.clock.now())),
          onChange: unchanging.event,
          preview: commit => graph.change(name, commit, files.get(commit) ?? ''),
          search: () => Promise.resolve([]),
        },
        texts: {
          title: `Changes of ${label}`,
          none: `${label} was never committed`,
          noneLike: 'no change is like that',
        },
        table: 'documents',
        selected: commits[0]?.commit ?? '',
        size: () => client.size,
        hints: focus => hints(client, focus, HISTORY_HINTS),
        act(deed, commit) {
          if (deed === 'copy') services.copy(commit);
          if (deed === 'copy') client.message(`Copied ${commit}`, 'info');
          if (deed === 'insert-path') insertText(client, commit);
          return deed !== 'insert-path';
        },
        cancelled: () => openLores(client, name),
      }),
  );
}

function change({ commit, at, author, subject }: FileCommit, now: number): BrowserItem {
  return {
    name: commit,
    title: author,
    label: subject,
    file: commit,
    description: '',
    labels: {},
    note: `${commit.slice(0, 7)} ${agoText(now - at).padStart(4)}`,
  };
}

function hints(
  client: AttachedClient,
  focus: 'list' | 'filter' | 'search',
  rows: Rows,
): ReturnType<typeof modeHints> {
  return focus === 'list'
    ? modeHints(client.services, rows === HISTORY_HINTS ? 'documents' : 'browser', rows)
    : modeHints(client.services, 'browser-line', LINE_HINTS[focus]);
}
