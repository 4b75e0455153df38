/** Chats in the database: making, changing, deleting and listing them. */
import type { Statements } from '../../sqlite/statements.ts';
import { parseChat } from '../names.ts';
import { ServiceError } from '../service-error.ts';
import { toTimestamp } from '../values.ts';
import type { Chat, Labels, ListRequest } from '../wire.ts';
import type { FilterRules } from './filter.ts';
import { listPage, type Listed } from './list.ts';
import type { Columns } from './page.ts';
import { ftsQuery } from './texts.ts';

/** A row of the table. */
export interface ChatRow {
  readonly n: number;
  readonly parent: string;
  readonly id: string;
  readonly create_time: number;
  readonly update_time: number;
  readonly delete_time: number | null;
  readonly version: number;
  readonly title: string;
  readonly price: number;
  readonly labels: string;
  readonly annotations: string;
}

/** What a client may set. */
export interface ChatDraft {
  readonly title?: string;
  readonly price?: number;
  readonly labels?: Labels;
  readonly annotations?: Labels;
}

const COLUMNS: Columns = {
  create_time: 'c.create_time',
  update_time: 'c.update_time',
  title: 'c.title',
  name: 'c.id',
  price: 'c.price',
};
const FILTERS: FilterRules = {
  fields: {
    name: { kind: 'text', sql: "(c.parent || '/chats/' || c.id)" },
    title: { kind: 'text', sql: 'c.title' },
    price: { kind: 'number', sql: 'c.price' },
    create_time: { kind: 'time', sql: 'c.create_time' },
    update_time: { kind: 'time', sql: 'c.update_time' },
    delete_time: { kind: 'time', sql: 'c.delete_time' },
    labels: { kind: 'map', sql: 'c.labels' },
    annotations: { kind: 'map', sql: 'c.annotations' },
  },
  words:
    'c.n IN (SELECT m.chat FROM texts t JOIN messages m ON m.n = t.rowid WHERE t.text MATCH ? AND m.delete_time IS NULL)',
  word: ftsQuery,
};

const LISTED: Listed = {
  from: 'chats c',
  select: 'c.*',
  deleted: 'c.delete_time',
  number: 'c.n',
  orders: COLUMNS,
  filters: FILTERS,
  size: { usual: 100, most: 100 },
};

export class ChatTable {
  readonly #sql: Statements;
  readonly #now: () => number;

  constructor(sql: Statements, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  find(name: string): ChatRow | undefined {
    const parts = parseChat(name);
    return (
      parts &&
      this.#sql.get<ChatRow>('SELECT * FROM chats WHERE parent = ? AND id = ?', [parts.parent, parts.id])
    );
  }

  /** A chat that is there, also one that is deleted. Throws NOT_FOUND. */
  get(name: string): ChatRow {
    const row = this.find(name);
    if (!row) throw new ServiceError('NOT_FOUND', `${name}: no such chat`);
    return row;
  }

  /** Throws ALREADY_EXISTS. */
  create(parent: string, id: string, draft: ChatDraft): ChatRow {
    const name = `${parent}/chats/${id}`;
    if (this.find(name)) throw new ServiceError('ALREADY_EXISTS', `${name}: there is one already`);
    const now = this.#now();
    this.#sql.run(
      'INSERT INTO chats (parent, id, create_time, update_time, title, labels, annotations) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [parent, id, now, now, draft.title ?? '', json(draft.labels), json(draft.annotations)],
    );
    return this.get(name);
  }

  update(row: ChatRow, draft: ChatDraft): ChatRow {
    this.#sql.run(
      `UPDATE chats SET title = ?, price = ?, labels = ?, annotations = ?, update_time = ?, version = version + 1
       WHERE n = ?`,
      [
        draft.title ?? row.title,
        draft.price ?? row.price,
        draft.labels ? json(draft.labels) : row.labels,
        draft.annotations ? json(draft.annotations) : row.annotations,
        this.#now(),
        row.n,
      ],
    );
    return this.#again(row);
  }

  /** Deletes it, or brings it back. */
  setDeleted(row: ChatRow, isDeleted: boolean): ChatRow {
    const now = this.#now();
    this.#sql.run('UPDATE chats SET delete_time = ?, update_time = ?, version = version + 1 WHERE n = ?', [
      isDeleted ? now : null,
      now,
      row.n,
    ]);
    return this.#again(row);
  }

  /** A message of it has come or changed; `price` dollars more were spent. */
  touch({ n }: ChatRow, price = 0): void {
    this.#sql.run('UPDATE chats SET update_time = ?, price = price + ?, version = version + 1 WHERE n = ?', [
      this.#now(),
      price,
      n,
    ]);
  }

  /** Throws INVALID_ARGUMENT for a filter, an order or a token that is wrong. */
  list(request: ListRequest): { readonly chats: readonly Chat[]; readonly next_page_token: string } {
    const within = { sql: 'c.parent = ?', values: [request.parent ?? ''] };
    const { rows, next_page_token } = listPage<ChatRow>(this.#sql, LISTED, within, request);
    return { chats: rows.map(toChat), next_page_token };
  }

  #again({ parent, id }: ChatRow): ChatRow {
    return this.get(`${parent}/chats/${id}`);
  }
}

/** The name of a row's chat. */
export function chatName({ parent, id }: Pick<ChatRow, 'parent' | 'id'>): string {
  return `${parent}/chats/${id}`;
}

export function chatEtag({ n, version }: Pick<ChatRow, 'n' | 'version'>): string {
  return `"c${n}-${version}"`;
}

export function toChat(row: ChatRow): Chat {
  return {
    name: chatName(row),
    create_time: toTimestamp(row.create_time),
    update_time: toTimestamp(row.update_time),
    ...(row.delete_time === null ? {} : { delete_time: toTimestamp(row.delete_time) }),
    etag: chatEtag(row),
    labels: JSON.parse(row.labels) as Labels,
    annotations: JSON.parse(row.annotations) as Labels,
    title: row.title,
    price: row.price,
  };
}

function json(labels: Labels | undefined): string {
  return JSON.stringify(labels ?? {});
}
