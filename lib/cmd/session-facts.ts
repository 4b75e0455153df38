/**
 * What is told about sessions.
 */
import { CodedError } from '../base/errors.ts';
import { fleetOf } from '../model/fleet.ts';
import { attentionOf, directoryOf, summaryOf } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import { printText } from './define.ts';
import { isWithin } from './directory.ts';
import type { CommandContext } from './spec.ts';

/** A session as `list` and `show` give it; every key of the contract, null where there is nothing to tell. */
export async function describe(
  context: CommandContext,
  session: SessionRecord,
): Promise<Record<string, unknown>> {
  const { model, host } = context;
  const cwd = directoryOf(session);
  const git = await host.git(cwd);
  const pane = model.windows.paneOf(session.id);
  const { place } = session;
  const decision = model.sessions.decision(session);
  const time = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString();
  return {
    id: session.id,
    name: session.name,
    agent: session.agent,
    status: decision.status,
    attention: attentionOf(decision) || null,
    pid: session.exit ? null : (session.terminal?.pid ?? null),
    cwd,
    worktree: place.kind === 'plain' ? null : place.main.worktree,
    branch: git.branch || null,
    base_branch: place.kind === 'plain' ? null : place.main.base || null,
    dirty: git.dirty > 0,
    ahead: git.ahead,
    behind: git.behind,
    labels: session.labels,
    fleet: fleetOf(session.labels) || null,
    starred: session.starred,
    parent_id: session.parentId || null,
    conversation_id: session.conversationId || null,
    role: session.role || null,
    model: session.model || null,
    command: session.launch.argv,
    created_at: time(session.createdAt),
    last_output_at: time(session.lastOutputAt),
    stop_reason: session.stopReason || null,
    deleted_at: time(session.deletedAt),
    expires_at: time(session.expiresAt),
    exit_code: session.exit ? (session.exit.signal ? 128 + session.exit.signal : session.exit.code) : null,
    summary: summaryOf(session) || null,
    pane: pane ? `%${pane.id}` : null,
    window: pane ? model.windows.windowOf(pane).index : null,
  };
}

/** Tells all of it. */
export async function showFacts(context: CommandContext, session: SessionRecord): Promise<void> {
  const facts = await describe(context, session);
  if (context.caller.json) return context.json(facts);
  for (const [key, value] of Object.entries(facts)) {
    const shown = Array.isArray(value) ? value.join(' ') : String(value ?? '');
    printText(context, `${key.padEnd(16)}${shown}`.trimEnd());
  }
}

/** The session that works in `directory` or nearest above it: the caller's own where several do, else the newest. */
export function sessionAt(context: CommandContext, directory: string): SessionRecord {
  const { model, caller } = context;
  const rank = (session: SessionRecord): number[] => [
    session.launch.cwd.length,
    session.id === caller.session ? 1 : 0,
    session.createdAt,
  ];
  const [found] = model.sessions
    .all()
    .filter(session => isWithin(session.launch.cwd, directory))
    .map(session => ({ session, rank: rank(session) }))
    .sort((a, b) => b.rank[0]! - a.rank[0]! || b.rank[1]! - a.rank[1]! || b.rank[2]! - a.rank[2]!);
  if (found) return found.session;
  throw new CodedError('not_found', `info: no session works in ${directory}`, "'mux list' shows all of them");
}
