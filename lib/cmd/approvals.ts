/**
 * Commands about what agents wait for a person's word about.
 */
import { untilGone } from './gone.ts';
import type { Approval } from '../approvals/types.ts';
import { revealed } from '../base/visible.ts';
import { isOwn } from './access.ts';
import { command, flag, printTable, valued } from './define.ts';
import type { CommandContext, CommandSpec } from './spec.ts';

/** A command in a table; the whole of it is in JSON and in the pop-over. */
const COLUMN_MAX = 100;
/** Longest reason: it goes into the agent's context. */
const REASON_MAX = 2000;

export const APPROVAL_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'approvals',
    group: 'Sessions',
    text: 'List what agents wait for a verdict about',
    flags: [flag('watch', 'go on: list anew whenever that changes')],
    async exec(context, args) {
      list(context);
      if (!args.has('watch')) return;
      const watch = context.host.approvals.onChange(() => list(context));
      await untilGone(context.gone);
      watch.dispose();
    },
  }),
  command({
    name: 'approve',
    group: 'Sessions',
    text: 'Let an agent do what it asks for',
    flags: [
      flag('always', 'and the same tool with the same command or file, for as long as its session lasts'),
    ],
    args: 'ID',
    minArgs: 1,
    maxArgs: 1,
    exec(context, args) {
      const approval = context.host.approvals.decide(args.rest[0]!, {
        type: 'allow',
        always: args.has('always'),
      });
      told(context, 'allowed', approval);
    },
  }),
  command({
    name: 'deny',
    group: 'Sessions',
    text: 'Keep an agent from what it asks for',
    flags: [valued('reason', 'TEXT', 'what the agent is told')],
    args: 'ID',
    minArgs: 1,
    maxArgs: 1,
    exec(context, args) {
      const reason = (args.value('reason') ?? '').slice(0, REASON_MAX);
      told(context, 'denied', context.host.approvals.decide(args.rest[0]!, { type: 'deny', reason }));
    },
  }),
];

/** What waits, of all sessions for a person, of its own for an agent. */
function list(context: CommandContext): void {
  const { model, caller, host } = context;
  const { speaker } = caller;
  const all = host.approvals.all().flatMap(approval => {
    const session = model.sessions.get(approval.session);
    const isTheirs = session && (speaker.isPerson || isOwn(model, speaker.session, session));
    return isTheirs ? [{ approval, name: session.name }] : [];
  });
  if (caller.json) return context.json({ approvals: all.map(({ approval }) => approvalJson(approval)) });
  printTable(
    context,
    ['ID', 'SESSION', 'TOOL', 'COMMAND'],
    all.map(({ approval: { id, tool, command }, name }) => [
      id,
      name,
      revealed(tool),
      revealed(command).slice(0, COLUMN_MAX),
    ]),
  );
}

function told(context: CommandContext, what: string, approval: Approval): void {
  if (context.caller.json) return context.json({ id: approval.id, verdict: what });
  const name = context.model.sessions.get(approval.session)?.name ?? approval.session;
  context.print(`${what}: ${name}: ${revealed(`${approval.tool} ${approval.command}`).slice(0, COLUMN_MAX)}`);
}

/** The keys of JSON. */
export function approvalJson(approval: Approval): object {
  const { id, session, tool, command, tier, reasons, diff, createdAt } = approval;
  const created_at = new Date(createdAt).toISOString();
  return { id, session_id: session, tool, command, tier, reasons, diff, created_at };
}
