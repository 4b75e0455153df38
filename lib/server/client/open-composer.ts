/**
 * Opening the composer: who can be written to, how what is written is kept, and how it is sent.
 */
import { randomBytes } from 'node:crypto';
import { inboxOf, PERSON_NAME, type Topic } from '../../messages/types.ts';
import { subtree } from '../../model/family.ts';
import type { Receiver } from '../../mode/composer.ts';
import type { Answered, SavedDraft } from '../mail/drafts.ts';
import { ComposerOverlay } from '../overlay/composer.ts';
import type { AttachedClient } from './client.ts';
import { modeHints } from './hints.ts';
import type { ClientServices } from './services.ts';

type Rows = readonly (readonly [action: string, text: string])[];

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

/** Bytes of what makes the messages of one sending known again. */
const SEND_ID_BYTES = 16;

/** One with nothing in it yet. */
export function newDraft(
  { clock }: ClientServices,
  to: readonly string[],
  answers: Answered | null,
): SavedDraft {
  const key = randomBytes(SEND_ID_BYTES).toString('hex');
  return { key, to, text: '', answers, sendId: '', changedAt: clock.now() };
}

/** Opens the composer on what was begun last and names no other receiver, else on a new message. */
export function openComposer(client: AttachedClient, to: string, back?: () => void): void {
  const { drafts } = client.services;
  const fits = (draft: SavedDraft): boolean => to === '' || (draft.to.length === 1 && draft.to[0] === to);
  const begun = drafts
    .list()
    .find(draft => draft.answers === null && fits(draft) && !drafts.isOpen(draft.key));
  openDraft(client, begun ?? newDraft(client.services, to === '' ? [] : [to], null), back);
}

/** Goes on with a draft. @param back shows what it was opened from */
export function openDraft(client: AttachedClient, draft: SavedDraft | undefined, back?: () => void): void {
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
          back?.();
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
export function receivers({ model }: ClientServices, topics: readonly Topic[]): readonly Receiver[] {
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
