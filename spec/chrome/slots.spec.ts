import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../lib/base/styled.ts';
import type { Theme } from '../../lib/config/theme.ts';
import { BG, COLOR, FG } from '../../lib/term/cell.ts';
import { groundSlot, StyleTable, textSlot } from '../../lib/chrome/slots.ts';
import { monoTheme, style } from './views.ts';

const test = suite('chrome/slots');
const RED = { rgb: 0xff0000, c256: 196, c16: 9 };
const BLUE = { rgb: 0x0000ff, c256: 21, c16: 12 };

function themed(roles: Partial<Theme['roles']>): StyleTable {
  const mono = monoTheme();
  return new StyleTable({ name: 'spec', roles: { ...mono.roles, ...roles } }, 'truecolor');
}

test('slots fit the bits blessed has for a colour and are different for different styles', () => {
  const slots = new Set<number>();
  for (const role of [undefined, ...ROLES]) {
    for (const bold of [true, false]) {
      for (const inverse of [true, false]) slots.add(textSlot({ ...(role && { role }), bold, inverse }));
    }
  }
  assert.is(slots.size, (ROLES.length + 1) * 4);
  assert.ok([...slots].every(slot => slot >= 0 && slot <= 255));
  assert.ok(ROLES.every(role => groundSlot(role) < 16));
});

test('a role gives its colour as 24 bits, default stays the terminal’s own', () => {
  const table = themed({ alarm: style({ fg: RED, bold: true }) });
  assert.is(
    table.words(textSlot({ role: 'alarm' }), groundSlot('bg')).fg >>> 0,
    (COLOR.rgb | 0xff0000 | FG.bold) >>> 0,
  );
  assert.equal(table.words(textSlot({}), groundSlot('bg')), { fg: COLOR.default, bg: COLOR.default });
});

test('attributes of the run, the role and the ground add up', () => {
  const table = themed({ dim: style({ dim: true }), 'tab-focus': style({ underline: true }) });
  const { fg, bg } = table.words(
    textSlot({ role: 'dim', bold: true, italic: true }),
    groundSlot('tab-focus'),
  );
  assert.is(fg & (FG.bold | FG.underline | FG.inverse), FG.bold | FG.underline);
  assert.is(bg & (BG.dim | BG.italic), BG.dim | BG.italic | 0);
});

test('the theme’s ground lies under everything that has none of its own', () => {
  const table = themed({ bg: style({ bg: BLUE }), accent: style({ fg: RED }) });
  assert.is(table.words(textSlot({ role: 'accent' }), groundSlot('bg')).bg, COLOR.rgb | 0x0000ff);
  assert.is(table.words(textSlot({}), groundSlot('tab')).bg, COLOR.rgb | 0x0000ff);
});

test('text on a selection with a text colour takes that colour, matches stay bold', () => {
  const table = themed({ selection: style({ fg: BLUE, bg: RED }), accent: style({ fg: RED }) });
  const { fg, bg } = table.words(textSlot({ role: 'accent', bold: true }), groundSlot('selection'));
  assert.is(fg, COLOR.rgb | 0x0000ff | FG.bold);
  assert.is(bg, COLOR.rgb | 0xff0000);
});

test('a selection without any sign of its own is inverse', () => {
  assert.ok(themed({}).words(textSlot({}), groundSlot('selection')).fg & FG.inverse);
  assert.not(
    themed({ selection: style({ bg: RED }) }).words(textSlot({}), groundSlot('selection')).fg & FG.inverse,
  );
});

test('a terminal with fewer colours gets the palette entries that the theme chose', () => {
  const theme = { name: 'x', roles: { ...monoTheme().roles, alarm: style({ fg: RED, bg: BLUE }) } };
  const words = (colors: 256 | 16): { fg: number; bg: number } =>
    new StyleTable(theme, colors).words(textSlot({ role: 'alarm' }), groundSlot('bg'));
  assert.equal(words(256), { fg: COLOR.p256 | 196, bg: COLOR.p256 | 21 });
  assert.equal(words(16), { fg: COLOR.p16 | 9, bg: COLOR.p16 | 12 });
});

test.run();
