/**
 * Commands on fleets: sessions that are started, shown and ended together.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { waves } from '../fleet/order.ts';
import type { Fleet } from '../fleet/types.ts';
import { fleetOf, isInFleet } from '../model/fleet.ts';
import { checkLabels } from '../model/labels.ts';
import type { SessionRecord } from '../model/types.ts';
import { command, flag, printTable } from './define.ts';
import { currentFleet } from './fleet-save.ts';
import { checkNames, checkRoles, FleetStart, type FleetReport } from './fleet-start.ts';
import { forEach, refuseStarred } from './session-targets.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';

/** The records of these commands. */
export const FLEET_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'up',
    group: 'Fleets',
    text: 'Start the sessions of a file together and show them as it says',
    flags: [flag('dry-run', 'only tell what would be started, or all that is wrong with the file')],
    args: 'FILE|NAME',
    minArgs: 1,
    maxArgs: 1,
    exec: up,
  }),
  command({
    name: 'down',
    group: 'Fleets',
    text: 'End the sessions of a fleet and put them aside: restore brings them back for some time',
    flags: [flag('stop', 'only end their programs: up goes on with them')],
    args: 'FILE|NAME',
    minArgs: 1,
    maxArgs: 1,
    exec: down,
  }),
  command({
    name: 'fleet',
    group: 'Fleets',
    text: 'List the fleets that run and those that are saved, or save what runs as a file for up',
    flags: [flag('force', 'save: in the place of one of that name')],
    args: 'list|save NAME',
    minArgs: 1,
    maxArgs: 2,
    exec: (context, args) => fleetCommand(context, args),
  }),
];

async function up(context: CommandContext, args: ParsedArgs): Promise<void> {
  const fleet = await context.host.fleets.read(args.rest[0]!, context.caller.cwd);
  checkNames(context, fleet);
  await checkRoles(context, fleet);
  if (args.has('dry-run')) return;
  const report = await new FleetStart(context, fleet).run();
  const failed = report.members.filter(member => member.error !== undefined);
  if (failed.length > 0) throw failure(fleet, report);
  tell(context, fleet, report);
}

/** One error for all that did not start. */
function failure(fleet: Fleet, { members, isRolledBack }: FleetReport): CodedError {
  const failed = members.filter(member => member.error !== undefined);
  const { error } = failed[0]!;
  const skipped = members.filter(member => member.state === 'skipped').length;
  const parts = [
    `fleet ${fleet.name}: ${failed.length} of ${members.length} did not start`,
    failed.map(member => withName(member.name, member.error!.message)).join('; '),
  ];
  const rest = isRolledBack
    ? 'nothing of it remains'
    : `the others run${skipped > 0 ? `, and ${skipped} that come after were not started` : ''}`;
  return new CodedError(error!.code, parts.join(': '), [rest, error!.hint].filter(Boolean).join('; '));
}

function withName(name: string, message: string): string {
  return message.includes(name) ? message : `${name}: ${message}`;
}

function tell(context: CommandContext, fleet: Fleet, { members, warnings }: FleetReport): void {
  const { caller, isInterface } = context;
  if (caller.json)
    return context.json({
      fleet: fleet.name,
      sessions: members.map(({ name, state, session }) => ({ name, state, id: session?.id ?? null })),
      ...(warnings.length > 0 ? { warnings } : {}),
    });
  if (!isInterface)
    printTable(
      context,
      ['SESSION', 'STATE', 'ID'],
      members.map(({ name, state, session }) => [name, state, session?.id ?? '']),
    );
  // Scripts read the rows above; a person reads these too.
  if (caller.terminal || isInterface) for (const warning of warnings) context.print(warning);
}

async function down(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { model, host, caller } = context;
  const [target = ''] = args.rest;
  const isFile = host.fleets.isFile(target, caller.cwd);
  const fleet = isFile ? await host.fleets.read(target, caller.cwd) : undefined;
  const name = fleet?.name ?? target;
  checkLabels([name]);
  const own = model.sessions.all().filter(session => isInFleet(session.labels, name));
  if (own.length === 0) throw noFleet(context, name);
  for (const session of own) context.checkReach?.(session);
  const isStop = args.has('stop');
  if (!isStop) refuseStarred(own);
  const end = (session: SessionRecord): Promise<void> => {
    // The pane of a command has nothing that could be gone on with.
    if (!session.durable) return host.lifecycle.purge(session, { force: true });
    return isStop ? host.lifecycle.stop(session) : host.lifecycle.delete(session);
  };
  for (const group of groups(own, fleet)) await forEach(group, end);
  if (caller.json)
    context.json({ fleet: name, sessions: own.map(({ id, name: one }) => ({ id, name: one })) });
}

/** Those that others wait for end last; where the order is not known, all at once. */
function groups(
  own: readonly SessionRecord[],
  fleet: Fleet | undefined,
): readonly (readonly SessionRecord[])[] {
  const byWave = waves(fleet?.members ?? []).map(wave => new Set(wave.map(member => member.name)));
  const ordered = byWave.toReversed().map(names => own.filter(session => names.has(session.name)));
  const rest = own.filter(session => !byWave.some(names => names.has(session.name)));
  return [rest, ...ordered];
}

function noFleet(context: CommandContext, name: string): CodedError {
  const near = nearest(name, running(context).keys());
  const hint = near ? `did you mean ${near}?` : "'mux fleet list' shows those that run";
  return new CodedError('not_found', `fleet ${name}: no session belongs to it`, hint);
}

/** Sessions by the fleet they belong to. */
function running({ model }: CommandContext): ReadonlyMap<string, readonly SessionRecord[]> {
  const found = new Map<string, SessionRecord[]>();
  for (const session of model.sessions.all()) {
    const name = fleetOf(session.labels);
    if (name !== '') found.set(name, [...(found.get(name) ?? []), session]);
  }
  return found;
}

async function fleetCommand(context: CommandContext, args: ParsedArgs): Promise<void> {
  const [what = '', name] = args.rest;
  if (what === 'list' && name === undefined) return list(context);
  if (what === 'save' && name !== undefined) return save(context, name, args.has('force'));
  throw new CodedError(
    'usage',
    `fleet: '${[what, name ?? ''].join(' ').trim()}'`,
    'usage: fleet list|save NAME',
  );
}

function list(context: CommandContext): void {
  const { host, model, caller } = context;
  const up = running(context);
  const saved = new Map(host.fleets.saved().map(({ name, file }) => [name, file]));
  const names = [...new Set([...up.keys(), ...saved.keys()])].sort();
  const rows = names.map(name => ({ name, file: saved.get(name), sessions: up.get(name) ?? [] }));
  const status = (session: SessionRecord): string => model.sessions.status(session);
  if (caller.json)
    return context.json({
      fleets: rows.map(({ name, file, sessions }) => ({
        name,
        file: file ?? null,
        sessions: sessions.map(one => ({ id: one.id, name: one.name, status: status(one) })),
      })),
    });
  printTable(
    context,
    ['FLEET', 'SESSIONS', 'FILE'],
    rows.map(({ name, file, sessions }) => [
      name,
      sessions.map(one => `${one.name} (${status(one)})`).join(', '),
      file ?? '',
    ]),
  );
}

async function save(context: CommandContext, name: string, force: boolean): Promise<void> {
  const { caller, host } = context;
  if (!caller.speaker.isPerson)
    throw new CodedError('refused', 'fleet save: only a person may do that', 'ask the person to do it');
  const fleet = currentFleet(context, name);
  const file = await host.fleets.save(fleet, { force });
  if (caller.json) context.json({ name, file });
  else context.print(file);
}
