/**
 * What has happened, kept for whoever reads on later: an append-only file of JSON lines in segments, of which the newest
 * are kept. A segment is named by the cursor of the last event before it.
 */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Emitter, type Disposable } from '../base/event.ts';

/** A segment holds some thousands of events. */
const SEGMENT_BYTES = 512 * 1024;
/** Segments kept: with 4 MiB a reader may be away for days. */
const SEGMENTS = 8;
/** Bytes of lines that are handed out at a time. */
const PIECE = 128 * 1024;
/** Longest line: events carry facts, no contents. */
const MAX_LINE = 16 * 1024;
/** 13 hexadecimal digits hold every cursor, and sort as cursors do. */
const NAME = /^([0-9a-f]{13})\.jsonl$/;

export interface JournalOptions {
  readonly folder: string;
  /** ms since the epoch. Cursors begin with it, so that they grow even where the disk has lost the last ones. */
  readonly now: () => number;
  /** Called once when the disk takes no more, until it does again. */
  readonly trouble: (error: Error) => void;
}

interface Segment {
  readonly path: string;
  /** Cursor of the last event before it. */
  readonly before: number;
  size: number;
}

export class Journal implements Disposable {
  readonly #options: JournalOptions;
  readonly #appended = new Emitter<void>();
  #segments: Segment[];
  #fd: number | undefined;
  #last: number;
  #isInTrouble = false;
  /** Where each reader is, by cursor: the next read begins there. Small, and only a short way. */
  readonly #places = new Map<number, { readonly segment: Segment; readonly at: number }>();

  /** Called after every event. */
  readonly onAppend = this.#appended.event;

  /** Goes on behind what the folder holds. Never throws: a journal that cannot be read begins anew. */
  constructor(options: JournalOptions) {
    this.#options = options;
    this.#segments = listSegments(options.folder);
    this.#last = this.#segments.length > 0 ? this.#lastCursor() : 0;
  }

  /** Cursor of the last event, 0 where there was none. */
  get last(): number {
    return this.#last;
  }

  /** The cursor up to which events have been forgotten; 0 where none has. */
  get forgotten(): number {
    return this.#segments[0]?.before ?? 0;
  }

  /** Notes an event. Never throws: what the disk does not take is missing, and its cursor with it. */
  append(type: string, facts: Readonly<Record<string, unknown>>): void {
    const { now } = this.#options;
    const time = now();
    const cursor = Math.max(this.#last + 1, time);
    const line = JSON.stringify({ cursor, at: new Date(time).toISOString(), type, ...facts }) + '\n';
    if (line.length > MAX_LINE)
      return this.append(type, { session_id: facts['session_id'] ?? null, cut: true });
    try {
      this.#write(Buffer.from(line));
      this.#isInTrouble = false;
    } catch (error) {
      this.#closeQuietly();
      if (!this.#isInTrouble) this.#options.trouble(error as Error);
      this.#isInTrouble = true;
    }
    this.#last = cursor;
    this.#appended.fire();
  }

  /** Whole lines of the events after `cursor`, and the cursor of the last of them; undefined at the end. */
  after(cursor: number): { readonly bytes: Uint8Array; readonly cursor: number } | undefined {
    if (cursor >= this.#last) return undefined;
    const known = this.#places.get(cursor);
    // The last one that begins before the next event, or the first.
    const found = this.#segments.findLastIndex(segment => segment.before <= cursor);
    let index = known ? this.#segments.indexOf(known.segment) : Math.max(0, found);
    if (index < 0) index = Math.max(0, found);
    let at = known && this.#segments[index] === known.segment ? known.at : 0;
    for (; index < this.#segments.length; index++, at = 0) {
      const segment = this.#segments[index]!;
      for (;;) {
        const lines = wholeLines(segment, at);
        if (lines.length === 0) break;
        at += lines.length;
        const wanted = linesAfter(lines, cursor);
        if (!wanted) continue;
        this.#places.set(wanted.cursor, { segment, at });
        if (this.#places.size > MAX_READERS) this.#places.delete(this.#places.keys().next().value!);
        return wanted;
      }
    }
    return undefined;
  }

  dispose(): void {
    this.#closeQuietly();
    this.#appended.dispose();
  }

  #write(bytes: Uint8Array): void {
    const current = this.#segments.at(-1);
    if (!current || current.size >= SEGMENT_BYTES) this.#begin();
    const fd = this.#opened();
    const segment = this.#segments.at(-1)!;
    const { size } = segment;
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      segment.size += bytes.length;
    } catch (error) {
      // A piece of a line would spoil the next one.
      ftruncateSync(fd, size);
      throw error;
    }
  }

  /** The newest segment, open; another one where a folder is in its place. */
  #opened(): number {
    if (this.#fd !== undefined) return this.#fd;
    this.#fd = openIfFile(this.#segments.at(-1)!.path);
    if (this.#fd === undefined) this.#begin();
    return this.#fd!;
  }

  #begin(): void {
    const { folder } = this.#options;
    this.#close();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    let before = this.#last;
    let path = pathOf(folder, before);
    for (; (this.#fd = openIfFile(path)) === undefined; path = pathOf(folder, before)) {
      // Cursors are far apart: the next name is as good.
      if (++before > this.#last + MAX_FOLDERS)
        throw new Error(`${path}: folders are in the place of segments`);
    }
    // A folder that is already listed under its name is none.
    this.#segments = this.#segments.filter(segment => segment.before < before);
    this.#segments.push({ path, before, size: statSync(path).size });
    for (const old of this.#segments.splice(0, Math.max(0, this.#segments.length - SEGMENTS)))
      rmSync(old.path, { force: true, recursive: true });
  }

  #close(): void {
    const fd = this.#fd;
    // First: where the system complains it has closed it all the same (close(2)).
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  #closeQuietly(): void {
    try {
      this.#close();
    } catch {
      // EIO: the next event tells.
    }
  }

  /** Of the newest segment; what a crash cut off at its end is taken away. */
  #lastCursor(): number {
    const segment = this.#segments.at(-1)!;
    let last = segment.before;
    let at = 0;
    for (let lines = wholeLines(segment, 0); lines.length > 0; lines = wholeLines(segment, at)) {
      at += lines.length;
      last = linesAfter(lines, last)?.cursor ?? last;
    }
    if (at < segment.size) {
      // The next event must begin a line: another segment does.
      segment.size = SEGMENT_BYTES;
    }
    return last;
  }
}

/** Readers whose places are remembered: more are only slower. */
const MAX_READERS = 64;

/** Folders that may be in the way of one segment. */
const MAX_FOLDERS = 16;

function pathOf(folder: string, before: number): string {
  return join(folder, `${before.toString(16).padStart(13, '0')}.jsonl`);
}

/** Opened for appending; undefined where it is a folder. Throws the system's error. */
function openIfFile(path: string): number | undefined {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
    throw error;
  }
}

function listSegments(folder: string): Segment[] {
  try {
    return readdirSync(folder)
      .flatMap(name => {
        const digits = NAME.exec(name)?.[1];
        const path = join(folder, name);
        return digits ? [{ path, before: parseInt(digits, 16), size: statSync(path).size }] : [];
      })
      .sort((a, b) => a.before - b.before);
  } catch {
    // ENOENT: nothing was ever noted. Any other: the trouble is told at the first event.
    return [];
  }
}

/** The whole lines that begin at `at`, at most about a piece; empty at the end. */
function wholeLines(segment: Segment, at: number): Buffer {
  try {
    const fd = openSync(segment.path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(PIECE);
      const length = readSync(fd, bytes, 0, PIECE, at);
      return bytes.subarray(0, bytes.subarray(0, length).lastIndexOf(0x0a) + 1);
    } finally {
      closeSync(fd);
    }
  } catch {
    // ENOENT: somebody has removed it; EISDIR, EIO: there is nothing to be had of it.
    return Buffer.alloc(0);
  }
}

/** The lines of events after `cursor`, with the last one's; undefined where there are none. Lines that are none are left out. */
function linesAfter(lines: Buffer, cursor: number): { bytes: Buffer; cursor: number } | undefined {
  const found: string[] = [];
  let last = cursor;
  for (const line of lines.toString().split('\n')) {
    const own = cursorOf(line);
    if (own === undefined || own <= last) continue;
    last = own;
    found.push(line + '\n');
  }
  return found.length > 0 ? { bytes: Buffer.from(found.join('')), cursor: last } : undefined;
}

/** `{"cursor":N,` begins every line. */
function cursorOf(line: string): number | undefined {
  const digits = /^\{"cursor":(\d{1,16}),.*\}$/.exec(line)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
