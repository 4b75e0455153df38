/**
 * What is kept: the oldest messages of a stream go, by age and by count. Cursors and sequences stay as they are.
 */
import type { Connection } from '../sqlite/open.ts';
import { Statements } from '../sqlite/statements.ts';
import { dropBefore, type StreamRow } from './store.ts';
import type { Retention } from './types.ts';

/** Messages that go at a time: some ms, in which nobody else is served. */
const SLICE = 2000;

/** Drops a slice of what is not kept, and tells whether there is more. */
export function sweep(db: Connection, { maxAge, maxPerStream }: Retention, now: number): boolean {
  const sql = new Statements(db);
  let left = SLICE;
  for (const stream of sql.all<StreamRow>('SELECT id, name, first_seq, next_seq, latest_at FROM streams')) {
    const wanted = Math.max(
      maxPerStream > 0 ? stream.next_seq - maxPerStream : 0,
      maxAge > 0 ? firstSince(sql, stream, now - maxAge) : 0,
    );
    if (wanted <= stream.first_seq) continue;
    if (left <= 0) return true;
    const first = Math.min(wanted, stream.first_seq + left);
    dropBefore(sql, stream, first);
    left -= first - stream.first_seq;
    if (first < wanted) return true;
  }
  return false;
}

/** The first number that is not older than `time`: times of a stream only grow, so it is looked for by halves. */
function firstSince(sql: Statements, { id, first_seq, next_seq }: StreamRow, time: number): number {
  let low = first_seq;
  let high = next_seq;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = sql.get<{ at: number }>(
      'SELECT created_at AS at FROM messages WHERE stream_id = ? AND seq = ?',
      [id, middle],
    );
    if (row && row.at >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
