/**
 * What the server does for commands that drive sessions.
 */
import type { DrivePort, LogChange, LogSource } from '../../cmd/drive-port.ts';
import { logRange, readLog } from '../../pty/log/log-reader.ts';
import { RunEventReader, type RunEvent } from '../../pty/log/run-events.ts';
import { patientMatcher } from './bounded-match.ts';
import type { MuxServer } from '../server.ts';
import { Typist } from './typist.ts';

/** A script's pattern may hold the server up so long, and three times before it is given up: nobody sees it. */
const MATCH_MS = 25;

/** The port of one server. */
export function drivePort(server: MuxServer): DrivePort {
  const { clock, logs, settings } = server.parts;
  const typist = new Typist({ clock, agents: () => settings.config.agents });
  const matcher = patientMatcher(MATCH_MS);
  return {
    type: (session, text, how) => typist.type(session, text, how),
    interrupt: session => typist.interrupt(session),
    match(pattern, lines) {
      const found = matcher(pattern, lines);
      return found && (lines[found.findIndex(matches => matches.length > 0)] ?? '');
    },
    log: session => logSource(logs.folder(session.id)),
    journal: server.journal,
  };
}

function logSource(folder: string): LogSource {
  const reader = new RunEventReader(folder);
  let events: readonly RunEvent[] = [];
  let changes: readonly LogChange[] = [];
  return {
    range: () => logRange(folder),
    read: (from, max) => readLog(folder, from, max),
    changes() {
      const now = reader.read();
      if (now !== events) changes = changesOf(now);
      events = now;
      return changes;
    },
  };
}

function changesOf(events: readonly RunEvent[]): LogChange[] {
  return events.flatMap(event =>
    event.type === 'exit'
      ? []
      : [{ offset: event.offset, cols: event.cols, rows: event.rows, isStart: event.type === 'start' }],
  );
}
