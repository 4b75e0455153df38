/**
 * `gc`: what sessions and servers that are gone have left behind.
 */
import { formatDuration } from '../base/duration.ts';
import { toCoded } from '../base/errors.ts';
import { command, flag, printTable } from './define.ts';
import type { Orphan } from './upkeep-port.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';

export const UPKEEP_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'gc',
    group: 'Sessions',
    text: 'List what sessions that are gone have left behind, or remove it',
    flags: [flag('force', 'remove it, but for worktrees with work that would be lost')],
    exec: gcCommand,
  }),
];

async function gcCommand(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { upkeep } = context.host;
  const rows: { orphan: Orphan; removed: boolean; reason: string }[] = [];
  for (const orphan of await upkeep.orphans()) {
    let reason = orphan.keep;
    let removed = false;
    if (args.has('force') && reason === '') {
      try {
        await upkeep.remove(orphan);
        removed = true;
      } catch (error) {
        reason = toCoded(error).message;
      }
    }
    rows.push({ orphan, removed, reason });
  }
  if (context.caller.json) {
    const orphans = rows.map(({ orphan: { kind, path, bytes, ageMs, keep }, removed, reason }) => ({
      kind,
      path,
      bytes: bytes ?? null,
      age_seconds: Math.floor(ageMs / 1000),
      removable: keep === '',
      removed,
      reason: reason || null,
    }));
    return context.json({ orphans });
  }
  printTable(
    context,
    ['KIND', 'AGE', 'SIZE', 'PATH', ''],
    rows.map(({ orphan, removed, reason }) => [
      orphan.kind,
      formatDuration(Math.floor(orphan.ageMs / 60_000) * 60_000),
      orphan.bytes === undefined ? '-' : String(orphan.bytes),
      orphan.path,
      removed ? 'removed' : reason && `kept: ${reason}`,
    ]),
  );
  if (!context.caller.terminal) return;
  if (rows.length === 0) context.print('nothing is left behind');
  else if (!args.has('force')) context.print("'mux gc --force' removes what is not kept");
}
