/**
 * The whole state of an emulator as bytes, and back into a new one: an envelope, the size, then each part in turn.
 */
import type { Size } from '../../base/geometry.ts';
import { MAX_SIDE, MIN_COLS } from '../bounds.ts';
import type { History } from '../history/history.ts';
import { ByteReader, ByteWriter, malformed, type Kept } from './bytes.ts';
import { ENVELOPE_BYTES, open, seal } from './envelope.ts';
import { CheckpointError } from './error.ts';

/** Bytes of everything but history, for most screens; more makes one more copy. */
const SCREEN_BYTES = 64 * 1024;

/** What a checkpoint has. */
export interface CheckpointOptions {
  /** The lines above the screen, too (default). Without them they count as forgotten. */
  readonly history?: boolean;
}

/** An emulator taken apart. */
export interface EmulatorState {
  readonly history: History;
  /** Everything else, in the order in which it is written; links before what refers to them. */
  readonly parts: readonly Kept[];
}

/** The state of an emulator of that size, which is between two sequences. */
export function saveState(size: Size, { history, parts }: EmulatorState, options: CheckpointOptions): Buffer {
  const isWhole = options.history !== false;
  const to = new ByteWriter(SCREEN_BYTES + (isWhole ? history.bytes : 0));
  to.raw(new Uint8Array(ENVELOPE_BYTES));
  to.count(size.cols);
  to.count(size.rows);
  for (const part of parts) part.save(to);
  history.save(to, isWhole);
  const bytes = to.bytes();
  seal(bytes);
  return bytes;
}

/** Opens a checkpoint: its size, and what is read by `loadState`. Throws a CheckpointError where it is none. */
export function openState(bytes: Uint8Array): { readonly size: Size; readonly from: ByteReader } {
  const from = new ByteReader(open(bytes));
  const size = { cols: from.count(MAX_SIDE), rows: from.count(MAX_SIDE) };
  if (size.cols < MIN_COLS || size.rows < 1) throw malformed(`a screen of ${size.cols}×${size.rows}`);
  return { size, from };
}

/** Puts a state into a new emulator of its size. Throws a CheckpointError, and leaves it half done, where that fails. */
export function loadState(from: ByteReader, { history, parts }: EmulatorState): void {
  try {
    for (const part of parts) part.load(from);
    history.load(from);
    from.end();
  } catch (error) {
    if (error instanceof CheckpointError) throw error;
    throw new CheckpointError('malformed', error instanceof Error ? error.message : String(error));
  }
}
