/**
 * Wishes of agents that wait for a person: asked by hooks, answered by commands and by the pop-over, both through
 * `decide`. Nothing is held for longer than its hook waits: then the agent asks by itself.
 */
import { answerText, asksPerson } from '../../approvals/answers.ts';
import type { Risk } from '../../approvals/risk.ts';
import type { Approval, ApprovalEvent, ApprovalsPort, Verdict, Wish } from '../../approvals/types.ts';
import { wishOf } from '../../approvals/wish.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { SessionRecord } from '../../model/types.ts';
import { afterHook } from '../../status/hooks.ts';
import { NO_DECISION, type HookRequest } from '../attention/hooks.ts';
import type { StatusWatch } from '../attention/status-watch.ts';
import type { VerdictLog } from './verdict-log.ts';

/** More than anybody answers one by one; what comes beyond is asked by the agents themselves. */
const WAITING_MAX = 200;
/** The same for one session, so that one that asks without end leaves room for the others. */
const SESSION_MAX = 20;
/** What may be allowed always, all sessions together. */
const RULES_MAX = 10_000;

/** Events behind which nothing of before waits. */
const TURN_ENDS = new Set(['UserPromptSubmit', 'Stop', 'StopFailure', 'SessionStart', 'SessionEnd']);
/** Events behind which the use of a tool that they name was answered. */
const TOOL_ENDS = new Set(['PostToolUse', 'PostToolUseFailure']);

const ALLOW: Verdict = { type: 'allow', always: true };

export interface ApprovalParts {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly status: Pick<StatusWatch, 'tells'>;
  readonly log: Pick<VerdictLog, 'add' | 'always'>;
  /** Judges a wish, and by rules. `asks`: a person is about to be asked. Undefined where there is no need. */
  readonly risk?: (wish: Wish, asks: boolean) => Promise<Risk> | undefined;
}

interface Waiting {
  readonly approval: Approval;
  readonly session: SessionRecord;
  /** Undefined: without one. */
  readonly settle: (verdict: Verdict | undefined) => void;
  isPutOff: boolean;
}

export class Approvals implements ApprovalsPort {
  readonly #parts: ApprovalParts;
  readonly #waiting = new Map<string, Waiting>();
  /** What is allowed always, as `ruleOf` writes it. */
  readonly #rules: Set<string>;
  readonly #changed = new Emitter<ApprovalEvent>();
  readonly onChange = this.#changed.event;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
    this.#rules = new Set(parts.log.always().map(line => ruleOf(line.session, line)));
  }

  /** Answers a hook: at once what was allowed always, and after a verdict what an agent is about to ask about. */
  answer({ session, event, payload }: HookRequest, gone: Promise<void>): Promise<string> | undefined {
    const wish = wishOf(payload);
    this.#leaveAnswered(session, event, wish);
    if (!wish || answerText(event, ALLOW) === undefined) return undefined;
    const wait = this.#verdict(session, wish, asksPerson(event), gone);
    return wait?.then(given => {
      if (!given) return NO_DECISION;
      // It goes on; without this it would look as if it still waited, until its next report.
      if (asksPerson(event))
        this.#parts.status.tells(session, (seen, now) => afterHook(seen, 'working', {}, now));
      return answerText(event, given)!;
    });
  }

  all(): readonly Approval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  decide(id: string, verdict: Verdict): Approval {
    const waiting = this.#find(id);
    const { approval } = waiting;
    this.#waiting.delete(approval.id);
    const always = verdict.type === 'allow' && verdict.always;
    const reason = verdict.type === 'deny' ? verdict.reason : '';
    const { session, tool, command } = approval;
    if (always && this.#rules.size < RULES_MAX) this.#rules.add(ruleOf(session, approval));
    const at = this.#parts.clock.now();
    this.#parts.log.add({ at, session, tool, command, verdict: verdict.type, always, reason });
    waiting.settle(verdict);
    this.#tell(verdict.type === 'allow' ? 'allowed' : 'denied', approval, { reason, always });
    return approval;
  }

  of(session: string, which = { fresh: false }): Approval | undefined {
    const own = [...this.#waiting.values()].filter(one => one.approval.session === session);
    return own.find(one => !which.fresh || !one.isPutOff)?.approval;
  }

  putOff(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.isPutOff = true;
  }

  /** A session is gone, and what it asked with it. */
  forget(session: SessionRecord): void {
    for (const waiting of this.#waiting.values()) if (waiting.session === session) this.#leave(waiting);
    for (const rule of this.#rules) if (rule.startsWith(ruleStart(session.id))) this.#rules.delete(rule);
  }

  /** Rules that deny come first, then what was allowed always, rules that allow, and the person. */
  #verdict(
    session: SessionRecord,
    wish: Wish,
    asks: boolean,
    gone: Promise<void>,
  ): Promise<Verdict | undefined> | undefined {
    const always = this.#rules.has(ruleOf(session.id, wish)) ? ALLOW : undefined;
    const risk = this.#parts.risk?.(wish, asks && !always);
    const ask = (found?: Risk): Promise<Verdict | undefined> | undefined =>
      asks ? this.#ask(session, wish, gone, found) : undefined;
    if (!risk) return always ? Promise.resolve(always) : ask();
    return risk.then(
      found => {
        if (found.verdict?.type === 'deny') return found.verdict;
        return always ?? found.verdict ?? ask(found);
        // What judges could not be loaded, as after the program was exchanged: then the person judges alone.
      },
      () => always ?? ask(),
    );
  }

  #ask(
    session: SessionRecord,
    wish: Wish,
    gone: Promise<void>,
    risk?: Risk,
  ): Promise<Verdict | undefined> | undefined {
    const ofSession = this.all().filter(one => one.session === session.id);
    if (this.#waiting.size >= WAITING_MAX || ofSession.length >= SESSION_MAX) return undefined;
    const { clock, newId } = this.#parts;
    const facts = { id: newId(), session: session.id, createdAt: clock.now(), tier: risk?.tier ?? null };
    const approval: Approval = {
      ...wish,
      ...facts,
      reasons: ['the agent asks for permission', ...(risk?.reasons ?? [])],
    };
    return new Promise(settle => {
      const waiting = { approval, session, settle, isPutOff: false };
      this.#waiting.set(approval.id, waiting);
      void gone.then(() => this.#leave(waiting));
      this.#tell('asked', approval);
    });
  }

  /**
   * A session does not look as if it asked: what it asked has been answered in its own dialog. Agents do not always end
   * the hook then, and tell nothing where a person pressed Escape.
   */
  notAsking(session: SessionRecord): void {
    for (const waiting of this.#waiting.values()) if (waiting.session === session) this.#leave(waiting);
  }

  /** What follows an answer tells that there was one. */
  #leaveAnswered(session: SessionRecord, event: string, wish: Wish | undefined): void {
    for (const waiting of this.#waiting.values()) {
      if (waiting.session !== session) continue;
      const { tool, command } = waiting.approval;
      const isSame = wish?.tool === tool && wish.command === command;
      if (TURN_ENDS.has(event) || (TOOL_ENDS.has(event) && isSame)) this.#leave(waiting);
    }
  }

  /** Nobody waits any more. */
  #leave({ approval, settle }: Waiting): void {
    if (!this.#waiting.delete(approval.id)) return;
    settle(undefined);
    this.#tell('left', approval);
  }

  #find(id: string): Waiting {
    const exact = this.#waiting.get(id);
    if (exact) return exact;
    const matches = [...this.#waiting.values()].filter(one => id !== '' && one.approval.id.startsWith(id));
    if (matches.length === 1) return matches[0]!;
    if (matches.length > 1)
      throw new CodedError('ambiguous', `approval ${id}: matches ${matches.length}`, 'give more of the id');
    throw new CodedError(
      'not_found',
      `approval ${id}: nothing of that id waits; it may have been answered in the agent's own dialog`,
      "'mux approvals' lists what does",
    );
  }

  #tell(type: ApprovalEvent['type'], approval: Approval, more: Partial<ApprovalEvent> = {}): void {
    this.#changed.fire({ reason: '', always: false, ...more, type, approval });
  }
}

/** NUL parts them: neither an id nor a tool's name has one that is seen. */
function ruleOf(session: string, { tool, command }: { tool: string; command: string }): string {
  return `${ruleStart(session)}${tool.replaceAll('\0', '')}\0${command}`;
}

function ruleStart(session: string): string {
  return `${session}\0`;
}
