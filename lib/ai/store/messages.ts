/** Messages of chats in the database. */
import type { Statements } from '../../sqlite/statements.ts';
import type { Codec } from '../contract.ts';
import { parseMessage } from '../names.ts';
import { ServiceError } from '../service-error.ts';
import { toTimestamp } from '../values.ts';
import type { Labels, ListRequest, Message, Role, Status } from '../wire.ts';
import { chatName, type ChatRow } from './chats.ts';
import { filterCondition, type FilterRules } from './filter.ts';
import { behind, orderOf, orderSql, pageSize, pageToken, tokenValues, type Columns } from './page.ts';
import { ftsQuery, searchText } from './texts.ts';

/** A row of the table. */
export interface MessageRow {
  readonly n: number;
  readonly chat: number;
  readonly id: string;
  readonly role: Role;
  readonly create_time: number;
  readonly update_time: number;
  readonly delete_time: number | null;
  readonly version: number;
  readonly failed: number;
  readonly open: number;
  readonly model: string;
  readonly labels: string;
  readonly body: Buffer;
}

/** A label that takes a message out of what models are told: a fork has left it behind. */
export const SUPERSEDED = 'ai.malonaz.com/superseded';

const PAGE_USUAL = 1000;
const PAGE_MAX = 1000;
/** Bytes of a page's messages: what fits a gRPC message, with room for its frame. */
const PAGE_BYTES = 16 * 1024 * 1024;
const COLUMNS: Columns = { create_time: 'm.n', update_time: 'm.update_time', name: 'm.id' };
const FILTERS: FilterRules = {
  fields: {
    role: { kind: 'text', sql: 'm.role' },
    model: { kind: 'text', sql: 'm.model' },
    labels: { kind: 'map', sql: 'm.labels' },
    create_time: { kind: 'time', sql: 'm.create_time' },
    update_time: { kind: 'time', sql: 'm.update_time' },
    delete_time: { kind: 'time', sql: 'm.delete_time' },
  },
  words: 'm.n IN (SELECT rowid FROM texts WHERE text MATCH ?)',
  word: ftsQuery,
};

export class MessageTable {
  readonly #sql: Statements;
  readonly #codec: Codec;
  readonly #now: () => number;

  constructor(sql: Statements, codec: Codec, now: () => number) {
    this.#sql = sql;
    this.#codec = codec;
    this.#now = now;
  }

  find(chat: ChatRow, id: string): MessageRow | undefined {
    return this.#sql.get<MessageRow>('SELECT * FROM messages WHERE chat = ? AND id = ?', [chat.n, id]);
  }

  /** Throws NOT_FOUND. */
  get(chat: ChatRow, name: string): MessageRow {
    const row = this.find(chat, parseMessage(name)?.id ?? '');
    if (!row) throw new ServiceError('NOT_FOUND', `${name}: no such message`);
    return row;
  }

  /** Adds a message; `openIn` is the process in which it waits for its answer, 0 for none. Throws ALREADY_EXISTS. */
  add(chat: ChatRow, id: string, message: Message, openIn = 0): MessageRow {
    if (this.find(chat, id))
      throw new ServiceError('ALREADY_EXISTS', `${chatName(chat)}/messages/${id}: there is one already`);
    const now = this.#now();
    this.#sql.run(
      `INSERT INTO messages (chat, id, role, create_time, update_time, failed, open, model, labels, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        chat.n,
        id,
        message.role ?? 'ROLE_UNSPECIFIED',
        now,
        now,
        Number(message.status !== undefined),
        openIn,
        message.model ?? '',
        JSON.stringify(message.labels ?? {}),
        this.#codec.encode(message),
      ],
    );
    const row = this.find(chat, id)!;
    this.#sql.run('INSERT INTO texts (rowid, text) VALUES (?, ?)', [row.n, searchText(message.blocks ?? [])]);
    return row;
  }

  /** Changes what is given of it. */
  update(row: MessageRow, change: Pick<Message, 'labels' | 'annotations' | 'blocks' | 'status'>): MessageRow {
    const message = { ...this.#stored(row), ...change };
    this.#sql.run(
      `UPDATE messages SET failed = ?, labels = ?, body = ?, update_time = ?, version = version + 1 WHERE n = ?`,
      [
        Number(message.status !== undefined),
        JSON.stringify(message.labels ?? {}),
        this.#codec.encode(message),
        this.#now(),
        row.n,
      ],
    );
    if (change.blocks) {
      this.#sql.run('DELETE FROM texts WHERE rowid = ?', [row.n]);
      this.#sql.run('INSERT INTO texts (rowid, text) VALUES (?, ?)', [row.n, searchText(change.blocks)]);
    }
    return this.#again(row);
  }

  setDeleted(row: MessageRow, isDeleted: boolean): MessageRow {
    const now = this.#now();
    this.#sql.run('UPDATE messages SET delete_time = ?, update_time = ?, version = version + 1 WHERE n = ?', [
      isDeleted ? now : null,
      now,
      row.n,
    ]);
    return this.#again(row);
  }

  /** Their answer has come. */
  close(rows: readonly MessageRow[]): void {
    for (const { n } of rows) this.#sql.run('UPDATE messages SET open = 0 WHERE n = ?', [n]);
  }

  /** Their answer will not come: they are left out of what models are told. */
  fail(rows: readonly Pick<MessageRow, 'n'>[], status: Status): void {
    for (const { n } of rows) {
      const row = this.#sql.get<MessageRow>('SELECT * FROM messages WHERE n = ?', [n]);
      if (row) this.update(row, { status });
      this.#sql.run('UPDATE messages SET open = 0 WHERE n = ?', [n]);
    }
  }

  /** Inputs that wait for an answer, in whatever process. */
  open(): readonly Pick<MessageRow, 'n' | 'open'>[] {
    return this.#sql.all<Pick<MessageRow, 'n' | 'open'>>('SELECT n, open FROM messages WHERE open > 0');
  }

  /** Marks all that came after a message as left behind. */
  supersede(chat: ChatRow, after: MessageRow): void {
    const rows = this.#sql.all<MessageRow>('SELECT * FROM messages WHERE chat = ? AND n > ?', [
      chat.n,
      after.n,
    ]);
    for (const row of rows)
      this.update(row, { labels: { ...(JSON.parse(row.labels) as Labels), [SUPERSEDED]: 'true' } });
  }

  /** What a model is told, in order: neither deleted, nor failed, nor left behind. */
  history(chat: ChatRow): Message[] {
    const rows = this.#sql.all<MessageRow>(
      `SELECT * FROM messages WHERE chat = ? AND delete_time IS NULL AND failed = 0
       AND NOT EXISTS (SELECT 1 FROM json_each(labels) WHERE key = '${SUPERSEDED}') ORDER BY n`,
      [chat.n],
    );
    return rows.map(row => this.toMessage(chat, row));
  }

  /** Whether a chat holds any message, also deleted ones. */
  hasAny(chat: ChatRow): boolean {
    return this.#sql.get('SELECT 1 FROM messages WHERE chat = ? LIMIT 1', [chat.n]) !== undefined;
  }

  /** Throws INVALID_ARGUMENT for a filter, an order or a token that is wrong. */
  list(
    chat: ChatRow,
    request: ListRequest,
  ): { readonly messages: readonly Message[]; readonly next_page_token: string } {
    const size = pageSize(request.page_size, PAGE_USUAL, PAGE_MAX);
    const order = orderOf(request.order_by ?? '', COLUMNS, { sql: 'm.n', isDescending: false });
    const after = tokenValues(request, order.length);
    const conditions = [
      { sql: 'm.chat = ?', values: [chat.n] },
      ...(request.show_deleted ? [] : [{ sql: 'm.delete_time IS NULL', values: [] }]),
      filterCondition(request.filter ?? '', FILTERS),
      after && behind(order, after),
    ].filter(one => one !== undefined);
    const keys = order.map(({ sql }, at) => `${sql} AS key_${at}`).join(', ');
    const rows = this.#sql.query<MessageRow & Record<string, string | number>>(
      `SELECT m.*, ${keys} FROM messages m WHERE ${conditions.map(one => one.sql).join(' AND ')}
       ORDER BY ${orderSql(order)} LIMIT ?`,
      [...conditions.flatMap(one => one.values), size + 1],
    );
    let bytes = 0;
    const full = rows.findIndex(({ body }) => (bytes += body.length) > PAGE_BYTES);
    const count = Math.min(size, full < 0 ? rows.length : Math.max(1, full));
    const last = rows.length > count ? rows[count - 1] : undefined;
    const next_page_token = last
      ? pageToken(
          request,
          order.map((_, at) => last[`key_${at}`]!),
        )
      : '';
    return { messages: rows.slice(0, count).map(row => this.toMessage(chat, row)), next_page_token };
  }

  toMessage(chat: ChatRow, row: MessageRow): Message {
    // Set where they are: ten thousand copies of decoded messages take longer than reading them.
    const message: { -readonly [K in keyof Message]: Message[K] } = this.#stored(row);
    message.name = `${chatName(chat)}/messages/${row.id}`;
    message.create_time = toTimestamp(row.create_time);
    message.update_time = toTimestamp(row.update_time);
    if (row.delete_time !== null) message.delete_time = toTimestamp(row.delete_time);
    message.etag = messageEtag(row);
    return message;
  }

  #stored({ body }: MessageRow): Message {
    return this.#codec.decode(body) as Message;
  }

  #again({ n }: MessageRow): MessageRow {
    return this.#sql.get<MessageRow>('SELECT * FROM messages WHERE n = ?', [n])!;
  }
}

export function messageEtag({ n, version }: Pick<MessageRow, 'n' | 'version'>): string {
  return `"m${n}-${version}"`;
}
