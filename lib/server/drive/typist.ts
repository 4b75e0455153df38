/**
 * Typing for scripts: text and Enter as a person would give them, and never into what a person is typing.
 */
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { TypeOptions } from '../../cmd/drive-port.ts';
import type { Agent } from '../../config/agents.ts';
import { encodeKey } from '../../input/encoder.ts';
import { parseKey } from '../../input/keyname.ts';
import { encodePaste } from '../../input/paste.ts';
import type { SessionRecord, Terminal } from '../../model/types.ts';
import type { TermModes } from '../../term/screen-view.ts';

/** Nobody pauses longer within a line that is being typed, or has stopped thinking about it then. */
const QUIET_MS = 2000;
/** A person who goes on typing is not waited for longer: scripts must come to their end. */
const QUIET_CEILING_MS = 15_000;
/** Between text and Enter: programs take what comes in one read for a paste, in which Enter is a new line. */
const GAP_MS = 50;
/** A long text is not read in that time: so much longer for each character, up to the maximum. */
const GAP_MS_PER_CHARACTER = 0.02;
const GAP_MAX_MS = 500;
/** A longer text is pasted, where the program takes pastes: typed, every character might redraw a screen. */
const TYPED_MAX = 200;

/** Waiting for one session at most: each may take some 15 s, so that the last of them waits for minutes already. */
const MAX_WAITING = 64;

export interface TypistPorts {
  readonly clock: Clock;
  readonly agents: () => Readonly<Record<string, Agent>>;
}

export class Typist {
  readonly #ports: TypistPorts;
  /** What is being typed into a session: the next one comes after it. */
  readonly #busy = new WeakMap<SessionRecord, { last: Promise<void>; waiting: number }>();

  constructor(ports: TypistPorts) {
    this.#ports = ports;
  }

  /** As DrivePort.type. */
  type(session: SessionRecord, text: string, how: TypeOptions): Promise<void> {
    return this.#alone(session, async () => {
      liveTerminal(session);
      await this.#untilQuiet(session, how.gone);
      if (how.isStill && !how.isStill())
        throw new CodedError('cancelled', `session ${session.name}: nothing was typed`);
      this.#write(session, modes => typed(text, modes));
      if (!how.enter) return;
      const writtenAt = this.#ports.clock.now();
      await this.#pause(Math.min(GAP_MAX_MS, GAP_MS + text.length * GAP_MS_PER_CHARACTER));
      // An agent that shows nothing of it is asleep until something wakes it; drawing anew does no harm.
      if (session.isAi && text !== '' && (session.lastOutputAt ?? 0) < writtenAt) {
        session.terminal?.kill('SIGWINCH');
        await this.#pause(GAP_MS);
      }
      this.#write(session, modes => encodeKey(parseKey('Enter'), modes));
    });
  }

  /** As DrivePort.interrupt. */
  interrupt(session: SessionRecord): Promise<void> {
    const agents = this.#ports.agents();
    const agent = Object.hasOwn(agents, session.agent) ? agents[session.agent] : undefined;
    const key = parseKey(agent?.interrupt_key || 'C-c');
    return this.#alone(session, async () => {
      for (let left = agent?.interrupt_count ?? 1; left > 0; left--) {
        this.#write(session, modes => encodeKey(key, modes));
        if (left > 1) await this.#pause(agent?.interrupt_delay ?? 0);
      }
    });
  }

  async #alone(session: SessionRecord, work: () => Promise<void>): Promise<void> {
    const busy = this.#busy.get(session) ?? { last: Promise.resolve(), waiting: 0 };
    if (busy.waiting >= MAX_WAITING)
      throw new CodedError(
        'failed',
        `session ${session.name}: ${MAX_WAITING} wait to type into it already`,
        'try again later',
      );
    this.#busy.set(session, busy);
    const own = busy.last.then(work);
    busy.waiting++;
    busy.last = own.catch(() => undefined).then(() => void busy.waiting--);
    await own;
  }

  /** Resolves once nobody has typed there for a while, or does not stop. Throws CodedError where the caller is gone. */
  async #untilQuiet(session: SessionRecord, gone: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    const latest = clock.now() + QUIET_CEILING_MS;
    for (;;) {
      const until = Math.min(session.typedAt + QUIET_MS, latest);
      if (until <= clock.now()) break;
      await this.#pause(until - clock.now());
    }
    if (gone.aborted) throw new CodedError('cancelled', `session ${session.name}: nothing was typed`);
  }

  #write(session: SessionRecord, encode: (modes: TermModes) => Uint8Array): void {
    const terminal = liveTerminal(session);
    // Modes of a program that has died would be typed into the shell behind it.
    terminal.dropLeftModes();
    if (terminal.write(encode(terminal.view.modes))) return;
    throw new CodedError('failed', `session ${session.name}: its program does not read its input`);
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => void this.#ports.clock.after(ms, resolve));
  }
}

/** Text as keys, or as a paste where its line ends would otherwise be Enter, or where it is long. */
function typed(text: string, modes: TermModes): Uint8Array {
  const isPaste = modes.bracketedPaste && (text.length > TYPED_MAX || /[\r\n]/.test(text));
  // Line ends become CR either way: it is what Enter sends.
  const plain = isPaste ? modes : { bracketedPaste: false };
  return text === '' ? new Uint8Array(0) : Buffer.concat([...encodePaste([Buffer.from(text)], plain)]);
}

/** Throws CodedError where no program runs. */
function liveTerminal(session: SessionRecord): Terminal {
  if (session.terminal && !session.exit) return session.terminal;
  throw new CodedError(
    'failed',
    `session ${session.name}: its program is stopped`,
    `start it again with 'mux resume ${session.name}'`,
  );
}
