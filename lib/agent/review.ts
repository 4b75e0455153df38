/** What becomes of a call: what the policy says of it, and what a verdict makes of that. */
import {
  decideShell,
  decideTool,
  type Decision,
  type Layer,
  type Mode as RuleMode,
  type Rule,
} from '../permissions/policy.ts';
import { higher, type Tier } from '../permissions/tier.ts';
import type { Arguments, Preview } from './tool.ts';

/** `manual`: what changes something is asked about; `auto`: what is more than a write is; `plan`: nothing that changes runs. */
export const MODES = ['manual', 'auto', 'plan'] as const;
export type Mode = (typeof MODES)[number];

/** The highest tier that runs without a rule, by mode. */
const RUNS_ALONE: Readonly<Record<Mode, Tier>> = { manual: 'read', auto: 'write', plan: 'read' };

/** What has to be typed before what cannot be undone runs. */
export const WORD = 'YES';

/** What a person says to a call. */
export type Verdict =
  | { readonly type: 'accept'; readonly word?: string }
  /** This one, and all others of the same answer. */
  | { readonly type: 'accept-all' }
  /** This one, and those like it for as long as the conversation is open. */
  | { readonly type: 'always' }
  | { readonly type: 'reject'; readonly reason: string }
  /** It runs with these arguments in place of its own; they are looked at anew, and denied where rules deny them. */
  | { readonly type: 'edit'; readonly args: Arguments };

/** The decision on a call. Rules that deny hold in every mode. */
export function decide(tool: string, { subject }: Preview, mode: Mode, layers: readonly Layer[]): Decision {
  const alone = RUNS_ALONE[mode];
  return subject.kind === 'shell'
    ? decideShell(layers, tool, subject.line, alone)
    : decideTool(layers, tool, subject.words, subject.tier, alone);
}

/** Whether a call changes nothing, so that it runs while only plans are made. */
export function onlyReads({ subject }: Preview): boolean {
  const tier = subject.kind === 'shell' ? subject.line.tier : subject.tier;
  const isUnderstood = subject.kind === 'words' || subject.line.isUnderstood;
  return isUnderstood && higher(tier, 'read') === 'read';
}

/**
 * The rules that `always` adds: for shell the commands of the line and whatever begins with them, for others the tool. They
 * allow no more than rules may: what is elevated or destructive is asked about each time. A command with a `*` of its own
 * would mean any in a rule, and is not granted.
 */
export function grantsOf(tool: string, { subject }: Preview): Rule[] {
  const mode: RuleMode = 'allow';
  if (subject.kind === 'words') return [{ tool, mode }];
  return subject.line.parts
    .filter(({ argv, isExact }) => argv.length > 0 && isExact && !argv.some(word => word.includes('*')))
    .map(({ argv }) => ({ tool, argv, mode }));
}

/** Whether two previews show the same change: what a person has said yes to, though it may stand some lines further down. */
export function showsSame(a: Preview, b: Preview): boolean {
  return a.header === b.header && changeOf(a) === changeOf(b) && a.trouble === b.trouble;
}

function changeOf({ diff, body = '' }: Preview): string {
  return diff === undefined ? body : diff.replaceAll(/^@@ .*$/gm, '@@');
}
