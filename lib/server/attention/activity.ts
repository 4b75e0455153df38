/**
 * What follows from a session's output besides its screen: names of programs and windows, and who is told of it.
 */
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord, Terminal } from '../../model/types.ts';
import type { PaneSignal } from '../../term/screen-view.ts';

/** A program's name is looked up this long after output began: it has started what it starts by then. */
const NAME_MS = 150;
/** And once more so long after that: on a busy machine a silent program starts later, and then nothing tells of it. */
const AGAIN_MS = 850;

/** Characters of a program's name that are kept: the kernel itself keeps 15, a path may end in more. */
const MAX_NAME = 40;

export interface ActivityPorts {
  readonly clock: Clock;
  readonly model: Model;
  autoName(): boolean;
  /** The program in the foreground has been looked up; '' where the system does not tell. */
  named(session: SessionRecord): void;
  /** The screen of a session's pane has changed. */
  output(session: SessionRecord): void;
  /** A screen that was held is whole: see Terminal.onRelease. */
  released(session: SessionRecord): void;
  signal(session: SessionRecord, signal: PaneSignal): void;
  /** Output has ended for now. */
  quiet(session: SessionRecord): void;
}

export class Activity implements Disposable {
  readonly #ports: ActivityPorts;
  readonly #watched = new Map<
    SessionRecord,
    { readonly terminal: Terminal; readonly own: DisposableStore }
  >();
  readonly #naming = new Map<SessionRecord, Disposable>();
  readonly #again = new Map<SessionRecord, Disposable>();

  constructor(ports: ActivityPorts) {
    this.#ports = ports;
  }

  /** Follows a session's current terminal; one that is followed already is left alone. */
  follow(session: SessionRecord): void {
    const { terminal } = session;
    if (!terminal || this.#watched.get(session)?.terminal === terminal) return;
    this.#unwatch(session);
    const own = new DisposableStore();
    this.#watched.set(session, { terminal, own });
    own.add(terminal.onOutput(() => this.#output(session)));
    own.add(terminal.onRelease(() => this.#ports.released(session)));
    own.add(terminal.onSignal(signal => this.#ports.signal(session, signal)));
    own.add(terminal.onExit(() => this.#unwatch(session)));
  }

  /** Lets a deleted session go: its program may still run, but nobody is told of its end any more. */
  forget(session: SessionRecord): void {
    this.#unwatch(session);
    for (const timers of [this.#naming, this.#again]) {
      timers.get(session)?.dispose();
      timers.delete(session);
    }
  }

  dispose(): void {
    for (const session of [...this.#watched.keys(), ...this.#naming.keys(), ...this.#again.keys()])
      this.forget(session);
  }

  #unwatch(session: SessionRecord): void {
    this.#watched.get(session)?.own.dispose();
    this.#watched.delete(session);
  }

  #output(session: SessionRecord): void {
    const { clock } = this.#ports;
    this.#ports.output(session);
    if (!this.#naming.has(session)) {
      this.#naming.set(
        session,
        clock.after(NAME_MS, () => this.#nameTwice(session)),
      );
    }
  }

  #nameTwice(session: SessionRecord): void {
    this.#naming.delete(session);
    this.#name(session);
    this.#again.get(session)?.dispose();
    const again = this.#ports.clock.after(AGAIN_MS, () => {
      this.#again.delete(session);
      this.#name(session);
      this.#ports.quiet(session);
    });
    this.#again.set(session, again);
  }

  /** Looks up the program in the foreground; a window is named after that of its focused pane. */
  #name(session: SessionRecord): void {
    const { model } = this.#ports;
    const path = session.exit ? '' : (session.terminal?.foreground() ?? '');
    const name = path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/^-/, '')
      .slice(0, MAX_NAME);
    if (!name) return;
    model.sessions.setProgram(session, name);
    this.#ports.named(session);
    const pane = model.windows.paneOf(session.id);
    if (!pane || !this.#ports.autoName()) return;
    const window = model.windows.windowOf(pane);
    if (window.active === pane.id) model.windows.setAutoName(window, name);
  }
}
