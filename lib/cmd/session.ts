/**
 * Commands on sessions: the agents, shown or not.
 */
import { CodedError } from '../base/errors.ts';
import { attentionOf, directoryOf, summaryOf } from '../model/sessions.ts';
import { checkSessionName } from '../model/names.ts';
import type { SessionRecord } from '../model/types.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { command, flag, format, printTable, valued } from './define.ts';
import { isWithin, resolveDirectory } from './directory.ts';
import { findSession } from './target.ts';
import { createdSession, restartedSession } from './started.ts';

/** A session as `list` and `show` give it; every key of the contract, null where there is nothing to tell. */
async function describe(context: CommandContext, session: SessionRecord): Promise<Record<string, unknown>> {
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
    starred: session.starred,
    parent_id: session.parentId || null,
    conversation_id: session.conversationId || null,
    role: session.role || null,
    model: session.model || null,
    command: session.launch.argv,
    created_at: time(session.createdAt),
    last_output_at: time(session.lastOutputAt),
    exit_code: session.exit ? (session.exit.signal ? 128 + session.exit.signal : session.exit.code) : null,
    summary: summaryOf(session) || null,
    pane: pane ? `%${pane.id}` : null,
    window: pane ? model.windows.windowOf(pane).index : null,
  };
}

async function showFacts(context: CommandContext, session: SessionRecord): Promise<void> {
  const facts = await describe(context, session);
  if (context.caller.json) return context.json(facts);
  for (const [key, value] of Object.entries(facts)) {
    const shown = Array.isArray(value) ? value.join(' ') : String(value ?? '');
    context.print(`${key.padEnd(16)}${shown}`.trimEnd());
  }
}

/** The session that works in `directory` or nearest above it: the caller's own where several do, else the newest. */
function sessionAt(context: CommandContext, directory: string): SessionRecord {
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

/** Ends and forgets a session, after its program had its chance to finish. */
async function remove(context: CommandContext, session: SessionRecord): Promise<void> {
  await context.host.stop(session);
  context.model.sessions.delete(session);
}

/** Every target first, so that one that is not there changes nothing. */
function findAll(context: CommandContext, targets: readonly string[]): SessionRecord[] {
  return targets.map(target => findSession(context, target));
}

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'new',
    aliases: ['new-session'],
    group: 'Sessions',
    text: 'Start a named agent and show it',
    flags: [
      valued('agent', 'A', 'which entry of agents: to run'),
      valued('role', 'SEL', 'role of the graph; named to the program as MUX_ROLE'),
      valued('model', 'M', 'model; named to the program as MUX_MODEL'),
      valued('prompt', 'TEXT', 'what the agent is to begin with'),
      { name: 'label', value: 'L', many: true, text: 'label to find it by' },
      { name: 'env', value: 'K=V', many: true, text: 'environment for the program' },
      { name: 'cwd', alias: 'c', value: 'DIR', text: 'directory the program starts in' },
      { name: 'repo', value: 'DIR', text: 'as --cwd' },
      flag('background', 'do not show it'),
      flag('in-place', 'work in the directory as it is (the default)'),
    ],
    args: 'NAME [CMD…]',
    minArgs: 1,
    maxArgs: Infinity,
    wordsFrom: 1,
    exec: newSession,
  }),
  command({
    name: 'list',
    data: ['F'],
    aliases: ['ls', 'list-sessions'],
    group: 'Sessions',
    text: 'List the sessions',
    flags: [
      { name: 'label', value: 'L', many: true, text: 'only those with the label' },
      valued('repo', 'DIR', 'only those that work in DIR or below it'),
      flag('all', 'all of them (as without)'),
      flag('wide', 'with directory and command'),
      valued('F', 'FORMAT', 'what to print of each'),
    ],
    exec: listSessions,
  }),
  command({
    name: 'show',
    group: 'Sessions',
    text: 'Tell everything about a session',
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec: (context, args) => showFacts(context, findSession(context, args.rest[0])),
  }),
  command({
    name: 'info',
    group: 'Sessions',
    text: 'Tell everything about the session of the current directory',
    exec: context => showFacts(context, sessionAt(context, context.caller.cwd)),
  }),
  command({
    name: 'path',
    group: 'Sessions',
    text: 'Print the directory a session works in',
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec(context, args) {
      const path = directoryOf(findSession(context, args.rest[0]));
      if (context.caller.json) context.json({ path });
      else context.print(path);
    },
  }),
  command({
    name: 'stop',
    group: 'Sessions',
    text: 'End the programs of sessions; the sessions stay listed',
    args: 'SESSION…',
    minArgs: 1,
    maxArgs: Infinity,
    target: 'session',
    async exec(context, args) {
      await Promise.all(findAll(context, args.rest).map(session => context.host.stop(session)));
    },
  }),
  command({
    name: 'restart',
    group: 'Sessions',
    text: "End a session's program and start it again",
    args: 'SESSION',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    async exec(context, args) {
      const session = findSession(context, args.rest[0]);
      await context.host.stop(session);
      context.model.sessions.restart(session, session.size);
      await restartedSession(session);
    },
  }),
  command({
    name: 'resume',
    group: 'Sessions',
    text: "Start a stopped session's program again",
    args: 'SESSION',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    async exec(context, args) {
      const session = findSession(context, args.rest[0]);
      if (session.terminal && !session.exit) {
        throw new CodedError('failed', `session ${session.name}: its program runs already`);
      }
      context.model.sessions.restart(session, session.size);
      await restartedSession(session);
    },
  }),
  command({
    name: 'delete',
    aliases: ['kill-session'],
    group: 'Sessions',
    text: 'End the programs of sessions and forget the sessions',
    flags: [valued('t', 'SESSION', 'the session (as an argument)')],
    args: '[SESSION…]',
    maxArgs: Infinity,
    target: 'session',
    async exec(context, args) {
      const targets = [...args.values('t'), ...args.rest];
      if (targets.length === 0) throw new CodedError('usage', 'delete: name the sessions to delete');
      await Promise.all(findAll(context, targets).map(session => remove(context, session)));
    },
  }),
  command({
    name: 'has-session',
    aliases: ['has'],
    group: 'Sessions',
    text: 'Exit with 0 if there is such a session, with 3 if not',
    flags: [valued('t', 'SESSION', 'the session')],
    target: 'session',
    exec(context, args) {
      const session = findSession(context, args.value('t'));
      if (context.caller.json) context.json({ id: session.id, name: session.name });
    },
  }),
  command({
    name: 'rename-session',
    aliases: ['rename'],
    group: 'Sessions',
    text: 'Give a session another name',
    flags: [valued('t', 'SESSION', 'the session')],
    args: 'NAME',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    exec(context, args) {
      checkSessionName(args.rest[0]!);
      context.model.sessions.rename(findSession(context, args.value('t')), args.rest[0]!);
    },
  }),
  command({
    name: 'show-session',
    group: 'Sessions',
    text: 'Go to the pane that shows a session, showing it in a new window if none does',
    args: 'SESSION',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    exec(context, args) {
      showSession(context, findSession(context, args.rest[0]));
    },
  }),
];

/** Focuses a session's pane; a hidden one gets a window, a stopped one is started again. */
export function showSession(context: CommandContext, session: SessionRecord): void {
  const { windows, sessions } = context.model;
  const pane =
    windows.paneOf(session.id) ??
    windows.create({
      session: session.id,
      name: session.name,
      size: windows.current?.size ?? context.host.defaultSize(),
      background: false,
    });
  if (session.exit || !session.terminal) sessions.restart(session, windows.paneSize(pane));
  windows.focus(pane);
  windows.select(windows.windowOf(pane));
  sessions.seen(session);
}

async function newSession(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { model, host, caller } = context;
  const [name = '', ...words] = args.rest;
  checkSessionName(name);
  const launch = host.launch({
    command: words,
    agent: args.value('agent') ?? '',
    name,
    durable: true,
    cwd: args.value('cwd') ?? args.value('repo') ?? caller.cwd,
    role: args.value('role') ?? '',
    model: args.value('model') ?? '',
    prompt: args.value('prompt') ?? '',
    labels: args.values('label'),
    env: args.values('env'),
    callerEnv: caller.env,
  });
  const size = model.windows.current?.size ?? host.defaultSize();
  const isShown = !args.has('background');
  const session = model.sessions.create({ ...launch, pane: isShown ? model.windows.nextPane : '' }, size);
  if (isShown) model.windows.create({ session: session.id, name, size, background: false });
  await createdSession(context, session);
  if (caller.json) context.json(await describe(context, session));
  else if (!context.isInterface) context.print(`${session.id}\t${session.name}`);
}

async function listSessions(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { model, caller } = context;
  const labels = args.values('label');
  const repo = args.value('repo');
  const directory = repo === undefined ? '/' : resolveDirectory(caller.cwd, repo);
  const listed = model.sessions
    .all()
    .filter(s => labels.every(label => s.labels.includes(label)) && isWithin(directory, directoryOf(s)));
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
    for (const session of listed) context.print(formatted(session));
    return;
  }
  const wide = args.has('wide');
  const rows = listed.map(session => {
    const pane = model.windows.paneOf(session.id);
    const decision = model.sessions.decision(session);
    const status = decision.need ? `needs you: ${decision.need}` : decision.status;
    const base = [session.name, session.id, session.agent, status, pane ? `%${pane.id}` : '-'];
    return wide ? [...base, directoryOf(session), session.launch.argv.join(' ')] : base;
  });
  const header = ['NAME', 'ID', 'AGENT', 'STATUS', 'PANE', ...(wide ? ['DIRECTORY', 'COMMAND'] : [])];
  printTable(context, header, rows);
  if (rows.length === 0 && caller.terminal) context.print("no sessions; start one with 'mux new NAME'");
}
