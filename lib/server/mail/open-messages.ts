/**
 * The messages of a server, wired to sessions, to those who are told, and to what is kept.
 */
import { join } from 'node:path';
import { errorText, toCoded } from '../../base/errors.ts';
import type { DisposableStore } from '../../base/event.ts';
import { MESSAGES_NAME } from '../../messages/schema.ts';
import { MessagesLink } from '../../messages/link.ts';
import { ownerOf, PERSON_NAME, type Message } from '../../messages/types.ts';
import { runs } from '../../model/sessions.ts';
import type { ModelEvent, SessionId } from '../../model/types.ts';
import type { MuxServer } from '../server.ts';
import { Drafts, DRAFTS_NAME } from './drafts.ts';
import { Messages } from './messages.ts';
import { openAnnouncer } from './open-announcer.ts';

/** A server is up first: nobody waits for mail of before. */
const LOAD_MS = 300;
/** Leases are counted in minutes, and ages in hours at least. */
const MINUTE_MS = 60_000;
/** Between two slices of what is dropped, so that others are served. */
const SLICE_PAUSE_MS = 20;

/** Makes them. What is to be let go with the server is given to `owned`. */
export function openMessages(server: MuxServer, owned: DisposableStore): Messages {
  const { clock, dataDir, logger, settings } = server.parts;
  const link = owned.add(
    new MessagesLink({
      path: join(dataDir, MESSAGES_NAME),
      clock,
      report: text => {
        messages.addReport(text, server.clients.count > 0);
        server.tellAll(text, 'error');
      },
    }),
  );
  const drafts: Drafts = owned.add(
    new Drafts({
      path: join(dataDir, DRAFTS_NAME),
      clock,
      report: text => {
        messages.addReport(text, server.clients.count > 0);
        server.tellAll(text, 'error');
      },
    }),
  );
  const retention = () => {
    const { max_age, max_per_stream } = settings.config.messages;
    return { maxAge: max_age, maxPerStream: max_per_stream };
  };
  const messages: Messages = owned.add(new Messages({ link, retention, drafts }));
  drafts.load();
  // What the ends of sessions ask for while the server ends is done by the next one.
  const failed = (error: unknown): void => {
    if (!server.isEnding) logger.log('warn', errorText(toCoded(error)));
  };
  const later = (work: Promise<void>): void => void work.catch(failed);
  const { announcer, start } = openAnnouncer(server, messages, link, owned);
  messages.becameIdle = id => announcer.look(id);
  owned.add(
    messages.onUnread(() => {
      for (const client of server.clients.all()) client.changed();
    }),
  );
  owned.add(messages.onMessage(message => tell(server, message)));
  owned.add(
    messages.onTask(({ action, task, before }) => {
      const { id, scope, status, title, ownerId } = task;
      const facts = { task_id: id, scope, action, status, title, owner_id: ownerId };
      server.happenings.note('task', ownerId ?? before ?? undefined, facts);
    }),
  );
  owned.add(server.model.onEvent(event => later(sessionEnds(messages, event))));
  owned.add(
    clock.after(LOAD_MS, () => {
      later(messages.load());
      later(start());
      const there = server.model.sessions
        .all()
        .filter(runs)
        .map(({ id }) => id);
      later(messages.release({ there }));
    }),
  );
  owned.add(
    clock.every(MINUTE_MS, () => {
      const since = clock.now() - MINUTE_MS;
      const alive = server.model.sessions.all().filter(one => runs(one) && one.lastWorkAt >= since);
      later(messages.renew(alive.map(({ id }) => id)));
      later(sweepAll());
    }),
  );
  return messages;

  async function sweepAll(): Promise<void> {
    const kept = retention();
    if (kept.maxAge === 0 && kept.maxPerStream === 0) return;
    while (await link.call('sweep', kept))
      await new Promise<void>(resolve => void clock.after(SLICE_PAUSE_MS, resolve));
  }
}

/** A session that has ended gives its tasks back; one that is gone for good has no mail. */
async function sessionEnds(messages: Messages, event: ModelEvent): Promise<void> {
  if (event.type !== 'session-exited' && event.type !== 'session-deleted') return;
  const { id } = event.session;
  await messages.release({ gone: [id] });
  if (event.type === 'session-deleted') await messages.forget(id);
}

/** What has come: an event, and for the person a word on their terminals. */
function tell(server: MuxServer, message: Message): void {
  const { id, seq, stream, senderId, senderName, threadId, replyTo, noReply } = message;
  const owner = ownerOf(stream);
  const session = owner === undefined || owner === PERSON_NAME ? undefined : (owner as SessionId);
  server.happenings.note('message', session, {
    message_id: id,
    seq,
    stream,
    sender_id: senderId,
    sender_name: senderName,
    thread_id: threadId,
    reply_to: replyTo,
    no_reply: noReply,
  });
  if (owner === PERSON_NAME && senderId !== PERSON_NAME && !message.quiet)
    server.tellAll(`message from ${senderName}: 'mux msg inbox' shows it`, 'info');
}
