/**
 * What subscribers have read, and what sessions have been told of. Every call runs inside the caller's transaction.
 */
import type { Connection } from '../sqlite/open.ts';
import { Statements } from '../sqlite/statements.ts';
import { advanced, readUpTo, unreadCount, type Span } from './cursor.ts';
import { findStream, type StreamRow } from './store.ts';
import { inboxOf, ownerOf, SYSTEM_PREFIX, type Acknowledgement, type Pending, type Topic } from './types.ts';

/** Senders that an announcement names. */
const SENDERS_MAX = 3;

interface CursorRow {
  readonly ack_seq: number;
  readonly begun_seq: number;
  readonly announced_seq: number;
}

const NOTHING_READ: CursorRow = { ack_seq: 0, begun_seq: 0, announced_seq: 0 };

/** Unread, and not announced: what of it is asked. */
const UNREAD = `m.seq > :cursor AND NOT EXISTS
  (SELECT 1 FROM acked a WHERE a.subscriber = :subscriber AND a.stream_id = :stream AND a.seq = m.seq)`;

export class Marks {
  readonly #sql: Statements;

  constructor(db: Connection) {
    this.#sql = new Statements(db);
  }

  /** Takes in what was read, and tells how many are left. What does not exist counts as nothing. */
  acknowledge(ack: Acknowledgement): number {
    const stream = findStream(this.#sql, ack.stream);
    if (!stream) return 0;
    const before = this.#cursor(ack.subscriber, stream);
    const span = spanOf(stream);
    const cursor = ack.upTo === undefined ? before.ack_seq : readUpTo(span, before.ack_seq, ack.upTo);
    for (const seq of this.#singly(ack, stream))
      if (seq > cursor && seq < span.next)
        this.#sql.run('INSERT OR IGNORE INTO acked (subscriber, stream_id, seq) VALUES (?, ?, ?)', [
          ack.subscriber,
          stream.id,
          seq,
        ]);
    this.#move(ack.subscriber, stream, this.#compacted(ack.subscriber, stream, cursor));
    return this.#unread(ack.subscriber, stream);
  }

  unread(subscriber: string, name: string): number {
    const stream = findStream(this.#sql, name);
    return stream ? this.#unread(subscriber, stream) : 0;
  }

  /** Unread mail of everybody who has an inbox. */
  allUnread(): { subscriber: string; unread: number }[] {
    return this.#streams("WHERE name GLOB 'inbox:*'").map(stream => {
      const subscriber = ownerOf(stream.name)!;
      return { subscriber, unread: this.#unread(subscriber, stream) };
    });
  }

  /** Topics, the one that was written to last first. */
  topics(subscriber: string, withSystem: boolean): Topic[] {
    return this.#streams("WHERE name NOT GLOB 'inbox:*' ORDER BY latest_at DESC, name")
      .filter(({ name }) => withSystem || !name.startsWith(SYSTEM_PREFIX))
      .map(stream => ({
        name: stream.name,
        total: stream.next_seq - stream.first_seq,
        unread: this.#unread(subscriber, stream),
        latestAt: stream.latest_at,
      }));
  }

  /** What a session is to be told of: mail that is unread, not quiet, and behind what was announced. */
  pending(subscriber: string): Pending | undefined {
    const stream = findStream(this.#sql, inboxOf(subscriber));
    if (!stream) return undefined;
    const { ack_seq, announced_seq, begun_seq } = this.#cursor(subscriber, stream);
    const values = { cursor: Math.max(ack_seq, announced_seq), subscriber, stream: stream.id };
    const where = `FROM messages m WHERE m.stream_id = :stream AND m.quiet = 0 AND ${UNREAD}`;
    const facts = this.#sql.get<{ count: number; seq: number | null; open: number | null }>(
      `SELECT count(*) AS count, max(m.seq) AS seq, sum(m.no_reply = 0) AS open ${where}`,
      [values],
    );
    if (!facts?.seq) return undefined;
    const senders = this.#sql.all<{ name: string }>(
      `SELECT m.sender_name AS name ${where} GROUP BY m.sender_name ORDER BY max(m.seq) DESC LIMIT ${SENDERS_MAX}`,
      [values],
    );
    const begun = begun_seq > announced_seq ? begun_seq : 0;
    return {
      subscriber,
      seq: facts.seq,
      messageId: this.#idOf(stream, facts.seq),
      count: facts.count,
      senders: senders.map(({ name }) => name),
      noReply: facts.open === 0,
      begun,
      begunId: begun === 0 ? '' : this.#idOf(stream, begun),
    };
  }

  /** Everybody who is to be told of something. */
  allPending(): Pending[] {
    return this.#streams("WHERE name GLOB 'inbox:*'").flatMap(
      ({ name }) => this.pending(ownerOf(name)!) ?? [],
    );
  }

  /** An announcement of everything up to `seq` begins, or is over. Neither ever goes back. */
  announced(subscriber: string, seq: number, state: 'begun' | 'done'): void {
    const stream = findStream(this.#sql, inboxOf(subscriber));
    if (!stream) return;
    const column = state === 'begun' ? 'begun_seq' : 'announced_seq';
    this.#sql.run(
      `INSERT INTO cursors (subscriber, stream_id, ${column}) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ${column} = max(${column}, excluded.${column})`,
      [subscriber, stream.id, seq],
    );
  }

  #idOf(stream: StreamRow, seq: number): string {
    const sql = 'SELECT id FROM messages WHERE stream_id = ? AND seq = ?';
    return this.#sql.get<{ id: string }>(sql, [stream.id, seq])?.id ?? '';
  }

  #singly({ seqs, thread }: Acknowledgement, stream: StreamRow): readonly number[] {
    if (thread === undefined) return seqs ?? [];
    const sql = 'SELECT seq FROM messages WHERE stream_id = ? AND (thread_id = ? OR id = ?)';
    return this.#sql.all<{ seq: number }>(sql, [stream.id, thread, thread]).map(({ seq }) => seq);
  }

  /** Lets the cursor take in what is read singly right behind it. */
  #compacted(subscriber: string, stream: StreamRow, cursor: number): number {
    const rows = this.#sql.all<{ seq: number }>(
      'SELECT seq FROM acked WHERE subscriber = ? AND stream_id = ? AND seq > ? ORDER BY seq',
      [subscriber, stream.id, cursor],
    );
    return advanced(
      spanOf(stream),
      cursor,
      rows.map(({ seq }) => seq),
    );
  }

  #move(subscriber: string, stream: StreamRow, cursor: number): void {
    this.#sql.run(
      `INSERT INTO cursors (subscriber, stream_id, ack_seq) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ack_seq = max(ack_seq, excluded.ack_seq)`,
      [subscriber, stream.id, cursor],
    );
    this.#sql.run('DELETE FROM acked WHERE subscriber = ? AND stream_id = ? AND seq <= ?', [
      subscriber,
      stream.id,
      cursor,
    ]);
  }

  #unread(subscriber: string, stream: StreamRow): number {
    const { ack_seq } = this.#cursor(subscriber, stream);
    const sql =
      'SELECT count(*) AS n FROM acked WHERE subscriber = ? AND stream_id = ? AND seq > ? AND seq >= ?';
    const { n } = this.#sql.get<{ n: number }>(sql, [subscriber, stream.id, ack_seq, stream.first_seq])!;
    return unreadCount(spanOf(stream), ack_seq, n);
  }

  #cursor(subscriber: string, { id }: StreamRow): CursorRow {
    const sql =
      'SELECT ack_seq, begun_seq, announced_seq FROM cursors WHERE subscriber = ? AND stream_id = ?';
    return this.#sql.get<CursorRow>(sql, [subscriber, id]) ?? NOTHING_READ;
  }

  #streams(rest: string): StreamRow[] {
    return this.#sql.all<StreamRow>(`SELECT id, name, first_seq, next_seq, latest_at FROM streams ${rest}`);
  }
}

function spanOf({ first_seq, next_seq }: StreamRow): Span {
  return { first: first_seq, next: next_seq };
}
