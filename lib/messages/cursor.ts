/**
 * What a subscriber has read of a stream, as arithmetic: a cursor below which everything is read, and single numbers
 * above it. Numbers of a stream have no gap.
 */

/** Which numbers a stream still has: from `first` up to, and without, `next`. */
export interface Span {
  readonly first: number;
  readonly next: number;
}

/** How many are unread. @param acked how many numbers above both cursor and first are read singly */
export function unreadCount({ first, next }: Span, cursor: number, acked: number): number {
  return Math.max(0, next - Math.max(first, cursor + 1) - acked);
}

/**
 * Where the cursor may move on to, over what is read singly.
 * @param acked numbers above the cursor, ascending
 */
export function advanced({ first }: Span, cursor: number, acked: Iterable<number>): number {
  let at = cursor;
  for (const seq of acked) {
    // What has gone is no gap: nobody can read it any more.
    if (seq > Math.max(at + 1, first)) break;
    at = Math.max(at, seq);
  }
  return at;
}

/** The cursor after everything up to `upTo` was read: it never moves back, and never beyond what there is. */
export function readUpTo({ next }: Span, cursor: number, upTo: number): number {
  return Math.max(cursor, Math.min(upTo, next - 1));
}
