/**
 * The files of an output log: one folder per session, in it segments named by the offset of their first byte. What a
 * program wrote is counted from 0, over all its runs; a gap between two segments is output that could not be written.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A part of a log: `size` bytes from `start` on. */
export interface Segment {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** 13 hexadecimal digits hold every offset that a number holds exactly, and sort as the offsets do. */
const NAME = /^([0-9a-f]{13})\.log$/;

/** Path of the segment that begins at `start`. */
export function segmentPath(folder: string, start: number): string {
  return join(folder, `${start.toString(16).padStart(13, '0')}.log`);
}

/** The segments of a log in order, as they are now; none where the folder is not there. */
export function listSegments(folder: string): Segment[] {
  return names(folder)
    .map(name => ({ name, start: parseInt(NAME.exec(name)?.[1] ?? '', 16) }))
    .filter(({ start }) => Number.isSafeInteger(start))
    .sort((a, b) => a.start - b.start)
    .flatMap(({ name, start }) => {
      const path = join(folder, name);
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      return size === undefined ? [] : [{ path, start, size }];
    });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
