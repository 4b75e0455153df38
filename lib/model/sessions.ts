/**
 * Sessions: creating, starting, ending, naming.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { Size } from '../base/geometry.ts';
import type {
  ExitStatus,
  Launch,
  Place,
  Progress,
  SessionId,
  SessionRecord,
  SessionStatus,
  Terminal,
  TerminalFactory,
} from './types.ts';

/** Output within this time means working: agents that think redraw a spinner several times a second. */
export const WORKING_MS = 1500;
/** Output that follows a key this soon is its echo, no work: typing must not make marks blink. */
const ECHO_MS = 200;

/** What `createSession` is told. `name` is made unique; an empty one comes from the program. */
export interface NewSession {
  readonly name: string;
  readonly agent: string;
  readonly isAi: boolean;
  readonly durable: boolean;
  readonly isViewer?: boolean;
  readonly launch: Launch;
  readonly role?: string;
  readonly model?: string;
  readonly labels?: readonly string[];
  readonly parentId?: SessionId | '';
  readonly place?: Place;
  /** The agent's own id of its conversation, where its arguments carry one. */
  readonly conversationId?: string;
  /** The pane that will show it, as `%N`: told to the program; '' or absent if none will. */
  readonly pane?: string;
}

/** What sessions tell their owner. */
export interface SessionEvents {
  created(session: SessionRecord): void;
  changed(session: SessionRecord): void;
  exited(session: SessionRecord): void;
  deleted(session: SessionRecord): void;
}

export class Sessions {
  readonly #byId = new Map<SessionId, SessionRecord>();
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #start: TerminalFactory;
  readonly #events: SessionEvents;

  constructor(ports: { clock: Clock; newId: () => string; start: TerminalFactory; events: SessionEvents }) {
    this.#clock = ports.clock;
    this.#newId = ports.newId;
    this.#start = ports.start;
    this.#events = ports.events;
  }

  /** In order of creation. */
  all(): readonly SessionRecord[] {
    return [...this.#byId.values()];
  }

  get(id: string): SessionRecord | undefined {
    return this.#byId.get(id as SessionId);
  }

  byName(name: string): SessionRecord | undefined {
    return this.all().find(session => session.name === name);
  }

  /** Creates and starts; on failure nothing of it remains. Throws CodedError. */
  create(spec: NewSession, size: Size): SessionRecord {
    if (spec.durable && this.byName(spec.name)) {
      throw new CodedError(
        'failed',
        `session ${spec.name}: a session of this name exists`,
        'choose another name',
      );
    }
    const session: SessionRecord = {
      id: this.#freshId(),
      name: spec.durable ? spec.name : this.#freshName(spec.name || spec.agent),
      agent: spec.agent,
      isAi: spec.isAi,
      durable: spec.durable,
      isViewer: spec.isViewer ?? false,
      launch: spec.launch,
      role: spec.role ?? '',
      model: spec.model ?? '',
      labels: spec.labels ?? [],
      starred: false,
      parentId: spec.parentId ?? '',
      place: spec.place ?? { kind: 'plain' },
      stopReason: '',
      deletedAt: undefined,
      expiresAt: undefined,
      conversationId: spec.conversationId ?? '',
      pane: spec.pane ?? '',
      createdAt: this.#clock.now(),
      lastOutputAt: undefined,
      lastWorkAt: -Infinity,
      lastInputAt: -Infinity,
      program: '',
      attention: '',
      progress: undefined,
      summary: '',
      terminal: undefined,
      size,
      exit: undefined,
      endedAt: undefined,
    };
    this.#launch(session, size);
    this.#byId.set(session.id, session);
    this.#events.created(session);
    return session;
  }

  /**
   * Puts a session of an earlier process in place, with its terminal where its program still runs. Its id must be
   * free. Returns its name, which is another one where a session has that already.
   */
  restore(session: SessionRecord): string {
    session.name = this.#freshName(session.name);
    if (session.terminal) this.#follow(session, session.terminal);
    this.#byId.set(session.id, session);
    this.#events.created(session);
    return session.name;
  }

  /** Starts an ended session's program again, in place; a running one is left alone. */
  restart(session: SessionRecord, size: Size): void {
    if (runs(session)) return;
    const old = session.terminal;
    // First of all, since it may fail: the session then is what it was.
    this.#launch(session, size);
    session.exit = undefined;
    session.endedAt = undefined;
    session.stopReason = '';
    session.lastOutputAt = undefined;
    old?.dispose();
    this.#events.changed(session);
  }

  resize(session: SessionRecord, size: Size): void {
    if (session.size.cols === size.cols && session.size.rows === size.rows) return;
    session.size = size;
    // Programs draw themselves anew then: that is an echo too, no work.
    session.lastInputAt = this.#clock.now();
    session.terminal?.resize(size);
  }

  rename(session: SessionRecord, name: string): void {
    const other = this.byName(name);
    if (other && other !== session) {
      throw new CodedError('failed', `session ${name}: a session of this name exists`, 'choose another name');
    }
    session.name = name;
    this.#events.changed(session);
  }

  setAttention(session: SessionRecord, reason: string): void {
    if (session.attention === reason) return;
    session.attention = reason;
    this.#events.changed(session);
  }

  setProgress(session: SessionRecord, progress: Progress | undefined): void {
    const before = session.progress;
    if (before?.state === progress?.state && before?.percent === progress?.percent) return;
    session.progress = progress;
    this.#events.changed(session);
  }

  setProgram(session: SessionRecord, program: string): void {
    if (session.program === program) return;
    session.program = program;
    this.#events.changed(session);
  }

  /** A person typed: what comes back at once is an echo, and the session needs nobody any more. */
  typed(session: SessionRecord): void {
    session.lastInputAt = this.#clock.now();
    this.setAttention(session, '');
  }

  /** Ends the program if it runs and forgets the session. */
  delete(session: SessionRecord): void {
    if (!this.#byId.delete(session.id)) return;
    if (session.terminal && !session.exit) session.terminal.kill('SIGHUP');
    session.terminal?.dispose();
    session.terminal = undefined;
    this.#events.deleted(session);
  }

  /** State as of `now`. */
  status(session: SessionRecord): SessionStatus {
    if (session.exit) return session.exit.code === 0 && session.exit.signal === 0 ? 'stopped' : 'failed';
    if (!session.terminal) return 'stopped';
    if (session.lastOutputAt === undefined) return 'starting';
    return this.#clock.now() - session.lastWorkAt < WORKING_MS ? 'working' : 'ready';
  }

  #launch(session: SessionRecord, size: Size): void {
    const terminal = this.#start(session, size);
    session.size = size;
    session.terminal = terminal;
    this.#follow(session, terminal);
  }

  #follow(session: SessionRecord, terminal: Terminal): void {
    terminal.onOutput(() => {
      const now = this.#clock.now();
      session.lastOutputAt = now;
      if (now - session.lastInputAt >= ECHO_MS) session.lastWorkAt = now;
    });
    terminal.onExit(exit => this.#ended(session, terminal, exit));
  }

  /** A late report of a program that has been replaced, or of a deleted session, changes nothing. */
  #ended(session: SessionRecord, terminal: unknown, exit: ExitStatus): void {
    if (session.terminal !== terminal || !this.#byId.has(session.id)) return;
    session.exit = exit;
    session.progress = undefined;
    session.endedAt = this.#clock.now();
    this.#events.exited(session);
  }

  #freshId(): SessionId {
    for (;;) {
      const id = this.#newId() as SessionId;
      if (!this.#byId.has(id)) return id;
    }
  }

  #freshName(base: string): string {
    if (!this.byName(base)) return base;
    for (let n = 2; ; n++) {
      if (!this.byName(`${base}-${n}`)) return `${base}-${n}`;
    }
  }
}

/** Whether a session's program runs. */
export function runs(session: Pick<SessionRecord, 'terminal' | 'exit'>): boolean {
  return session.terminal !== undefined && session.exit === undefined;
}

/** Where a session's program works, as far as known; else where it was started. */
export function directoryOf(session: SessionRecord): string {
  return session.terminal?.cwd() || session.launch.cwd;
}

/** Checks a name that a person gives: it must be safe in a target, a path and a status line. Throws CodedError. */
export function checkSessionName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}$/u.test(name)) return;
  throw new CodedError(
    'usage',
    `session name '${name.replace(/[\p{Cc}\p{Cf}]/gu, '?')}': it may hold letters, digits, . _ + - and is 1 to 64 characters long, beginning with a letter or digit`,
    `try '${
      name
        .replace(/[^\p{L}\p{N}._+-]+/gu, '-')
        .replace(/^[^\p{L}\p{N}]+|-+$/gu, '')
        .slice(0, 64) || 'agent'
    }'`,
  );
}
