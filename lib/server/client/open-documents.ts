/**
 * Opening the browser of documents, and that of one document's changes.
 */
import { errorText, toCoded } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { StyledLine } from '../../base/styled.ts';
import type { LogEntry } from '../../documents/read.ts';
import type { BrowserDeed } from '../../mode/browser.ts';
import type { BrowserItem } from '../../mode/browser-list.ts';
import type { StoreName } from '../document-shelf.ts';
import { BrowserOverlay, type BrowserSource } from '../overlay/browser.ts';
import { shownArgv } from '../copy/text-files.ts';
import type { AttachedClient } from './client.ts';
import { LINE_HINTS, modeHints } from './hints.ts';
import type { ClientServices } from './services.ts';
import { insertText } from './typing.ts';
import { agoText } from './view.ts';

type Rows = readonly (readonly [action: string, text: string])[];

const LIST_HINTS: Rows = [
  ['cancel', 'close'],
  ['accept', 'show'],
  ['history', 'history'],
  ['filter', 'filter'],
  ['copy', 'copy key'],
  ['edit', 'copy in editor'],
  ['facet-next', 'store'],
  ['facet-toggle', 'only it'],
  ['preview-page-down', 'scroll'],
];
const HISTORY_HINTS: Rows = [
  ['cancel', 'back'],
  ['accept', 'show'],
  ['filter', 'filter'],
  ['copy', 'copy commit'],
  ['preview-page-down', 'scroll'],
];

/** What is drawn of a text: the renderer shows no more, and a worker need not be sent megabytes. */
const SHOWN_BYTES = 256 * 1024;
/** Lines of a text that is no Markdown. */
const SHOWN_LINES = 5000;

const TEXTS = {
  title: 'Documents',
  none: "none yet: 'mux store put notes/first.md TEXT' writes one, for this project, with --shared for all",
  noneLike: 'no document is like that',
};

/** What a document is called in lists: keys hold no colon. */
export function documentName(store: StoreName, key: string): string {
  return store === 'shared' ? `shared:${key}` : key;
}

function partsOf(name: string): { readonly store: StoreName; readonly key: string } {
  const isShared = name.startsWith('shared:');
  return { store: isShared ? 'shared' : 'project', key: isShared ? name.slice('shared:'.length) : name };
}

/** Opens the browser. @param selected name of a document, '' for the first */
export function openDocuments(client: AttachedClient, selected: string): void {
  const { services } = client;
  const shelf = services.documents();
  shelf.look();
  client.show(
    host =>
      new BrowserOverlay(host, {
        source: {
          items: () =>
            shelf.rows.map(({ key, store, size, updatedAt }): BrowserItem => ({
              name: documentName(store, key),
              label: key,
              title: store === 'shared' ? 'shared' : '',
              file: key,
              description: '',
              labels: { store },
              note: `${sizeText(size)} ${age(services, updatedAt).padStart(4)}`,
            })),
          onChange: shelf.onChange,
          preview: async (name, width) => {
            const { store, key } = partsOf(name);
            return preview(services, key, await shelf.read(store, key), width);
          },
          search: noSearch,
        },
        texts: shelf.trouble === '' ? TEXTS : { ...TEXTS, none: shelf.trouble },
        table: 'documents',
        selected,
        size: () => client.size,
        hints: focus => hints(services, focus, LIST_HINTS),
        act: (deed, name) => act(client, deed, name),
      }),
  );
}

/** True: the browser stays. */
function act(client: AttachedClient, deed: BrowserDeed, name: string): boolean {
  const { services } = client;
  const { store, key } = partsOf(name);
  if (deed === 'copy') {
    services.copy(key);
    client.message(`Copied ${key}`, 'info');
  } else if (deed === 'insert-path') insertText(client, key);
  else if (deed === 'history') void openHistory(client, name);
  else if (deed === 'open' || deed === 'edit') void show(client, deed, { store, key });
  return deed === 'copy' || deed === 'history';
}

/** In a pane, as a copy that cannot be written: documents are changed by `mux store`, which says who did. */
async function show(
  client: AttachedClient,
  deed: 'open' | 'edit',
  { store, key, commit }: { readonly store: StoreName; readonly key: string; readonly commit?: string },
): Promise<void> {
  const { services } = client;
  try {
    const body = await services.documents().read(store, key, commit);
    if (!body) return client.message(`${key}: it is not there any more`, 'error');
    const program = deed === 'edit' ? services.editor() : services.pager();
    client.sidebarState.isFocused = false;
    services.openPane(await shownArgv(program, key.replace(/^.*\//, ''), body), key);
  } catch (error) {
    client.message(errorText(toCoded(error)), 'error');
  }
}

/** The changes of one document, each with what the document was then. Leaving goes back to all documents. */
async function openHistory(client: AttachedClient, name: string): Promise<void> {
  const { services } = client;
  const { store, key } = partsOf(name);
  const shelf = services.documents();
  let entries: readonly LogEntry[];
  try {
    entries = await shelf.log(store, key);
  } catch (error) {
    return client.message(errorText(toCoded(error)), 'error');
  }
  const unchanging = new Emitter<void>();
  const source: BrowserSource = {
    items: () => entries.map(entry => change(services, entry)),
    onChange: unchanging.event,
    preview: async (commit, width) => preview(services, key, await shelf.read(store, key, commit), width),
    search: noSearch,
  };
  client.show(
    host =>
      new BrowserOverlay(host, {
        source,
        texts: {
          title: `Changes of ${key}`,
          none: 'it was never changed',
          noneLike: 'no change is like that',
        },
        table: 'documents',
        selected: entries[0]?.commit ?? '',
        size: () => client.size,
        hints: focus => hints(services, focus, HISTORY_HINTS),
        act(deed, commit) {
          if (deed === 'copy') services.copy(commit);
          if (deed === 'insert-path') insertText(client, commit);
          if (deed === 'open' || deed === 'edit') void show(client, deed, { store, key, commit });
          return deed === 'copy' || deed === 'history';
        },
        cancelled: () => openDocuments(client, name),
      }),
  );
}

function change(
  services: ClientServices,
  { commit, at, action, session, sessionId, agent, isProven }: LogEntry,
): BrowserItem {
  const who = `${session || sessionId || 'unknown'}${agent && agent !== session ? ` (${agent})` : ''}`;
  return {
    name: commit,
    title: '',
    label: `${action.padEnd(6)} by ${who}${isProven ? '' : ', unproven'}`,
    file: commit,
    description: '',
    labels: {},
    note: `${commit.slice(0, 7)} ${age(services, at).padStart(4)}`,
  };
}

async function preview(
  services: ClientServices,
  key: string,
  body: Buffer | undefined,
  width: number,
): Promise<readonly StyledLine[]> {
  if (!body) return [[{ text: 'removed', role: 'dim' }]];
  if (body.subarray(0, SHOWN_BYTES).includes(0))
    return [[{ text: `no text: ${sizeText(body.length)} of bytes`, role: 'dim' }]];
  const text = body.subarray(0, SHOWN_BYTES).toString();
  if (/\.(?:md|markdown)$/i.test(key)) return services.graph().markdown(text, width);
  return text.split(/\r\n|\n|\r/, SHOWN_LINES).map(line => [{ text: line.replaceAll('\t', '    ') }]);
}

/** The table of documents binds no search. */
const noSearch = (): Promise<readonly []> => Promise.resolve([]);

function hints(
  services: ClientServices,
  focus: 'list' | 'filter' | 'search',
  rows: Rows,
): ReturnType<typeof modeHints> {
  return focus === 'list'
    ? modeHints(services, 'documents', rows)
    : modeHints(services, 'browser-line', LINE_HINTS[focus]);
}

/** @param seconds since the epoch, 0 where that is not known */
function age({ clock }: ClientServices, seconds: number): string {
  return seconds > 0 ? agoText(clock.now() - seconds * 1000) : '';
}

/** `940B`, `12K`, `3M` */
function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)}K` : `${Math.round(bytes / 1024 / 1024)}M`;
}
