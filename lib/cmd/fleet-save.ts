/**
 * What runs, as a fleet: a file of it brings the same up again.
 */
import { CodedError } from '../base/errors.ts';
import type { Fleet, FleetPane, FleetWindow, Member } from '../fleet/types.ts';
import { formatLayout } from '../layout/codec.ts';
import { removePane } from '../layout/edit.ts';
import { paneIds } from '../layout/tree.ts';
import type { LayoutNode } from '../layout/types.ts';
import { fleetLabel, isInFleet } from '../model/fleet.ts';
import { directoryOf } from '../model/sessions.ts';
import type { SessionRecord, WindowRecord } from '../model/types.ts';
import type { CommandContext } from './spec.ts';

/** As long as a file that says nothing about it. */
const READY_TIMEOUT_MS = 60_000;

/** The fleet `name` as it runs, or all that runs where there is none of that name. Throws CodedError. */
export function currentFleet(context: CommandContext, name: string): Fleet {
  const { sessions, windows } = context.model;
  const own = sessions.all().filter(session => isInFleet(session.labels, name));
  const wanted = new Set((own.length > 0 ? own : sessions.all()).filter(session => !session.isViewer));
  if (wanted.size === 0) throw new CodedError('not_found', 'fleet save: nothing runs that could be saved');
  const members = [...wanted].filter(session => session.durable).map(one => memberOf(context, one));
  return {
    name,
    members,
    windows: windows.all().flatMap(window => windowOf(context, window, wanted)),
    messages: [],
    onFailure: 'rollback',
    readyTimeout: READY_TIMEOUT_MS,
  };
}

function memberOf(context: CommandContext, session: SessionRecord): Member {
  const { launch, place } = session;
  return {
    name: session.name,
    agent: launch.ofAgent ? session.agent : '',
    command: launch.ofAgent ? [] : commandOf(context, session),
    role: session.role,
    model: session.model,
    prompt: '',
    cwd: place.kind === 'worktree' ? place.main.repo : launch.cwd,
    place: place.kind,
    base: place.kind === 'worktree' ? place.main.base : '',
    fetch: true,
    labels: session.labels.filter(label => !label.toLowerCase().startsWith(fleetLabel(''))),
    env: Object.entries(launch.given ?? {}).map(([key, value]) => `${key}=${value}`),
    after: [],
  };
}

/** What was asked for, as far as argv tells: a line for the shell is one word again. */
function commandOf({ host }: CommandContext, session: SessionRecord): readonly string[] {
  const { argv } = session.launch;
  const [program, flag, line] = argv;
  const isShell = program === host.fleets.shell();
  if (isShell && argv.length === 3 && flag === '-c') return [line!];
  return isShell && argv.length === 1 && !session.durable ? [] : argv;
}

function windowOf(
  context: CommandContext,
  window: WindowRecord,
  wanted: ReadonlySet<SessionRecord>,
): FleetWindow[] {
  const { model } = context;
  let tree: LayoutNode | undefined = window.tree;
  const panes: FleetPane[] = [];
  for (const pane of model.windows.panesIn(window)) {
    const session = model.sessionOf(pane);
    if (!wanted.has(session)) {
      tree = tree && removePane(tree, pane.id);
      continue;
    }
    panes.push(
      session.durable
        ? { session: session.name, command: [], cwd: '' }
        : { session: '', command: commandOf(context, session), cwd: directoryOf(session) },
    );
  }
  if (!tree || panes.length === 0) return [];
  const isWhole = panes.length === paneIds(window.tree).length;
  const layout = panes.length === 1 ? '' : ((isWhole ? window.preset : undefined) ?? formatLayout(tree));
  return [{ name: window.name, layout, panes }];
}
