/**
 * Many sessions at once: by name, by label, with everything below them.
 */
import { CodedError } from '../base/errors.ts';
import { childrenOf, subtree } from '../model/family.ts';
import { hasLabels } from '../model/labels.ts';
import type { SessionRecord } from '../model/types.ts';
import { flag, valued } from './define.ts';
import type { CommandContext, FlagSpec, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** Flags of commands that act on many sessions. */
export const MANY_FLAGS: readonly FlagSpec[] = [
  valued('t', 'SESSION', 'the session (as an argument)'),
  { name: 'label', value: 'L', many: true, text: 'all those with the label' },
  flag('children', 'and everything that was started by them, down to the last'),
];

/** Sessions that are started while others are ended are looked for again, but not without end. */
const MAX_SWEEPS = 5;

/**
 * The sessions a command names, each once; all of them first, so that one that is not there, or that the caller may not
 * act on, changes nothing. Also by a label: an agent that meant its own is told, and not obeyed by half.
 * @param find how one is looked up
 */
export function targetsOf(
  context: CommandContext,
  args: ParsedArgs,
  name: string,
  find: (target: string) => SessionRecord = target => findSession(context, target),
): readonly SessionRecord[] {
  const words = [...args.values('t'), ...args.rest];
  const labels = args.values('label');
  if (words.length === 0 && labels.length === 0)
    throw new CodedError('usage', `${name}: say which sessions`, 'by name, or --label L');
  const labelled = context.model.sessions
    .all()
    .filter(session => labels.length > 0 && hasLabels(session.labels, labels));
  if (words.length === 0 && labelled.length === 0)
    throw new CodedError('not_found', `${name}: no session has the label ${labels.join(' and ')}`);
  for (const session of labelled) context.checkReach?.(session);
  const found = [...words.map(find), ...labelled];
  return [...new Set(found)];
}

/** With everything below them, where --children asks for it. Throws CodedError `refused` as `targetsOf` does. */
export function withChildren(
  { model, checkReach }: CommandContext,
  args: ParsedArgs,
  targets: readonly SessionRecord[],
): readonly SessionRecord[] {
  if (!args.has('children')) return targets;
  const all = model.sessions.every();
  const found = [...new Set(targets.flatMap(target => subtree(target, all)))];
  if (checkReach) found.forEach(checkReach);
  return found;
}

/** Fails where one has children that are not among `targets`. */
export function refuseParents({ model }: CommandContext, targets: readonly SessionRecord[]): void {
  for (const target of targets) {
    const left = childrenOf(model.sessions, target).filter(child => !targets.includes(child));
    if (left.length === 0) continue;
    const names = left.map(child => child.name).join(', ');
    throw new CodedError(
      'refused',
      `session ${target.name}: it has started others: ${names}`,
      'name them too, or say --children',
    );
  }
}

/** Fails where one is starred. */
export function refuseStarred(targets: readonly SessionRecord[]): void {
  const starred = targets.find(target => target.starred);
  if (!starred) return;
  throw new CodedError(
    'refused',
    `session ${starred.name}: it is starred`,
    `'mux update ${starred.name} --star=false' takes the star away`,
  );
}

/** Does `work` for each at the same time. Throws when all are done: what went wrong with the only one, or with how many. */
export async function forEach(
  sessions: readonly SessionRecord[],
  work: (session: SessionRecord) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(sessions.map(work));
  const failed = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failed.length === 0) return;
  const [first] = failed;
  if (failed.length === 1 || !(first instanceof CodedError)) throw first;
  const more = `${first.message} (and ${failed.length - 1} more of ${sessions.length})`;
  throw new CodedError(first.code, more, first.hint, { cause: first });
}

/**
 * Does `work` for the targets, with --children for all below them: those there now, and then those that were started
 * meanwhile.
 */
export async function sweep(
  context: CommandContext,
  args: ParsedArgs,
  targets: readonly SessionRecord[],
  work: (session: SessionRecord) => Promise<void>,
): Promise<void> {
  const done = new Set<SessionRecord>();
  for (let round = 0; round < MAX_SWEEPS; round++) {
    const left = withChildren(context, args, targets).filter(session => !done.has(session));
    if (left.length === 0) return;
    for (const session of left) done.add(session);
    await forEach(left, work);
  }
}
