/**
 * What happened to a session's terminal, beside its output: `events.jsonl` in the log's folder, a line each. With it a
 * screen can be made from the log with the sizes it had, and a program's end is known though nobody was there to see.
 */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Size } from '../../base/geometry.ts';

/** `offset`: of the first output byte that came after it. Times in ms since the epoch. */
export type RunEvent =
  | ({ readonly type: 'start'; readonly offset: number; readonly at: number; readonly pid: number } & Size)
  | ({ readonly type: 'resize'; readonly offset: number } & Size)
  | {
      readonly type: 'exit';
      readonly offset: number;
      readonly at: number;
      readonly code: number;
      readonly signal: number;
      /** The host was told to end, as when the machine goes down: nobody meant this program. */
      readonly by?: 'shutdown';
    };

/** Events at most: some ten thousand changes of size between outputs. */
export const MAX_BYTES = 1024 * 1024;
/** Of which so many are kept when it is full, so that it is not full again at once. */
const KEPT_BYTES = MAX_BYTES / 2;

/** Appends an event. Throws what the file system throws. */
export function appendRunEvent(folder: string, event: RunEvent): void {
  const path = file(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= MAX_BYTES) forgetOld(folder);
  appendFileSync(path, JSON.stringify(event) + '\n', { mode: 0o600 });
}

/** All events, oldest first; lines that a crash cut or that are none are left out. */
export function readRunEvents(folder: string): readonly RunEvent[] {
  return new RunEventReader(folder).read();
}

/** Reads events again and again: only what was added meanwhile is read. */
export class RunEventReader {
  readonly #path: string;
  #inode = 0;
  #at = 0;
  #events: readonly RunEvent[] = [];

  constructor(folder: string) {
    this.#path = file(folder);
  }

  /** All events, oldest first, as the same array while nothing was added. Throws what the file system throws. */
  read(): readonly RunEvent[] {
    const { ino = 0, size = 0 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    if (ino !== this.#inode || size < this.#at) {
      // Old events were forgotten, with a new file.
      this.#at = 0;
      this.#events = [];
    }
    this.#inode = ino;
    if (size === this.#at) return this.#events;
    const bytes = readBetween(this.#path, this.#at, size);
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
    this.#at += whole.length;
    const added = whole
      .toString('utf8')
      .split('\n')
      .flatMap(line => parseEvent(line) ?? []);
    if (added.length > 0) this.#events = [...this.#events, ...added];
    return this.#events;
  }
}

function readBetween(path: string, from: number, to: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
}

/** The events of the last run: from its start on; none where there was no run. */
export function lastRun(events: readonly RunEvent[]): readonly RunEvent[] {
  const start = events.findLastIndex(({ type }) => type === 'start');
  return start < 0 ? [] : events.slice(start);
}

/**
 * Keeps of the last run its start, its end and the newest sizes. Old output is then shown in a size that it did not have;
 * what a screen is made of is new.
 */
function forgetOld(folder: string): void {
  const lines: string[] = [];
  let left = KEPT_BYTES;
  for (const event of lastRun(readRunEvents(folder)).toReversed()) {
    const line = JSON.stringify(event) + '\n';
    if (event.type === 'resize' && left < line.length) continue;
    left -= line.length;
    lines.push(line);
  }
  writeFileSync(file(folder) + '.new', lines.toReversed().join(''), { mode: 0o600 });
  renameSync(file(folder) + '.new', file(folder));
}

const NUMBERS: Readonly<Record<RunEvent['type'], readonly string[]>> = {
  start: ['offset', 'at', 'pid', 'cols', 'rows'],
  resize: ['offset', 'cols', 'rows'],
  exit: ['offset', 'at', 'code', 'signal'],
};

function parseEvent(line: string): RunEvent | undefined {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    const type = value['type'];
    if (typeof type !== 'string' || !Object.hasOwn(NUMBERS, type)) return undefined;
    const isWhole = NUMBERS[type as RunEvent['type']].every(key => Number.isSafeInteger(value[key]));
    return isWhole ? (value as unknown as RunEvent) : undefined;
  } catch {
    // A line that was cut when the machine went down.
    return undefined;
  }
}

function file(folder: string): string {
  return join(folder, 'events.jsonl');
}
