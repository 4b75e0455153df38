/**
 * What changed states mean to people: news that nobody has seen yet, and notifications.
 */
import type { ApprovalEvent } from '../../approvals/types.ts';
import type { Clock } from '../../base/clock.ts';
import { revealed } from '../../base/visible.ts';
import { formatKey } from '../../input/keyname.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord } from '../../model/types.ts';
import type { Decision } from '../../status/types.ts';
import type { Notifier } from './notifier.ts';
import type { MuxServer } from '../server.ts';

export interface NewsPorts {
  readonly clock: Clock;
  readonly model: Model;
  readonly notifier: Notifier;
  /** Whether a person looks at the session now. */
  isSeen(session: SessionRecord): boolean;
}

/** Work shorter than this is no news when it is over, unless an agent did it: nobody has left meanwhile. */
const LONG_WORK_MS = 10_000;

/** A need is told this long after it is seen: a screen is often seen before the hook that says what is asked. */
const TELL_MS = 500;

/** Follows from a session's new state. */
export function tellNews(
  ports: NewsPorts,
  session: SessionRecord,
  before: SessionRecord['shown'],
  decision: Decision,
): void {
  const isSeen = ports.isSeen(session);
  if (decision.status === 'working') session.unseenAt = undefined;
  const wasLong = session.shown.since - before.since >= LONG_WORK_MS;
  if (decision.status === 'ready' && before.status === 'working' && !isSeen && (session.isAi || wasLong))
    session.unseenAt = session.shown.since;
  if (decision.status === 'needs-you') ports.clock.after(TELL_MS, () => tell(ports, session));
  if (decision.status !== 'needs-you') ports.notifier.over(session);
}

/** Tells of a need that is still one, as soon as it may be told. */
function tell(ports: NewsPorts, session: SessionRecord): void {
  const { clock, model, notifier, isSeen } = ports;
  if (model.sessions.get(session.id) !== session || isSeen(session)) return;
  const decision = model.sessions.decision(session);
  if (decision.status !== 'needs-you') return;
  const wait = notifier.notify(session, decision);
  if (wait > 0) clock.after(wait, () => tell(ports, session));
}

/** Of a wish that is told on a terminal's bottom row: what fits there. */
const WISH_MAX = 60;

/** Says at the terminals that the session in front of them asks something, and how it is answered. */
export function tellApproval(
  { clients, model, parts: { settings } }: Pick<MuxServer, 'clients' | 'model' | 'parts'>,
  { type, approval }: ApprovalEvent,
): void {
  if (type === 'asked' && model.windows.focused?.session === approval.session) {
    const what = revealed(`${approval.tool} ${approval.command}`).slice(0, WISH_MAX);
    for (const client of clients.all())
      client.message(`asks: ${what} (${formatKey(settings.prefix)} a answers)`, 'info');
  }
  for (const client of clients.all()) client.changed();
}

/** A dialog is drawn anew within this time, a screen without one is then the answer to it. */
const ANSWERED_MS = 2000;

/** What a session asked is over, once it has not looked as if it asked for a while. */
export function leaveAnswered(
  { parts: { clock }, model, approvals }: Pick<MuxServer, 'parts' | 'model' | 'approvals'>,
  session: SessionRecord,
  { status }: Decision,
): void {
  if (status === 'needs-you') return;
  clock.after(ANSWERED_MS, () => {
    if (model.sessions.get(session.id) !== session) return;
    if (model.sessions.decision(session).status !== 'needs-you') approvals.notAsking(session);
  });
}
