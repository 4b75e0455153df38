/**
 * What a person sees while programs redraw themselves: no strobing, no half pictures, no more frames than can be seen.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTER, prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('flicker');
const COLS = 80;
const ROWS = 24;
/** Rows that pictures fill: fewer than the pane has. */
const FILLED = ROWS - 3;
const BEGIN = '\\033[?2026h';
const END = '\\033[?2026l';

/** Shell text that fills the pane with `letter`. */
const fill = (letter: string): string =>
  `i=1; while [ $i -le ${FILLED} ]; do printf '\\033[%d;1H${letter.repeat(COLS)}' $i; i=$((i+1)); done`;

const home = new MuxHome({
  config: 'screen:\n  hints: off\n',
  files: {
    // The same picture again and again, erased in between, until a file is there.
    'same.sh': `page=$(printf '${BEGIN}\\033[H\\033[2J'; ${fill('s')}; printf '\\033[Hready${END}')
while [ ! -e stop-same ]; do printf %s "$page"; sleep 0.005; done; echo; echo over`,
    // Two pictures in turn, each drawn in halves that stand 10 ms apart.
    'turns.sh': `${[
      'while [ ! -e stop-turns ]; do for page in A B; do',
      `printf '${BEGIN}\\033[H\\033[2J'; i=1`,
      `while [ $i -le ${FILLED} ]; do [ $i = 10 ] && sleep 0.01; printf "\\033[$i;1H$page$page$page$page"; i=$((i+1)); done`,
      `printf '${END}'; sleep 0.02; done; done; printf '\\033[H\\033[2J'; echo over`,
    ].join('\n')}`,
    // The same, but the screen is released and held again in one breath: it is never seen released.
    'always.sh': `${[
      `printf '${BEGIN}'; while [ ! -e stop-always ]; do for page in A B; do`,
      `printf '\\033[H\\033[2J'; i=1`,
      `while [ $i -le ${FILLED} ]; do [ $i = 10 ] && sleep 0.04; printf "\\033[$i;1H$page$page$page$page"; i=$((i+1)); done`,
      `printf '${END}${BEGIN}'; done; done; printf '\\033[H\\033[2J${END}'; echo over`,
    ].join('\n')}`,
    'dies.sh': `printf '${BEGIN}half a picture'; exec sleep 1000`,
  },
});
test.after(() => home.end());
let mux: OuterTerminal;

/** Resolves after some time, in which what is looked at must not, or may only so often, happen. */
async function during(ms: number, look: () => void = () => undefined): Promise<void> {
  const end = performance.now() + ms;
  await mux.waitFor(`${ms} ms have passed`, () => (look(), performance.now() > end));
}

function stop(name: string): void {
  writeFileSync(join(home.work, `stop-${name}`), '');
}

test('4,000 scrolls a second are at most 60 frames a second', async () => {
  // A terminal with synchronized output: each frame of some size is in a pair of marks.
  ({ mux } = await startMux({ home, cols: COLS, rows: ROWS, env: { TERM: 'xterm-kitty' } }));
  mux.type('while :; do seq 100000; done\r');
  await mux.waitFor('the flood', /^9\d{3}$/m);
  await during(200);
  mux.forgetOutput();
  const start = performance.now();
  await during(2000);
  const seconds = (performance.now() - start) / 1000;
  const frames = mux.output().toString('latin1').split('\x1b[?2026h').length - 1;
  assert.ok(frames <= 63 * seconds + 2, `${frames} frames in ${seconds} s`);
  assert.ok(frames >= seconds, `${frames} frames in ${seconds} s: it stands still`);
  mux.type('\x03');
  await mux.waitFor('the prompt', /^\$$/m);
});

test('a program that strobes the same picture draws nothing', async () => {
  mux.type('clear; sh same.sh\r');
  await mux.waitFor('the picture', /^readys+$/m);
  // Marks of a session that works come once.
  await during(500);
  const before = mux.received;
  await during(1000);
  assert.is(mux.received, before, JSON.stringify(mux.output().toString('latin1').slice(-200)));
  stop('same');
  await mux.waitFor('the end', /^over/m);
});

for (const [name, what] of [
  ['turns', 'half a picture is not shown while a program holds its screen (mode 2026)'],
  ['always', 'a program that holds its screen again as soon as it has released it is seen whole'],
] as const)
  test(what, () => seenWhole(name));

async function seenWhole(name: string): Promise<void> {
  mux.type(`clear; sh ${name}.sh\r`);
  await mux.waitFor('a picture', /^(AAAA|BBBB)$/m);
  let looks = 0;
  let torn = 0;
  let last = '';
  await during(2000, () => {
    const text = mux.text();
    if (text === last || mux.modes.synchronized) return;
    last = text;
    looks++;
    const count = (letter: string): number => text.match(new RegExp(`${letter}{4}$`, 'gm'))?.length ?? 0;
    const [a, b] = [count('A'), count('B')];
    if (!(a === FILLED && b === 0) && !(b === FILLED && a === 0)) torn++;
  });
  assert.ok(looks > 4, `${looks} pictures were seen`);
  // A machine that stands still for longer than the limit of 150 ms may show one.
  assert.ok(torn <= looks / 10, `${torn} of ${looks} pictures were torn`);
  stop(name);
  await mux.waitFor('the end', /^over/m);
}

test('a program that dies while it holds its screen is shown all the same', async () => {
  mux.type('clear; sh dies.sh\r');
  await mux.waitFor('its half picture', /^half a picture/m);
  mux.type('\x03');
  // It is the shell's screen again, which nobody releases.
  mux.type('\r');
  await mux.waitFor('the prompt', /\$$/m);
  mux.type(`printf '${END}'` + ENTER + prefix('d'));
  assert.is(await mux.ended(), 0);
});

test.run();
