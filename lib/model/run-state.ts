/**
 * What of a session belongs to the server that runs now: what is seen of its program, and the program itself.
 */
import { NO_EVIDENCE } from '../status/evidence.ts';
import type { SessionRecord } from './types.ts';

const KEYS = [
  'terminal',
  'progress',
  'firstOutputAt',
  'lastWorkAt',
  'lastInputAt',
  'typedAt',
  'evidence',
  'shown',
  'attentionNeed',
  'attentionBy',
  'attentionAt',
  'unseenAt',
  'summaryLeft',
] as const satisfies readonly (keyof SessionRecord)[];

export type RunState = Pick<SessionRecord, (typeof KEYS)[number]>;
/** A session without it. */
export type DurableState = Omit<SessionRecord, keyof RunState>;

/** What an earlier server said that a session is about holds this much longer: it told nobody for how long. */
const SUMMARY_MS = 5 * 60_000;

/** Before anything was seen, at `now`. */
export function newRunState(now: number): RunState {
  return {
    terminal: undefined,
    progress: undefined,
    firstOutputAt: undefined,
    lastWorkAt: -Infinity,
    lastInputAt: -Infinity,
    typedAt: -Infinity,
    evidence: NO_EVIDENCE,
    shown: { status: 'starting', need: undefined, since: now },
    attentionNeed: 'question',
    attentionBy: '',
    attentionAt: now,
    unseenAt: undefined,
    summaryLeft: SUMMARY_MS,
  };
}

/** The rest of a session. */
export function durableState(session: SessionRecord): DurableState {
  const durable: Partial<SessionRecord> = { ...session };
  for (const key of KEYS) delete durable[key];
  return durable as DurableState;
}
