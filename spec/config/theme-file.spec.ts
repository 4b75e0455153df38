import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES, type Role } from '../../lib/base/styled.ts';
import { CodedError } from '../../lib/base/errors.ts';
import { paletteRgb } from '../../lib/base/palette.ts';
import { formatProblem } from '../../lib/config/problems.ts';
import type { Theme, ThemeColor } from '../../lib/config/theme.ts';
import { loadTheme, parseTheme, themeNames } from '../../lib/config/theme-file.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('themes');

/** The package's themes: compiled specs lie one level deeper than their sources. */
const THEMES = ['../../themes', '../../../themes']
  .map(path => join(import.meta.dirname, path))
  .find(path => existsSync(path))!;

type Depth = 'rgb' | 'c256' | 'c16';

/** What a colour looks like at a colour depth; `standIn` for the terminal's own. */
function seen(color: ThemeColor, depth: Depth, standIn: number): number {
  if (color === 'default') return standIn;
  return depth === 'rgb' ? color.rgb : paletteRgb(color[depth]);
}

/** Relative luminance (WCAG 2.2). */
function luminance(rgb: number): number {
  const [r, g, b] = [16, 8, 0].map(shift => {
    const c = ((rgb >> shift) & 255) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast of a role's text with its background (WCAG 2.2), 1 to 21. */
function contrast(theme: Theme, role: Role, depth: Depth, terminal = { fg: 0xe0e0e0, bg: 0x101010 }): number {
  const { fg, bg } = theme.roles[role];
  const [a, b] = [luminance(seen(fg, depth, terminal.fg)), luminance(seen(bg, depth, terminal.bg))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Roles whose contrast is below `min`, with it. */
function tooFaint(theme: Theme, min: (role: Role) => number, depth: Depth): string[] {
  return ROLES.filter(role => contrast(theme, role, depth) < min(role)).map(
    role => `${role} ${contrast(theme, role, depth).toFixed(2)}`,
  );
}

/** Text needs 4.5, lines of a box 3 (WCAG 2.2, 1.4.3 and 1.4.11). The dark theme's quiet borders are decoration. */
const text = (role: Role): number => (role.startsWith('border') ? 3 : 4.5);
const quiet = (role: Role): number => (role === 'border' ? 2 : text(role));

test('the four themes are there, whole, and named as their files', () => {
  assert.equal(themeNames(THEMES), ['dark', 'high-contrast', 'light', 'mono']);
  for (const name of themeNames(THEMES)) {
    const theme = loadTheme(name, THEMES);
    assert.is(theme.name, name);
    assert.equal(Object.keys(theme.roles), [...ROLES]);
  }
});

test('high contrast has 7 to 1 for every role in 24 bits, and 4.5 to 1 with either palette', () => {
  const theme = loadTheme('high-contrast', THEMES);
  assert.equal(
    tooFaint(theme, () => 7, 'rgb'),
    [],
  );
  assert.equal(
    tooFaint(theme, () => 4.5, 'c256'),
    [],
  );
  assert.equal(
    tooFaint(theme, () => 4.5, 'c16'),
    [],
  );
});

test('high contrast keeps 7 to 1 for the mark of a state in the tab in front', () => {
  const { roles } = loadTheme('high-contrast', THEMES);
  const ground = luminance(seen(roles['tab-focus'].bg, 'rgb', 0));
  for (const role of ['fg', 'ok', 'accent', 'alarm', 'dim', 'warn'] as const) {
    const ratio = (luminance(seen(roles[role].fg, 'rgb', 0)) + 0.05) / (ground + 0.05);
    assert.ok(ratio >= 7, `${role} ${ratio.toFixed(2)}`);
  }
});

test('light and dark are readable at every depth of colour', () => {
  const [light, dark] = [loadTheme('light', THEMES), loadTheme('dark', THEMES)];
  assert.equal(tooFaint(light, text, 'rgb'), []);
  assert.equal(tooFaint(light, text, 'c256'), []);
  assert.equal(tooFaint(dark, quiet, 'rgb'), []);
  assert.equal(tooFaint(dark, quiet, 'c256'), []);
});

test('dark keeps the terminal background, light and high contrast bring their own', () => {
  assert.is(loadTheme('dark', THEMES).roles.header.bg, 'default');
  for (const name of ['light', 'high-contrast'])
    for (const role of ROLES)
      assert.is.not(loadTheme(name, THEMES).roles[role].bg, 'default', `${name} ${role}`);
});

test('mono has no colour, and tells what must be told apart by attributes', () => {
  const { roles } = loadTheme('mono', THEMES);
  for (const role of ROLES) assert.equal([roles[role].fg, roles[role].bg], ['default', 'default'], role);
  const look = (role: Role): string => JSON.stringify(roles[role]);
  for (const [a, b] of [
    ['accent', 'fg'],
    ['alarm', 'accent'],
    ['selection', 'fg'],
    ['border', 'border-focus'],
    ['tab', 'tab-focus'],
    ['add', 'del'],
  ] as [Role, Role][])
    assert.is.not(look(a), look(b), `${a} ${b}`);
});

test('a role that is missing is taken from the dark theme', () => {
  const dir = tempDir({ 'mine.yaml': "roles: { accent: { fg: { rgb: '#ff0000' } } }" });
  const dark = loadTheme('dark', THEMES);
  const { theme, problems } = parseTheme('mine.yaml', "roles: { accent: { fg: { rgb: '#ff0000' } } }", dark);
  assert.equal(problems, []);
  assert.is(theme.name, 'mine');
  assert.equal(theme.roles.alarm, dark.roles.alarm);
  assert.equal(theme.roles.accent.fg, { rgb: 0xff0000, c256: 196, c16: 9 });
  assert.equal(loadTheme(join(dir, 'mine.yaml'), THEMES), theme);
});

test('a role without colours takes those of fg and bg', () => {
  const { theme } = parseTheme(
    't.yaml',
    "roles: { fg: { fg: { rgb: '#ffffff' } }, bg: { bg: { rgb: '#000080' } }, tab: { bold: true } }",
  );
  assert.equal((theme.roles.tab.bg as { rgb: number }).rgb, 0x000080);
  assert.equal((theme.roles.tab.fg as { rgb: number }).rgb, 0xffffff);
  assert.ok(theme.roles.tab.bold);
});

test('mistakes are told with their places, and the rest of the theme holds', () => {
  const dark = loadTheme('dark', THEMES);
  const { theme, problems } = parseTheme(
    't.yaml',
    "roles:\n  acent: {}\n  alarm: { fg: red }\n  ok: { fg: { rgb: '#12', c256: 999 } }\n  warn: { blink: on }\n  tab: { bold: true }\n  dim: { fg: { rbg: 1 } }\n",
    dark,
  );
  assert.equal(problems.map(formatProblem), [
    't.yaml:2:3: roles.acent: unknown key (did you mean accent?)',
    't.yaml:3:16: roles.alarm.fg: expected default or a mapping (key: value), found the text "red"',
    `t.yaml:4:20: roles.ok.fg.rgb: expected text like '#6cb6ff' (in quotes), found the text "#12"`,
    't.yaml:4:33: roles.ok.fg.c256: expected a whole number from 0 to 255, found the number 999',
    't.yaml:5:11: roles.warn.blink: unknown key (known here: fg, bg, bold, dim, italic, underline, inverse)',
    't.yaml:7:14: roles.dim.fg.rgb: it is missing',
    't.yaml:7:16: roles.dim.fg.rbg: unknown key (did you mean rgb?)',
  ]);
  assert.ok(theme.roles.tab.bold);
  assert.equal(theme.roles.alarm, dark.roles.alarm);
});

test('the base theme must be whole itself', () => {
  const { problems } = parseTheme('dark.yaml', 'roles: { fg: {} }');
  assert.match(problems.map(formatProblem).join(), /roles: lacks bg, dim, accent/);
});

test('broken files never throw', () => {
  for (const bad of ['[', '5', '', 'roles: 5', 'roles: []', 'a: '.repeat(1000), '\u0000'])
    assert.equal(Object.keys(parseTheme('t.yaml', bad).theme.roles), [...ROLES], bad);
});

test('an unknown name says which was meant, and a wrong path why', () => {
  const error = (name: string): CodedError => {
    try {
      loadTheme(name, THEMES);
    } catch (thrown) {
      return thrown as CodedError;
    }
    throw new Error('nothing was thrown');
  };
  assert.is(error('drak').hint, 'did you mean dark?');
  assert.match(error('zebra').hint ?? '', /known: dark, high-contrast, light, mono/);
  assert.match(error('/none/x.yaml').message, /no such file/);
  assert.match(error(tempDir() + '/').message, /cannot be read/);
  const file = join(tempDir({ 'x.yaml': 'roles: { acent: {} }' }), 'x.yaml');
  assert.match(error(file).message, /x\.yaml:1:10: roles\.acent: unknown key/);
  assert.is(error(file).code, 'invalid_config');
});

test.run();
