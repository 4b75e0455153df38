/**
 * Messages in their database: publishing and reading. Every call runs inside the caller's transaction.
 */
import { randomBytes } from 'node:crypto';
import { CodedError } from '../base/errors.ts';
import type { Connection } from '../sqlite/open.ts';
import { Statements } from '../sqlite/statements.ts';
import { ownerOf, type Draft, type Message, type Reading } from './types.ts';

/** 64 bits: two messages with one id are not met in a lifetime. */
const ID_BYTES = 8;
/** Bytes of bodies that are read at a time, so that a page of long ones does not fill memory. */
const PAGE_BYTES = 256 * 1024;

/** A stream as it stands. */
export interface StreamRow {
  readonly id: number;
  readonly name: string;
  readonly first_seq: number;
  readonly next_seq: number;
  readonly latest_at: number;
}

interface MessageRow {
  readonly seq: number;
  readonly stream: string;
  readonly id: string;
  readonly sender_id: string;
  readonly sender_name: string;
  readonly body: string;
  readonly thread_id: string | null;
  readonly reply_to: string | null;
  readonly no_reply: number;
  readonly quiet: number;
  readonly created_at: number;
}

const COLUMNS =
  's.name AS stream, m.seq, m.id, m.sender_id, m.sender_name, m.body, m.thread_id, m.reply_to, m.no_reply, m.quiet, m.created_at';

export class MessageStore {
  readonly #sql: Statements;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(db: Connection, now: () => number) {
    this.#sql = new Statements(db);
    this.#now = now;
  }

  /**
   * Adds a message to its stream, which is made with its first. One that was sent before by the same key is given back,
   * with `isNew` false. Throws CodedError `not_found` for a reply to what the sender cannot see.
   */
  publish(draft: Draft): { message: Message; isNew: boolean } {
    const known = draft.key === '' ? undefined : this.#byKey(draft);
    if (known) return { message: known, isNew: false };
    const threadId = this.#threadOf(draft);
    const stream = this.#streamFor(draft.stream);
    // A clock that was set back does not reorder what was said.
    const createdAt = Math.max(this.#now(), stream.latest_at);
    const id = `msg_${randomBytes(ID_BYTES).toString('hex')}`;
    const { body, senderId, senderName, replyTo, noReply, quiet } = draft;
    this.#sql.run(
      `INSERT INTO messages (stream_id, seq, id, sender_id, sender_name, body, thread_id, reply_to, no_reply, quiet, direct, created_at, key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        stream.id,
        stream.next_seq,
        id,
        senderId,
        senderName,
        body,
        threadId,
        replyTo,
        Number(noReply),
        Number(quiet),
        Number(ownerOf(draft.stream) !== undefined),
        createdAt,
        draft.key || null,
      ],
    );
    this.#sql.run('UPDATE streams SET next_seq = next_seq + 1, latest_at = ? WHERE id = ?', [
      createdAt,
      stream.id,
    ]);
    const next = stream.next_seq + 1;
    if (draft.keep > 0 && next - stream.first_seq > draft.keep)
      dropBefore(this.#sql, stream, next - draft.keep);
    const { stream: name } = draft;
    const message = { id, seq: stream.next_seq, stream: name, body, senderId, senderName, threadId, replyTo };
    return { message: { ...message, noReply, quiet, createdAt }, isNew: true };
  }

  /** The next messages that are wanted, in order, as many as fit a page; none at the end. */
  read({ stream, subscriber, after, all, thread, limit, newest = false }: Reading): Message[] {
    const row = findStream(this.#sql, stream);
    if (!row) return [];
    // One bound: of two, SQLite seeks to the first and steps over all that was read.
    const acknowledged =
      '(SELECT ack_seq FROM cursors WHERE subscriber = :subscriber AND stream_id = :stream)';
    const from = all ? ':after' : `max(:after, coalesce(${acknowledged}, 0))`;
    const conditions = ['m.stream_id = :stream', `m.seq > ${from}`];
    if (!all)
      conditions.push(
        'NOT EXISTS (SELECT 1 FROM acked a WHERE a.subscriber = :subscriber AND a.stream_id = :stream AND a.seq = m.seq)',
      );
    if (thread !== '') conditions.push('(m.thread_id = :thread OR m.id = :thread)');
    const sql = `SELECT ${COLUMNS} FROM messages m JOIN streams s ON s.id = m.stream_id
      WHERE ${conditions.join(' AND ')} ORDER BY m.seq ${newest ? 'DESC' : 'ASC'} LIMIT :limit`;
    const values = { stream: row.id, after, limit, ...(all ? {} : { subscriber }) };
    const found = page(
      this.#sql.iterate<MessageRow>(sql, [{ ...values, ...(thread === '' ? {} : { thread }) }]),
    );
    return newest ? found.reverse() : found;
  }

  /**
   * What was sent to a session and what it has sent to others directly: the newest `limit`, in order of time, as far as
   * their bodies are of `maxSize` UTF-16 units together; one at least.
   */
  conversation(stream: string, subscriber: string, limit: number, maxSize = Infinity): Message[] {
    const row = findStream(this.#sql, stream);
    const received = `SELECT ${COLUMNS}, m.n FROM messages m JOIN streams s ON s.id = m.stream_id
      WHERE m.stream_id = ? ORDER BY m.seq DESC LIMIT ?`;
    const sent = `SELECT ${COLUMNS}, m.n FROM messages m INDEXED BY messages_sent JOIN streams s ON s.id = m.stream_id
      WHERE m.direct = 1 AND m.sender_id = ? ORDER BY m.n DESC LIMIT ?`;
    const rows = [
      ...this.#sql.all<MessageRow & { n: number }>(received, [row?.id ?? -1, limit]),
      ...this.#sql.all<MessageRow & { n: number }>(sent, [subscriber, limit]),
    ];
    // Sent to itself it is both.
    const unique = [...new Map(rows.map(one => [one.n, one])).values()];
    const newest = unique.sort((a, b) => a.created_at - b.created_at || a.n - b.n).slice(-limit);
    let size = 0;
    const from = newest.findLastIndex(({ body }) => (size += body.length) > maxSize);
    return newest.slice(Math.min(from + 1, newest.length - 1)).map(toMessage);
  }

  /** Forgets an inbox and what its owner has read: its session is gone for good. */
  forget(stream: string, subscriber: string): void {
    this.#sql.run('DELETE FROM streams WHERE name = ?', [stream]);
    this.#sql.run('DELETE FROM cursors WHERE subscriber = ?', [subscriber]);
    this.#sql.run('DELETE FROM acked WHERE subscriber = ?', [subscriber]);
  }

  #byKey({ senderId, key }: Draft): Message | undefined {
    const sql = `SELECT ${COLUMNS} FROM messages m JOIN streams s ON s.id = m.stream_id WHERE m.sender_id = ? AND m.key = ?`;
    const row = this.#sql.get<MessageRow>(sql, [senderId, key]);
    return row && toMessage(row);
  }

  /** The thread a message belongs to: the one it names, or that of what it answers, which may begin one. */
  #threadOf({ threadId, replyTo, senderId, stream }: Draft): string | null {
    if (replyTo === null) return threadId;
    const sql = `SELECT ${COLUMNS} FROM messages m JOIN streams s ON s.id = m.stream_id WHERE m.id = ?`;
    const row = this.#sql.get<MessageRow>(sql, [replyTo]);
    const owner = row && ownerOf(row.stream);
    const isSeen = row && (owner === undefined || owner === senderId || row.sender_id === senderId);
    if (!isSeen)
      throw new CodedError(
        'not_found',
        `message ${replyTo}: ${ownerOf(stream) === undefined ? 'no such message' : 'you have no such message'}`,
        "'mux msg inbox --all' lists yours",
      );
    return threadId ?? row.thread_id ?? row.id;
  }

  #streamFor(name: string): StreamRow {
    const found = findStream(this.#sql, name);
    if (found) return found;
    this.#sql.run('INSERT INTO streams (name) VALUES (?)', [name]);
    return findStream(this.#sql, name)!;
  }
}

/** Drops the messages of a stream before one number; nothing that was read becomes unread. */
export function dropBefore(sql: Statements, { id }: Pick<StreamRow, 'id'>, first: number): void {
  sql.run('DELETE FROM messages WHERE stream_id = ? AND seq < ?', [id, first]);
  sql.run('DELETE FROM acked WHERE stream_id = ? AND seq < ?', [id, first]);
  sql.run('UPDATE streams SET first_seq = max(first_seq, ?) WHERE id = ?', [first, id]);
}

/** A stream by its name. */
export function findStream(sql: Statements, name: string): StreamRow | undefined {
  return sql.get<StreamRow>('SELECT id, name, first_seq, next_seq, latest_at FROM streams WHERE name = ?', [
    name,
  ]);
}

function page(rows: Iterable<MessageRow>): Message[] {
  const found: Message[] = [];
  let size = 0;
  for (const row of rows) {
    found.push(toMessage(row));
    size += row.body.length;
    if (size >= PAGE_BYTES) break;
  }
  return found;
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    seq: row.seq,
    stream: row.stream,
    body: row.body,
    senderId: row.sender_id,
    senderName: row.sender_name,
    threadId: row.thread_id,
    replyTo: row.reply_to,
    noReply: row.no_reply === 1,
    quiet: row.quiet === 1,
    createdAt: row.created_at,
  };
}
