/**
 * The pop-over with what an agent wants to be allowed, on one terminal.
 */
import type { Approval } from '../../approvals/types.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import { ApprovalOverlay } from '../overlay/approval.ts';
import type { AttachedClient } from './client.ts';

/** Shows what the focused session asks, else what has waited longest. */
export function openApproval(client: AttachedClient): void {
  const { model, approvals } = client.services;
  const focused = model.windows.focused;
  const approval = (focused && approvals.of(focused.session)) ?? approvals.all()[0];
  if (!approval) return client.message('No agent waits for a verdict', 'info');
  show(client, approval);
}

function show(client: AttachedClient, approval: Approval): void {
  const { model, approvals } = client.services;
  client.show(
    host =>
      new ApprovalOverlay(host, {
        approval,
        name: model.sessions.get(approval.session)?.name ?? approval.session,
        size: () => client.size,
        isWaiting: () => approvals.all().includes(approval),
        allow: always => decide(client, () => approvals.decide(approval.id, { type: 'allow', always })),
        deny: () => askReason(client, approval),
        later: () => approvals.putOff(approval.id),
      }),
  );
}

/** Asks why not; Enter alone gives no reason, Escape takes the denial back. */
function askReason(client: AttachedClient, approval: Approval): void {
  client.prompt({
    questions: [{ label: 'Why not? ', initial: '' }],
    history: 'reason',
    answer: 'line',
    changed: () => undefined,
    entered: ([reason = '']) =>
      decide(client, () => client.services.approvals.decide(approval.id, { type: 'deny', reason })),
  });
}

/** What is no longer waited for is told, and nothing else happens. */
function decide(client: AttachedClient, verdict: () => void): void {
  try {
    verdict();
  } catch (error) {
    client.message(errorText(toCoded(error)), 'error');
  }
}
