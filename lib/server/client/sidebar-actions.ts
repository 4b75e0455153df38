/**
 * What the sidebar shows of the model, and what its rows and keys do.
 */
import { unreadMark } from '../../base/text.ts';
import type { SessionRecord } from '../../model/types.ts';
import type { Diagnostic } from '../../graph/types.ts';
import { diagnosticPlace, type SidebarSource } from '../../mode/sidebar-rows.ts';
import { PickerOverlay } from '../overlay/picker-overlay.ts';
import type { AttachedClient } from './client.ts';
import { openLores } from './open-lores.ts';
import { documentName, openDocuments } from './open-documents.ts';
import { insertText } from './typing.ts';
import type { ClientServices } from './services.ts';
import type { SidebarChoice } from './sidebar.ts';
import { ageText, stateOf } from './view.ts';
import { startInRole } from './start-in-role.ts';

/** Graph and sessions as the sidebar wants them. */
export function sidebarSource(services: ClientServices): SidebarSource {
  const { model } = services;
  return {
    graph: services.graph().graph,
    documents: services.documents().rows.map(({ key, store }) => ({
      name: documentName(store, key),
      text: key,
      note: store === 'shared' ? 'shared' : '',
    })),
    sessions: model.sessions.all().map(session => ({
      id: session.id,
      name: session.name,
      state: stateOf(model, session),
      note: sessionNote(services, session),
    })),
  };
}

/** Unread mail, and how long it has waited for the person. */
function sessionNote({ messages, clock }: ClientServices, session: SessionRecord): string {
  const age = session.shown.status === 'needs-you' ? ageText(session, clock.now()) : '';
  return [unreadMark(messages.unread(session.id)), age].filter(Boolean).join(' ');
}

/** A named action of the sidebar's key table. */
export function sidebarAction(client: AttachedClient, action: string): void {
  const { sidebarState, screen, services } = client;
  const path = artifactPath(client, sidebarState.selected);
  if (action === 'copy' && path) services.copy(path);
  else if (action === 'insert-path' && path) insertText(client, path);
  else if (action === 'search-text') openLores(client, '');
  else {
    const choice = sidebarState.event(action);
    if (choice) chooseInSidebar(client, choice);
    else if (sidebarState.isFocused) explainSelected(client);
  }
  screen.chromeChanged();
}

/** A file that is wrong has only its place in the row: why is said when the row is selected. */
export function explainSelected(client: AttachedClient): void {
  const found = diagnosticOf(client, client.sidebarState.selected.replace(/^diagnostic:/, ''));
  if (found) client.message(`${found.file}: ${found.message}`, found.severity === 'error' ? 'error' : 'info');
}

/** The diagnostic of a row. Ids of rows at the same place differ by what stands behind a '#'. */
function diagnosticOf(client: AttachedClient, id: string): Diagnostic | undefined {
  const { diagnostics } = client.services.graph().graph;
  return diagnostics.find(d => id.replace(/#\d+$/, '') === diagnosticPlace(d));
}

/** Carries out the choice of a row. Keys go to the pane that it opens. */
export function chooseInSidebar(client: AttachedClient, choice: SidebarChoice): void {
  const { services } = client;
  const { root } = services.graph().graph;
  switch (choice.kind) {
    case 'session':
      leave(client);
      return services.run(client, `show-session ${choice.id}`);
    case 'lore':
      return openLores(client, choice.id);
    case 'document':
      return openDocuments(client, choice.id);
    case 'role':
      return offerRole(client, choice.id);
    case 'toolset': {
      const path = artifactPath(client, `toolset:${choice.id}`);
      if (!path) return;
      leave(client);
      return services.openPane([...services.pager(), path], choice.id);
    }
    case 'diagnostic': {
      const found = diagnosticOf(client, choice.id);
      if (!found) return;
      leave(client);
      const at = found.line > 0 ? [`+${found.line}`] : [];
      return services.openPane([...services.editor(), ...at, `${root}/${found.file}`], 'edit');
    }
  }
}

/** Gives the keys back to the panes. */
function leave(client: AttachedClient): void {
  client.sidebarState.isFocused = false;
}

/** Absolute path of the artifact behind a sidebar row, '' for rows without a file. */
function artifactPath(client: AttachedClient, rowId: string): string {
  const { graph } = client.services.graph();
  const [kind = '', ...rest] = rowId.split(':');
  const selector = rest.join(':');
  const list = { role: graph.roles, toolset: graph.toolSets, lore: graph.lores }[kind];
  const found = list?.find(a => a.selector === selector || ('name' in a && a.name === selector));
  return found ? `${graph.root}/${found.file}` : '';
}

/** What can be done with a role: read it, edit it, start an agent with it. */
function offerRole(client: AttachedClient, selector: string): void {
  const { services } = client;
  const path = artifactPath(client, `role:${selector}`);
  client.show(
    host =>
      new PickerOverlay(host, {
        title: `Role ${selector}`,
        hint: 'Enter does it · Esc closes',
        empty: 'nothing is like that',
        items: () => [
          { id: 'show', text: 'Show it expanded', note: '' },
          { id: 'edit', text: 'Edit its file', note: '' },
          ...services
            .roleAgents()
            .map(agent => ({ id: `start ${agent}`, text: `Start ${agent} in it`, note: '' })),
        ],
        accept(id) {
          leave(client);
          if (id === 'edit') services.openPane([...services.editor(), path], selector);
          else if (id === 'show') services.showRole(selector);
          else startInRole(client, selector, id.slice('start '.length));
        },
      }),
  );
}
