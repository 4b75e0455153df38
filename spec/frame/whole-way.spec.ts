/**
 * What a program draws is seen through mux (emulator, frame, difference, bytes) as on a bare terminal of that size.
 */
// spec-timeout: 400
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WholeWay } from '../support/whole-way.ts';
import { tryLives } from '../support/whole-way-property.ts';

const test = suite('the whole way to the terminal');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/term');
const SUITES = process.env['MUX_SUITES'];

/** Lives tried here: some five seconds of them. `npm run fuzz` tries as many as one likes. */
const CASES = 2000;
/** The same at every run, so that a change is to blame for what fails. */
const SEED = 1;
/** Bytes between two frames while a recording is played: a prime, so that it cuts sequences everywhere. */
const PIECE = 397;

test(`${CASES} programs at random are seen as on a bare terminal, at every step`, () => {
  const failure = tryLives(SEED, CASES);
  assert.is(failure, undefined, failure);
});

/** OSC 4, 10, 11 and 12 that set a colour: in mux it is the pane's alone, so its cells are drawn in other words. */
const COLOR_SETTINGS = /\x1b\](?:4;\d+|1[012]);[^?\x07\x1b][^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Plays a recording in pieces, with a frame after each. */
function play(recording: Uint8Array, cols: number, rows: number): string {
  const bytes = Buffer.from(Buffer.from(recording).toString('latin1').replace(COLOR_SETTINGS, ''), 'latin1');
  const way = new WholeWay({ cols, rows, margins: { left: 2, top: 1, right: 1, bottom: 1 } });
  const cuts = Array.from({ length: Math.floor(bytes.length / PIECE) }, (_, n) => (n + 1) * PIECE);
  way.write(bytes, cuts);
  const differences = way.differences();
  way.dispose();
  return differences;
}

interface Recording {
  readonly cols: number;
  readonly rows: number;
}

function alacritty(folder: string, name: string): string {
  const { cols, rows } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recording;
  return play(readFileSync(join(folder, `${name}.bytes`)), cols, rows);
}

/** Recordings of xterm.js were made on 80×25 with LF taken as CR LF. */
function xtermjs(folder: string, name: string): string {
  const input = readFileSync(join(folder, `${name}.in`))
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n');
  return play(Buffer.from(input, 'latin1'), 80, 25);
}

const RECORDINGS = [
  ['mux', FIXTURES, '.bytes', alacritty],
  ['alacritty', SUITES && join(SUITES, 'alacritty'), '.bytes', alacritty],
  ['xterm.js', SUITES && join(SUITES, 'xtermjs'), '.in', xtermjs],
] as const;

for (const [whose, folder, extension, replay] of RECORDINGS) {
  test(`recordings of ${whose} are seen as on a bare terminal`, () => {
    if (!folder || !existsSync(folder)) {
      console.log(
        `skipped: recordings of ${whose}: ${SUITES ? 'not in MUX_SUITES' : 'MUX_SUITES is not set'}`,
      );
      return;
    }
    const names = readdirSync(folder).filter(file => file.endsWith(extension));
    assert.ok(names.length > 0, `${folder} holds no recordings`);
    for (const file of names) {
      const name = file.slice(0, -extension.length);
      assert.is(replay(folder, name), '', name);
    }
  });
}

/** What the property has found, each as a program that once was seen otherwise. */
const FOUND: Readonly<Record<string, readonly [cols: number, rows: number, output: string]>> = {
  'erasing to the cursor in the last cell of the alternate screen': [
    10,
    3,
    'first\x1b[?1049hx\x1b[3;10H\x1b[1Jafter',
  ],
  'erasing to the cursor in the last column, with history': [4, 2, '1\r\n2\r\n3abcdefgh\x1b[1;4H\x1b[1Jz'],
  'a mark with nothing before it': [2, 1, 'a❤\ufe0f'],
  'half a flag in the place of a whole one': [2, 1, 'a🇳🇴'],
  'a wide character with marks that does not fit where lines do not wrap': [4, 1, 'ab\x1b[?7l\x1b[4G👍🏽c'],
};

for (const [name, [cols, rows, output]] of Object.entries(FOUND)) {
  test(name, () => {
    const bytes = Buffer.from(output);
    for (const cuts of [[], Array.from(bytes.keys())]) {
      const way = new WholeWay({ cols, rows, margins: { left: 1, top: 1, right: 1, bottom: 1 } });
      way.write(bytes, cuts);
      assert.is(way.differences(), '');
      way.dispose();
    }
  });
}

test('a screen that was wrapped anew without a history has all its rows', () => {
  const way = new WholeWay({ cols: 4, rows: 2 });
  way.write(Buffer.from('a漢a\x1bD'));
  way.resize(2, 3);
  way.resize(2, 4);
  way.write(Buffer.from('x\x1b[4;1Hlast'));
  assert.is(way.differences(), '');
  way.dispose();
});

test.run();
