/**
 * Opening the message viewer: what it shows of the model and of messages, and what its keys do.
 */
import { DisposableStore } from '../../base/event.ts';
import { inboxOf, ownerOf, PERSON_NAME, type Message, type Topic } from '../../messages/types.ts';
import type { SessionId } from '../../model/types.ts';
import type { Mail, MailIntent } from '../../mode/mail.ts';
import type { MailMessage } from '../../mode/mail-rows.ts';
import type { MailStream } from '../../mode/mail-streams.ts';
import type { Answered, SavedDraft } from '../mail/drafts.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import { MailOverlay } from '../overlay/mail.ts';
import type { AttachedClient } from './client.ts';
import { newDraft, openComposer, openDraft, receivers } from './open-composer.ts';
import { modeHints } from './hints.ts';
import type { ClientServices } from './services.ts';
import { agoText, stateOf } from './view.ts';

type Rows = readonly (readonly [action: string, text: string])[];

const STREAM_HINTS: Rows = [
  ['accept', 'read'],
  ['cancel', 'close'],
  ['reply', 'answer'],
  ['compose', 'write'],
  ['acknowledge', 'mark read'],
  ['filter', 'filter'],
  ['go', 'go to session'],
];
const DRAFT_HINTS: Rows = [
  ['accept', 'go on writing'],
  ['delete', 'throw away'],
  ['cancel', 'close'],
  ['compose', 'write another'],
];
const MESSAGE_HINTS: Rows = [
  ['reply', 'answer'],
  ['cancel', 'back'],
  ['accept', 'all of it'],
  ['compose', 'write'],
  ['acknowledge', 'mark read'],
  ['filter', 'filter'],
  ['copy', 'copy'],
  ['bottom', 'newest'],
];
const FILTER_HINTS: Rows = [
  ['accept', 'take'],
  ['cancel', 'all again'],
];
/** UTF-16 units of bodies that are fetched at a time: a screen shows far less. */
const BODIES_MAX = 512 * 1024;
/** Opens the viewer. @param selected id of a stream, '' for what was sent to the person */
export function openMail(client: AttachedClient, selected: string): void {
  const { services } = client;
  const { messages, clock } = services;
  client.show(
    host =>
      new MailOverlay(host, {
        clock,
        selected,
        size: () => client.size,
        hints: state => modeHints(services, tableOf(state), hintRows(state)),
        age: at => agoText(clock.now() - at),
        topics: () => messages.topics(PERSON_NAME, false),
        streams: topics => mailStreams(services, topics),
        messages: (stream, limit) => loadMessages(services, stream, limit),
        onChange: listener => {
          const both = new DisposableStore();
          both.add(messages.onPublish(listener));
          both.add(messages.onUnread(listener));
          return both;
        },
        markRead: read =>
          messages.acknowledge({
            subscriber: PERSON_NAME,
            stream: read[0]!.stream,
            seqs: read.map(({ seq }) => seq),
          }),
        act: intent => carryOut(client, intent),
      }),
  );
}

function tableOf({ isFiltering, tree }: Mail): string {
  return isFiltering || tree.focus === 'filter' ? 'browser-line' : 'messages';
}

function hintRows(state: Mail): Rows {
  if (tableOf(state) === 'browser-line') return FILTER_HINTS;
  if (state.focus === 'messages') return MESSAGE_HINTS;
  return state.tree.selected.startsWith('draft:') ? DRAFT_HINTS : STREAM_HINTS;
}

/** What was sent to the person, what they have begun to write, each session's mail, and the topics. */
function mailStreams(services: ClientServices, topics: readonly Topic[]): readonly MailStream[] {
  const { messages, model, drafts, clock } = services;
  const ago = (at: number): string => (at > 0 ? agoText(clock.now() - at) : '');
  return [
    {
      id: inboxOf(PERSON_NAME),
      kind: 'person',
      name: 'Inbox',
      unread: messages.unread(PERSON_NAME),
      note: '',
    },
    ...drafts.list().map((draft): MailStream => ({
      id: `draft:${draft.key}`,
      kind: 'draft',
      name: draftName(services, draft),
      unread: 0,
      note: ago(draft.changedAt),
    })),
    ...model.sessions.all().map((session): MailStream => ({
      id: inboxOf(session.id),
      kind: 'session',
      name: session.name,
      unread: messages.unread(session.id),
      state: stateOf(model, session),
      note: '',
    })),
    ...topics.map(({ name, unread, latestAt }): MailStream => ({
      id: `topic:${name}`,
      kind: 'topic',
      name,
      unread,
      note: ago(latestAt),
    })),
  ];
}

function draftName(services: ClientServices, { to, text }: SavedDraft): string {
  const known = receivers(services, []);
  const names = to.map(id => known.find(one => one.id === id)?.text ?? id.replace(/^\w+:/, ''));
  return `${names.length > 0 ? `${names.join(', ')}: ` : ''}${text.trim().split('\n', 1)[0]}`;
}

async function loadMessages(
  services: ClientServices,
  stream: MailStream,
  limit: number,
): Promise<readonly MailMessage[]> {
  const { messages } = services;
  if (stream.kind === 'draft') return [];
  const name = stream.id.replace(/^topic:/, '');
  const owner = ownerOf(name);
  const reading = { stream: name, subscriber: PERSON_NAME, after: 0, thread: '', limit, newest: true };
  const isOwn = owner === undefined || owner === PERSON_NAME;
  const [found, unread] = await Promise.all([
    owner === undefined
      ? messages.read({ ...reading, all: true })
      : messages.conversation(owner, limit, BODIES_MAX),
    isOwn ? messages.read({ ...reading, all: false }) : [],
  ]);
  const unreadIds = new Set(unread.map(({ id }) => id));
  return found.map(message => mailMessage(services, message, unreadIds.has(message.id), owner));
}

function mailMessage(
  { model }: ClientServices,
  message: Message,
  isUnread: boolean,
  owner: string | undefined,
): MailMessage {
  const { id, seq, stream, body, senderId, senderName, threadId, noReply, createdAt } = message;
  const receiver = ownerOf(stream);
  const name = receiver && (model.sessions.get(receiver as SessionId)?.name ?? receiver);
  const isOwn = senderId === PERSON_NAME;
  return {
    id,
    seq,
    stream,
    from: isOwn ? 'you' : senderName,
    // In an inbox it goes without saying to whom it was sent.
    to: receiver === owner || name === undefined ? '' : receiver === PERSON_NAME ? 'you' : name,
    body,
    at: createdAt,
    threadId,
    noReply,
    isOwn,
    // What one has written oneself is not news.
    isUnread: isUnread && !isOwn,
    senderId,
  };
}

type Act = Exclude<MailIntent, { type: 'cancel' | 'tell' | 'load' }>;

function carryOut(client: AttachedClient, intent: Act): void {
  const { services } = client;
  if (intent.type === 'reply') return reply(client, intent.message);
  if (intent.type === 'compose')
    return openComposer(client, receiverOf(intent.stream), () => openMail(client, intent.stream?.id ?? ''));
  if (intent.type === 'copy') {
    services.copy(intent.message.body);
    return client.message('Copied the text', 'info');
  }
  const { stream } = intent;
  const key = stream.id.replace(/^draft:/, '');
  if (intent.type === 'draft') return openDraft(client, services.drafts.get(key), () => openMail(client, ''));
  if (intent.type === 'discard') return discard(client, key);
  if (intent.type === 'go') return services.run(client, `show-session ${stream.id.replace(/^inbox:/, '')}`);
  acknowledge(client, stream);
}

/** Only who receives mail says that it was read. */
function acknowledge(client: AttachedClient, stream: MailStream): void {
  const { messages } = client.services;
  if (stream.kind === 'draft') return;
  if (stream.kind === 'session')
    return client.message(`${stream.name} itself marks its mail as read`, 'info');
  const name = stream.id.replace(/^topic:/, '');
  messages
    .acknowledge({ subscriber: PERSON_NAME, stream: name, upTo: Number.MAX_SAFE_INTEGER })
    .then(() => client.message(`All of ${stream.name} is marked as read`, 'info'))
    .catch((error: Error) => client.message(error.message, 'error'));
}

function discard(client: AttachedClient, key: string): void {
  const { drafts } = client.services;
  if (drafts.isOpen(key)) return client.message('this draft is open on another terminal', 'error');
  const back = (): void => openMail(client, '');
  client.show(
    host =>
      new ConfirmOverlay(
        { ...host, close: back },
        {
          text: 'Throw this draft away?',
          yes() {
            drafts.remove(key);
            back();
          },
        },
      ),
  );
}

function receiverOf(stream: MailStream | undefined): string {
  if (stream?.kind === 'session') return `session:${stream.id.replace(/^inbox:/, '')}`;
  return stream?.kind === 'topic' ? stream.id : '';
}

/** An answer goes to the topic, or to who has sent it. */
function reply(client: AttachedClient, message: MailMessage): void {
  const { stream, senderId, id, from } = message;
  const owner = ownerOf(stream);
  const { model, drafts } = client.services;
  if (owner !== undefined && !model.sessions.get(senderId as SessionId))
    return client.message(`${from} is not there any more`, 'error');
  const to = owner === undefined ? `topic:${stream}` : `session:${senderId}`;
  // Threads are among those who see them: what two sessions write to each other, the person only looks at.
  const answers: Answered | null = owner === undefined || owner === PERSON_NAME ? { id, stream } : null;
  const begun = drafts.list().find(draft => answers !== null && draft.answers?.id === id);
  const draft = begun ?? newDraft(client.services, [to], answers);
  openDraft(client, draft, () => openMail(client, owner === undefined ? to : stream));
}
