/**
 * A fleet's file: text in, the fleet or everything that is wrong with it out. Nothing of a file with a mistake is used.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { readYaml, type KeyPath, type Problem } from '../config/document.ts';
import { place, toProblems, type Complaint } from '../config/problems.ts';
import { PRESETS } from '../layout/types.ts';
import { parseLayout } from '../layout/codec.ts';
import { paneIds } from '../layout/tree.ts';
import { checkLabels } from '../model/labels.ts';
import { fleetLabel } from '../model/fleet.ts';
import { checkSessionName } from '../model/names.ts';
import { cycleIn } from './order.ts';
import { fleetSchema, type FleetFile } from './schema.ts';
import type { After, Fleet, FleetPane, FleetWindow, Member } from './types.ts';

/** What a file is read with. */
export interface FleetSource {
  /** As it is named in problems. */
  readonly file: string;
  readonly text: string;
  /** Name of the fleet where the file gives none. */
  readonly name: string;
  /** Makes a path absolute: what is relative is so to the second one, which is absolute, or '' for the file's folder. */
  readonly resolve: (path: string, from: string) => string;
  /** Names of `agents:`. */
  readonly agents: readonly string[];
}

/** The fleet, and what is wrong with the file: where there is anything, there is no fleet. */
export interface ReadFleet {
  readonly fleet: Fleet | undefined;
  readonly problems: readonly Problem[];
}

/** More sessions than this are a mistake: each is a program. */
const MEMBERS_MAX = 100;
/** Panes of one window; narrower ones show nothing. */
const PANES_MAX = 50;

/** Reads a fleet. Never throws. */
export function readFleet(source: FleetSource): ReadFleet {
  const yaml = readYaml(source.file, source.text);
  if (yaml.problems.length > 0) return { fleet: undefined, problems: yaml.problems };
  const parsed = fleetSchema.safeParse(yaml.value ?? {});
  if (!parsed.success) {
    const problems = toProblems(source.file, yaml, fleetSchema, parsed.error.issues);
    return { fleet: undefined, problems };
  }
  const complaints = complaintsOf(parsed.data, source);
  if (complaints.length > 0) return { fleet: undefined, problems: place(source.file, yaml, complaints) };
  return { fleet: fleetOf(parsed.data, source), problems: [] };
}

/** The first problem as an error, with a word about the others. */
export function problemError(problems: readonly Problem[]): CodedError {
  const [first] = problems;
  if (!first) throw new Error('no problem');
  const { file, line, column, message, hint } = first;
  const more = problems.length > 1 ? `${problems.length - 1} more: mux up --dry-run lists them` : '';
  const remedy = [hint, more].filter(Boolean).join('; ');
  return new CodedError('invalid_config', `${file}:${line}:${column}: ${message}`, remedy || undefined);
}

/** What no single key can know. */
function complaintsOf(file: FleetFile, source: FleetSource): Complaint[] {
  const members = Object.entries(file.sessions);
  const names = members.map(([name]) => name);
  const windows = file.windows ?? [];
  return [
    ...nameComplaints(file, source, names),
    ...members.flatMap(([name, member]) => memberComplaints(name, member, names, source)),
    ...cycleComplaint(file),
    ...windows.flatMap((window, i) => windowComplaints(window, ['windows', i], names)),
    ...doubleComplaints(windows, names),
    ...file.messages.flatMap((message, i) => [
      ...memberNamed(message.to, ['messages', i, 'to'], names),
      ...(message.from === undefined ? [] : memberNamed(message.from, ['messages', i, 'from'], names)),
    ]),
  ];
}

function nameComplaints(file: FleetFile, source: FleetSource, names: readonly string[]): Complaint[] {
  const found = [
    ...attempt(['name'], () => checkLabels([fleetLabel(file.name ?? source.name)])),
    ...names.flatMap(name => attempt(['sessions', name], () => checkSessionName(name), 'key')),
  ];
  if (names.length > MEMBERS_MAX)
    found.push(complaint(['sessions'], `${names.length} sessions are more than ${MEMBERS_MAX}`));
  if (names.length === 0 && !file.windows?.length)
    found.push(complaint([], 'it starts nothing', 'add sessions or windows'));
  return found;
}

type MemberEntry = FleetFile['sessions'][string];

function memberComplaints(
  name: string,
  entry: MemberEntry,
  names: readonly string[],
  { agents }: FleetSource,
): Complaint[] {
  const at: KeyPath = ['sessions', name];
  const found = list(entry.after).flatMap((after, i) => {
    const path = [...at, 'after', ...(Array.isArray(entry.after) ? [i] : [])];
    return typeof after === 'string'
      ? memberNamed(after, path, names)
      : memberNamed(after.session, [...path, 'session'], names);
  });
  if (entry.agent !== undefined && !agents.includes(entry.agent))
    found.push(unknown([...at, 'agent'], 'agent', entry.agent, agents));
  if (entry.command !== undefined && entry.prompt !== undefined)
    found.push(
      complaint([...at, 'prompt'], 'a command takes no prompt', 'put it among the words of the command'),
    );
  for (const key of ['base', 'fetch'] as const)
    if (entry[key] !== undefined && !entry.worktree)
      found.push(complaint([...at, key], 'it needs worktree: true'));
  found.push(...attempt([...at, 'labels'], () => checkLabels(list(entry.labels))));
  const wrong = Object.keys(entry.env ?? {}).find(key => !/^[A-Za-z_]\w*$/.test(key));
  if (wrong !== undefined)
    found.push(
      complaint([...at, 'env', wrong], 'it is no name of an environment variable', undefined, 'key'),
    );
  return found;
}

function cycleComplaint(file: FleetFile): Complaint[] {
  const members = Object.entries(file.sessions).map(([name, entry]) => ({ name, after: afterOf(entry) }));
  const cycle = cycleIn(members);
  if (!cycle) return [];
  return [complaint(['sessions', cycle[0]!, 'after'], `each waits for the next: ${cycle.join(' → ')}`)];
}

type WindowEntry = NonNullable<FleetFile['windows']>[number];

function windowComplaints(window: WindowEntry, at: KeyPath, names: readonly string[]): Complaint[] {
  const found: Complaint[] = [];
  if (window.panes.length > PANES_MAX)
    found.push(complaint([...at, 'panes'], `${window.panes.length} panes are more than ${PANES_MAX}`));
  if (window.layout !== undefined) found.push(...layoutComplaints(window.layout, [...at, 'layout'], window));
  for (const [i, pane] of window.panes.entries()) {
    const path = [...at, 'panes', i];
    if (typeof pane === 'string') {
      const near = isWord(pane) && !names.includes(pane) ? nearest(pane, names) : undefined;
      if (near) found.push(complaint(path, `there is no session '${pane}'`, `did you mean ${near}?`));
    } else if (pane.session !== undefined) {
      found.push(...memberNamed(pane.session, [...path, 'session'], names));
      const extra = (['command', 'dir'] as const).find(key => pane[key] !== undefined);
      if (extra) found.push(complaint([...path, extra], 'a session has its own', 'remove it, or session'));
    }
  }
  return found;
}

function layoutComplaints(layout: string, at: KeyPath, { panes }: WindowEntry): Complaint[] {
  if (PRESETS.some(preset => preset === layout)) return [];
  if (!layout.includes(',')) return [unknown(at, 'arrangement', layout, PRESETS)];
  return attempt(at, () => {
    const places = paneIds(parseLayout(layout)).length;
    if (places !== panes.length)
      throw new CodedError('usage', `it has places for ${places} panes, and the window has ${panes.length}`);
  });
}

/** A session has one pane. */
function doubleComplaints(windows: readonly WindowEntry[], names: readonly string[]): Complaint[] {
  const seen = new Set<string>();
  return windows.flatMap((window, w) =>
    window.panes.flatMap((pane, p) => {
      const name = typeof pane === 'string' ? pane : pane.session;
      if (name === undefined || !names.includes(name)) return [];
      if (!seen.has(name)) return (seen.add(name), []);
      return [complaint(['windows', w, 'panes', p], `session ${name} has a pane already`)];
    }),
  );
}

function memberNamed(name: string, at: KeyPath, names: readonly string[]): Complaint[] {
  return names.includes(name) ? [] : [unknown(at, 'session', name, names)];
}

function unknown(path: KeyPath, what: string, name: string, known: readonly string[]): Complaint {
  const near = nearest(name, known);
  const all = known.length > 0 && known.length <= 12 ? `known: ${known.join(', ')}` : undefined;
  return complaint(path, `there is no ${what} ${JSON.stringify(name)}`, near ? `did you mean ${near}?` : all);
}

function complaint(
  path: KeyPath,
  message: string,
  hint?: string,
  part: 'key' | 'value' = 'value',
): Complaint {
  return { path, part, message, hint: () => hint };
}

/** What a check that throws has against the value at `path`. */
function attempt(path: KeyPath, check: () => unknown, part: 'key' | 'value' = 'value'): Complaint[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return [complaint(path, error.message, error.hint, part)];
  }
}

function fleetOf(file: FleetFile, { resolve, name }: FleetSource): Fleet {
  const root = resolve(file.repo ?? '.', '');
  const members = Object.entries(file.sessions).map(([own, entry]) => memberOf(own, entry, root, resolve));
  const names = members.map(member => member.name);
  const side: FleetWindow = {
    name: file.name ?? name,
    layout: '',
    panes: names.map(memberPane),
  };
  return {
    name: file.name ?? name,
    members,
    windows: file.windows?.map((window, i) =>
      windowOf(window, i, (path: string) => resolve(path, root), names),
    ) ?? [side],
    messages: file.messages.map(({ to, from = '', text }) => ({ to, from, text })),
    onFailure: file.on_failure,
    readyTimeout: file.ready_timeout,
  };
}

function memberOf(name: string, entry: MemberEntry, root: string, resolve: FleetSource['resolve']): Member {
  return {
    name,
    agent: entry.agent ?? '',
    command: list(entry.command),
    role: entry.role ?? '',
    model: entry.model ?? '',
    prompt: entry.prompt ?? '',
    cwd: resolve(entry.repo ?? '.', root),
    place: entry.worktree === undefined ? 'plain' : entry.worktree ? 'worktree' : 'in-place',
    base: entry.base ?? '',
    fetch: entry.fetch ?? true,
    labels: list(entry.labels),
    env: Object.entries(entry.env ?? {}).map(([key, value]) => `${key}=${value}`),
    after: afterOf(entry),
  };
}

function afterOf({ after }: MemberEntry): After[] {
  return list(after).map(one =>
    typeof one === 'string' ? { name: one, until: 'started' } : { name: one.session, until: one.until },
  );
}

const memberPane = (session: string): FleetPane => ({ session, command: [], cwd: '' });

function windowOf(
  { name, layout, panes }: WindowEntry,
  index: number,
  resolve: (path: string) => string,
  names: readonly string[],
): FleetWindow {
  const paneOf = (pane: WindowEntry['panes'][number]): FleetPane => {
    if (typeof pane === 'string')
      return names.includes(pane) ? memberPane(pane) : { session: '', command: [pane], cwd: resolve('.') };
    if (pane.session !== undefined) return memberPane(pane.session);
    return { session: '', command: list(pane.command), cwd: resolve(pane.dir ?? '.') };
  };
  return { name: name ?? `${index + 1}`, layout: layout ?? '', panes: panes.map(paneOf) };
}

/** Whether it looks like the name of a session and not like a command line. */
function isWord(text: string): boolean {
  return /^[\p{L}\p{N}._+-]+$/u.test(text);
}

function list<T>(value: T | readonly T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...(value as readonly T[])] : [value as T];
}
