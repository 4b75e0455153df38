/**
 * `diff`: a file changed, created, deleted or renamed by a unified diff.
 */
import { visible } from '../../base/visible.ts';
import { applyHunks } from '../edits/apply.ts';
import { parseDiff, type Hunk, type ParsedDiff } from '../edits/parse-diff.ts';
import { fileAt, isTaken, type Plan, type Planner, type Trouble } from './plan.ts';
import type { Place, Workspace } from './workspace.ts';

/** The message of the method. */
export interface DiffArgs {
  readonly path: string;
  readonly diff: string;
}

/** What a diff would do. */
export function diffPlanner(workspace: Workspace): Planner<DiffArgs> {
  return async ({ path, diff }) => {
    const parsed = parseDiff(diff);
    const from = await workspace.place(path);
    if (parsed.isDeletion) return deletion(from);
    const to = await targetOf(workspace, path, from, parsed);
    const before = parsed.isCreation ? undefined : await fileAt(from);
    if (!before) return creation(to, parsed);
    const isRename = to.real !== from.real;
    if (parsed.hunks.length === 0 && !isRename)
      return trouble('the diff has no hunks: each begins with a line @@', [from]);
    if (isRename && (await isTaken(to)))
      return trouble(`${visible(to.shown)}: there is a file of that name`, [from, to]);
    const applied = applyHunks(before.text, parsed.hunks);
    if ('trouble' in applied) return trouble(`${visible(from.shown)}: ${applied.trouble}`, [from]);
    const { text, healed } = applied;
    if (text === before.text && !isRename) return trouble('the diff changes nothing', [from]);
    return {
      verb: isRename ? 'renamed' : 'edited',
      from,
      to,
      before,
      text,
      what: `${counted(parsed.hunks.length, 'hunk')}${healed > 0 ? `, ${healed} of them with other blanks than the file` : ''}`,
    };
  };
}

function trouble(text: string, places: readonly Place[]): Trouble {
  return { trouble: text, places };
}

async function deletion(from: Place): Promise<Plan | Trouble> {
  const before = await fileAt(from);
  if (!before) return trouble(`${visible(from.shown)}: no such file`, [from]);
  return { verb: 'deleted', from, to: from, before, text: '', what: 'deleted' };
}

/** Also where nothing says so, but the file is not there and every line is an added one. */
async function creation(to: Place, { hunks, isCreation }: ParsedDiff): Promise<Plan | Trouble> {
  const name = visible(to.shown);
  if (isCreation && (await isTaken(to))) return trouble(`${name}: it is there already`, [to]);
  if (hunks.length === 0) return trouble('the diff has no hunks: each begins with a line @@', [to]);
  const isWhole = hunks.every(hunk =>
    hunk.every(({ sign, text }) => sign === '+' || (sign === ' ' && text === '')),
  );
  if (!isWhole)
    return trouble(isCreation ? `${name}: a new file has only added lines` : `${name}: no such file`, [to]);
  return { verb: 'created', from: to, to, text: textOf(hunks), what: counted(hunks.length, 'hunk') };
}

/** A new file ends with a line end. */
function textOf(hunks: readonly Hunk[]): string {
  return hunks.flatMap(hunk => hunk.map(({ text }) => `${text}\n`)).join('');
}

/**
 * Where the file is afterwards. It is renamed only where the path behind `+++` leads elsewhere, not where it is
 * another way to write the same: with a/ and b/, from the root of the repository, or with a date.
 */
async function targetOf(workspace: Workspace, path: string, from: Place, parsed: ParsedDiff): Promise<Place> {
  const { oldPath, newPath, isCreation } = parsed;
  if (newPath === '' || isCreation) return from;
  const [oldOne, newOne] = [withoutSide(oldPath), withoutSide(newPath)];
  if (oldPath !== '' && oldOne === newOne) return from;
  // Both paths of a header are from the same folder, whichever that is.
  if (oldPath !== '' && endsWith(from.real, oldOne))
    return workspace.place(from.real.slice(0, from.real.length - oldOne.length) + newOne);
  for (const one of [newPath, newOne])
    if (one === path || endsWith(from.real, one) || (await workspace.place(one)).real === from.real)
      return from;
  return workspace.place(newOne);
}

/** The path ends with all steps of `end`. */
function endsWith(path: string, end: string): boolean {
  return end !== '' && path.endsWith(`/${end}`);
}

function withoutSide(path: string): string {
  return path.replace(/^[ab]\//, '').replace(/^\.\//, '');
}

/** `1 hunk`, `2 hunks`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
