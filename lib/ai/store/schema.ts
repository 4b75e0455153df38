/** The forms of the database of chats, oldest first. A step that was published is never changed. */
import type { Schema } from '../../sqlite/open.ts';

/**
 * A message is kept as it goes over the wire (`body`); what lists and histories ask for stands beside it. `open` is the process
 * that an input waits in for its answer, 0 for none: where that process is gone the input is closed with a status, as after any
 * failure.
 */
const FIRST = `
  CREATE TABLE chats (
    n INTEGER PRIMARY KEY,
    parent TEXT NOT NULL,
    id TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    delete_time INTEGER,
    version INTEGER NOT NULL DEFAULT 1,
    title TEXT NOT NULL DEFAULT '',
    price REAL NOT NULL DEFAULT 0,
    labels TEXT NOT NULL DEFAULT '{}',
    annotations TEXT NOT NULL DEFAULT '{}',
    UNIQUE (parent, id)
  );
  CREATE INDEX chats_updated ON chats (parent, update_time, n);
  CREATE INDEX chats_created ON chats (parent, create_time, n);
  CREATE TABLE messages (
    n INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL REFERENCES chats (n) ON DELETE CASCADE,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    delete_time INTEGER,
    version INTEGER NOT NULL DEFAULT 1,
    failed INTEGER NOT NULL DEFAULT 0,
    open INTEGER NOT NULL DEFAULT 0,
    model TEXT NOT NULL DEFAULT '',
    labels TEXT NOT NULL DEFAULT '{}',
    body BLOB NOT NULL,
    UNIQUE (chat, id)
  );
  CREATE INDEX messages_order ON messages (chat, n);
  CREATE INDEX messages_open ON messages (open) WHERE open > 0;
  CREATE VIRTUAL TABLE texts USING fts5 (text, content = '', contentless_delete = 1);
  CREATE TABLE requests (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    print TEXT NOT NULL,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (scope, id)
  ) WITHOUT ROWID;
  CREATE INDEX requests_at ON requests (at);
`;

/** Lists of many chats are read in their order, not sorted: as they were made, and by title. */
const ORDERS = `
  CREATE INDEX chats_made ON chats (parent);
  CREATE INDEX chats_titled ON chats (parent, title, n);
`;

export const CHATS: Schema = {
  what: 'chats',
  steps: [FIRST, ORDERS],
  probes: [
    'SELECT n, parent, id, title, labels FROM chats LIMIT 1',
    'SELECT * FROM messages ORDER BY n DESC LIMIT 1',
    "SELECT rowid FROM texts WHERE texts MATCH 'a' LIMIT 1",
    'SELECT scope, id, print, result, at FROM requests LIMIT 1',
  ],
};
