/**
 * What programs say beyond their screens: bells, notifications, clipboards, directories.
 */
import type { Progress, SessionRecord } from '../model/types.ts';
import type { PaneSignal } from '../term/screen-view.ts';

/** What signals lead to. */
export interface SignalPorts {
  bell(): void;
  /** The session waits for a person. */
  needs(session: SessionRecord, reason: string): void;
  copy(session: SessionRecord, data: Uint8Array): void;
  progress(session: SessionRecord, progress: Progress | undefined): void;
  /** The session's pane shows an attached terminal of that mark. */
  client(mark: string): void;
  titleChanged(): void;
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
    ports.needs(session, 'bell');
  },
  notify: (ports, session, { title, body }) =>
    ports.needs(session, [title, body].filter(Boolean).join(': ') || 'notification'),
  clipboard: (ports, session, { data }) => ports.copy(session, data),
  title: ports => ports.titleChanged(),
  cwd: (ports, session) => ports.directoryChanged(session),
  client: (ports, _session, { id }) => ports.client(id),
  progress(ports, session, { state, percent }) {
    const name = PROGRESS[state];
    ports.progress(session, name && { state: name, percent });
    if (name === 'error') ports.needs(session, 'its progress ended in an error');
  },
  // The screen keeps where prompts are.
  prompt: () => undefined,
};

/** Carries out one signal of a session's program. */
export function handleSignal(ports: SignalPorts, session: SessionRecord, signal: PaneSignal): void {
  (HANDLERS[signal.type] as (ports: SignalPorts, session: SessionRecord, signal: PaneSignal) => void)(
    ports,
    session,
    signal,
  );
}
