/**
 * Styled text for programs that print and go: lines with SGR sequences, on the terminal's own background.
 * Source: ECMA-48 8.3.117 (SGR); ctlseqs for 256 and 24-bit colours.
 */
import type { Role, Run, StyledLine } from '../base/styled.ts';
import type { Theme, ThemeColor } from '../config/theme.ts';
import type { TerminalCaps } from './caps.ts';

/** Makes a line for a terminal: text and SGR alone, and the pen as it was at its end. */
export type Painted = (line: StyledLine) => string;

export function sgrText(theme: Theme, caps: Pick<TerminalCaps, 'colors' | 'italic'>): Painted {
  const roles = new Map<Role, readonly string[]>();
  const ofRole = (role: Role): readonly string[] => {
    const known = roles.get(role) ?? roleParameters(theme, role, caps.colors);
    roles.set(role, known);
    return known;
  };
  const ofRun = (run: Run): string => {
    const parameters = [
      ...(run.role && run.role !== 'fg' ? ofRole(run.role) : []),
      ...(run.bold ? ['1'] : []),
      ...(run.italic && caps.italic ? ['3'] : []),
      ...(run.underline ? ['4'] : []),
      ...(run.inverse ? ['7'] : []),
    ];
    return parameters.length === 0
      ? run.text
      : `\x1b[${[...new Set(parameters)].join(';')}m${run.text}\x1b[m`;
  };
  return line => line.map(ofRun).join('');
}

/** What a role adds to plain text: the theme's own text and background are the terminal's here. */
function roleParameters({ roles }: Theme, role: Role, colors: TerminalCaps['colors']): string[] {
  const { fg, bg, bold, dim, italic, underline, inverse } = roles[role];
  return [
    ...(bold ? ['1'] : []),
    ...(dim ? ['2'] : []),
    ...(italic ? ['3'] : []),
    ...(underline ? ['4'] : []),
    ...(inverse ? ['7'] : []),
    ...(isSame(fg, roles.fg.fg) ? [] : color(fg, colors, 38)),
    ...(isSame(bg, roles.bg.bg) ? [] : color(bg, colors, 48)),
  ];
}

function isSame(a: ThemeColor, b: ThemeColor): boolean {
  return a === b || (a !== 'default' && b !== 'default' && a.rgb === b.rgb);
}

/** @param extended 38 for the foreground, 48 for the background */
function color(value: ThemeColor, colors: TerminalCaps['colors'], extended: 38 | 48): string[] {
  if (value === 'default' || colors === 0) return [];
  const { rgb, c256, c16 } = value;
  if (colors === 'truecolor') return [`${extended};2;${rgb >> 16};${(rgb >> 8) & 0xff};${rgb & 0xff}`];
  if (colors === 256) return [`${extended};5;${c256}`];
  return [String(c16 < 8 ? extended - 8 + c16 : extended + 52 + c16 - 8)];
}
