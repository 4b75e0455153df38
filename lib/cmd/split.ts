/**
 * What commands that place a pane beside another one have in common.
 */
import { CodedError } from '../base/errors.ts';
import type { Placement } from '../layout/edit.ts';
import type { Axis, Direction } from '../layout/types.ts';
import { flag, integer, valued } from './define.ts';
import type { FlagSpec, ParsedArgs } from './spec.ts';

/** Letters of direction flags. */
const DIRECTIONS: Readonly<Record<string, Direction>> = { L: 'left', R: 'right', U: 'up', D: 'down' };

/** -L, -R, -U, -D. */
export const DIRECTION_FLAGS: readonly FlagSpec[] = [
  flag('L', 'left'),
  flag('R', 'right'),
  flag('U', 'up'),
  flag('D', 'down'),
];

/** How a pane is divided, as split-window and join-pane say it. */
export const SPLIT_FLAGS: readonly FlagSpec[] = [
  flag('h', 'side by side'),
  flag('v', 'above each other (the default)'),
  flag('b', 'before the other pane: left or above'),
  flag('f', 'over the full width or height of the window'),
  { name: 'l', value: 'SIZE|P%', text: 'size of the new pane in cells or percent' },
  valued('p', 'PERCENT', 'size in percent'),
];

/** The direction asked for, if one was. */
export function direction(args: ParsedArgs): Direction | undefined {
  const letter = Object.keys(DIRECTIONS).find(l => args.has(l));
  return letter === undefined ? undefined : DIRECTIONS[letter];
}

/** Side by side, or above each other. */
export function axisOf(args: ParsedArgs): Axis {
  return args.has('h') ? 'h' : 'v';
}

/** Placement by SPLIT_FLAGS and -d. Throws CodedError `usage`. */
export function splitOptions(name: string, args: ParsedArgs): Placement & { background: boolean } {
  const size = args.value('l') ?? (args.has('p') ? `${args.value('p')}%` : undefined);
  const base = { before: args.has('b'), full: args.has('f'), background: args.has('d') };
  if (size === undefined) return base;
  if (size.endsWith('%')) {
    const percent = integer(name, 'size', size.slice(0, -1));
    if (percent > 100) throw new CodedError('usage', `${name}: size ${size} is more than 100%`);
    return { ...base, size: { percent } };
  }
  return { ...base, size: { cells: integer(name, 'size', size) } };
}

/** The room does not suffice. */
export const noSpace = (name: string): CodedError =>
  new CodedError(
    'no_space',
    `${name}: there is no room for another pane`,
    'close a pane or enlarge the window',
  );
