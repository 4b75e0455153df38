/**
 * The approvals of a server, wired to the hooks that ask for them and to those who are told.
 */
import { join } from 'node:path';
import type { DisposableStore } from '../../base/event.ts';
import { Approvals, type ApprovalParts } from './approvals.ts';
import { tellApproval } from '../attention/news.ts';
import type { MuxServer } from '../server.ts';
import { VerdictLog } from './verdict-log.ts';

/** Makes them. What is to be let go with the server is given to `owned`. */
export function openApprovals(server: MuxServer, owned: DisposableStore): Approvals {
  const { clock, newId, dataDir, logger } = server.parts;
  const log = new VerdictLog(join(dataDir, 'verdicts.log'), logger);
  const approvals = new Approvals({ clock, newId, status: server.status, log, risk: judge(server) });
  server.hooks.answerer = (request, gone) => approvals.answer(request, gone);
  owned.add(
    approvals.onChange(event => {
      server.happenings.approval(server.model.sessions.get(event.approval.session), event);
      tellApproval(server, event);
    }),
  );
  return approvals;
}

/** Judges wishes by what they do and the person's rules. What that needs is loaded with the first one: many servers see none. */
function judge({ parts }: MuxServer): NonNullable<ApprovalParts['risk']> {
  let loading: Promise<typeof import('../../approvals/risk.ts')> | undefined;
  return (wish, asks) => {
    const rules = parts.settings.config.permissions;
    if (!asks && rules.length === 0) return undefined;
    loading ??= import('../../approvals/risk.ts');
    return loading.then(({ riskOf }) => riskOf(wish, [{ name: 'user', mayAllow: true, rules }]));
  };
}
