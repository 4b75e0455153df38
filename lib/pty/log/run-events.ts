/**
 * What happened to a session's terminal, beside its output: `events.jsonl` in the log's folder, a line each. With it a
 * screen can be made from the log with the sizes it had, and a program's end is known though nobody was there to see.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
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

/** A run's events at most: some ten thousand changes of size between outputs. The last run is kept beyond it. */
const MAX_BYTES = 1024 * 1024;

/** Appends an event. Throws what the file system throws. */
export function appendRunEvent(folder: string, event: RunEvent): void {
  const path = file(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (event.type === 'start' && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
    forgetEarlierRuns(folder);
  appendFileSync(path, JSON.stringify(event) + '\n', { mode: 0o600 });
}

/** All events, oldest first; lines that a crash cut or that are none are left out. */
export function readRunEvents(folder: string): RunEvent[] {
  let text: string;
  try {
    text = readFileSync(file(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap(line => parseEvent(line) ?? []);
}

/** The events of the last run: from its start on; none where there was no run. */
export function lastRun(events: readonly RunEvent[]): readonly RunEvent[] {
  const start = events.findLastIndex(({ type }) => type === 'start');
  return start < 0 ? [] : events.slice(start);
}

function forgetEarlierRuns(folder: string): void {
  const text = lastRun(readRunEvents(folder))
    .filter(({ type }) => type !== 'resize')
    .map(event => JSON.stringify(event) + '\n')
    .join('');
  writeFileSync(file(folder) + '.new', text, { mode: 0o600 });
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
