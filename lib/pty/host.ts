/**
 * Programs on pseudo-terminals. The interface is such that its calls cross a process boundary: plain values in,
 * events out, nothing returned that must be asked again.
 */
import type { Event } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';

/** What to run. `argv[0]` is looked up in `env.PATH`. */
export interface SpawnSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: Size;
}

/** What to run for a session, whose output is kept. */
export interface SessionSpawnSpec extends SpawnSpec {
  /** Id of the session: names its log. */
  readonly session: string;
  /** Bytes of output kept on disk, the newest. */
  readonly logLimit: number;
}

/** How a program ended: by its own status, or by a signal's number (0 for none). */
export interface Exit {
  readonly code: number;
  readonly signal: number;
  /** Set where it ended with what held its terminal: how, nobody saw. */
  readonly isLost?: boolean;
}

/** A running program. Output arrives as raw bytes; `onExit` fires once, after the last of it. */
export interface PtyProcess {
  /** 0 until it has started. */
  readonly pid: number;
  /** Rejects with CodedError where the program could not be started; `onExit` fires then too. */
  readonly started: Promise<void>;
  readonly onData: Event<Uint8Array>;
  readonly onExit: Event<Exit>;
  /** Behind the last byte given to `onData`, counted over all output of its session. */
  readonly offset: number;
  /** Queues input for the program; false where MAX_PENDING_INPUT would be exceeded (nothing of it is then written). */
  write(bytes: Uint8Array): boolean;
  resize(size: Size): void;
  /** Sends a signal to the program's process group. Harmless once it has ended. */
  kill(signal: NodeJS.Signals): void;
}

/** Starts programs. Throws CodedError `failed` where the program or directory cannot be used. */
export interface PtyHost {
  spawn(spec: SessionSpawnSpec): PtyProcess;
}

/**
 * 16 MiB of input that a program has not read: larger than any paste, small enough to hold for several stopped
 * programs at once.
 */
export const MAX_PENDING_INPUT = 16 * 1024 * 1024;
