/**
 * Everything that has been said of one run of a program. A value: each thing that is seen gives a new one.
 */
import type { Claim, Meaning, Source } from './types.ts';

/** Sources that keep one claim each. */
export type Slot = 'hook' | 'state' | 'progress' | 'title' | 'screen' | 'prompt' | 'foreground';

const SOURCE_OF: Readonly<Record<Slot, Source>> = {
  hook: 'hook',
  state: 'signal',
  progress: 'signal',
  title: 'title',
  screen: 'screen',
  prompt: 'prompt',
  foreground: 'foreground',
};

/** Sub-agents that are remembered: more than any agent starts at once. */
const SUB_AGENTS_MAX = 64;

/** What has been seen of one run of a program. */
export interface Evidence {
  readonly claims: Readonly<Partial<Record<Slot, Claim>>>;
  /** What it does, from its hooks: `using Bash`; '' if unknown. */
  readonly activity: string;
  /** Ids of its sub-agents at work. Ids and no number, since reports get lost and come twice. */
  readonly subAgents: readonly string[];
  /** It has said that the person ends it. Programs that are quit leave all kinds of statuses. */
  readonly isQuit: boolean;
}

/** Of a program that has just been started. */
export const NO_EVIDENCE: Evidence = { claims: {}, activity: '', subAgents: [], isQuit: false };

/** A claim for `slot`; the same said again keeps its time, unless it is an event. */
export function withClaim(
  evidence: Evidence,
  slot: Slot,
  seen: Meaning & { readonly evidence: string; readonly until?: number },
  now: number,
): Evidence {
  const old = evidence.claims[slot];
  const isSame =
    slot !== 'hook' && old?.status === seen.status && old.need === seen.need && old.reason === seen.reason;
  if (isSame) return evidence;
  const claim: Claim = {
    source: SOURCE_OF[slot],
    status: seen.status,
    ...(seen.need === undefined ? {} : { need: seen.need }),
    reason: seen.reason,
    evidence: seen.evidence,
    at: now,
    until: seen.until ?? Infinity,
    before: old?.status,
  };
  return { ...evidence, claims: { ...evidence.claims, [slot]: claim } };
}

/** Without what some sources have said. */
export function withoutClaims(evidence: Evidence, slots: readonly Slot[]): Evidence {
  if (!slots.some(slot => evidence.claims[slot])) return evidence;
  const left = Object.entries(evidence.claims).filter(([slot]) => !slots.includes(slot as Slot));
  return { ...evidence, claims: Object.fromEntries(left) };
}

/** A sub-agent began or ended. */
export function withSubAgent(evidence: Evidence, id: string, isThere: boolean): Evidence {
  const others = evidence.subAgents.filter(one => one !== id);
  const subAgents = isThere ? [...others, id].slice(-SUB_AGENTS_MAX) : others;
  return { ...evidence, subAgents };
}
