/**
 * Sessions: creating, starting, ending, naming.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { Size } from '../base/geometry.ts';
import { decide, WORKING_MS } from '../status/decide.ts';
import { NO_EVIDENCE, type Evidence } from '../status/evidence.ts';
import type { Decision, Need, SessionStatus } from '../status/types.ts';
import { factsOf } from './facts.ts';
import { newRecord } from './new-record.ts';
import type {
  ExitStatus,
  Launch,
  Place,
  Progress,
  SessionId,
  SessionRecord,
  StopReason,
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

  /** Those that are not deleted, in order of creation. */
  all(): readonly SessionRecord[] {
    return this.every().filter(session => session.deletedAt === undefined);
  }

  /** With those that are deleted and can be restored. */
  every(): readonly SessionRecord[] {
    return [...this.#byId.values()];
  }

  /** By id, deleted or not. */
  get(id: string): SessionRecord | undefined {
    return this.#byId.get(id as SessionId);
  }

  /** A deleted one has given its name free. */
  byName(name: string): SessionRecord | undefined {
    return this.all().find(session => session.name === name);
  }

  /** Creates and starts; on failure nothing of it remains. Throws CodedError. */
  create(spec: NewSession, size: Size): SessionRecord {
    const session = this.#record(spec, size);
    this.#launch(session, size);
    this.#byId.set(session.id, session);
    this.#events.created(session);
    return session;
  }

  /** Creates what `begin` starts later, or `delete` takes away; its name is taken from now on. Throws CodedError. */
  reserve(spec: NewSession, size: Size): SessionRecord {
    const session = this.#record(spec, size);
    session.creating = true;
    this.#byId.set(session.id, session);
    this.#events.created(session);
    return session;
  }

  /** Starts a reserved session, shown in `pane` (`%N`, '' for none). Throws CodedError; it is reserved still then. */
  begin(
    session: SessionRecord,
    { launch, place, pane }: Pick<SessionRecord, 'launch' | 'place' | 'pane'>,
  ): void {
    session.launch = launch;
    session.place = place;
    session.pane = pane;
    this.#launch(session, session.size);
    session.creating = false;
    this.#events.changed(session);
  }

  #record(spec: NewSession, size: Size): SessionRecord {
    if (spec.durable && this.byName(spec.name)) {
      throw new CodedError(
        'failed',
        `session ${spec.name}: a session of this name exists`,
        'choose another name',
      );
    }
    const name = spec.durable ? spec.name : this.#freshName(spec.name || spec.agent);
    return newRecord(spec, { id: this.#freshId(), name, size, now: this.#clock.now() });
  }

  /**
   * Puts a session of an earlier process in place, with its terminal where its program still runs. Its id must be
   * free. Returns its name, which is another one where a session has that already.
   */
  restore(session: SessionRecord): string {
    if (session.deletedAt === undefined) session.name = this.#freshName(session.name);
    if (session.terminal) this.#follow(session, session.terminal);
    this.#byId.set(session.id, session);
    this.#events.created(session);
    return session.name;
  }

  /**
   * Starts an ended session's program again, in place; a running one is left alone. `next`: what it runs from now on.
   * Throws CodedError; the session then is what it was.
   */
  restart(
    session: SessionRecord,
    size: Size,
    next: Partial<Pick<SessionRecord, 'launch' | 'conversationId' | 'pane'>> = {},
  ): void {
    if (runs(session)) return;
    const old = session.terminal;
    const { launch, conversationId, pane } = session;
    Object.assign(session, next);
    try {
      this.#launch(session, size);
    } catch (error) {
      Object.assign(session, { launch, conversationId, pane });
      throw error;
    }
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

  /** Its program is about to be ended for this reason; '' where it was not to be ended. */
  stopping(session: SessionRecord, reason: StopReason): void {
    if (!session.terminal || session.exit || session.stopReason === reason) return;
    session.stopReason = reason;
    this.#events.changed(session);
  }

  /** Takes it out of every list; `undelete` brings it back as long as `expiresAt` has not come. */
  softDelete(session: SessionRecord, expiresAt: number): void {
    if (session.deletedAt !== undefined) return;
    session.deletedAt = this.#clock.now();
    session.expiresAt = expiresAt;
    session.attention = '';
    this.#events.changed(session);
  }

  /** Lists a deleted session again, by another name where its own is taken. */
  undelete(session: SessionRecord): void {
    if (session.deletedAt === undefined) return;
    session.name = this.#freshName(session.name);
    session.deletedAt = undefined;
    session.expiresAt = undefined;
    this.#events.changed(session);
  }

  /** All of these at once. The caller has checked them: see checkedUpdate. */
  update(
    session: SessionRecord,
    changes: Partial<Pick<SessionRecord, 'name' | 'starred' | 'parentId' | 'labels' | 'place' | 'launch'>>,
  ): void {
    Object.assign(session, changes);
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

  /** Ends the program if it runs and forgets the session; its children become those of its parent. */
  delete(session: SessionRecord): void {
    if (!this.#byId.delete(session.id)) return;
    for (const child of this.every())
      if (child.parentId === session.id) this.update(child, { parentId: session.parentId });
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
    else if (session.stopReason === '' && session.evidence.isQuit && exit.signal === 0)
      session.stopReason = 'quit';
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

/** Where a session's program works, as far as known; else where it was started. */
export function directoryOf(session: SessionRecord): string {
  return session.terminal?.cwd() || session.launch.cwd;
}
