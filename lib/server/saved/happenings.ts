/**
 * What of the server's life goes into the journal, and in which words.
 */
import type { ApprovalEvent } from '../../approvals/types.ts';
import { attentionOf, summaryOf } from '../../model/sessions.ts';
import type { Model } from '../../model/model.ts';
import type { ModelEvent, SessionRecord } from '../../model/types.ts';
import type { Decision } from '../../status/types.ts';
import type { Journal } from '../../store/journal.ts';

/** Types of events. Whoever adds one adds a row to the manual. */
export type HappeningType =
  | 'session.created'
  | 'session.updated'
  | 'session.exited'
  | 'session.deleted'
  | 'status'
  | 'message'
  | 'approval'
  | 'graph'
  | 'task';

/** Of a tool's name and its command in an event: what tells it from others; the whole of it is in `approvals`. */
const TOOL_MAX = 200;
const COMMAND_MAX = 2000;

/** What became of an approval → the verdict it was given, if one was. */
const VERDICTS: Readonly<Partial<Record<ApprovalEvent['type'], string>>> = {
  allowed: 'allow',
  denied: 'deny',
};

export class Happenings {
  readonly #journal: Pick<Journal, 'append'>;
  /** What was last told of a session: changes of what is not told are no events. */
  readonly #told = new Map<string, string>();

  constructor(journal: Pick<Journal, 'append'>) {
    this.#journal = journal;
  }

  /** Notes what has happened; for every part of the server. `sessionId`: undefined where it concerns none. */
  note(
    type: HappeningType,
    sessionId: string | undefined,
    facts: Readonly<Record<string, unknown>> = {},
  ): void {
    this.#journal.append(type, { session_id: sessionId ?? null, ...facts });
  }

  /** Sessions of an earlier server are no news. */
  adopt(model: Model): void {
    for (const session of model.sessions.all()) this.#told.set(session.id, JSON.stringify(factsOf(session)));
  }

  model(event: ModelEvent): void {
    if (event.type === 'layout') return;
    const { session } = event;
    if (session.isViewer) return;
    const facts = factsOf(session);
    if (event.type === 'session-created') this.note('session.created', session.id, facts);
    if (event.type === 'session-changed') this.#changed(session, facts);
    if (event.type === 'session-exited') {
      const { exit, stopReason } = session;
      const code = exit && (exit.signal ? 128 + exit.signal : exit.code);
      const why = { exit_code: code ?? null, stop_reason: stopReason || null };
      this.note('session.exited', session.id, { ...nameOf(session), ...why });
    }
    if (event.type === 'session-deleted') {
      this.#told.delete(session.id);
      this.note('session.deleted', session.id, { ...nameOf(session), restorable: false });
    } else this.#told.set(session.id, JSON.stringify(facts));
  }

  /** A session shows another state. */
  status(session: SessionRecord, before: SessionRecord['shown'], decision: Decision): void {
    if (session.isViewer) return;
    this.note('status', session.id, {
      ...nameOf(session),
      status: decision.status,
      previous: before.status,
      need: decision.need ?? null,
      attention: attentionOf(decision) || null,
      by: decision.by.source,
    });
  }

  /** Something is asked of a person, answered, or waited for no more. */
  approval(session: SessionRecord | undefined, { type, approval, reason, always }: ApprovalEvent): void {
    const { id, tool, command, tier } = approval;
    const verdict = VERDICTS[type];
    this.note('approval', approval.session, {
      ...(session ? nameOf(session) : {}),
      approval_id: id,
      state: verdict ? 'answered' : type === 'asked' ? 'asked' : 'expired',
      verdict: verdict ?? null,
      always,
      reason: reason || null,
      tool: tool.slice(0, TOOL_MAX),
      command: command.slice(0, COMMAND_MAX),
      tier,
    });
  }

  #changed(session: SessionRecord, facts: ReturnType<typeof factsOf>): void {
    const text = JSON.stringify(facts);
    const told = this.#told.get(session.id);
    if (told === text) return;
    const before = told === undefined ? undefined : (JSON.parse(told) as ReturnType<typeof factsOf>);
    if (facts.deleted && !before?.deleted)
      return this.note('session.deleted', session.id, { ...nameOf(session), restorable: true });
    const changed = Object.entries(facts).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before?.[key as keyof typeof facts]),
    );
    this.note('session.updated', session.id, { ...facts, changed: changed.map(([key]) => key) });
  }
}

/** By which a session is known, and whose it is. */
function nameOf({ name, parentId }: SessionRecord) {
  return { name, parent_id: parentId || null };
}

/** What others are told of a session; none of it changes with every output. */
function factsOf(session: SessionRecord) {
  return {
    name: session.name,
    agent: session.agent,
    labels: session.labels,
    starred: session.starred,
    parent_id: session.parentId || null,
    conversation_id: session.conversationId || null,
    summary: summaryOf(session) || null,
    cwd: session.launch.cwd,
    deleted: session.deletedAt !== undefined,
  };
}
