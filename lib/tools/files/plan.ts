/**
 * A change of a file: planned from what is there, shown as a diff, and done only where it would still come to the same.
 */
import { lstat, rm } from 'node:fs/promises';
import type { Outcome, Preview } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { higher } from '../../permissions/tier.ts';
import { unifiedDiff } from '../edits/unified.ts';
import { code } from '../markdown.ts';
import { failed, told } from '../outcome.ts';
import { encoded, hashOf, readTextFile, type TextFile } from './text-file.ts';
import { mayWrite, type Place, type Workspace } from './workspace.ts';
import { writeWhole } from './write.ts';

/** What would be done. */
export interface Plan {
  readonly verb: 'edited' | 'created' | 'deleted' | 'renamed';
  readonly from: Place;
  /** The same as `from` but for a new name. */
  readonly to: Place;
  /** Absent: the file is created. */
  readonly before?: TextFile;
  /** What is in it afterwards; '' for what is deleted. */
  readonly text: string;
  /** For the model, of what was done: `2 hunks`. */
  readonly what: string;
}

/** Why nothing can be done, and what it is about. */
export interface Trouble {
  readonly trouble: string;
  readonly places: readonly Place[];
}

/** Makes a plan from what is there now. Throws CodedError `usage` for arguments that are none. */
export type Planner<A> = (args: A) => Promise<Plan | Trouble>;

const NEW_FILE = { encoding: 'utf8', hasMark: false, isCrlf: false } as const;

/** What people see of a plan, and what the policy is asked. */
export function planPreview(workspace: Workspace, plan: Plan | Trouble): Preview {
  const places = 'trouble' in plan ? plan.places : [...new Set([plan.from, plan.to])];
  const tier = places.map(place => workspace.writeTier(place)).reduce(higher, 'write');
  const subject = { kind: 'words' as const, words: places.map(place => place.shown), tier };
  const outside = places.filter(place => !place.isInside);
  const body =
    outside.length > 0
      ? { body: `Outside of the workspace: ${outside.map(place => code(place.real)).join(', ')}` }
      : {};
  const basis = basisOf(plan);
  if ('trouble' in plan)
    return {
      subject,
      header: `cannot edit ${places.map(place => code(place.shown)).join(' → ')}`,
      ...body,
      trouble: plan.trouble,
      basis,
    };
  return { subject, header: headerOf(plan), ...body, diff: diffOf(plan), basis };
}

function headerOf({ verb, from, to }: Plan): string {
  return verb === 'renamed' ? `renamed ${code(from.shown)} → ${code(to.shown)}` : `${verb} ${code(to.shown)}`;
}

function diffOf({ verb, from, to, before, text }: Plan): string {
  const diff = unifiedDiff(before?.text ?? '', text, {
    from: before && visible(from.shown),
    to: verb === 'deleted' ? undefined : visible(to.shown),
  });
  if (diff || verb !== 'renamed') return diff;
  return `rename from ${visible(from.shown)}\nrename to ${visible(to.shown)}\n`;
}

/** All that a yes was about: where, what was there, and what will be. */
function basisOf(plan: Plan | Trouble): string {
  if ('trouble' in plan) return hashOf(JSON.stringify([plan.trouble, plan.places.map(place => place.real)]));
  const { verb, from, to, before, text } = plan;
  return hashOf(
    JSON.stringify([verb, from.real, to.real, before?.hash ?? '', before?.mode ?? 0, hashOf(text)]),
  );
}

/** Does what was shown, or nothing. */
export async function carryOut<A>(
  plan: Plan | Trouble,
  preview: Preview,
  again: () => ReturnType<Planner<A>>,
): Promise<Outcome> {
  if ('trouble' in plan) return failed(plan.trouble);
  if (basisOf(plan) !== preview.basis)
    return failed(
      `${visible(plan.to.shown)}: it is not what it was when this was looked at; nothing was done. Read it again.`,
    );
  // Looked at once more at the last moment, links and all: somebody else may write the same file.
  const check = async (): Promise<void> => {
    if (basisOf(await again()) === preview.basis) return;
    throw new CodedError(
      'failed',
      `${visible(plan.to.shown)}: somebody else changed it just now; nothing was done`,
    );
  };
  if (plan.verb === 'deleted') {
    await check();
    await remove(plan.from);
  } else await write(plan, check);
  return told(`${headerOf(plan)} (${plan.what})`);
}

async function write({ verb, from, to, before, text }: Plan, check: () => Promise<void>): Promise<void> {
  if (before && !(await mayWrite(from.real)))
    throw new CodedError('failed', `${visible(from.shown)}: it is read-only`);
  const bytes = encoded(text, before ?? NEW_FILE);
  const replaces = verb === 'edited';
  await writeWhole({ path: to.real, shown: to.shown, bytes, mode: before?.mode, replaces, check });
  if (verb === 'renamed') await remove(from);
}

async function remove({ real, shown }: Place): Promise<void> {
  try {
    await rm(real);
  } catch (error) {
    throw new CodedError('failed', `${visible(shown)}: ${systemReason(error)}`, undefined, { cause: error });
  }
}

/** The file of a place as text; undefined where there is none. Throws CodedError. */
export function fileAt({ real, shown }: Place): Promise<TextFile | undefined> {
  return readTextFile(real, shown);
}

/** Whether anything is there, a link that leads nowhere too. */
export async function isTaken({ real }: Place): Promise<boolean> {
  return lstat(real).then(
    () => true,
    () => false,
  );
}
