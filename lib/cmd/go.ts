/**
 * Going from session to session, and a shell beside one.
 */
import { CodedError } from '../base/errors.ts';
import { directoryOf, runs } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import { command, flag, valued } from './define.ts';
import { showSession } from './session.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { axisOf, noSpace, SPLIT_FLAGS, splitOptions } from './split.ts';
import { createdSession } from './started.ts';
import { findSession } from './target.ts';

export const GO_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'switch-client',
    aliases: ['switchc'],
    group: 'Sessions',
    text: 'Go to the next session, the one before, or the one you were in last',
    flags: [
      flag('n', 'the next, in the order in which they were made'),
      flag('p', 'the one before'),
      flag('l', 'the one that had the focus last'),
      valued('t', 'SESSION', 'this session'),
      flag('Z', 'taken for scripts'),
    ],
    target: 'session',
    async exec(context, args) {
      await goTo(context, destination(context, args));
    },
  }),
  command({
    name: 'shell-mode',
    group: 'Sessions',
    text: 'Open your shell beside a session, in the directory it works in; the pane closes when the shell ends',
    flags: [
      ...SPLIT_FLAGS,
      valued('t', 'SESSION', 'the session'),
      flag('d', 'do not move the focus'),
      { name: 'e', value: 'K=V', many: true, text: 'environment for the shell' },
    ],
    target: 'session',
    exec: shellMode,
  }),
];

/** Sessions that can be gone to without starting anything. */
function reachable({ model }: CommandContext): readonly SessionRecord[] {
  return model.sessions
    .all()
    .filter(session => session.deletedAt === undefined)
    .filter(session => runs(session) || model.windows.paneOf(session.id));
}

function destination(context: CommandContext, args: ParsedArgs): SessionRecord {
  const { model } = context;
  if (args.has('t')) return findSession(context, args.value('t'));
  const focused = model.windows.focused?.session;
  const all = reachable(context);
  if (args.has('l')) {
    const last = model.focusHistory.all
      .filter(id => id !== focused)
      .flatMap(id => all.find(session => session.id === id) ?? [])[0];
    if (last) return last;
    throw new CodedError('not_found', 'switch-client: there is no last session');
  }
  if (!args.has('n') && !args.has('p'))
    throw new CodedError('usage', 'switch-client: say where to go', 'one of -n, -p, -l and -t SESSION');
  if (all.length === 0)
    throw new CodedError('not_found', 'switch-client: no session runs', "start one with 'mux new NAME'");
  const at = all.findIndex(session => session.id === focused);
  if (at < 0) return args.has('p') ? all.at(-1)! : all[0]!;
  return all[(at + (args.has('p') ? -1 : 1) + all.length) % all.length]!;
}

/** A pane that shows it is focused as it is; else the session is shown. */
async function goTo(context: CommandContext, session: SessionRecord): Promise<void> {
  const { windows, sessions } = context.model;
  const pane = windows.paneOf(session.id);
  if (!pane) return showSession(context, session);
  windows.focus(pane);
  windows.select(windows.windowOf(pane));
  sessions.seen(session);
}

/** The shell belongs to nobody: as a child of the session an agent could type into it. */
async function shellMode(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { model, host, caller } = context;
  const beside = findSession(context, args.value('t'));
  const cwd = directoryOf(beside);
  const launch = host.launch({
    command: [],
    agent: 'shell',
    name: '',
    durable: false,
    cwd,
    role: '',
    model: '',
    labels: [],
    env: args.values('e'),
    callerEnv: caller.env,
  });
  const target = model.windows.paneOf(beside.id) ?? model.windows.focused;
  const size = (target && model.windows.windowOf(target).size) ?? host.defaultSize();
  const shell = model.sessions.create({ ...launch, isViewer: true, pane: model.windows.nextPane }, size);
  const options = splitOptions('shell-mode', args);
  const { background } = options;
  const pane = target
    ? model.windows.split(target, shell.id, axisOf(args), options)
    : model.windows.create({ session: shell.id, name: '', size, background });
  if (pane === 'no-space') {
    model.sessions.delete(shell);
    throw noSpace('shell-mode');
  }
  model.windows.setTitle(pane, `shell in ${beside.name}`);
  await createdSession(context, shell);
}
