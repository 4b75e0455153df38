/**
 * What goes with a session that is gone for good.
 */
import type { SessionRecord } from '../model/types.ts';
import type { Activity } from './attention/activity.ts';
import { removeRole } from './roles.ts';
import type { MuxServer } from './server.ts';

/** Lets everything go that was kept for it. */
export function forgetSession(server: MuxServer, activity: Activity, session: SessionRecord): void {
  activity.forget(session);
  server.status.forget(session);
  server.notifier.forget(session);
  server.programs.files.remove(session);
  server.programs.confinement.remove(session);
  server.parts.tokens.forget(session.id);
  server.approvals.forget(session);
  server.programs.forget(session);
  removeRole(session, server.parts);
}
