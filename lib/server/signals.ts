/**
 * What programs say beyond their screens: bells, notifications, clipboards, directories.
 */
import type { SessionRecord } from '../model/types.ts';
import type { PaneSignal } from '../term/screen-view.ts';

/** What signals lead to. */
export interface SignalPorts {
  bell(): void;
  /** The session waits for a person. */
  needs(session: SessionRecord, reason: string): void;
  copy(session: SessionRecord, data: Uint8Array): void;
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
  // Progress and prompt marks change nothing that is shown yet.
  progress: () => undefined,
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
