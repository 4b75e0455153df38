/** Messages of chats in the database. */
import type { Statements } from '../../sqlite/statements.ts';
import type { Codec, Contract, PageCodec } from '../contract.ts';
import { parseMessage } from '../names.ts';
import { ServiceError } from '../service-error.ts';
import { toTimestamp } from '../values.ts';
import type { Labels, ListRequest, Message, Role, Status } from '../wire.ts';
import { chatName, type ChatRow } from './chats.ts';
import type { FilterRules } from './filter.ts';
import { listPage, type Listed } from './list.ts';
import type { Columns } from './page.ts';
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

/** What a list needs of a row: reading all of it takes twice as long. */
const LISTED_COLUMNS = ['n', 'id', 'create_time', 'update_time', 'delete_time', 'version', 'body'] as const;
type ListedRow = Pick<MessageRow, (typeof LISTED_COLUMNS)[number]>;
const LISTED: Listed = {
  from: 'messages m',
  select: LISTED_COLUMNS.map(name => `m.${name}`).join(', '),
  deleted: 'm.delete_time',
  number: 'm.n',
  orders: COLUMNS,
  filters: FILTERS,
  size: { usual: 1000, most: 1000 },
};

/** A page of messages, as objects or as it goes over the wire; the latter takes a fraction of the time. */
export interface MessagePage {
  object(): { readonly messages: readonly Message[]; readonly next_page_token: string };
  bytes(): Uint8Array;
}

export class MessageTable {
  readonly #sql: Statements;
  readonly #codec: Codec;
  readonly #pages: PageCodec;
  readonly #now: () => number;

  constructor(sql: Statements, { codecs, messagePage }: Contract, now: () => number) {
    this.#sql = sql;
    this.#codec = codecs.message;
    this.#pages = messagePage;
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
        this.#codec.encode(withoutFacts(message)),
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
        this.#codec.encode(withoutFacts(message)),
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

  /** Throws INVALID_ARGUMENT for a size, a filter, an order or a token that is wrong. */
  list(chat: ChatRow, request: ListRequest): MessagePage {
    const within = { sql: 'm.chat = ?', values: [chat.n] };
    const { rows, next_page_token } = listPage<ListedRow>(this.#sql, LISTED, within, request, fits);
    return {
      object: () => ({ messages: rows.map(row => this.toMessage(chat, row)), next_page_token }),
      bytes: () =>
        this.#pages.encode(
          rows.map(row => ({ body: row.body, more: facts(chat, row) })),
          next_page_token,
        ),
    };
  }

  toMessage(chat: ChatRow, row: ListedRow): Message {
    // Set where they are: ten thousand copies of decoded messages take longer than reading them.
    return Object.assign(this.#stored(row), facts(chat, row));
  }

  #stored({ body }: ListedRow): Message {
    return this.#codec.decode(body) as Message;
  }

  #again({ n }: MessageRow): MessageRow {
    return this.#sql.get<MessageRow>('SELECT * FROM messages WHERE n = ?', [n])!;
  }
}

/** What the table itself knows of a message: it stands beside the message as it is kept. */
function facts(chat: ChatRow, row: ListedRow): Message {
  const { create_time, update_time, delete_time } = row;
  return {
    name: `${chatName(chat)}/messages/${row.id}`,
    create_time: toTimestamp(create_time),
    update_time: toTimestamp(update_time),
    ...(delete_time === null ? {} : { delete_time: toTimestamp(delete_time) }),
    etag: messageEtag(row),
  };
}

function withoutFacts(message: Message): Message {
  const {
    name: _name,
    create_time: _made,
    update_time: _changed,
    delete_time: _gone,
    etag: _etag,
    ...own
  } = message;
  return own;
}

/** Rows of a page that one answer has room for. */
function fits(rows: readonly ListedRow[]): number {
  let bytes = 0;
  const full = rows.findIndex(({ body }) => (bytes += body.length) > PAGE_BYTES);
  return full < 0 ? rows.length : full;
}

export function messageEtag({ n, version }: Pick<MessageRow, 'n' | 'version'>): string {
  return `"m${n}-${version}"`;
}
