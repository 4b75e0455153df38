/**
 * Sessions: creating, starting, ending, naming.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { Size } from '../base/geometry.ts';
import { decide, WORKING_MS, type Facts } from '../status/decide.ts';
import { NO_EVIDENCE, type Evidence } from '../status/evidence.ts';
import { hasProfile } from '../status/profiles.ts';
import type { Claim, Decision, Need, SessionStatus } from '../status/types.ts';
import { newRunState } from './run-state.ts';
import type {
  ExitStatus,
  Launch,
  Place,
  Progress,
  SessionId,
  SessionRecord,
  Terminal,
  TerminalFactory,
} from './types.ts';

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
    const now = this.#clock.now();
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
      createdAt: now,
      lastOutputAt: undefined,
      program: '',
      attention: '',
      summary: '',
      size,
      exit: undefined,
      endedAt: undefined,
      ...newRunState(now),
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
    session.lastWorkAt = -Infinity;
    session.typedAt = -Infinity;
    session.unseenAt = undefined;
    session.attention = '';
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

  /** Leaves a mark until somebody looks, or takes it away ('').
   *  @param by what left it, for whoever asks why */
  setAttention(
    session: SessionRecord,
    reason: string,
    { need = 'question', by = 'mux attention' }: { readonly need?: Need; readonly by?: string } = {},
  ): void {
    if (session.attention === reason) return;
    session.attention = reason;
    session.attentionNeed = need;
    session.attentionBy = by;
    session.attentionAt = this.#clock.now();
    this.#events.changed(session);
  }

  /** Somebody looks at it: marks and news are seen. */
  seen(session: SessionRecord): void {
    const isNews = session.unseenAt !== undefined;
    session.unseenAt = undefined;
    if (session.attention !== '') this.setAttention(session, '');
    else if (isNews) this.#events.changed(session);
  }

  /** Something has been seen that tells the state. What follows is asked by `decision`. */
  setEvidence(session: SessionRecord, evidence: Evidence): void {
    session.evidence = evidence;
  }

  /** The agent's own id of its conversation has become known. */
  setConversation(session: SessionRecord, id: string): void {
    if (id === '' || session.conversationId === id) return;
    session.conversationId = id;
    this.#events.changed(session);
  }

  /** What it is about, for `ttlMs` of output (Infinity: until it is changed); '' takes it away. */
  setSummary(session: SessionRecord, text: string, ttlMs: number): void {
    session.summary = text;
    session.summaryLeft = ttlMs;
    this.#events.changed(session);
  }

  /** Notes the state as it is now shown; true where it is another than before. */
  noteShown(session: SessionRecord, { status, need }: Pick<Decision, 'status' | 'need'>): boolean {
    const { shown } = session;
    if (shown.status === status && shown.need === need) return false;
    session.shown = { status, need, since: this.#clock.now() };
    this.#events.changed(session);
    return true;
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
    session.typedAt = session.lastInputAt;
    this.seen(session);
  }

  /** Ends the program if it runs and forgets the session. */
  delete(session: SessionRecord): void {
    if (!this.#byId.delete(session.id)) return;
    if (session.terminal && !session.exit) session.terminal.kill('SIGHUP');
    session.terminal?.dispose();
    session.terminal = undefined;
    this.#events.deleted(session);
  }

  /** State as of now. */
  status(session: SessionRecord): SessionStatus {
    return this.decision(session).status;
  }

  /** State as of now, and how it comes about. */
  decision(session: SessionRecord): Decision {
    return decide(session.evidence, factsOf(session), this.#clock.now());
  }

  #launch(session: SessionRecord, size: Size): void {
    const terminal = this.#start(session, size);
    session.size = size;
    session.terminal = terminal;
    session.evidence = NO_EVIDENCE;
    session.firstOutputAt = undefined;
    this.#follow(session, terminal);
  }

  #follow(session: SessionRecord, terminal: Terminal): void {
    terminal.onOutput(() => {
      const now = this.#clock.now();
      if (session.summary !== '') this.#useSummary(session, now - (session.lastOutputAt ?? now));
      session.firstOutputAt ??= now;
      session.lastOutputAt = now;
      if (now - session.lastInputAt >= ECHO_MS) session.lastWorkAt = now;
    });
    terminal.onExit(exit => this.#ended(session, terminal, exit));
  }

  /** A summary holds while nothing is done: only time with output counts. */
  #useSummary(session: SessionRecord, ms: number): void {
    if (ms < WORKING_MS) session.summaryLeft -= ms;
    if (session.summaryLeft <= 0) this.setSummary(session, '', 0);
  }

  /** A late report of a program that has been replaced, or of a deleted session, changes nothing. */
  #ended(session: SessionRecord, terminal: unknown, exit: ExitStatus): void {
    if (session.terminal !== terminal || !this.#byId.has(session.id)) return;
    session.exit = { code: exit.code, signal: exit.signal };
    if (exit.isLost) session.stopReason = 'lost';
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

/** Why a session needs a person, '' where it does not. */
export function attentionOf({ status, need, reason }: Decision): string {
  return status === 'needs-you' ? reason || need || 'it waits' : '';
}

/** What a session is about: its own words, else what its hooks tell that it does; '' if unknown. */
export function summaryOf(session: SessionRecord): string {
  return session.summary || session.evidence.activity;
}

function factsOf(session: SessionRecord): Facts {
  const { exit, terminal, attention } = session;
  return {
    exit: exit && {
      isFailure: exit.code !== 0 || exit.signal !== 0,
      text: exit.signal ? `ended by signal ${exit.signal}` : `exit ${exit.code}`,
      at: session.endedAt ?? session.createdAt,
    },
    hasProgram: terminal !== undefined,
    isFullScreen: terminal?.view.modes.alternateScreen === true,
    tells: session.isAi && hasProfile(session.agent),
    startedAt: session.createdAt,
    firstOutputAt: session.firstOutputAt,
    lastWorkAt: session.lastWorkAt,
    lastInputAt: session.typedAt,
    mark: attention === '' ? undefined : markOf(session),
  };
}

function markOf(session: SessionRecord): Claim {
  return {
    source: 'mark',
    status: 'needs-you',
    need: session.attentionNeed,
    reason: session.attention,
    evidence: session.attentionBy,
    at: session.attentionAt,
    until: Infinity,
  };
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
