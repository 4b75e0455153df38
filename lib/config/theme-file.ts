/**
 * Themes from YAML files: `name`, and `roles` with a style each. A colour is `default` or
 * `{ rgb: '#rrggbb', c256: 0–255, c16: 0–15 }`; the palette entries may be left out and are then the nearest ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { CodedError, nearest } from '../base/errors.ts';
import { ROLES, type Role } from '../base/styled.ts';
import { nearest16, nearest256 } from '../base/palette.ts';
import { readYaml, type Problem } from './document.ts';
import { bool, count, name, pattern } from './leaf.ts';
import { formatProblem, place, toProblems } from './problems.ts';
import type { Theme, ThemeColor, ThemeStyle } from './theme.ts';

const color = z.union([
  z.literal('default'),
  z.strictObject({
    rgb: pattern(/^#[0-9a-fA-F]{6}$/, "'#6cb6ff' (in quotes)"),
    c256: count(0, 255).optional(),
    c16: count(0, 15).optional(),
  }),
]);

const attribute = () => bool().optional();

const style = z.strictObject({
  fg: color.optional(),
  bg: color.optional(),
  bold: attribute(),
  dim: attribute(),
  italic: attribute(),
  underline: attribute(),
  inverse: attribute(),
});

const themeSchema = z.strictObject({
  name: name().optional(),
  roles: z.strictObject(Object.fromEntries(ROLES.map(role => [role, style.optional()]))).optional(),
});

type StyleEntry = z.output<typeof style>;

/** The theme that every role of a broken file falls back to: the terminal's own colours. */
const PLAIN: ThemeStyle = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** A file of this many bytes is not a theme. */
const FILE_MAX_BYTES = 65_536;
/** The theme that stands in for roles that another one leaves out. */
const BASE_THEME = 'dark';

/**
 * Reads a theme. Never throws; with problems the theme is still whole: a role that is missing or wrong is `base`'s,
 * or plain where there is no base.
 * @param file named in problems
 */
export function parseTheme(
  file: string,
  text: string,
  base?: Theme,
): { readonly theme: Theme; readonly problems: readonly Problem[] } {
  const yaml = readYaml(file, text);
  const result = themeSchema.safeParse(yaml.value ?? {});
  const problems = [
    ...yaml.problems,
    ...(result.success ? [] : toProblems(file, yaml, themeSchema, result.error.issues)),
  ];
  const roles = rolesOf(yaml.value);
  const missing = ROLES.filter(role => roles[role] === undefined);
  if (problems.length === 0 && !base && missing.length > 0)
    problems.push(
      ...place(file, yaml, [{ path: ['roles'], part: 'key', message: `lacks ${missing.join(', ')}` }]),
    );
  const title = result.success ? result.data.name : undefined;
  return { theme: { name: title ?? basename(file, '.yaml'), roles: resolve(roles, base) }, problems };
}

/**
 * The theme of that name in `themesDir`, or in the file at that path (anything with a slash, or ending in .yaml).
 * @throws CodedError `invalid_config`: an unknown name with the one that was probably meant; a file that cannot be
 *   read; the first problem in it
 */
export function loadTheme(nameOrPath: string, themesDir: string): Theme {
  const isPath = nameOrPath.includes('/') || nameOrPath.endsWith('.yaml');
  if (!isPath && !themeNames(themesDir).includes(nameOrPath)) throw unknownTheme(nameOrPath, themesDir);
  const file = isPath ? nameOrPath : join(themesDir, `${nameOrPath}.yaml`);
  const base = nameOrPath === BASE_THEME ? undefined : loadTheme(BASE_THEME, themesDir);
  const { theme, problems } = parseTheme(file, readTheme(file), base);
  const [first] = problems;
  if (!first) return theme;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new CodedError('invalid_config', `${formatProblem(first)}${more}`);
}

/** The names of the themes in a folder, sorted; none where it cannot be read. */
export function themeNames(themesDir: string): string[] {
  try {
    const files = readdirSync(themesDir).filter(file => file.endsWith('.yaml'));
    return files.map(file => basename(file, '.yaml')).sort();
  } catch {
    // Whatever the reason, the error that matters to a person is that their theme was not found.
    return [];
  }
}

function unknownTheme(wanted: string, themesDir: string): CodedError {
  const known = themeNames(themesDir);
  const near = nearest(wanted, known);
  const hint = near === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean ${near}?`;
  return new CodedError('invalid_config', `theme ${JSON.stringify(wanted)}: no such theme`, hint);
}

function readTheme(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length <= FILE_MAX_BYTES) return bytes.toString('utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : 'it cannot be read';
    throw new CodedError('invalid_config', `theme ${file}: ${why}`, undefined, { cause: error });
  }
  throw new CodedError(
    'invalid_config',
    `theme ${file}: larger than ${FILE_MAX_BYTES} bytes, so not a theme`,
  );
}

/** The roles that are right on their own, whatever is wrong beside them. */
function rolesOf(value: unknown): Partial<Record<Role, StyleEntry>> {
  const roles = (value as { roles?: unknown } | undefined)?.roles;
  if (typeof roles !== 'object' || roles === null) return {};
  const entries = ROLES.filter(role => Object.hasOwn(roles, role)).flatMap(role => {
    const parsed = style.safeParse((roles as Record<string, unknown>)[role]);
    return parsed.success ? [[role, parsed.data] as const] : [];
  });
  return Object.fromEntries(entries);
}

function resolve(roles: Partial<Record<Role, StyleEntry>>, base: Theme | undefined): Theme['roles'] {
  const fg = roles.fg ? toColor(roles.fg.fg) : (base?.roles.fg.fg ?? 'default');
  const bg = roles.bg ? toColor(roles.bg.bg) : (base?.roles.bg.bg ?? 'default');
  const all = ROLES.map(role => {
    const entry = roles[role];
    if (!entry) return [role, base?.roles[role] ?? PLAIN] as const;
    const { fg: ownFg, bg: ownBg, ...attributes } = entry;
    const given = Object.fromEntries(Object.entries(attributes).filter(([, on]) => on !== undefined));
    const colors = { fg: ownFg ? toColor(ownFg) : fg, bg: ownBg ? toColor(ownBg) : bg };
    return [role, { ...PLAIN, ...given, ...colors }] as const;
  });
  return Object.fromEntries(all) as unknown as Theme['roles'];
}

function toColor(value: StyleEntry['fg']): ThemeColor {
  if (value === undefined || value === 'default') return 'default';
  const rgb = Number.parseInt(value.rgb.slice(1), 16);
  return { rgb, c256: value.c256 ?? nearest256(rgb), c16: value.c16 ?? nearest16(rgb) };
}
