/**
 * The root of the state. All changes go through Sessions and Windows; this keeps the two in step: a session's
 * terminal has the size of the pane that shows it, and what goes away on one side goes away on the other.
 */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { Sessions } from './sessions.ts';
import type { ModelEvent, PaneRecord, SessionRecord, TerminalFactory, WindowRecord } from './types.ts';
import { Windows } from './windows.ts';

export interface ModelPorts {
  readonly clock: Clock;
  /** A short random id, letters and digits. */
  readonly newId: () => string;
  readonly start: TerminalFactory;
  readonly baseIndex: () => number;
  /** renumber-windows: whether the gap is closed when a window goes. */
  readonly renumber: () => boolean;
  /** remain_on_exit: what becomes of a pane whose program has ended. */
  readonly remainOnExit: () => 'on' | 'off' | 'failed';
}

export class Model {
  readonly #emitter = new Emitter<ModelEvent>();
  readonly onEvent = this.#emitter.event;
  readonly sessions: Sessions;
  readonly windows: Windows;
  readonly #ports: ModelPorts;

  constructor(ports: ModelPorts) {
    this.#ports = ports;
    this.windows = new Windows({
      changed: () => this.#layoutChanged(),
      baseIndex: ports.baseIndex,
      renumber: ports.renumber,
    });
    const fire = (type: 'session-created' | 'session-changed') => (session: SessionRecord) =>
      this.#emitter.fire({ type, session });
    this.sessions = new Sessions({
      clock: ports.clock,
      newId: ports.newId,
      start: ports.start,
      events: {
        created: fire('session-created'),
        changed: fire('session-changed'),
        exited: session => this.#exited(session),
        deleted: session => this.#deleted(session),
      },
    });
  }

  get now(): number {
    return this.#ports.clock.now();
  }

  sessionOf(pane: PaneRecord): SessionRecord {
    return this.sessions.get(pane.session)!;
  }

  /**
   * Closes a pane. Its program is ended; a durable session stays listed as stopped, any other is forgotten.
   */
  closePane(pane: PaneRecord): void {
    const session = this.sessionOf(pane);
    this.windows.remove(pane);
    if (!session.durable) return this.sessions.delete(session);
    this.sessions.stopping(session, 'user');
    session.terminal?.kill('SIGHUP');
  }

  closeWindow(window: WindowRecord): void {
    for (const pane of this.windows.panesIn(window)) this.closePane(pane);
  }

  /** Nothing is left that runs or that a person named, deleted or not: what can be restored needs a server. */
  get isEmpty(): boolean {
    return this.sessions.every().every(session => session.deletedAt !== undefined && !session.durable);
  }

  #layoutChanged(): void {
    for (const pane of this.windows.panes()) {
      const session = this.sessions.get(pane.session);
      if (session) this.sessions.resize(session, this.windows.paneSize(pane));
    }
    this.#emitter.fire({ type: 'layout' });
  }

  #exited(session: SessionRecord): void {
    this.#emitter.fire({ type: 'session-exited', session });
    if (session.deletedAt !== undefined) return;
    const remain = this.#ports.remainOnExit();
    const failed = session.exit !== undefined && (session.exit.code !== 0 || session.exit.signal !== 0);
    const remains = remain === 'on' || (remain === 'failed' && failed);
    if (remains && (failed || !session.isViewer)) return;
    const pane = this.windows.paneOf(session.id);
    if (pane) this.windows.remove(pane);
    if (!session.durable) this.sessions.delete(session);
  }

  #deleted(session: SessionRecord): void {
    const pane = this.windows.paneOf(session.id);
    if (pane) this.windows.remove(pane);
    this.#emitter.fire({ type: 'session-deleted', session });
  }
}
