/**
 * `list`: sessions in rows, as a tree, or as JSON.
 */
import { treeLines } from '../model/family.ts';
import { hasLabels } from '../model/labels.ts';
import { directoryOf } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import { command, flag, format, printTable, printText, valued } from './define.ts';
import { isWithin, resolveDirectory } from './directory.ts';
import { describe } from './session-facts.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';

/** The record of `list`. */
export const LIST_COMMAND: CommandSpec = command({
  name: 'list',
  data: ['F'],
  aliases: ['ls', 'list-sessions'],
  group: 'Sessions',
  text: 'List the sessions',
  flags: [
    flag('tree', 'children under those that started them'),
    { name: 'label', value: 'L', many: true, text: 'only those with the label' },
    valued('repo', 'DIR', 'only those that work in DIR, below it, or in a worktree of its repository'),
    flag('all', 'with those that are deleted and can be restored'),
    flag('deleted', 'only those that are deleted'),
    flag('watch', 'go on, and list them again when something has changed'),
    flag('wide', 'with directory and command'),
    valued('F', 'FORMAT', 'what to print of each'),
  ],
  exec: listSessions,
});

async function listSessions(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { caller } = context;
  const listed = chosen(context, args);
  const wanted = args.value('F');
  const formatted = (session: SessionRecord): string => format(context, wanted ?? '', { session });
  if (caller.json) {
    const more = (session: SessionRecord): object =>
      wanted === undefined ? {} : { format: formatted(session) };
    const sessions = await Promise.all(
      listed.map(async session => ({ ...(await describe(context, session)), ...more(session) })),
    );
    return context.json({ sessions });
  }
  if (wanted !== undefined) {
    for (const session of listed) printText(context, formatted(session));
    return;
  }
  printRows(context, args, listed);
}

/** The sessions that are asked for; with --tree children come behind their parents. */
function chosen({ model, caller }: CommandContext, args: ParsedArgs): readonly SessionRecord[] {
  const labels = args.values('label');
  const repo = args.value('repo');
  const directory = repo === undefined ? undefined : resolveDirectory(caller.cwd, repo);
  const from = args.has('all') || args.has('deleted') ? model.sessions.every() : model.sessions.all();
  const found = from.filter(
    session =>
      (!args.has('deleted') || session.deletedAt !== undefined) &&
      hasLabels(session.labels, labels) &&
      (directory === undefined || worksIn(session, directory)),
  );
  return args.has('tree') ? treeLines(found).map(({ session }) => session) : found;
}

function worksIn(session: SessionRecord, directory: string): boolean {
  const { place } = session;
  const own = place.kind === 'plain' ? [] : [place.main.repo];
  return [directoryOf(session), ...own].some(path => isWithin(directory, path));
}

function printRows(context: CommandContext, args: ParsedArgs, listed: readonly SessionRecord[]): void {
  const wide = args.has('wide');
  const depths = new Map(args.has('tree') ? treeLines(listed).map(one => [one.session, one.depth]) : []);
  const rows = listed.map(session => {
    const pane = context.model.windows.paneOf(session.id);
    const name = `${'  '.repeat(depths.get(session) ?? 0)}${session.name}`;
    const base = [name, session.id, session.agent, statusText(context, session), pane ? `%${pane.id}` : '-'];
    return wide ? [...base, directoryOf(session), session.launch.argv.join(' ')] : base;
  });
  const header = ['NAME', 'ID', 'AGENT', 'STATUS', 'PANE', ...(wide ? ['DIRECTORY', 'COMMAND'] : [])];
  printTable(context, header, rows);
  if (rows.length > 0 || !context.caller.terminal) return;
  context.print(args.has('deleted') ? 'nothing is deleted' : "no sessions; start one with 'mux new NAME'");
}

function statusText({ model }: CommandContext, session: SessionRecord): string {
  if (session.deletedAt !== undefined) return 'deleted';
  const decision = model.sessions.decision(session);
  return decision.need ? `needs you: ${decision.need}` : decision.status;
}
