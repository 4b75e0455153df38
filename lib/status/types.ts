/**
 * What is said of a program's state, by whom, and what follows.
 */

/** State of a session as it is shown. */
export type SessionStatus = 'starting' | 'working' | 'ready' | 'needs-you' | 'stopped' | 'failed';

/** Why a session needs a person, neediest first: it may not go on, it asks, or it has failed. */
export const NEEDS = ['permission', 'question', 'error'] as const;
export type Need = (typeof NEEDS)[number];

/** Who says so. `mark`: a bell, a notification, or words given to `mux attention`. */
export type Source =
  'process' | 'mark' | 'hook' | 'signal' | 'title' | 'screen' | 'prompt' | 'foreground' | 'output';

/** A program's state as one source tells it. */
export interface Claim {
  readonly source: Source;
  readonly status: 'starting' | 'working' | 'ready' | 'needs-you';
  /** With `needs-you` only. */
  readonly need?: Need;
  /** For a person, in a few words; '' where there is nothing to add. */
  readonly reason: string;
  /** What was seen, e.g. `Stop`, `OSC 133;C`, `title ✳`. */
  readonly evidence: string;
  /** When it began to hold: ms since the epoch. */
  readonly at: number;
  /** From when on it counts no more; Infinity where something else must take it back. */
  readonly until: number;
  /** What the same source said before. */
  readonly before?: Claim['status'] | undefined;
}

/** A claim without the time: what a pattern or an event means. */
export type Meaning = Pick<Claim, 'status' | 'need' | 'reason'>;

/** A claim that did not decide, and why. */
export interface Lost {
  readonly claim: Claim;
  readonly why: string;
}

/** The state, and how it came about. */
export interface Decision {
  readonly status: SessionStatus;
  readonly need: Need | undefined;
  /** Why it needs a person, or what it does; '' if unknown. */
  readonly reason: string;
  readonly by: { readonly source: Source; readonly evidence: string; readonly at: number };
  readonly lost: readonly Lost[];
  /** When time alone may change it: ms since the epoch; Infinity if never. */
  readonly until: number;
}
