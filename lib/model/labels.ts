/**
 * Labels: words to find sessions by. Two that differ only in case are one; its first spelling stays.
 */
import { CodedError } from '../base/errors.ts';
import { said } from './names.ts';

/** Bytes of one label: it stands in a list beside others. */
const MAX_BYTES = 64;
/** On one session: more than anybody reads. */
const MAX_LABELS = 32;

const key = (label: string): string => label.toLowerCase();

/** Labels as they are kept: trimmed, each once. @throws CodedError `usage` */
export function checkLabels(given: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const one of given) {
    const label = one.trim();
    const problem = labelProblem(label);
    if (problem) throw new CodedError('usage', `label '${said(label)}': ${problem}`);
    if (!byKey.has(key(label))) byKey.set(key(label), label);
  }
  if (byKey.size > MAX_LABELS)
    throw new CodedError('usage', `labels: a session has at most ${MAX_LABELS}, and these are ${byKey.size}`);
  return [...byKey.values()];
}

function labelProblem(label: string): string {
  if (label === '') return 'it is empty';
  if (/[\p{Cc},]/u.test(label)) return 'it holds a comma or a control character';
  return new TextEncoder().encode(label).length > MAX_BYTES ? `it is longer than ${MAX_BYTES} bytes` : '';
}

/** `labels` with some more and without others. @throws CodedError `usage` also where one is to come and to go */
export function changedLabels(
  labels: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] {
  const gone = new Set(checkLabels(remove).map(key));
  const both = checkLabels(add).find(label => gone.has(key(label)));
  if (both !== undefined)
    throw new CodedError('usage', `label '${both}': it is to be added and to be removed`);
  return checkLabels([...labels.filter(label => !gone.has(key(label))), ...add]);
}

/** Whether all of `wanted` are among `labels`. */
export function hasLabels(labels: readonly string[], wanted: readonly string[]): boolean {
  const own = new Set(labels.map(key));
  return wanted.every(label => own.has(key(label.trim())));
}
