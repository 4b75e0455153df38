/** The database of chats as one: its tables over one connection. */
import { Statements } from '../../sqlite/statements.ts';
import { databaseError, isDatabaseError } from '../../sqlite/errors.ts';
import { openDatabase, type Opened } from '../../sqlite/open.ts';
import type { Contract } from '../contract.ts';
import { StorageError } from '../service-error.ts';
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
  /** What to tell of an error of the database; undefined for any other. */
  trouble(error: unknown): StorageError | undefined;
  /** Runs `work` as a whole: all of it is kept, or none. */
  whole<T>(work: () => T): T;
  close(): void;
}

export interface StoreOptions {
  readonly path: string;
  readonly contract: Contract;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether a process still runs. */
  readonly isRunning: (pid: number) => boolean;
}

/** google.rpc.Code */
const ABORTED = 10;

/**
 * Opens the database, and closes what a service that ended in the middle of an answer has left open: those inputs are told to
 * no model, and are there to be sent again. Throws CodedError as openDatabase does. */
export function openChatStore({ path, contract, now, isRunning }: StoreOptions): ChatStore {
  const { db, reports }: Opened = openDatabase({ path, schema: CHATS, now });
  const sql = new Statements(db);
  const messages = new MessageTable(sql, contract, now);
  const left = messages.open().filter(({ open }) => !isRunning(open));
  const status = { code: ABORTED, message: 'the service ended before the answer came' };
  if (left.length > 0) sql.whole(() => messages.fail(left, status));
  return {
    chats: new ChatTable(sql, now),
    messages,
    requests: new RequestTable(sql, now),
    reports,
    trouble: error =>
      isDatabaseError(error) ? new StorageError(databaseError(CHATS.what, path, error)) : undefined,
    whole: work => sql.whole(work),
    close: () => db.close(),
  };
}
