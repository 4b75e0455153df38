/**
 * A fleet as its file: what `readFleet` reads as the same fleet.
 */
import { stringify } from 'yaml';
import type { Fleet, FleetPane, Member } from './types.ts';

/** The text of a fleet's file; paths are absolute in it. */
export function writeFleet(fleet: Fleet): string {
  const names = new Set(fleet.members.map(member => member.name));
  const seconds = Math.round(fleet.readyTimeout / 1000);
  return stringify(
    without({
      name: fleet.name,
      on_failure: fleet.onFailure === 'rollback' ? undefined : fleet.onFailure,
      ready_timeout: seconds === 60 ? undefined : `${seconds}s`,
      sessions:
        fleet.members.length > 0
          ? Object.fromEntries(fleet.members.map(member => [member.name, memberEntry(member)]))
          : undefined,
      windows: fleet.windows.map(({ name, layout, panes }) =>
        without({ name, layout: layout || undefined, panes: panes.map(pane => paneEntry(pane, names)) }),
      ),
      messages:
        fleet.messages.length > 0
          ? fleet.messages.map(({ to, from, text }) => without({ to, from: from || undefined, text }))
          : undefined,
    }),
    { lineWidth: 0 },
  );
}

function memberEntry(member: Member): Record<string, unknown> {
  const { agent, command, role, model, prompt, cwd, place, base, fetch, labels, env, after } = member;
  const isWorktree = place === 'worktree';
  return without({
    agent: agent || undefined,
    command: commandEntry(command),
    role: role || undefined,
    model: model || undefined,
    prompt: prompt || undefined,
    repo: cwd,
    worktree: place === 'plain' ? undefined : isWorktree,
    base: (isWorktree && base) || undefined,
    fetch: isWorktree && !fetch ? false : undefined,
    labels: labels.length > 0 ? labels : undefined,
    env: env.length > 0 ? Object.fromEntries(env.map(pairOf)) : undefined,
    after:
      after.length > 0
        ? after.map(({ name, until }) => (until === 'started' ? name : { session: name, until }))
        : undefined,
  });
}

function paneEntry(pane: FleetPane, names: ReadonlySet<string>): unknown {
  if (pane.session !== '') return names.has(pane.session) ? pane.session : { session: pane.session };
  return without({ command: commandEntry(pane.command), dir: pane.cwd });
}

function commandEntry(command: readonly string[]): unknown {
  return command.length === 0 ? undefined : command.length === 1 ? command[0] : command;
}

function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function without(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
