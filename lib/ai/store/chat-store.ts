/** The database of chats as one: its tables over one connection. */
import { Statements } from '../../sqlite/statements.ts';
import { openDatabase, type Opened } from '../../sqlite/open.ts';
import type { Contract } from '../contract.ts';
import { ChatTable } from './chats.ts';
import { MessageTable } from './messages.ts';
import { RequestTable } from './requests.ts';
import { CHATS } from './schema.ts';

export interface ChatStore {
  readonly chats: ChatTable;
  readonly messages: MessageTable;
  readonly requests: RequestTable;
  /** What people must be told about the database, a line each. */
  readonly reports: readonly string[];
  /** Runs `work` as a whole: all of it is kept, or none. */
  whole<T>(work: () => T): T;
  close(): void;
}

export interface StoreOptions {
  readonly path: string;
  readonly contract: Contract;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Opens the database. Throws CodedError as openDatabase does. */
export function openChatStore({ path, contract, now }: StoreOptions): ChatStore {
  const { db, reports }: Opened = openDatabase({ path, schema: CHATS, now });
  const sql = new Statements(db);
  return {
    chats: new ChatTable(sql, now),
    messages: new MessageTable(sql, contract.codecs.message, now),
    requests: new RequestTable(sql, now),
    reports,
    whole: work => sql.whole(work),
    close: () => db.close(),
  };
}
