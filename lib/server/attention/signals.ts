/**
 * What programs say beyond their screens: bells, notifications, clipboards, directories.
 */
import type { Progress, SessionRecord } from '../../model/types.ts';
import type { Evidence } from '../../status/evidence.ts';
import { afterProgress, afterPrompt, afterState } from '../../status/signals.ts';
import type { Need } from '../../status/types.ts';
import type { PaneSignal } from '../../term/screen-view.ts';

/** What signals lead to. */
export interface SignalPorts {
  bell(): void;
  /** The session waits for a person: why, what for, and by which sign. */
  needs(session: SessionRecord, reason: string, mark: { readonly need: Need; readonly by: string }): void;
  /** Something that tells the session's state: what is known of it afterwards. */
  tells(session: SessionRecord, after: (evidence: Evidence, now: number) => Evidence): void;
  /** The title, which some agents keep their state in. */
  title(session: SessionRecord, title: string): void;
  copy(session: SessionRecord, data: Uint8Array): void;
  progress(session: SessionRecord, progress: Progress | undefined): void;
  /** The session's pane shows an attached terminal of that mark. */
  client(mark: string): void;
  directoryChanged(session: SessionRecord): void;
}

type Handlers = {
  readonly [T in PaneSignal['type']]: (
    ports: SignalPorts,
    session: SessionRecord,
    signal: Extract<PaneSignal, { type: T }>,
  ) => void;
};

/** States of OSC 9;4 (ConEmu); 0 is none. */
const PROGRESS: Readonly<Record<number, Progress['state']>> = {
  1: 'normal',
  2: 'error',
  3: 'unknown',
  4: 'paused',
};

const HANDLERS: Handlers = {
  bell(ports, session) {
    ports.bell();
    ports.needs(session, 'bell', { need: 'question', by: 'BEL' });
  },
  notify: (ports, session, { title, body }) =>
    ports.needs(session, [title, body].filter(Boolean).join(': ') || 'notification', {
      need: 'question',
      by: 'a notification (OSC 9, 99 or 777)',
    }),
  clipboard: (ports, session, { data }) => ports.copy(session, data),
  title: (ports, session, { title }) => ports.title(session, title),
  state: (ports, session, { state }) => ports.tells(session, (seen, now) => afterState(seen, state, now)),
  cwd: (ports, session) => ports.directoryChanged(session),
  client: (ports, _session, { id }) => ports.client(id),
  progress(ports, session, { state, percent }) {
    const name = PROGRESS[state];
    ports.progress(session, name && { state: name, percent });
    ports.tells(session, (seen, now) => afterProgress(seen, state, now));
    if (name === 'error')
      ports.needs(session, 'its progress ended in an error', { need: 'error', by: 'OSC 9;4;2' });
  },
  prompt: (ports, session, { mark }) => ports.tells(session, (seen, now) => afterPrompt(seen, mark, now)),
};

/** Carries out one signal of a session's program. */
export function handleSignal(ports: SignalPorts, session: SessionRecord, signal: PaneSignal): void {
  (HANDLERS[signal.type] as (ports: SignalPorts, session: SessionRecord, signal: PaneSignal) => void)(
    ports,
    session,
    signal,
  );
}
