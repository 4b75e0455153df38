/** Arguments of calls to foreign tools, as rules and people see them. */
import type { Arguments } from '../agent/tool.ts';
import { CodedError } from '../base/errors.ts';
import { revealed } from '../base/visible.ts';
import { cutText } from './text.ts';

/** Characters and levels of the arguments of one call: whoever runs it reads JSON at once. */
const ARGUMENTS_MAX = 1024 * 1024;
const DEPTH_MAX = 64;
/** Characters of one argument in a line. */
const WORD_MAX = 4000;

/** Whether JSON has more than `max` levels. */
export function isDeeper(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return max === 0 || Object.values(value).some(one => isDeeper(one, max - 1));
}

/** Throws CodedError `usage` for arguments that are too long or too deep to be sent. */
export function checkSize(tool: string, args: Arguments): void {
  if (isDeeper(args, DEPTH_MAX)) throw new CodedError('usage', `${tool}: its arguments are nested too deep`);
  if (JSON.stringify(args).length > ARGUMENTS_MAX)
    throw new CodedError(
      'usage',
      `${tool}: its arguments are too long`,
      `at most ${ARGUMENTS_MAX} characters`,
    );
}

/** `KEY=VALUE` for every argument, by key, so that rules find them wherever a model wrote them. */
export function wordsOf(args: Arguments): string[] {
  return Object.keys(args)
    .sort()
    .map(key => {
      const value = args[key];
      return cutText(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`, WORD_MAX);
    });
}

/** A code block that nothing inside can end (CommonMark §4.5); undefined where there are no arguments. */
export function argumentsBlock(args: Arguments): string | undefined {
  if (Object.keys(args).length === 0) return undefined;
  const text = JSON.stringify(args, null, 2);
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const shown = text.split('\n').map(revealed).join('\n');
  return `${fence}json\n${shown}\n${fence}`;
}
