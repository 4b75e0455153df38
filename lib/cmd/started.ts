/**
 * Waiting for a program that was just asked for: a command that starts one tells whether it runs.
 */
import type { SessionRecord } from '../model/types.ts';
import type { CommandContext } from './spec.ts';

/** Resolves once the program of a new session runs. Where it cannot, nothing of the session remains. Throws CodedError. */
export async function createdSession(context: CommandContext, session: SessionRecord): Promise<void> {
  try {
    await restartedSession(session);
  } catch (error) {
    context.model.sessions.delete(session);
    throw error;
  }
}

/** Resolves once the program of a session that was started again runs. Throws CodedError. */
export async function restartedSession(session: SessionRecord): Promise<void> {
  await session.terminal?.started;
}
