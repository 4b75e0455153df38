/**
 * Keeps what sessions show of their states up to date: takes in what is seen, looks at screens after output, and asks
 * again when time alone may have changed something.
 */
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord } from '../../model/types.ts';
import { withoutClaims, type Evidence } from '../../status/evidence.ts';
import { hasProfile, profileOf } from '../../status/profiles.ts';
import { afterForeground, afterScreen, afterTitle, isShell } from '../../status/signals.ts';
import type { Decision } from '../../status/types.ts';
import { captureLines } from '../../term/text-dump.ts';

/** A screen is looked at this long after output began: programs have drawn it whole by then, and a person sees no delay. */
const LOOK_MS = 120;
/**
 * After output the state is asked this long later: behind the frame that shows the output, which a person waits for
 * when it is the echo of a key.
 */
const ASK_MS = 4;
/** Longest timer of Node: 2^31 - 1 ms. */
const TIMER_MAX_MS = 0x7fffffff;

export interface StatusPorts {
  readonly clock: Clock;
  readonly model: Model;
  /** A session shows another state, or needs a person for another reason. */
  changed(session: SessionRecord, before: SessionRecord['shown'], decision: Decision): void;
}

/** What is kept for one session. */
interface Watched {
  profile: string;
  look: Disposable | undefined;
  ask: Disposable | undefined;
  again: Disposable | undefined;
}

export class StatusWatch implements Disposable {
  readonly #ports: StatusPorts;
  readonly #watched = new Map<SessionRecord, Watched>();

  constructor(ports: StatusPorts) {
    this.#ports = ports;
  }

  /** A session's program has written something. */
  output(session: SessionRecord): void {
    const own = this.#own(session);
    own.look ??= this.#ports.clock.after(LOOK_MS, () => {
      own.look = undefined;
      this.#look(session);
    });
    if (session.shown.status === 'working') return;
    own.ask ??= this.#ports.clock.after(ASK_MS, () => {
      own.ask = undefined;
      this.check(session);
    });
  }

  /** The program in the foreground has been looked up. */
  named(session: SessionRecord): void {
    // It is looked up for a moment: the session may be gone by now.
    if (this.#ports.model.sessions.get(session.id) !== session) return;
    if (isShellSession(session)) {
      const isFullScreen = session.terminal?.view.modes.alternateScreen === true;
      this.tells(session, (seen, now) => afterForeground(seen, session.program, isFullScreen, now));
    }
    this.#look(session);
  }

  title(session: SessionRecord, title: string): void {
    this.tells(session, (seen, now) => afterTitle(seen, title, this.#profile(session), now));
  }

  /** Takes in what has been seen of a session. */
  tells(session: SessionRecord, after: (evidence: Evidence, now: number) => Evidence): void {
    const { model, clock } = this.#ports;
    if (session.exit || !session.terminal) return;
    const evidence = after(session.evidence, clock.now());
    if (evidence === session.evidence) return;
    model.sessions.setEvidence(session, evidence);
    this.check(session);
  }

  /** Shows the state as it is now. */
  check(session: SessionRecord): void {
    const { model, clock } = this.#ports;
    if (model.sessions.get(session.id) !== session) return this.forget(session);
    const own = this.#own(session);
    const before = session.shown;
    const decision = model.sessions.decision(session);
    own.again?.dispose();
    const wait = decision.until - clock.now();
    own.again = wait < TIMER_MAX_MS ? clock.after(Math.max(1, wait), () => this.check(session)) : undefined;
    if (model.sessions.noteShown(session, decision)) this.#ports.changed(session, before, decision);
  }

  forget(session: SessionRecord): void {
    const own = this.#watched.get(session);
    own?.look?.dispose();
    own?.ask?.dispose();
    own?.again?.dispose();
    this.#watched.delete(session);
  }

  dispose(): void {
    for (const session of this.#watched.keys()) this.forget(session);
  }

  #own(session: SessionRecord): Watched {
    const found = this.#watched.get(session);
    if (found) return found;
    const own: Watched = { profile: profileName(session), look: undefined, ask: undefined, again: undefined };
    this.#watched.set(session, own);
    return own;
  }

  #profile(session: SessionRecord): ReturnType<typeof profileOf> {
    return profileOf(profileName(session), session.isAi);
  }

  /** Reads the screen; where another program is in front, what the one before showed counts no more. */
  #look(session: SessionRecord): void {
    const view = session.terminal?.view;
    if (!view || session.exit) return;
    const own = this.#own(session);
    const name = profileName(session);
    const isOther = name !== own.profile;
    own.profile = name;
    const profile = this.#profile(session);
    const screen = { rows: captureLines(view, { start: 0, end: view.rows - 1 }), cursor: view.cursor };
    this.tells(session, (seen, now) => {
      const rest = isOther ? withoutClaims(seen, ['hook', 'state', 'title', 'screen']) : seen;
      return afterScreen(afterTitle(rest, view.title, profile, now), screen, profile, now);
    });
  }
}

/** Whose tables a session is read by: its agent's, or those of the agent that runs in its shell; '' for none. */
function profileName(session: SessionRecord): string {
  const own = [session.agent, basename(session.launch.argv[0] ?? '')];
  const names = session.isAi ? own : [...own, session.program];
  return names.find(hasProfile) ?? '';
}

/** Whether it is a person's shell, and no command line that ends. */
function isShellSession({ isAi, launch: { argv } }: SessionRecord): boolean {
  return !isAi && isShell(basename(argv[0] ?? '')) && !argv.includes('-c');
}
