/**
 * Text with named roles instead of colours. Themes turn roles into colours at the last moment.
 */

/** Every colour role a theme defines. Code never names a colour (themes/*.yaml). */
export const ROLES = [
  'fg',
  'bg',
  'dim',
  'accent',
  'alarm',
  'ok',
  'warn',
  'selection',
  'border',
  'border-focus',
  'header',
  'tab',
  'tab-focus',
  'add',
  'del',
] as const;
export type Role = (typeof ROLES)[number];

/** A stretch of text in one style. `role` absent means `fg`. Text is trusted to hold no control characters. */
export interface Run {
  readonly text: string;
  readonly role?: Role;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

/** One line of styled text. */
export type StyledLine = readonly Run[];

/** The text alone. */
export function plain(line: StyledLine): string {
  return line.map(run => run.text).join('');
}
