/**
 * Commands on the lives of sessions.
 */
import { CodedError } from '../base/errors.ts';
import { checkParent } from '../model/family.ts';
import { changedLabels } from '../model/labels.ts';
import { checkSessionName } from '../model/names.ts';
import { runs } from '../model/sessions.ts';
import type { SessionId, SessionRecord } from '../model/types.ts';
import { command, flag, printText, valued } from './define.ts';
import { describe } from './session-facts.ts';
import {
  forEach,
  MANY_FLAGS,
  refuseParents,
  refuseStarred,
  sweep,
  targetsOf,
  withChildren,
} from './session-targets.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { isCovered, parseTold, riskDigest, type Told } from './told-risk.ts';
import { findAnySession, findDeleted, findSession } from './target.ts';

const MANY = { group: 'Sessions', args: '[SESSION…]', maxArgs: Infinity, target: 'session' } as const;
const ONE = { group: 'Sessions', args: 'SESSION', minArgs: 1, maxArgs: 1, target: 'session' } as const;

/** The records of these commands. */
export const LIFECYCLE_COMMANDS: readonly CommandSpec[] = [
  command({
    ...MANY,
    name: 'stop',
    text: 'End the programs of sessions; the sessions stay listed',
    flags: MANY_FLAGS,
    exec(context, args) {
      const targets = targetsOf(context, args, 'stop');
      return sweep(context, args, targets, session => context.host.lifecycle.stop(session));
    },
  }),
  command({
    ...MANY,
    name: 'resume',
    text: 'Start the programs of stopped sessions again, where their agents left off',
    flags: MANY_FLAGS,
    exec(context, args) {
      const targets = targetsOf(context, args, 'resume');
      const running = targets.find(runs);
      // Of many only those that are stopped are meant.
      if (running && (targets.length === 1 || args.values('label').length === 0))
        throw new CodedError('failed', `session ${running.name}: its program runs already`);
      const stopped = withChildren(context, args, targets).filter(
        session => session.deletedAt === undefined && !runs(session),
      );
      return forEach(stopped, session => context.host.lifecycle.resume(session, session.size));
    },
  }),
  command({
    ...MANY,
    name: 'restart',
    text: 'End the programs of sessions and start them again, where their agents left off',
    flags: MANY_FLAGS,
    exec(context, args) {
      const targets = withChildren(context, args, targetsOf(context, args, 'restart'));
      const listed = targets.filter(session => session.deletedAt === undefined);
      return forEach(listed, session => context.host.lifecycle.restart(session));
    },
  }),
  command({
    ...MANY,
    name: 'delete',
    aliases: ['kill-session'],
    text: 'End the programs of sessions and put the sessions aside: restore brings them back for some time',
    flags: MANY_FLAGS,
    exec(context, args) {
      const targets = targetsOf(context, args, 'delete');
      const all = withChildren(context, args, targets);
      refuseStarred(all);
      refuseParents(context, all);
      return sweep(context, args, targets, session => context.host.lifecycle.delete(session));
    },
  }),
  command({
    ...MANY,
    name: 'restore',
    text: 'List deleted sessions again; resume starts their programs',
    args: 'SESSION…',
    minArgs: 1,
    exec(context, args) {
      const targets = args.rest.map(target => findDeleted(context, target));
      return forEach(targets, session => context.host.lifecycle.restore(session));
    },
  }),
  command({
    ...MANY,
    name: 'purge',
    text: 'Remove sessions for good, with their worktrees, branches and output',
    flags: [
      flag('y', 'do not ask, whatever would be lost'),
      flag('dry-run', 'only tell what would be lost'),
      {
        name: 'told',
        value: 'ID:DIGEST',
        many: true,
        text: 'with -y: remove it only if what would be lost is still what --dry-run --json gave this digest of',
      },
      ...MANY_FLAGS,
    ],
    exec: purge,
  }),
  command({
    ...ONE,
    name: 'update',
    text: 'Change what is noted of a session: all that is asked for, or nothing',
    flags: [
      valued('name', 'N', 'its name'),
      {
        name: 'star',
        value: 'BOOL',
        isOptional: true,
        text: 'whether it is starred: delete leaves it alone',
      },
      valued('parent', 'P', "the session it belongs under; '' for none"),
      { name: 'add-label', value: 'L', many: true, text: 'a label more' },
      { name: 'remove-label', value: 'L', many: true, text: 'a label less' },
    ],
    exec: update,
  }),
];

async function purge(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { client, isInterface } = context;
  const force = args.has('y');
  const targets = targetsOf(context, args, 'purge', target => findAnySession(context, target));
  const all = withChildren(context, args, targets);
  refuseStarred(all);
  refuseParents(context, all);
  if (args.has('dry-run')) return tellRisks(context, all);
  const told = parseTold(args.values('told'));
  const risks = force && !told ? [] : await risksOf(context, all);
  if (force) return purgeAll(context, args, { targets, told, risks });
  if (risks.length > 0 && isInterface && client) {
    // By id and with what is told: what is confirmed is what was asked about.
    const ids = all.map(session => session.id).join(' ');
    const tells = risks.map(({ session, risk }) => `--told ${session.id}:${riskDigest(risk)}`).join(' ');
    const question = `${lossText(risks)}. Remove all the same?`;
    return client.confirm({ text: question, command: `purge -y ${tells} ${ids}` });
  }
  if (risks.length > 0)
    throw new CodedError('refused', `purge: ${lossText(risks)}`, "'mux purge -y' removes it all the same");
  return purgeAll(context, args, { targets, told: new Map(), risks });
}

/** @param risks looked at before the first goes: all of them or none */
async function purgeAll(
  context: CommandContext,
  args: ParsedArgs,
  {
    targets,
    told,
    risks,
  }: { readonly targets: readonly SessionRecord[]; readonly told: Told; readonly risks: readonly Risk[] },
): Promise<void> {
  const { lifecycle } = context.host;
  const others = risks.filter(({ session, risk }) => !isCovered(told, session.id, risk));
  if (others.length > 0)
    throw new CodedError(
      'refused',
      `purge: ${lossText(others)}, which was not so when it was asked`,
      'ask again',
    );
  // Those that run may start others until they have ended.
  if (args.has('children')) await sweep(context, args, targets, session => lifecycle.delete(session));
  await forEach(withChildren(context, args, targets), session =>
    lifecycle.purge(session, { force: told ? risk => isCovered(told, session.id, risk) : true }),
  );
}

interface Risk {
  readonly session: SessionRecord;
  readonly risk: string;
}

async function risksOf(
  { host }: CommandContext,
  sessions: readonly SessionRecord[],
): Promise<readonly Risk[]> {
  const all = await Promise.all(
    sessions.map(async session => ({ session, risk: await host.lifecycle.risk(session) })),
  );
  return all.filter(({ risk }) => risk !== '');
}

function lossText(risks: readonly Risk[]): string {
  return `with ${risks.map(({ session, risk }) => `${session.name} would be lost: ${risk}`).join('; with ')}`;
}

async function tellRisks(context: CommandContext, all: readonly SessionRecord[]): Promise<void> {
  const risks = new Map((await risksOf(context, all)).map(({ session, risk }) => [session, risk]));
  if (context.caller.json)
    return context.json({
      sessions: all.map(session => {
        const lost = risks.get(session) ?? '';
        return { id: session.id, name: session.name, lost, digest: riskDigest(lost) };
      }),
    });
  for (const session of all)
    printText(context, `${session.id}\t${session.name}\t${risks.get(session) ?? ''}`);
}

async function update(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { model, host, caller } = context;
  const session = findSession(context, args.rest[0]);
  const name = args.value('name');
  const star = args.value('star');
  // All of it is checked before any of it is done.
  const changes = {
    ...(name === undefined ? {} : { name: freeName(context, session, name) }),
    ...(star === undefined ? {} : { starred: truth(star) }),
    ...(args.has('parent') ? { parentId: parentFor(context, session, args.value('parent') ?? '') } : {}),
    labels: changedLabels(session.labels, {
      add: args.values('add-label'),
      remove: args.values('remove-label'),
    }),
  };
  model.sessions.update(session, changes);
  await host.lifecycle.saved();
  if (caller.json) context.json(await describe(context, session));
}

function freeName({ model }: CommandContext, session: SessionRecord, name: string): string {
  checkSessionName(name);
  const other = model.sessions.byName(name);
  if (!other || other === session) return name;
  throw new CodedError('failed', `session ${name}: a session of this name exists`, 'choose another name');
}

const TRUE = new Set(['', 'true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

function truth(text: string): boolean {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw new CodedError('usage', `update: --star '${text}' is neither true nor false`);
}

function parentFor(context: CommandContext, session: SessionRecord, target: string): SessionId | '' {
  if (target === '') return '';
  const parent = findSession(context, target);
  checkParent(context.model.sessions, session, parent);
  return parent.id;
}
