/**
 * Which events an agent is shown: those of its own session and of those that it has started.
 */
import type { SessionId } from '../model/types.ts';
import { isOwn } from './access.ts';
import type { CommandContext } from './spec.ts';

/** What an event's line tells of whose it is. */
interface Facts {
  readonly session_id?: unknown;
  readonly parent_id?: unknown;
}

/**
 * Leaves of whole JSON lines those that the caller may see. A person's are handed back as they are; an agent is shown
 * nothing that concerns no session. Sessions that are gone are known by the events that tell their parent: whatever it
 * has read of before, and what is said of those whose parent is one of its own.
 */
export function visibleEvents({ model, caller }: CommandContext): (lines: Uint8Array) => Uint8Array {
  const { speaker } = caller;
  if (speaker.isPerson) return lines => lines;
  const own = new Set<unknown>([speaker.session]);
  const sees = (line: string): boolean => {
    const { session_id, parent_id } = factsOf(line);
    if (typeof session_id !== 'string' || session_id === '') return false;
    const session = model.sessions.get(session_id as SessionId);
    // What it is now counts: one that was given to another parent is no more the agent's.
    if (session) return isOwn(model, speaker.session, session);
    if (own.has(parent_id)) own.add(session_id);
    return own.has(session_id);
  };
  return lines => {
    const kept = Buffer.from(lines)
      .toString()
      .split('\n')
      .filter(line => line !== '' && sees(line));
    return Buffer.from(kept.map(line => line + '\n').join(''));
  };
}

function factsOf(line: string): Facts {
  try {
    return JSON.parse(line) as Facts;
  } catch {
    // SyntaxError: a damaged line is nobody's.
    return {};
  }
}
