/**
 * Messages of a stream in the order in which they are shown: threads together, the one that was written to last at the
 * end, where new ones come.
 */
import { matchWords } from './words.ts';

/** A message as the viewer shows it. */
export interface MailMessage {
  readonly id: string;
  readonly seq: number;
  readonly stream: string;
  readonly senderId: string;
  readonly from: string;
  /** Where it went, '' where that is plain. */
  readonly to: string;
  readonly body: string;
  /** ms since the epoch */
  readonly at: number;
  readonly threadId: string | null;
  readonly noReply: boolean;
  /** The person sent it. */
  readonly isOwn: boolean;
  /** The person has it still to read. */
  readonly isUnread: boolean;
}

/** A message in its place. */
export interface MailRow {
  readonly message: MailMessage;
  /** 0 for the first of a thread that is here, 1 for what follows it. */
  readonly depth: number;
}

/** The messages that hold all words of `filter`, with their threads together. They come in order of time. */
export function mailRows(messages: readonly MailMessage[], filter: string): readonly MailRow[] {
  const texts = messages.map(({ from, to, body }) => `${from} ${to} ${body}`);
  const found =
    filter.trim() === '' ? messages : matchWords(texts, filter).map(({ index }) => messages[index]!);
  const threads = new Map<string, MailMessage[]>();
  for (const message of found) {
    const key = message.threadId ?? message.id;
    const thread = threads.get(key) ?? [];
    // A thread stands where its newest message does.
    threads.delete(key);
    threads.set(key, [...thread, message]);
  }
  return [...threads.values()].flatMap(thread =>
    thread.map((message, n) => ({ message, depth: n > 0 ? 1 : 0 })),
  );
}
