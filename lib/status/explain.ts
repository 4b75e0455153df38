/**
 * A decision in words and as plain values.
 */
import type { Claim, Decision } from './types.ts';

/** `12s`, `4m`, `3h`: how long ago, rounded down. */
export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3600)}h`;
}

function said(claim: Pick<Claim, 'status' | 'need' | 'reason'>): string {
  const need = claim.need ? ` (${claim.need})` : '';
  return `${claim.status}${need}${claim.reason ? `: ${claim.reason}` : ''}`;
}

/** Lines for a person: the state, what decided, and what lost. */
export function explainLines(decision: Decision, now: number): string[] {
  const { status, need, reason, by, lost, until } = decision;
  const own = { status, need, reason } as Pick<Claim, 'status' | 'need' | 'reason'>;
  const lines = [said(own), `  decided by ${by.source}: ${by.evidence}, ${agoText(now - by.at)} ago`];
  for (const { claim, why } of lost)
    lines.push(
      `  ${claim.source} lost: ${claim.evidence} says ${said(claim)}, ${agoText(now - claim.at)} ago; ${why}`,
    );
  if (Number.isFinite(until)) lines.push(`  looked at again in ${Math.max(0, until - now)} ms`);
  return lines;
}

/** The same for a program. Ages in seconds. */
export function explainJson(decision: Decision, now: number): Record<string, unknown> {
  const age = (at: number): number => Math.max(0, now - at) / 1000;
  return {
    status: decision.status,
    need: decision.need ?? null,
    reason: decision.reason || null,
    decided_by: { source: decision.by.source, evidence: decision.by.evidence, age: age(decision.by.at) },
    lost: decision.lost.map(({ claim, why }) => ({
      source: claim.source,
      evidence: claim.evidence,
      status: claim.status,
      need: claim.need ?? null,
      age: age(claim.at),
      why,
    })),
  };
}
