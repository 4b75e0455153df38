/**
 * The state of a session from everything that is known of it. One function without memory: what it says depends on the
 * evidence and the time alone, so that it can be asked at any moment and explained afterwards.
 *
 * Hooks are believed first, since the agent itself speaks; but only for a time, and only until something that is seen
 * afterwards says otherwise: agents tell nothing when a person interrupts them.
 */
import type { Evidence } from './evidence.ts';
import type { Claim, Decision, Lost, SessionStatus } from './types.ts';

/** Output within this time means working: agents that think redraw a spinner several times a second. */
export const WORKING_MS = 1500;
/** A claim to be ready after work counts this late: agents draw their idle screen for a moment between two steps. */
export const SETTLE_MS = 400;
/** What is drawn within this time after a hook may still be of before it: hooks overtake the screen. */
const SLACK_MS = 700;
/**
 * A program that shows nothing is starting no longer than this, and an agent that shows nothing known no longer than this
 * after its first output: `cat` never says a word.
 */
export const START_MS = 10_000;

/** What is known besides claims. */
export interface Facts {
  /** How the program ended: well, or with a failure; undefined while it runs. */
  readonly exit: { readonly isFailure: boolean; readonly text: string; readonly at: number } | undefined;
  readonly hasProgram: boolean;
  /** It draws on the alternate screen. */
  readonly isFullScreen: boolean;
  /** An agent that is known to tell of itself: before it does, it is starting. */
  readonly tells: boolean;
  readonly startedAt: number;
  readonly firstOutputAt: number | undefined;
  /** Last output that was no echo; -Infinity if none. */
  readonly lastWorkAt: number;
  /** Last key of a person; -Infinity if none. */
  readonly lastInputAt: number;
  /** A bell, a notification or words that nobody has looked at yet. */
  readonly mark: Claim | undefined;
}

/** The state as of `now`. */
export function decide(evidence: Evidence, facts: Facts, now: number): Decision {
  if (facts.exit) {
    const { isFailure, text, at } = facts.exit;
    return ended(isFailure ? 'failed' : 'stopped', text, at);
  }
  if (!facts.hasProgram) return ended('stopped', 'it is not running', facts.startedAt);
  const lost: Lost[] = [];
  const seen = candidates(evidence, facts, now, lost);
  const chosen = choose(seen, facts, now, lost);
  const best = marked(chosen, facts.mark, lost);
  for (const claim of seen)
    if (claim !== best && !lost.some(one => one.claim === claim))
      lost.push({ claim, why: `${best.source} is believed first` });
  return {
    status: best.status,
    need: best.status === 'needs-you' ? (best.need ?? 'question') : undefined,
    reason: best.reason,
    by: { source: best.source, evidence: best.evidence, at: best.at },
    lost,
    until: nextChange([...seen, ...lost.map(one => one.claim)], facts, now),
  };
}

function ended(status: SessionStatus, evidence: string, at: number): Decision {
  return {
    status,
    need: undefined,
    reason: '',
    by: { source: 'process', evidence, at },
    lost: [],
    until: Infinity,
  };
}

/** What still counts, best source first; what has run out goes to `lost`. */
function candidates({ claims }: Evidence, facts: Facts, now: number, lost: Lost[]): Claim[] {
  const { hook, state, progress, title, screen, prompt, foreground } = claims;
  // A shell may mark its prompts and not the beginning of commands.
  const isLater = prompt?.status === 'ready' && foreground && foreground.at > prompt.at;
  const shell = isLater ? [foreground, prompt] : [prompt, foreground];
  const valid: Claim[] = [];
  for (const claim of [hook, state, progress, title, screen, ...shell]) {
    if (!claim) continue;
    const why = worthless(claim, facts, now);
    if (why === undefined) valid.push(settled(claim, now));
    else lost.push({ claim, why });
  }
  return [...valid, outputClaim(facts, valid.length > 0, now)];
}

/** Why a claim does not count at all; undefined where it does. */
function worthless(claim: Claim, facts: Facts, now: number): string | undefined {
  if (now >= claim.until) return 'its time is over';
  const isCommand = claim.source === 'prompt' && claim.status === 'working';
  return isCommand && facts.isFullScreen ? 'a full-screen program waits more than it works' : undefined;
}

/** Ready after work is work for a moment more. */
function settled(claim: Claim, now: number): Claim {
  const isEarly = claim.status === 'ready' && claim.before === 'working' && now - claim.at < SETTLE_MS;
  return isEarly && claim.source !== 'hook' && claim.source !== 'prompt'
    ? { ...claim, status: 'working', evidence: `${claim.evidence}, a moment ago` }
    : claim;
}

/** What output alone tells. */
function outputClaim(facts: Facts, hasOthers: boolean, now: number): Claim {
  const { firstOutputAt, lastWorkAt } = facts;
  const base = { source: 'output', reason: '', until: Infinity } as const;
  if (firstOutputAt === undefined) {
    const isNew = now - facts.startedAt < START_MS;
    const at = isNew ? facts.startedAt : facts.startedAt + START_MS;
    return { ...base, status: isNew ? 'starting' : 'ready', evidence: 'no output yet', at };
  }
  const isSilent = facts.tells && !hasOthers && now - firstOutputAt < START_MS;
  if (isSilent) return { ...base, status: 'starting', evidence: 'nothing known yet', at: firstOutputAt };
  if (now - lastWorkAt < WORKING_MS)
    return { ...base, status: 'working', evidence: 'output comes', at: lastWorkAt };
  return { ...base, status: 'ready', evidence: 'no output', at: Math.max(lastWorkAt, firstOutputAt) };
}

/** The claim that counts. `all` is never empty and in the order of belief. */
function choose(all: readonly Claim[], facts: Facts, now: number, lost: Lost[]): Claim {
  const [first] = all;
  const rest = all.filter(claim => claim !== first);
  if (first!.source !== 'hook') return fromTerminal(all);
  const over = overruling(first!, rest, facts, now);
  if (!over) return first!;
  lost.push({ claim: first!, why: over.why });
  return over.claim;
}

/** Without a hook: a dialog on the screen beats all, since titles and states do not know of them; else the best source. */
function fromTerminal(all: readonly Claim[]): Claim {
  return all.find(claim => claim.source === 'screen' && claim.status === 'needs-you') ?? all[0]!;
}

/** What has been seen since a hook's report and speaks against it. */
function overruling(
  hook: Claim,
  rest: readonly Claim[],
  facts: Facts,
  now: number,
): { claim: Claim; why: string } | undefined {
  const explicit = rest.filter(({ source }) => ['signal', 'title', 'screen'].includes(source));
  const screen = explicit.find(({ source }) => source === 'screen');
  const since = (claim: Claim, slack: number): boolean => claim.at > hook.at + slack;
  if (hook.status !== 'needs-you') {
    const dialog = explicit.find(claim => claim.status === 'needs-you' && since(claim, 0));
    if (dialog) return { claim: dialog, why: 'a later screen asks' };
  }
  if (hook.status !== 'working') {
    const work = explicit.find(claim => claim.status === 'working' && since(claim, SLACK_MS));
    if (work) return { claim: work, why: 'it has begun to work since' };
  }
  if (hook.status === 'needs-you') return answered(hook, screen, rest, facts, now);
  if (hook.status !== 'working' || explicit.some(claim => claim.status === 'working')) return undefined;
  const idle = explicit.find(
    claim => claim.status === 'ready' && since(claim, 0) && now - claim.at > SLACK_MS,
  );
  return idle && { claim: idle, why: 'it has become idle since, without saying so' };
}

/** What a person has answered needs nobody, whether or not the agent says so. */
function answered(
  hook: Claim,
  screen: Claim | undefined,
  rest: readonly Claim[],
  { lastInputAt }: Facts,
  now: number,
): { claim: Claim; why: string } | undefined {
  const isGone = screen?.status === 'ready' && screen.at > hook.at && now - screen.at > SLACK_MS;
  const isAnswered = lastInputAt > hook.at && screen?.status !== 'needs-you' && now - lastInputAt > SLACK_MS;
  if (!isGone && !isAnswered) return undefined;
  return { claim: fromTerminal(rest), why: isGone ? 'its question has gone' : 'a person has answered' };
}

/** A mark asks for a look at what does not already ask for more. */
function marked(claim: Claim, mark: Claim | undefined, lost: Lost[]): Claim {
  if (!mark) return claim;
  if (claim.status === 'needs-you') {
    lost.push({ claim: mark, why: `${claim.source} knows more` });
    return claim;
  }
  lost.push({ claim, why: 'a mark asks to be looked at' });
  return mark;
}

/** The next moment at which time alone can change the outcome. */
function nextChange(claims: readonly Claim[], facts: Facts, now: number): number {
  const times = [
    facts.lastWorkAt + WORKING_MS,
    (facts.firstOutputAt ?? facts.startedAt) + START_MS,
    facts.lastInputAt + SLACK_MS + 1,
    ...claims.flatMap(({ at, until }) => [until, at + SETTLE_MS, at + SLACK_MS + 1]),
  ];
  return Math.min(...times.filter(time => time > now));
}
