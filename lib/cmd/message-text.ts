/**
 * Messages as JSON and as text. Bodies come from programs: nothing of them reaches a terminal as a control sequence.
 */
import { CodedError } from '../base/errors.ts';
import { revealed } from '../base/visible.ts';
import type { Message } from '../messages/types.ts';

/** Bytes of a body: whatever JSON makes of them, they fit a frame. Whole files belong elsewhere. */
export const BODY_MAX = 512 * 1024;

/** The stream of what is sent to one session, or to the person. */
export function inboxName(id: string): string {
  return `inbox:${id}`;
}

/** The keys of JSON. */
export interface MessageJson {
  readonly id: string;
  readonly seq: number;
  readonly stream: string;
  readonly body: string;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly thread_id: string | null;
  readonly reply_to: string | null;
  readonly no_reply: boolean;
  readonly created_at: string;
}

/** A message for programs. */
export function messageJson(message: Message): MessageJson {
  const { id, seq, stream, body, senderId, senderName, threadId, replyTo, noReply, createdAt } = message;
  return {
    id,
    seq,
    stream,
    body,
    sender_id: senderId,
    sender_name: senderName,
    thread_id: threadId,
    reply_to: replyTo,
    no_reply: noReply,
    created_at: new Date(createdAt).toISOString(),
  };
}

/** A message for people: a line that says what it is, and the body moved in below it. */
export function messageText(message: MessageJson): string {
  const { id, seq, stream, sender_name, thread_id, reply_to, no_reply, created_at } = message;
  const notes = [
    ...(thread_id === null ? [] : [`thread ${thread_id}`]),
    ...(reply_to === null ? [] : [`answers ${reply_to}`]),
    ...(no_reply ? ['no answer wanted'] : []),
  ];
  const where = stream.startsWith('inbox:') ? '' : ` in ${stream}`;
  const time = created_at.replace('T', ' ').slice(0, 19);
  const head = `#${seq} ${sender_name}${where}, ${time}, ${[id, ...notes].join(', ')}`;
  const body = message.body.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  return [revealed(head), ...body.split('\n').map(line => `  ${revealed(line)}`.trimEnd())].join('\n');
}

/** How long ago something was, as lists show it. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Throws CodedError `refused` where a body of so many bytes is too long. */
export function checkBodySize(bytes: number): void {
  if (bytes > BODY_MAX)
    throw new CodedError(
      'refused',
      `msg: a text of ${bytes} bytes is more than the ${BODY_MAX} that a message holds`,
      'put it into a file and send its path',
    );
}
