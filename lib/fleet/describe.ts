/**
 * What a fleet would start, for people and for scripts.
 */
import { waves } from './order.ts';
import type { Fleet, FleetPane, Member } from './types.ts';

/** The plan as JSON; keys are those of the file. */
export function fleetJson(fleet: Fleet): Record<string, unknown> {
  return {
    fleet: fleet.name,
    on_failure: fleet.onFailure,
    order: waves(fleet.members).map(wave => wave.map(member => member.name)),
    sessions: fleet.members.map(({ cwd, fetch: _, after, ...member }) => ({ ...member, repo: cwd, after })),
    windows: fleet.windows.map(({ name, layout, panes }) => ({
      name,
      layout: layout || 'tiled',
      panes: panes.map(paneText),
    })),
    messages: fleet.messages,
  };
}

/** The plan as lines. */
export function fleetLines(fleet: Fleet): string[] {
  const width = Math.max(0, ...fleet.members.map(member => member.name.length));
  const steps = waves(fleet.members).flatMap((wave, i) =>
    wave.map(member => `${String(i + 1).padStart(3)}  ${member.name.padEnd(width)}  ${memberText(member)}`),
  );
  return [
    `fleet ${fleet.name}: where one does not start, ${FAILURE[fleet.onFailure]}`,
    ...steps,
    ...fleet.windows.map(
      ({ name, layout, panes }) =>
        `window ${name} (${layout || 'tiled'}): ${panes.map(paneText).join(' | ')}`,
    ),
    ...fleet.messages.map(
      ({ to, from, text }) => `message to ${to}${from && ` from ${from}`}: ${oneLine(text)}`,
    ),
  ];
}

const FAILURE: Readonly<Record<Fleet['onFailure'], string>> = {
  rollback: 'the others are taken back',
  report: 'the others go on',
};

function memberText({ agent, command, role, cwd, place, base, after }: Member): string {
  return [
    agent || command.join(' ') || 'default agent',
    role,
    `in ${cwd}`,
    place === 'worktree' ? `worktree${base && ` from ${base}`}` : '',
    ...after.map(({ name, until }) => `after ${name} ${until === 'ready' ? 'is ready' : 'has started'}`),
  ]
    .filter(Boolean)
    .map(oneLine)
    .join(', ');
}

function paneText({ session, command }: FleetPane): string {
  return oneLine(session || command.join(' ') || 'shell');
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
