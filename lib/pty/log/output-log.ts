/**
 * The output of one session on disk, written as it comes and before anybody looks at it: its bytes and their offsets
 * are the truth that every screen can be made from again. The newest are kept, up to a limit.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { Disposable } from '../../base/event.ts';
import { listSegments, segmentPath, type Segment } from './segments.ts';

/** A log is dropped in steps of this part of its limit: at most so much less than the limit is there. */
const SEGMENTS = 16;
/** Files at most: a disk that is full again and again leaves many small ones. */
const MAX_FILES = 4 * SEGMENTS;
/** Smaller files than 1 MiB would be opened and removed all the time in a flood. */
const MIN_SEGMENT = 1024 * 1024;
/** A disk that was full is asked again this long after, in ms: a flood would ask a hundred thousand times a second. */
const RETRY_MS = 500;

export interface OutputLogOptions {
  readonly folder: string;
  /** Bytes kept at most; at least two segments are. */
  readonly limit: number;
  readonly now: () => number;
  /** Called when output cannot be written any more (`error`), and when it can again (undefined). */
  readonly trouble: (error: Error | undefined) => void;
}

export class OutputLog implements Disposable {
  readonly #options: OutputLogOptions;
  readonly #segmentSize: number;
  /** Finished segments, oldest first. */
  #old: Segment[];
  #start: number;
  #fd: number | undefined;
  #end: number;
  #retryAt: number | undefined;

  /** Goes on behind what the folder holds. @throws the system's error where that cannot be told */
  constructor(options: OutputLogOptions) {
    this.#options = options;
    this.#segmentSize = Math.max(MIN_SEGMENT, Math.floor(options.limit / SEGMENTS));
    this.#old = listSegments(options.folder);
    const last = this.#old.at(-1);
    this.#end = this.#start = last ? last.start + last.size : 0;
  }

  /** Offset behind the last byte. */
  get end(): number {
    return this.#end;
  }

  /**
   * Writes `bytes` at `end`. What the disk does not take is missing from the log; `end` counts it all the same. Never
   * throws: trouble is told.
   */
  append(bytes: Uint8Array): void {
    const from = this.#end;
    this.#end += bytes.length;
    if (this.#retryAt !== undefined && this.#options.now() < this.#retryAt) return;
    try {
      this.#write(bytes, from);
      if (this.#retryAt !== undefined) this.#options.trouble(undefined);
      this.#retryAt = undefined;
    } catch (error) {
      this.#closeQuietly();
      if (this.#retryAt === undefined) this.#options.trouble(error as Error);
      this.#retryAt = this.#options.now() + RETRY_MS;
    }
  }

  /** Never throws: the program has ended, and that must be told. */
  dispose(): void {
    this.#closeQuietly();
  }

  #write(bytes: Uint8Array, from: number): void {
    if (this.#fd !== undefined && from - this.#start >= this.#segmentSize) this.#close();
    this.#fd ??= this.#open(from);
    const fd = this.#fd;
    for (let done = 0; done < bytes.length;) {
      try {
        done += writeSync(fd, bytes, done, bytes.length - done, from - this.#start + done);
      } catch (error) {
        // A piece of a chunk would move all that follows: a segment ends with what was written whole.
        ftruncateSync(fd, from - this.#start);
        throw error;
      }
    }
  }

  /** Goes on in the last segment where it ends at `from` and has room, else begins one there. */
  #open(from: number): number {
    const { folder, limit } = this.#options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const last = this.#old.at(-1);
    const hasRoom = last && last.start + last.size === from && last.size < this.#segmentSize;
    if (hasRoom) this.#old.pop();
    this.#prune(limit - this.#segmentSize);
    this.#start = hasRoom ? last.start : from;
    return openSync(segmentPath(folder, this.#start), hasRoom ? 'r+' : 'w', 0o600);
  }

  #close(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    // First: where the system complains it has closed it all the same (close(2)), and the number may be another's soon.
    this.#fd = undefined;
    closeSync(fd);
    this.#old = listSegments(this.#options.folder);
  }

  #closeQuietly(): void {
    try {
      this.#close();
    } catch {
      // EIO, ENOTDIR: a disk that fails, or a folder that is none any more. The next write tells, if there is one.
    }
  }

  /** Removes the oldest segments until `most` bytes are left, or one of them. */
  #prune(most: number): void {
    let total = this.#old.reduce((sum, { size }) => sum + size, 0);
    while ((total > most && this.#old.length > 1) || this.#old.length > MAX_FILES) {
      const [oldest] = this.#old.splice(0, 1);
      total -= oldest!.size;
      remove(oldest!.path);
    }
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Somebody was faster. Anything else: the log grows beyond its limit, which is better than losing its newest.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
  }
}
