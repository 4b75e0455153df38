/**
 * Taking over the programs that an earlier server has left in the PTY host: each gets its session and its screen back.
 */
import type { Size } from '../../base/geometry.ts';
import type { Logger } from '../../base/log.ts';
import { lastRun, readRunEvents } from '../../pty/log/run-events.ts';
import type { RunningPty } from '../../pty/remote-host.ts';
import type { SavedSession } from '../../model/saved.ts';
import { newRecord } from '../../model/new-record.ts';
import { newRunState } from '../../model/run-state.ts';
import type { SessionId, SessionRecord } from '../../model/types.ts';
import { CheckpointError } from '../../term/checkpoint/error.ts';
import { Emulator, type EmulatorOptions } from '../../term/emulator.ts';
import type { SessionLogs } from './session-logs.ts';
import { replayScreen } from './screen-replay.ts';
import { SessionTerminal } from './session-terminal.ts';

/** Output that a last screen is made from: more than any screen holds, and parsed while a person does not notice. */
const LAST_SCREEN_BYTES = 2 * 1024 * 1024;

export interface AdoptionPorts {
  readonly running: readonly RunningPty[];
  readonly logs: SessionLogs;
  readonly logger: Logger;
  /** How screens are made, but for their size. */
  readonly emulator: () => Omit<EmulatorOptions, 'cols' | 'rows'>;
}

export class Adoption {
  readonly #ports: AdoptionPorts;
  readonly #left: Map<string, RunningPty>;

  constructor(ports: AdoptionPorts) {
    this.#ports = ports;
    // By order of start: where a session was started again it is the last that counts.
    this.#left = new Map(ports.running.map(running => [running.session, running]));
  }

  /**
   * The terminal of a session whose program the host has, undefined where it has none. One that ended while no server
   * was there tells so at once, or has its end noted in the record.
   */
  terminal(session: SessionRecord): SessionTerminal | undefined {
    const running = this.#left.get(session.id);
    if (!running) return this.#noteEnd(session);
    this.#left.delete(session.id);
    return this.#take(running, session.size);
  }

  /** What the host has and no session was found for. */
  get strays(): readonly RunningPty[] {
    return [...this.#left.values()];
  }

  /** The screen that a session's program left, as far as its log holds it; undefined where none can be had. */
  lastScreen({ id }: SessionRecord): Emulator | undefined {
    return this.#readable(id, () => {
      const run = lastRun(readRunEvents(this.#ports.logs.folder(id)))[0];
      return run && this.#replay(id, run.offset, LAST_SCREEN_BYTES).emulator;
    });
  }

  #take({ session, start, process }: RunningPty, size: Size): SessionTerminal {
    const { logger, emulator: options } = this.#ports;
    const made = this.#readable(session, () => this.#replay(session, start));
    const { emulator, offset } = made ?? { emulator: new Emulator({ ...options(), ...size }), offset: start };
    const terminal = new SessionTerminal(process, emulator, logger);
    terminal.resize(size);
    process.follow(offset);
    return terminal;
  }

  #replay(session: string, start: number, most = Infinity): ReturnType<typeof replayScreen> {
    const { logs, logger, emulator: options } = this.#ports;
    return replayScreen({
      folder: logs.folder(session),
      start,
      most,
      checkpoint: logs.checkpoint(session),
      make: atFirst => new Emulator({ ...options(), ...atFirst }),
      restore: bytes => {
        try {
          return Emulator.restore(bytes, options());
        } catch (error) {
          if (!(error instanceof CheckpointError)) throw error;
          logger.log('warn', 'screen made from the log alone', { session, error: error.message });
          return undefined;
        }
      },
    });
  }

  /** What a log gives; undefined where it cannot be read: one bad file must keep nobody from all the other sessions. */
  #readable<T>(session: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#ports.logger.log('error', 'log cannot be read', { session, error });
      return undefined;
    }
  }

  #noteEnd(session: SessionRecord): undefined {
    const folder = this.#ports.logs.folder(session.id);
    const end = this.#readable(session.id, () => lastRun(readRunEvents(folder)).at(-1));
    if (end?.type !== 'exit') return;
    session.endedAt = end.at;
    if (end.by === 'shutdown') session.stopReason = 'shutdown';
    else session.exit = { code: end.code, signal: end.signal };
  }
}

/**
 * A session for a program that no state knows, as `known` says who it is; else by a name that says little, which is
 * better than a program that nobody can reach.
 */
export function strayRecord(
  { session, argv, cwd, size }: Pick<RunningPty, 'session' | 'argv' | 'cwd' | 'size'>,
  known: SavedSession | undefined,
  now: number,
): SessionRecord {
  if (known) {
    const { runs: _, ...kept } = known;
    return { ...kept, creating: false, size, ...newRunState(now) };
  }
  const program = {
    name: `found-${session}`,
    agent: '',
    isAi: false,
    durable: true,
    launch: { argv, cwd, env: {} },
  };
  return newRecord(program, { id: session as SessionId, name: program.name, size, now });
}
