/**
 * Commands by which sessions and the person write to each other, and see what there is.
 */
import { CodedError } from '../base/errors.ts';
import { ago, checkBodySize, inboxName, messageJson } from './message-text.ts';
import type { Message } from '../messages/types.ts';
import { correspondentOf, receiverOf, seqOf, threadOf, topicOf, writableTopicOf } from './correspondents.ts';
import { command, flag, printTable, valued } from './define.ts';
import { CONVERSATION, INBOX, SUB } from './message-reading.ts';
import type { CommandContext, CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';

/** As a retry after a lost answer repeats it; nobody types it. */
const KEY_MAX = 64;

const BODY_FLAGS: readonly FlagSpec[] = [
  {
    name: 'f',
    alias: 'file',
    value: 'FILE',
    text: 'the text is what the file holds; - for what comes through a pipe',
  },
  valued('thread', 'T', 'the thread it belongs to'),
  valued('reply-to', 'ID', 'the message it answers, and whose thread it joins'),
  flag('no-reply', 'say that no answer is wanted'),
  flag('quiet', 'do not announce it to the receiver: it waits to be read'),
  valued('key', 'KEY', 'the same key again is the same message, which is then not sent twice'),
];

export const MESSAGE_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'msg send',
    group: 'Messages',
    text: 'Write to a session, or to the person (human)',
    flags: BODY_FLAGS,
    args: 'SESSION [TEXT]',
    minArgs: 1,
    maxArgs: 2,
    async exec(context, args) {
      const to = receiverOf(context, args.rest[0]!);
      await publish(context, args, inboxName(to.id), args.rest[1], `to ${to.name}`);
    },
  }),
  command({
    name: 'msg pub',
    group: 'Messages',
    text: 'Write to a topic, which everybody may read',
    flags: [valued('t', 'TOPIC', 'the topic; it is made by the first message'), ...BODY_FLAGS],
    args: '[TEXT]',
    maxArgs: 1,
    async exec(context, args) {
      const topic = writableTopicOf(args.value('t'));
      await publish(context, args, topic, args.rest[0], `to ${topic}`);
    },
  }),
  INBOX,
  SUB,
  command({
    name: 'msg ack',
    group: 'Messages',
    text: 'Mark a topic, or the own inbox, as read',
    flags: [
      valued('t', 'TOPIC', 'the topic; without it the own inbox'),
      valued('thread', 'T', 'this thread only'),
      { name: 'seq', value: 'SEQ', many: true, text: 'this message only, by its number' },
    ],
    async exec(context, args) {
      const { id } = correspondentOf(context);
      const stream = args.value('t') === undefined ? inboxName(id) : topicOf(args.value('t'));
      const thread = threadOf(args.value('thread'));
      const what = args.has('seq')
        ? { seqs: args.values('seq').map(seq => seqOf('--seq', seq)) }
        : thread === null
          ? { upTo: Number.MAX_SAFE_INTEGER }
          : { thread };
      const unread = await context.host.messages.acknowledge({ subscriber: id, stream, ...what });
      if (context.caller.json && !args.has('seq')) context.json({ stream, unread });
    },
  }),
  command({
    name: 'msg topics',
    group: 'Messages',
    text: 'List the topics, with what is unread of each',
    flags: [flag('system', 'and the streams in which mux tells what happens')],
    async exec(context, args) {
      const topics = await context.host.messages.topics(correspondentOf(context).id, args.has('system'));
      if (context.caller.json) {
        const facts = topics.map(({ name, total, unread, latestAt }) => ({
          name,
          total,
          unread,
          latest_at: latestAt > 0 ? new Date(latestAt).toISOString() : null,
        }));
        return context.json({ topics: facts });
      }
      printTable(
        context,
        ['TOPIC', 'UNREAD', 'TOTAL', 'LATEST'],
        topics.map(({ name, total, unread, latestAt }) => [
          name,
          String(unread),
          String(total),
          ago(context.clock.now() - latestAt),
        ]),
      );
    },
  }),
  CONVERSATION,
];

async function publish(
  context: CommandContext,
  args: ParsedArgs,
  stream: string,
  text: string | undefined,
  where: string,
): Promise<void> {
  const sender = correspondentOf(context);
  const message: Message = await context.host.messages.publish({
    stream,
    body: bodyOf(args, text),
    senderId: sender.id,
    senderName: sender.name,
    threadId: threadOf(args.value('thread')),
    replyTo: args.value('reply-to') ?? null,
    noReply: args.has('no-reply'),
    quiet: args.has('quiet'),
    key: (args.value('key') ?? '').slice(0, KEY_MAX),
  });
  if (context.caller.json) return context.json(messageJson(message));
  context.print(`${message.id} #${message.seq} ${where}`);
}

/** The text of a message. Throws CodedError: `usage` where there is none, `refused` where it is too long. */
function bodyOf(args: ParsedArgs, text: string | undefined): string {
  if (args.has('f'))
    throw new CodedError('usage', 'msg: -f reads a file for a shell', 'give the text here, or use a shell');
  if (text === undefined || text === '')
    throw new CodedError(
      'usage',
      'msg: there is no text',
      'give it as an argument, by -f FILE, or through a pipe by -',
    );
  // Half a surrogate pair is no text.
  const bytes = new TextEncoder().encode(text);
  checkBodySize(bytes.length);
  return new TextDecoder().decode(bytes);
}
