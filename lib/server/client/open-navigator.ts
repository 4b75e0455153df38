/**
 * Opening the navigator: what it shows of the model, and the commands its keys run.
 */
import { quoteWord } from '../../cmd/parse.ts';
import { attentionQueue } from '../../model/attention.ts';
import { attentionOf, directoryOf, runs, summaryOf } from '../../model/sessions.ts';
import type { SessionRecord } from '../../model/types.ts';
import { VIEWS } from '../../mode/navigator-items.ts';
import type { NavigatorSession, NavigatorViewName } from '../../mode/navigator-items.ts';
import type { Navigator, NavigatorDeed, NavigatorIntent } from '../../mode/navigator.ts';
import type { Hint } from '../../chrome/view.ts';
import { NavigatorOverlay } from '../overlay/navigator.ts';
import type { AttachedClient } from './client.ts';
import { modeHints } from './hints.ts';
import type { ClientServices } from './services.ts';
import { agoText, gitText, programOf, stateOf } from './view.ts';

type Rows = readonly (readonly [action: string, text: string])[];

const FILTER_HINTS: Rows = [
  ['accept', 'go there'],
  ['cancel', 'all again'],
];
const LIST_HINTS: Rows = [
  ['accept', 'go there'],
  ['cancel', 'close'],
  ['filter', 'filter'],
  ['next-view', 'next view'],
  ['new', 'new'],
  ['stop', 'stop'],
  ['restart', 'restart'],
  ['delete', 'delete'],
  ['star', 'star'],
  ['rename', 'rename'],
  ['tag', 'tag'],
  ['label', 'label'],
  ['preview', 'preview'],
];
const DELETED_HINTS: Rows = [
  ['accept', 'bring back'],
  ['delete', 'purge for good'],
  ['cancel', 'close'],
  ['filter', 'filter'],
  ['next-view', 'next view'],
];

/** Opens the navigator on the session that has the focus. @param view '' for the one looked at last */
export function openNavigator(client: AttachedClient, view: string): void {
  const { services } = client;
  const focused = services.model.windows.focused;
  client.show(
    host =>
      new NavigatorOverlay(host, {
        view: isView(view) ? view : client.navigatorView,
        selected: focused?.session ?? '',
        size: () => client.size,
        sessions: () => navigatorSessions(services),
        hints: state => hintsOf(services, state),
        preview: id => {
          const session = services.model.sessions.get(id);
          return session && services.previews.preview(session);
        },
        act: intent => carryOut(client, intent),
        viewed: now => void (client.navigatorView = now),
      }),
  );
}

function isView(name: string): name is NavigatorViewName {
  return (VIEWS as readonly string[]).includes(name);
}

function hintsOf(services: ClientServices, { tree, view }: Navigator): readonly Hint[] {
  if (tree.focus === 'filter') return modeHints(services, 'browser-line', FILTER_HINTS);
  return modeHints(services, 'navigator', view === 'deleted' ? DELETED_HINTS : LIST_HINTS);
}

/** All sessions as the navigator wants them, in order of creation. */
export function navigatorSessions(services: ClientServices): readonly NavigatorSession[] {
  const queue = attentionQueue(services.model.sessions);
  return services.model.sessions.every().map(session => describe(services, session, queue.indexOf(session)));
}

function describe(services: ClientServices, session: SessionRecord, need: number): NavigatorSession {
  const { model, clock } = services;
  const directory = directoryOf(session);
  const status = services.git(directory);
  const pane = model.windows.paneOf(session.id);
  const { place } = session;
  return {
    id: session.id,
    name: session.name,
    parent: session.parentId,
    state: stateOf(model, session),
    runs: runs(session),
    agent: programOf(session) || session.agent,
    summary: attentionOf(model.sessions.decision(session)) || summaryOf(session),
    git: gitText(status),
    dirty: status.dirty,
    ahead: status.ahead,
    age: session.lastOutputAt === undefined ? '' : agoText(clock.now() - session.lastOutputAt),
    repository: place.kind === 'plain' ? services.repository(directory) : place.main.repo,
    directory,
    labels: session.labels,
    isStarred: session.starred,
    isDeleted: session.deletedAt !== undefined,
    window: pane ? String(model.windows.windowOf(pane).index) : '',
    need,
    unread: services.messages.unread(session.id),
  };
}

/** The command of what was chosen, about the session by its id: its name may be another's by the time it runs. */
function carryOut(
  client: AttachedClient,
  intent: Exclude<NavigatorIntent, { type: 'cancel' | 'tell' }>,
): void {
  if (intent.type === 'new') return askNew(client, intent.near);
  if (intent.type === 'rename') return askName(client, intent.session);
  if (intent.type === 'label') return askLabels(client, intent.sessions);
  if ('sessions' in intent)
    return client.run(`${DEEDS[intent.type]} ${intent.sessions.map(({ id }) => quoteWord(id)).join(' ')}`);
  client.run(`${COMMANDS[intent.type]} ${quoteWord(intent.session.id)}`);
}

const DEEDS: Readonly<Record<NavigatorDeed, string>> = {
  stop: 'stop',
  restart: 'restart',
  delete: 'delete',
  // Without -y: what the list knows of work is old, and nothing of further repositories. It asks again where some is lost.
  purge: 'purge',
};

const COMMANDS: Readonly<Record<'go' | 'restore' | 'resume' | 'star' | 'unstar', string>> = {
  go: 'show-session',
  restore: 'restore',
  resume: 'resume',
  star: 'update --star=true',
  unstar: 'update --star=false',
};

function askName(client: AttachedClient, { id, name }: NavigatorSession): void {
  client.prompt({
    questions: [{ label: `(rename ${name}) `, initial: name }],
    history: 'session-name',
    answer: 'line',
    entered: ([text = '']) => client.run(`rename-session -t ${quoteWord(id)} -- ${quoteWord(dashed(text))}`),
  });
}

/** Labels for one session or for all that are tagged; those with `-` before them are taken away. */
function askLabels(client: AttachedClient, sessions: readonly NavigatorSession[]): void {
  const [first] = sessions;
  const whom = sessions.length === 1 ? first!.name : `${sessions.length} sessions`;
  client.prompt({
    questions: [{ label: `(labels for ${whom}; -LABEL takes one away) `, initial: '' }],
    history: 'session-name',
    answer: 'line',
    entered([text = '']) {
      const flags = text
        .split(/\s+/)
        .filter(Boolean)
        .map(word =>
          word.startsWith('-')
            ? `--remove-label ${quoteWord(word.slice(1))}`
            : `--add-label ${quoteWord(word)}`,
        );
      if (flags.length === 0) return;
      const commands = sessions.map(({ id }) => `update ${quoteWord(id)} ${flags.join(' ')}`);
      client.run(commands.join(' ; '));
    },
  });
}

/** A new session works where the selected one does, else where the pane with the focus does. */
function askNew(client: AttachedClient, near: NavigatorSession | undefined): void {
  const { model } = client.services;
  const focused = model.windows.focused;
  const directory = near?.directory ?? (focused ? directoryOf(model.sessionOf(focused)) : '');
  const where = directory ? `--cwd ${quoteWord(directory)} ` : '';
  client.prompt({
    questions: [{ label: '(new session) name, then perhaps its command: ', initial: '' }],
    history: 'session-name',
    answer: 'line',
    entered([text = '']) {
      const words = text.trim();
      if (words !== '') client.run(`new ${where}${words}`);
    },
  });
}

/** Names hold no blanks. */
function dashed(name: string): string {
  return name.trim().replace(/\s+/g, '-');
}
