/**
 * Reads an output log, also while it is written by another process.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { listSegments, type Segment } from './segments.ts';

/** A piece of a log. It begins behind the offset asked for where the log has a gap there. */
export interface LogPiece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The first and one behind the last offset that a log holds; both 0 for none. */
export function logRange(folder: string): { readonly start: number; readonly end: number } {
  const segments = listSegments(folder);
  const last = segments.at(-1);
  return { start: segments[0]?.start ?? 0, end: last ? last.start + last.size : 0 };
}

/**
 * Up to `max` bytes from `from` on, out of one segment; undefined at the end of the log. A segment that is removed
 * meanwhile is passed over.
 */
export function readLog(folder: string, from: number, max: number): LogPiece | undefined {
  for (const segment of listSegments(folder)) {
    if (segment.start + segment.size <= from) continue;
    const piece = readSegment(segment, Math.max(from, segment.start), max);
    if (piece) return piece;
  }
  return undefined;
}

/** The pieces from `from` to `to`, in order, each of up to `max` bytes. */
export function* readLogBetween(folder: string, from: number, to: number, max: number): Generator<LogPiece> {
  for (let at = from; at < to;) {
    const piece = readLog(folder, at, Math.min(max, to - at));
    if (!piece || piece.offset >= to) return;
    const bytes = piece.bytes.subarray(0, to - piece.offset);
    at = piece.offset + bytes.length;
    yield { offset: piece.offset, bytes };
  }
}

function readSegment(segment: Segment, from: number, max: number): LogPiece | undefined {
  let fd: number;
  try {
    fd = openSync(segment.path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(max, segment.start + segment.size - from));
    const length = readSync(fd, bytes, 0, bytes.length, from - segment.start);
    return length === 0 ? undefined : { offset: from, bytes: bytes.subarray(0, length) };
  } finally {
    closeSync(fd);
  }
}
