/**
 * A database of messages for specs, in a folder of its own.
 */
import { join } from 'node:path';
import { callsOver, type Calls } from '../../lib/messages/calls.ts';
import { MESSAGES } from '../../lib/messages/schema.ts';
import type { Draft } from '../../lib/messages/types.ts';
import { openDatabase, type Connection } from '../../lib/sqlite/open.ts';
import { tempDir } from '../support/temp.ts';

export interface Opened {
  readonly path: string;
  readonly db: Connection;
  readonly calls: Calls;
  /** Sets the clock, ms. */
  at(time: number): void;
}

/** A fresh database, or that of `path`. */
export function openMessages(path = join(tempDir(), 'messages.sqlite')): Opened {
  let time = 1000;
  const { db } = openDatabase({ path, schema: MESSAGES, now: () => 0 });
  // Nobody cuts the power of a spec.
  db.pragma('synchronous = OFF');
  return { path, db, calls: callsOver(db, () => time), at: now => (time = now) };
}

/** A message from `a` in `stream`. */
export function draft(stream: string, more: Partial<Draft> = {}): Draft {
  return {
    stream,
    body: 'text',
    senderId: 'a',
    senderName: 'alice',
    threadId: null,
    replyTo: null,
    noReply: false,
    quiet: false,
    key: '',
    keep: 0,
    ...more,
  };
}
