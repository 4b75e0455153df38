/**
 * What the server does for commands that drive sessions from a script: typing, waiting, following.
 */
import type { Size } from '../base/geometry.ts';
import type { SessionRecord } from '../model/types.ts';

/** Output without an end, for a caller that takes it at its own pace. */
export interface StreamPort {
  /**
   * Hands out a piece of at most 256 KiB; resolves once the caller has written it, so that no more than one is on its
   * way and a slow reader costs nothing. False where the caller is gone.
   */
  send(bytes: Uint8Array): Promise<boolean>;
}

/** A change of a session's terminal, before the output at `offset`. `isStart`: another run of its program begins. */
export interface LogChange extends Size {
  readonly offset: number;
  readonly isStart: boolean;
}

/** The output log of one session. Offsets are in bytes, over all its runs. */
export interface LogSource {
  /** What the log holds now. */
  range(): { readonly start: number; readonly end: number };
  /** Up to `max` bytes from `from` on; undefined at the end. It begins behind `from` where the log has a gap. */
  read(from: number, max: number): { readonly offset: number; readonly bytes: Uint8Array } | undefined;
  /** In order; the same array while nothing has changed. */
  changes(): readonly LogChange[];
}

/** The journal of what happened, a JSON line each. Cursors only grow, also from one server to the next. */
export interface JournalSource {
  /** Cursor of the last event. */
  readonly last: number;
  /** The cursor up to which events have been forgotten; 0 where none has. */
  readonly forgotten: number;
  /** Whole lines of the events after `cursor`, of at most about 256 KiB, and the cursor of the last; undefined at the end. */
  after(cursor: number): { readonly bytes: Uint8Array; readonly cursor: number } | undefined;
  /** Called after every event. */
  onAppend(listener: () => void): { dispose(): void };
}

/** How something is typed. */
export interface TypeOptions {
  readonly enter: boolean;
  readonly gone: AbortSignal;
  /** Asked when nobody types any more, right before the first key: where it is not so, nothing is typed. */
  readonly isStill?: () => boolean;
}

export interface DrivePort {
  /**
   * Types `text`, and Enter in a write of its own; first waits until nobody types there. Throws CodedError where the
   * program does not read, or has ended.
   */
  type(session: SessionRecord, text: string, how: TypeOptions): Promise<void>;
  /** Presses what interrupts the session's agent, as often as it needs. Throws CodedError as `type` does. */
  interrupt(session: SessionRecord): Promise<void>;
  /** The first line that matches, '' for none, undefined where the pattern takes too long. */
  match(pattern: RegExp, lines: readonly string[]): string | undefined;
  /** The log of a session's output. */
  log(session: SessionRecord): LogSource;
  readonly journal: JournalSource;
}
