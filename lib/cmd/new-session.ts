/**
 * Commands that make sessions: `new` and `fork`.
 */
import { CodedError } from '../base/errors.ts';
import { checkLabels } from '../model/labels.ts';
import { checkSessionName } from '../model/names.ts';
import type { SessionRecord } from '../model/types.ts';
import { command, flag, printText, valued } from './define.ts';
import type { CreateRequest, Made, ShowRequest } from './lifecycle-port.ts';
import { describe } from './session-facts.ts';
import type { CommandContext, CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** Linux takes 128 KiB for one argument (MAX_ARG_STRLEN, with its NUL), and a prompt becomes one. */
const MAX_PROMPT = 131_071;

const PROMPT_FLAGS: readonly FlagSpec[] = [
  valued('prompt', 'TEXT', 'what the agent is to begin with'),
  valued('prompt-file', 'F', 'the same from a file'),
];

/** The records of `new` and `fork`. */
export const NEW_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'new',
    aliases: ['new-session'],
    group: 'Sessions',
    text: 'Start a named agent and show it',
    flags: [
      valued('agent', 'A', 'which entry of agents: to run'),
      valued('role', 'SEL', 'role of the graph that the agent works in; its text is in $MUX_ROLE_FILE, too'),
      valued('model', 'M', 'model; named to the program as MUX_MODEL'),
      ...PROMPT_FLAGS,
      { name: 'label', value: 'L', many: true, text: 'label to find it by; without one those of the parent' },
      { name: 'env', value: 'K=V', many: true, text: 'environment for the program' },
      { name: 'cwd', alias: 'c', value: 'DIR', text: 'directory the program starts in' },
      { name: 'repo', value: 'DIR', text: 'as --cwd' },
      flag('worktree', 'work in a git worktree of its own, on a branch of its own'),
      flag('in-place', 'work in the directory as it is (the default)'),
      valued('base', 'REF', 'with --worktree: what to start from, else the default branch'),
      {
        name: 'include',
        value: 'DIR',
        many: true,
        text: 'with --worktree: a worktree of that repository too',
      },
      flag('no-fetch', 'with --worktree: do not ask the remote first'),
      flag('sandbox', 'run it in a sandbox, whatever the settings say'),
      flag('no-sandbox', 'run it without one, whatever the settings say; for people alone'),
      flag('background', 'do not show it'),
    ],
    args: 'NAME [CMD…]',
    minArgs: 1,
    maxArgs: Infinity,
    wordsFrom: 1,
    exec: newSession,
  }),
  command({
    name: 'fork',
    group: 'Sessions',
    text: 'Start another session that goes on from where one is, in a worktree of its own',
    flags: [
      flag('with-changes', 'take its uncommitted work along'),
      ...PROMPT_FLAGS,
      flag('background', 'do not show it'),
    ],
    args: 'SESSION NAME',
    minArgs: 2,
    maxArgs: 2,
    target: 'session',
    exec: forkSession,
  }),
];

async function newSession(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { caller, host } = context;
  const [name = '', ...words] = args.rest;
  checkSessionName(name);
  const place = placeOf(args);
  const parent = parentOf(context);
  const given = args.values('label');
  const made = await host.lifecycle.create({
    launch: {
      command: words,
      agent: args.value('agent') ?? '',
      name,
      durable: true,
      cwd: args.value('cwd') ?? args.value('repo') ?? caller.cwd,
      role: args.value('role') ?? '',
      model: args.value('model') ?? '',
      prompt: await promptOf(context, args),
      labels: given.length > 0 ? checkLabels(given) : (parent?.labels ?? []),
      env: args.values('env'),
      sandbox: sandboxOf(context, args),
      callerEnv: caller.env,
    },
    parentId: parent?.id ?? '',
    place,
    base: args.value('base') ?? '',
    includes: args.values('include'),
    fetch: !args.has('no-fetch'),
    ...showRequest(context, args),
  });
  await tellMade(context, made);
}

async function forkSession(context: CommandContext, args: ParsedArgs): Promise<void> {
  const [target, name = ''] = args.rest;
  checkSessionName(name);
  const source = findSession(context, target);
  const prompt = await promptOf(context, args);
  const withChanges = args.has('with-changes');
  const request = { name, prompt, withChanges, ...showRequest(context, args) };
  await tellMade(context, await context.host.lifecycle.fork(source, request));
}

function placeOf(args: ParsedArgs): CreateRequest['place'] {
  const isWorktree = args.has('worktree');
  if (isWorktree && args.has('in-place'))
    throw new CodedError('usage', 'new: --worktree and --in-place exclude each other');
  const needs = ['base', 'include'].find(name => args.has(name));
  if (needs && !isWorktree) throw new CodedError('usage', `new: --${needs} needs --worktree`);
  if (isWorktree) return 'worktree';
  return args.has('in-place') ? 'in-place' : 'plain';
}

/** Throws CodedError `refused` where an agent would do without: it is what is confined. */
function sandboxOf({ caller }: CommandContext, args: ParsedArgs): 'on' | 'off' | '' {
  const isOff = args.has('no-sandbox');
  if (isOff && args.has('sandbox'))
    throw new CodedError('usage', 'new: --sandbox and --no-sandbox exclude each other');
  if (isOff && !caller.speaker.isPerson)
    throw new CodedError(
      'refused',
      'new: --no-sandbox: only a person may do that',
      'ask the person to do it',
    );
  if (isOff) return 'off';
  return args.has('sandbox') ? 'on' : '';
}

/** The session that the command is run in; a key is pressed by a person, wherever the focus is. */
function parentOf({ model, caller, isInterface }: CommandContext): SessionRecord | undefined {
  return isInterface ? undefined : model.sessions.get(caller.session);
}

async function promptOf({ host, caller }: CommandContext, args: ParsedArgs): Promise<string> {
  const file = args.value('prompt-file');
  if (file === undefined) return args.value('prompt') ?? '';
  if (args.has('prompt'))
    throw new CodedError('usage', 'prompt: --prompt and --prompt-file exclude each other');
  return new TextDecoder().decode(await host.readFile(file, caller.cwd, MAX_PROMPT));
}

function showRequest({ model, host }: CommandContext, args: ParsedArgs): ShowRequest {
  return { size: model.windows.current?.size ?? host.defaultSize(), isShown: !args.has('background') };
}

async function tellMade(context: CommandContext, { session, warnings }: Made): Promise<void> {
  const { caller, isInterface } = context;
  const more = warnings.length > 0 ? { warnings } : {};
  if (caller.json) return context.json({ ...(await describe(context, session)), ...more });
  if (!isInterface) context.print(`${session.id}\t${session.name}`);
  // Scripts read the line above; a person reads these too.
  if (caller.terminal) for (const warning of warnings) printText(context, warning);
}
