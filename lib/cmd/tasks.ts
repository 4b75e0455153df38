/**
 * Commands about shared lists of tasks. A list belongs to a fleet, or to a session that started others and all that it
 * started; the person has one of their own.
 */
import { revealed } from '../base/visible.ts';
import { CodedError } from '../base/errors.ts';
import { TASK_STATUS_NAMES, taskJson } from './task-text.ts';
import type { Model } from '../model/model.ts';
import type { SessionRecord } from '../model/types.ts';
import type { Task, TaskAction, TaskActor, TaskStatus } from '../messages/task-types.ts';
import { correspondentOf, HUMAN } from './correspondents.ts';
import { command, flag, printTable, valued } from './define.ts';
import type { CommandContext, CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** Bytes of a title: a line that one reads in a list. */
const TITLE_MAX = 500;
/** Bytes of a note: a paragraph; more belongs into a message. */
const NOTE_MAX = 2000;
const KEY_MAX = 64;
/** Parents are followed no further: deeper teams than this are loops. */
const MAX_DEPTH = 100;
const FLEET = /^[\w.-]{1,64}$/;

const LIST_FLAGS: readonly FlagSpec[] = [
  valued('fleet', 'F', 'the list of this fleet'),
  valued('session', 'S', 'the list that this session works from'),
];
const KEY = valued(
  'key',
  'KEY',
  'the same key again is the same task, which is then not made or taken twice',
);
const NOTE = valued('note', 'TEXT', 'what others should know of it');

export const TASK_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'task add',
    group: 'Messages',
    text: 'Add a task to the shared list, and print its id',
    flags: [
      { name: 'needs', value: 'ID', many: true, text: 'a task that must be done before' },
      ...LIST_FLAGS,
      KEY,
    ],
    args: 'TITLE',
    minArgs: 1,
    maxArgs: 1,
    async exec(context, args) {
      const title = bounded('a title', args.rest[0]!.trim(), TITLE_MAX);
      if (title === '') throw new CodedError('usage', 'task add: the title is empty');
      const task = { scope: scopeOf(context, args), title, needs: args.values('needs') };
      const { tasks } = context.host.messages;
      printTask(context, await tasks.add(task, actorOf(context, task.scope), keyOf(args)));
    },
  }),
  command({
    name: 'task list',
    group: 'Messages',
    text: 'List the tasks that are not done',
    flags: [
      flag('all', 'and those that are'),
      valued('status', 'ST', `those of one status: ${TASK_STATUS_NAMES.join(', ')}`),
      ...LIST_FLAGS,
    ],
    async exec(context, args) {
      const scope = scopeOf(context, args);
      const all = await context.host.messages.tasks.list(scope, wantedOf(args));
      if (context.caller.json) return context.json({ scope, tasks: all.map(taskJson) });
      printTable(
        context,
        ['ID', 'STATUS', 'OWNER', 'TITLE'],
        all.map(({ id, status, ownerName, title, waitsFor }) => [
          id,
          status === 'todo' && waitsFor.length > 0 ? `waits for ${waitsFor.join(' ')}` : status,
          revealed(ownerName ?? ''),
          revealed(title),
        ]),
      );
    },
  }),
  command({
    name: 'task next',
    group: 'Messages',
    text: 'Take the first task that nobody has and that waits for nothing',
    flags: [...LIST_FLAGS, KEY],
    async exec(context, args) {
      const scope = scopeOf(context, args);
      const { tasks } = context.host.messages;
      printTask(context, await tasks.next(scope, actorOf(context, scope), keyOf(args)));
    },
  }),
  action('claim', 'Take a task: of two who want it, one gets it'),
  action('start', 'Say that a task is being worked on; one that nobody has is taken'),
  action('done', 'Say that a task is done'),
  action('block', 'Say that a task cannot go on'),
  action('reopen', 'Put a task back into the list'),
];

function action(name: TaskAction, text: string): CommandSpec {
  return command({
    name: `task ${name}`,
    group: 'Messages',
    text,
    flags: [NOTE, ...LIST_FLAGS],
    args: 'ID',
    minArgs: 1,
    maxArgs: 1,
    async exec(context, args) {
      const scope = scopeOf(context, args);
      const given = args.value('note');
      const note = given === undefined ? undefined : bounded('a note', given, NOTE_MAX);
      const task = { scope, id: args.rest[0]! };
      printTask(context, await context.host.messages.tasks.act(task, name, actorOf(context, scope), note));
    },
  });
}

/** The list that is meant. Throws CodedError `usage`, or as findSession does. */
function scopeOf(context: CommandContext, args: ParsedArgs): string {
  const fleet = args.value('fleet');
  const session = args.value('session');
  if (fleet !== undefined && session !== undefined)
    throw new CodedError('usage', 'task: --fleet and --session exclude each other');
  if (fleet !== undefined) {
    if (FLEET.test(fleet)) return `fleet.${fleet}`;
    throw new CodedError('usage', `fleet '${fleet.slice(0, 40)}': a fleet has no such name`);
  }
  if (session !== undefined) return rootOf(context.model, findSession(context, session)).id;
  const { speaker } = context.caller;
  const own = speaker.isPerson ? undefined : context.model.sessions.get(speaker.session);
  return own ? rootOf(context.model, own).id : HUMAN.id;
}

/** The session at the top of those that started each other. */
function rootOf(model: Model, session: SessionRecord): SessionRecord {
  let root = session;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const parent = model.sessions.get(root.parentId);
    if (!parent) return root;
    root = parent;
  }
  return root;
}

/** Who acts: the person, and the session at the top, may change what others have. */
function actorOf(context: CommandContext, scope: string): TaskActor {
  const { id, name } = correspondentOf(context);
  return { id, name, isPerson: id === HUMAN.id, isChief: context.caller.speaker.isPerson || id === scope };
}

function wantedOf(args: ParsedArgs): TaskStatus | 'open' | 'all' {
  const status = args.value('status');
  if (status === undefined) return args.has('all') ? 'all' : 'open';
  const found = TASK_STATUS_NAMES.find(name => name === status);
  if (found) return found;
  throw new CodedError(
    'usage',
    `task list: no status '${status.slice(0, 40)}'`,
    TASK_STATUS_NAMES.join(', '),
  );
}

function keyOf(args: ParsedArgs): string {
  return (args.value('key') ?? '').slice(0, KEY_MAX);
}

function bounded(what: string, text: string, max: number): string {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  // Half a surrogate pair is no text.
  if (length <= max) return new TextDecoder().decode(bytes);
  throw new CodedError(
    'refused',
    `task: ${what} of ${length} bytes is more than ${max}`,
    'write it into a message',
  );
}

function printTask(context: CommandContext, task: Task): void {
  if (context.caller.json) return context.json(taskJson(task));
  context.print(`${task.id}\t${task.status}\t${revealed(task.title)}`);
}
