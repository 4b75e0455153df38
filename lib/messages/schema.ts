/**
 * The forms of the database, oldest first. A step that was published is never changed: the next form is another step.
 */
import type { Schema } from '../sqlite/open.ts';

/**
 * Sequences of a stream have no gap: numbers are given one by one, and what goes are the oldest. So `first_seq` and
 * `next_seq` tell how many there are, and unread ones are counted without being looked at. `next_seq` outlives the
 * messages, so no number is given twice.
 */
const FIRST = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    first_seq INTEGER NOT NULL DEFAULT 1,
    next_seq INTEGER NOT NULL DEFAULT 1,
    latest_at INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE messages (
    n INTEGER PRIMARY KEY,
    stream_id INTEGER NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    sender_id TEXT NOT NULL,
    sender_name TEXT NOT NULL,
    body TEXT NOT NULL,
    thread_id TEXT,
    reply_to TEXT,
    no_reply INTEGER NOT NULL,
    quiet INTEGER NOT NULL,
    direct INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    key TEXT
  );
  CREATE UNIQUE INDEX messages_seq ON messages (stream_id, seq);
  CREATE UNIQUE INDEX messages_id ON messages (id);
  CREATE UNIQUE INDEX messages_key ON messages (sender_id, key) WHERE key IS NOT NULL;
  CREATE INDEX messages_thread ON messages (thread_id, stream_id, seq) WHERE thread_id IS NOT NULL;
  CREATE INDEX messages_sent ON messages (sender_id) WHERE direct = 1;
  CREATE TABLE cursors (
    subscriber TEXT NOT NULL,
    stream_id INTEGER NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    ack_seq INTEGER NOT NULL DEFAULT 0,
    begun_seq INTEGER NOT NULL DEFAULT 0,
    announced_seq INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscriber, stream_id)
  ) WITHOUT ROWID;
  CREATE TABLE acked (
    subscriber TEXT NOT NULL,
    stream_id INTEGER NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    PRIMARY KEY (subscriber, stream_id, seq)
  ) WITHOUT ROWID;
  CREATE INDEX acked_stream ON acked (stream_id, seq);
  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT NOT NULL,
    owner_id TEXT,
    owner_name TEXT,
    lease_until INTEGER,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    key TEXT,
    claim_key TEXT
  );
  CREATE INDEX tasks_scope ON tasks (scope, status, id);
  CREATE INDEX tasks_owner ON tasks (owner_id) WHERE owner_id IS NOT NULL;
  CREATE UNIQUE INDEX tasks_key ON tasks (created_by, key) WHERE key IS NOT NULL;
  CREATE TABLE needs (
    task INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    needs INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (task, needs)
  ) WITHOUT ROWID;
  CREATE INDEX needs_needed ON needs (needs);
`;

/** The database in the folder of a server's data. */
export const MESSAGES_NAME = 'messages.sqlite';

export const MESSAGES: Schema = {
  what: 'messages',
  steps: [FIRST],
  probes: [
    'SELECT s.id, s.name, s.first_seq, s.next_seq, s.latest_at FROM streams s LIMIT 1',
    'SELECT * FROM messages ORDER BY n DESC LIMIT 1',
    'SELECT subscriber, stream_id, ack_seq, begun_seq, announced_seq FROM cursors LIMIT 1',
    'SELECT subscriber, stream_id, seq FROM acked LIMIT 1',
    'SELECT id, scope, title, status, owner_id, lease_until, revision FROM tasks LIMIT 1',
    'SELECT task, needs FROM needs LIMIT 1',
  ],
};
