/**
 * Facts about a session that its state is decided by.
 */
import type { Facts } from '../status/decide.ts';
import { hasProfile } from '../status/profiles.ts';
import type { Claim } from '../status/types.ts';
import type { SessionRecord, StopReason } from './types.ts';

/** What of a session decides its state besides what has been seen of it. */
export function factsOf(session: SessionRecord): Facts {
  const { terminal, attention } = session;
  return {
    exit: exitOf(session),
    hasProgram: terminal !== undefined || session.creating,
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

/** Ends that somebody wanted: whatever status the program leaves then is no failure of it. */
const WANTED: ReadonlySet<StopReason> = new Set(['user', 'idle', 'shutdown', 'delete', 'quit']);

function exitOf({ exit, endedAt, createdAt, stopReason, terminal }: SessionRecord): Facts['exit'] {
  // No program of it was ever started, or each start has failed.
  if (stopReason === 'interrupted' && !terminal)
    return { isFailure: true, text: 'its creation was interrupted', at: createdAt };
  if (!exit) return undefined;
  const hasFailed = exit.code !== 0 || exit.signal !== 0;
  return {
    isFailure: stopReason === 'watchdog' || (hasFailed && !WANTED.has(stopReason)),
    text: endText(exit, stopReason),
    at: endedAt ?? createdAt,
  };
}

/** How a program ended; one whose host has died was hung up by that, which explains nothing to anybody. */
function endText(exit: NonNullable<SessionRecord['exit']>, stopReason: StopReason): string {
  if (stopReason === 'lost') return 'lost: the process that ran it has died';
  return exit.signal ? `ended by signal ${exit.signal}` : `exit ${exit.code}`;
}
