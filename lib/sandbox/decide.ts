/**
 * What a policy says to one access: the same answer that the backends make true. Pure.
 */
import { depthOf, isWithin } from './paths.ts';
import type { Grant, Operation, Policy } from './types.ts';

/** The answer, with the rule that it comes from. */
export interface Decision {
  readonly allowed: boolean;
  readonly why: string;
  /** Path of the rule, '' where none is about it. */
  readonly rule: string;
}

/** Kinds of rules, of which those further in front count among rules on the same path. */
const KINDS = ['hidden', 'fixed', 'write', 'read'] as const;
type Kind = (typeof KINDS)[number];

const ALLOWS: Readonly<Record<Kind, Readonly<Record<Operation, boolean>>>> = {
  hidden: { read: false, write: false },
  fixed: { read: true, write: false },
  write: { read: true, write: true },
  read: { read: true, write: false },
};

/** Whether `operation` may be done to `path`: absolute, symlinks resolved. The rule on the nearest folder counts. */
export function decide(policy: Policy, path: string, operation: Operation): Decision {
  const about = rulesOf(policy).filter(({ grant }) => isWithin(grant.path, path));
  const nearest = about.sort((a, b) => depthOf(b.grant.path) - depthOf(a.grant.path))[0];
  if (!nearest) return { allowed: false, why: 'nothing grants it', rule: '' };
  const { kind, grant } = nearest;
  const allowed = ALLOWS[kind][operation];
  const only = !allowed && kind !== 'hidden' ? `may be read alone: ${grant.why}` : grant.why;
  return { allowed, why: only, rule: grant.path };
}

/** All rules, the shallow ones first, and of one path what counts last: the order in which mounts lie over each other. */
export function layered(policy: Policy): readonly { readonly kind: Kind; readonly grant: Grant }[] {
  return rulesOf(policy)
    .toReversed()
    .sort((a, b) => depthOf(a.grant.path) - depthOf(b.grant.path));
}

function rulesOf(policy: Policy): { kind: Kind; grant: Grant }[] {
  return KINDS.flatMap(kind => policy[kind].map(grant => ({ kind, grant })));
}
