/**
 * Colours between the terminal outside and programs in panes.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_PALETTE } from '../../lib/term/palette.ts';
import { ENTER } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('colours of the terminal outside');
const home = new MuxHome();
test.after(() => home.end());
const LIGHT = { ...DEFAULT_PALETTE, foreground: 0x202020, background: 0xfcfcf0 };
/** Asks for the background and shows the answer. */
const ASK = `printf '\\033]11;?\\033\\\\'; IFS= read -rs -d '\\' -t 10 x; printf '%q\\n' "$x"`;
let mux: OuterTerminal;

test('no mode 2031 update: a program that asked is told when the terminal turns light', async () => {
  ({ mux } = await startMux({ home, cols: 100, rows: 20 }));
  mux.type(
    `printf '\\033[?2031hasked\\n'; IFS= read -rs -d n -t 30 x; printf '\\033[?2031ltold %q\\n' "$x"` + ENTER,
  );
  await mux.waitFor('its question', /│asked/);
  mux.emulator.setPalette(LIGHT);
  await mux.waitFor('it was told', /told \$'\\E\[\?997;2'/);
});

test('a program is told the background of the terminal outside', async () => {
  mux.type(ASK + ENTER);
  await mux.waitFor('the answer', /rgb:fcfc\/fcfc\/f0f0/);
});

test('who asked and died is not told: nothing is typed into the shell', async () => {
  mux.type(`clear; bash -c "printf '\\033[?2031hlistens\\n'; read -rsn1; exit 3"; echo gone` + ENTER);
  await mux.waitFor('its question', /│listens/);
  mux.type('x');
  await mux.waitFor('its end', /│gone/);
  mux.emulator.setPalette(DEFAULT_PALETTE);
  mux.type(`x=; until [[ $x = *rgb:0000/0000/0000* ]]; do ${ASK}; done; echo end` + ENTER);
  await mux.waitFor('the new background', /│end/);
  assert.not.match(mux.text(), /997/, mux.describe());
  mux.type(`printf '\\033[?2031l'` + ENTER);
});

test('reply arrives after the asker died: what the terminal tells late is typed into nobody', async () => {
  mux.type('clear' + ENTER);
  await mux.waitFor('an empty screen', terminal => !/rgb|end/.test(terminal.text()));
  mux.type('\x1b]11;rgb:1234/1234/1234\x1b\\\x1b[?997;1n\x1b[5;5R\x1bP>|other\x1b\\echo done' + ENTER);
  await mux.waitFor('the next command', /│done/);
  assert.not.match(mux.text(), /rgb:|997|5R|other/);
});

test('what a program sets for itself is seen in its pane, and nowhere else', async () => {
  mux.type(`clear; printf '\\033]11;#102030\\007'` + ENTER);
  await mux.waitFor('the background', terminal => terminal.styleAt(40, 8).includes('102030'));
  assert.not.match(mux.styleAt(2, 0), /102030/);
  mux.type(`printf '\\033]111\\007'` + ENTER);
  await mux.waitFor('the background is back', terminal => !terminal.styleAt(40, 8).includes('102030'));
});

test('the cursor has the colour that its program gave it, while it is shown, and the person’s own after leaving', async () => {
  const color = (): number | undefined => mux.emulator.colors?.cursor;
  mux.type(`clear; printf '\\033]12;#a0b0c0\\007'` + ENTER);
  await mux.waitFor('its colour', () => color() === 0xa0b0c0);
  await home.ask('new-window');
  await mux.waitFor('the person’s', () => color() === undefined);
  await home.ask('previous-window');
  await mux.waitFor('its colour again', () => color() === 0xa0b0c0);
  await home.ask('detach', '-a');
  await mux.ended();
  assert.is(color(), undefined);
  mux = home.start({ cols: 100, rows: 20 });
  await mux.waitFor('its colour after attaching', () => color() === 0xa0b0c0);
  mux.type(`printf '\\033]112\\007'` + ENTER);
  await mux.waitFor('given back', () => color() === undefined);
});

test('progress is a mark on the tab', async () => {
  mux.type(`printf '\\033]9;4;1;45\\007'` + ENTER);
  await mux.waitFor('the mark', terminal => terminal.screen()[0]!.includes(' 45%'));
  mux.type(`printf '\\033]9;4;0\\007'` + ENTER);
  await mux.waitFor('no mark', terminal => !terminal.screen()[0]!.includes('45%'));
});

test.run();
