/**
 * Opening the message viewer and the composer: what they show of the model and of messages, and what their keys do.
 */
import { randomBytes } from 'node:crypto';
import { DisposableStore } from '../../base/event.ts';
import { inboxOf, ownerOf, PERSON_NAME, type Message, type Topic } from '../../messages/types.ts';
import { subtree } from '../../model/family.ts';
import type { SessionId } from '../../model/types.ts';
import type { Receiver } from '../../mode/composer.ts';
import type { Mail, MailIntent } from '../../mode/mail.ts';
import type { MailMessage } from '../../mode/mail-rows.ts';
import type { MailStream } from '../../mode/mail-streams.ts';
import type { Answered, SavedDraft } from '../mail/drafts.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import { ComposerOverlay } from '../overlay/composer.ts';
import { MailOverlay } from '../overlay/mail.ts';
import type { AttachedClient } from './client.ts';
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
const TO_HINTS: Rows = [
  ['accept', 'write to'],
  ['tag', 'one more'],
  ['next-side', 'text'],
  ['cancel', 'close'],
];
const TEXT_HINTS: Rows = [
  ['send', 'send'],
  ['accept', 'new line'],
  ['next-side', 'receivers'],
  ['cancel', 'keep for later'],
  ['discard', 'throw away'],
];

/** UTF-16 units of bodies that are fetched at a time: a screen shows far less. */
const BODIES_MAX = 512 * 1024;
/** Bytes of what makes the messages of one sending known again. */
const SEND_ID_BYTES = 16;

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
    return openComposer(client, receiverOf(intent.stream), intent.stream?.id ?? '');
  if (intent.type === 'copy') {
    services.copy(intent.message.body);
    return client.message('Copied the text', 'info');
  }
  const { stream } = intent;
  const key = stream.id.replace(/^draft:/, '');
  if (intent.type === 'draft') return openDraft(client, services.drafts.get(key), '');
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
  openDraft(client, begun ?? newDraft(client.services, [to], answers), owner === undefined ? to : stream);
}

function newDraft({ clock }: ClientServices, to: readonly string[], answers: Answered | null): SavedDraft {
  const key = randomBytes(SEND_ID_BYTES).toString('hex');
  return { key, to, text: '', answers, sendId: '', changedAt: clock.now() };
}

/** Opens the composer on what was begun last and names no other receiver, else on a new message. */
export function openComposer(client: AttachedClient, to: string, back = ''): void {
  const { drafts } = client.services;
  const fits = (draft: SavedDraft): boolean => to === '' || (draft.to.length === 1 && draft.to[0] === to);
  const begun = drafts
    .list()
    .find(draft => draft.answers === null && fits(draft) && !drafts.isOpen(draft.key));
  openDraft(client, begun ?? newDraft(client.services, to === '' ? [] : [to], null), back);
}

/** @param back stream that the viewer shows afterwards, '' to leave */
function openDraft(client: AttachedClient, draft: SavedDraft | undefined, back: string): void {
  const { services } = client;
  const { drafts, clock, messages } = services;
  if (!draft) return;
  if (!drafts.take(draft.key)) return client.message('this draft is open on another terminal', 'error');
  let topics: readonly Topic[] = [];
  let now = draft;
  client.show(host => {
    const overlay = new ComposerOverlay(
      host,
      {
        title: draft.answers ? 'Answer' : 'Write a message',
        draft,
        size: () => client.size,
        hints: state => modeHints(services, 'composer', state.focus === 'to' ? TO_HINTS : TEXT_HINTS),
        receivers: () => receivers(services, topics),
        keep: change => {
          // Another text is another message, also where an earlier one has gone to some.
          now = { ...now, ...change, sendId: '', changedAt: clock.now() };
          return drafts.set(now);
        },
        send: async streams => {
          now = { ...now, sendId: now.sendId || randomBytes(SEND_ID_BYTES).toString('hex') };
          drafts.set(now);
          // On the disk before the first goes: whoever sends again after a crash sends nothing twice.
          await drafts.flush();
          await sendAll(services, now, streams);
          drafts.remove(now.key);
          await drafts.flush();
        },
        ended(how, text) {
          if (how === 'discarded') drafts.remove(draft.key);
          if (how === 'sent') client.message(text ? `Sent ${text}` : 'Sent', 'info');
          if (how === 'closed' && text !== '') client.message('Kept as a draft among the messages', 'info');
          if (back !== '') openMail(client, back);
        },
      },
      () => drafts.release(draft.key),
    );
    messages
      .topics(PERSON_NAME, false)
      .then(known => {
        topics = known;
        overlay.refresh();
        host.redraw();
      })
      // Who can be written to besides is seen all the same; sending will say what is wrong.
      .catch(() => undefined);
    return overlay;
  });
}

/** One message to each, all at once. Rejects with the first trouble when all have been tried. */
async function sendAll(
  { messages }: ClientServices,
  { text, answers, sendId }: SavedDraft,
  streams: readonly string[],
): Promise<void> {
  const sent = await Promise.allSettled(
    streams.map(stream =>
      messages.publish({
        stream,
        body: text,
        senderId: PERSON_NAME,
        senderName: PERSON_NAME,
        threadId: null,
        replyTo: answers?.id ?? null,
        noReply: false,
        quiet: false,
        key: `${sendId}:${stream}`,
      }),
    ),
  );
  const failed = sent.find(one => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Everybody that can be written to: sessions, whoever is below one, labels, topics. */
function receivers({ model }: ClientServices, topics: readonly Topic[]): readonly Receiver[] {
  const sessions = model.sessions.all();
  const labels = [...new Set(sessions.flatMap(session => session.labels))].sort();
  const several = (id: string, text: string, members: readonly { id: string; name: string }[]): Receiver => ({
    id,
    text: `${text} (${members.length})`,
    names: members.map(({ name }) => name),
    streams: members.map(member => inboxOf(member.id)),
  });
  return [
    ...sessions.map(({ id, name }): Receiver => ({
      id: `session:${id}`,
      text: name,
      names: [name],
      streams: [inboxOf(id)],
    })),
    ...sessions.flatMap(session => {
      const family = subtree(session, sessions);
      return family.length > 1 ? [several(`tree:${session.id}`, session.name, family)] : [];
    }),
    ...labels.map(label =>
      several(
        `label:${label}`,
        label,
        sessions.filter(session => session.labels.includes(label)),
      ),
    ),
    ...topics.map(({ name }): Receiver => ({
      id: `topic:${name}`,
      text: name,
      names: [name],
      streams: [name],
    })),
  ];
}
