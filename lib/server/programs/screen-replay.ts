/**
 * A screen made again from what its program wrote: the last checkpoint, and the log from there on, in the sizes that
 * the terminal had.
 */
import type { Size } from '../../base/geometry.ts';
import { logRange, readLogBetween } from '../../pty/log/log-reader.ts';
import { lastRun, readRunEvents, type RunEvent } from '../../pty/log/run-events.ts';
import type { Emulator } from '../../term/emulator.ts';
import type { ScreenCheckpoint } from './session-logs.ts';

/**
 * Output that is parsed again at most. With checkpoints there is never more; without one a screen begins somewhere in
 * the middle, which programs that draw mend by themselves, and 16 MiB take a quarter of a second.
 */
const MAX_REPLAY = 16 * 1024 * 1024;
const PIECE = 256 * 1024;

export interface ReplaySource {
  /** Folder of the log. */
  readonly folder: string;
  /** Offset of the program's first byte. */
  readonly start: number;
  readonly checkpoint: ScreenCheckpoint | undefined;
  /** Output that is parsed at most, also behind a checkpoint: what came before it is left out then. */
  readonly most?: number;
  /** A new screen of that size. */
  readonly make: (size: Size) => Emulator;
  /** The screen of a checkpoint; undefined where it cannot be used. */
  readonly restore: (bytes: Uint8Array) => Emulator | undefined;
}

/** The screen as it is behind all that the log holds now, and the offset there. Nothing is answered or signalled. */
export function replayScreen(source: ReplaySource): { readonly emulator: Emulator; readonly offset: number } {
  const { folder } = source;
  const sizes = lastRun(readRunEvents(folder)).filter(event => event.type !== 'exit');
  const { end } = logRange(folder);
  const begin = beginning(source, end, sizes);
  const { emulator } = begin;
  let { offset } = begin;
  const changes = sizes.filter(event => event.offset > offset && event.offset < end);
  for (const change of [...changes, { offset: end, cols: undefined, rows: undefined }]) {
    for (const piece of readLogBetween(folder, offset, change.offset, PIECE)) emulator.replay(piece.bytes);
    offset = change.offset;
    if (change.cols !== undefined) emulator.resize(change.cols, change.rows);
  }
  return { emulator, offset };
}

/** The screen to begin with, and the offset of what comes next. */
function beginning(
  { start, checkpoint, most = Infinity, restore, make }: ReplaySource,
  end: number,
  sizes: readonly Exclude<RunEvent, { type: 'exit' }>[],
): { readonly emulator: Emulator; readonly offset: number } {
  const isOfRun = checkpoint && checkpoint.offset >= Math.max(start, end - most) && checkpoint.offset <= end;
  const emulator = isOfRun ? restore(checkpoint.bytes) : undefined;
  if (emulator && isOfRun) {
    // A size that came with the next output.
    const size = sizes.findLast(event => event.offset === checkpoint.offset);
    if (size) emulator.resize(size.cols, size.rows);
    return { emulator, offset: checkpoint.offset };
  }
  const offset = Math.max(start, end - Math.min(MAX_REPLAY, most));
  const size = sizes.findLast(event => event.offset <= offset) ?? { cols: 80, rows: 24 };
  return { emulator: make(size), offset };
}
