/**
 * Who needs a person, neediest first.
 */
import { NEEDS } from '../status/types.ts';
import type { Sessions } from './sessions.ts';
import type { SessionRecord } from './types.ts';

/**
 * Sessions that wait: for permission, for an answer, with an error, then those that have become ready unseen; of the
 * same need who has waited longest comes first.
 */
export function attentionQueue(sessions: Pick<Sessions, 'all' | 'decision'>): SessionRecord[] {
  return sessions
    .all()
    .flatMap(session => {
      const { need } = sessions.decision(session);
      if (need !== undefined) return [{ session, rank: NEEDS.indexOf(need), since: session.shown.since }];
      const { unseenAt } = session;
      return unseenAt === undefined ? [] : [{ session, rank: NEEDS.length, since: unseenAt }];
    })
    .sort((a, b) => a.rank - b.rank || a.since - b.since)
    .map(({ session }) => session);
}
