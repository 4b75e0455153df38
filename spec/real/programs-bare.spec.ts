/**
 * Real programs in mux and on a bare terminal of the same size, given the same keys: a person sees the same cells, colours and
 * cursor. What changes by itself (htop) is recorded on the one and played in the other.
 */
// spec-timeout: 300
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../lib/term/emulator.ts';
import type { ScreenView } from '../../lib/term/screen-view.ts';
import { ctrl, ENTER, ESCAPE, UP, DOWN } from '../support/keys.ts';
import { hasPrograms, MuxHome, startMux, type PaneRow } from '../support/mux.ts';
import type { Condition, OuterTerminal } from '../support/outer-terminal.ts';
import { seenDifferences } from '../support/seen.ts';

const test = suite('programs in mux and on a bare terminal');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/programs');
/** What mux itself needs around a pane's rows: tabs and header above. */
const ABOVE = 2;

const code = Array.from(
  { length: 60 },
  (_, i) => `/* part ${i} — 港 */\nstatic int f${i}(const char *name) { return name[${i}] == '\\n'; } // 🍌`,
);
const home = new MuxHome({
  config: 'screen:\n  hints: off\n',
  files: {
    'code.c': code.join('\n') + '\n',
    'colours.txt': Array.from(
      { length: 120 },
      (_, i) =>
        `\x1b[38;2;${i * 2};100;${255 - i}mline ${i}\x1b[0m \x1b[4:3;58;5;${i}mcurly\x1b[0m 漢字 \x1b[1;7m${i}\x1b[0m`,
    ).join('\n'),
    'list.txt': Array.from({ length: 300 }, (_, i) => `item-${i}-${(i * 7919) % 1000}`).join('\n'),
  },
});
test.after(() => home.end());
let mux: OuterTerminal;
let pane: PaneRow;

/** Keys, and what the bare terminal shows once they have had their effect. */
type Turn = readonly [keys: string, seen: Condition];

async function muxShows(what: string, wanted: ScreenView): Promise<void> {
  let differences = '';
  const at = { x: pane.left, y: pane.top + ABOVE };
  const isSame = (): boolean => (differences = seenDifferences(mux.emulator, wanted, at)) === '';
  try {
    await mux.waitFor(what, isSame);
  } catch (error) {
    throw new Error(`${what}: ${differences}\n${(error as Error).message}`);
  }
}

/** A program in both, turn by turn. Ends it by closing its window and its terminal. */
async function same(command: string, turns: readonly Turn[]): Promise<void> {
  const bare = home.run(['sh', '-c', command], { cols: pane.cols, rows: pane.rows });
  const id = (await home.ask('new-window', '-P', '-F', '#{pane_id}', command)).trim();
  for (const [n, [keys, seen]] of turns.entries()) {
    await bare.waitFor(`turn ${n} of ${command}`, seen);
    await muxShows(`turn ${n} of ${command}`, bare.emulator);
    bare.type(keys);
    mux.type(keys);
  }
  bare.close();
  await home.ask('kill-pane', '-t', id);
}

/** What a program has drawn on a bare terminal so far, played in a pane. */
async function replayed(bare: OuterTerminal, name: string): Promise<void> {
  const recording = bare.output();
  bare.close();
  writeFileSync(join(home.work, name), recording);
  const wanted = new Emulator({ cols: pane.cols, rows: pane.rows, historyLines: 0 });
  wanted.write(recording);
  const id = await home.ask(
    'new-window',
    '-P',
    '-F',
    '#{pane_id}',
    `stty -opost -echo; cat ${name}; exec cat >/dev/null`,
  );
  await muxShows(`the recording ${name}`, wanted);
  await home.ask('kill-pane', '-t', id.trim());
}

test('a pane of the size of a terminal', async () => {
  // A client whose terminal can do everything: what it cannot show could not be compared.
  ({ mux } = await startMux({ home, cols: 90, rows: 30, env: { TERM: 'xterm-kitty' } }));
  pane = await home.focused();
  assert.is(pane.cols, 90);
});

test('vim: colours, windows, editing, scrolling', async () => {
  if (!hasPrograms('vim')) return;
  const command = 'exec vim -u NONE -i NONE -N -n +"set termguicolors number hlsearch" +"syntax on" code.c';
  await same(command, [
    [ctrl('f'), /part 0 /],
    ['/name\r', t => !/part 0 /.test(t.text())],
    [':vsplit\r', t => t.screen().some((_, y) => /bg=/.test(t.styles(y)))],
    [`ggOnew line 漢${ESCAPE}`, /code\.c .*code\.c/],
    [':set wrap!\r', /new line 漢/],
    ['', /new line/],
  ]);
});

test('less: colours, underlines in colour, search', async () => {
  if (!hasPrograms('less')) return;
  await same('exec less -R colours.txt', [
    [' ', /^line 0 /m],
    ['jjkd', t => !/^line 0 /m.test(t.text())],
    ['/line 9\r', /^:$/m],
    ['G', /^line 9/m],
    ['', /\(END\)/],
  ]);
});

test('fzf: a filter over the whole screen', async () => {
  if (!hasPrograms('fzf')) return;
  await same('exec fzf --no-info --border < list.txt', [
    ['77', /item-0-/],
    [UP, /> 77/],
    ['', t => /item-77-/.test(t.text())],
  ]);
});

/** The interpreter itself: a version manager's stand-in would look for its settings in another home. */
function python(): string | undefined {
  try {
    const probe = 'import curses, sys; print(sys.executable)';
    return execFileSync('python3', ['-c', probe], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    console.log('skipped: python3 with curses not installed');
    return undefined;
  }
}

test('a curses program: pairs of colours, windows, a scroll region, insertion', async () => {
  const interpreter = python();
  if (!interpreter) return;
  await same(`exec ${interpreter} ${join(FIXTURES, 'curses_screen.py')}`, [
    [ENTER, /^ {2}italic/m],
    [ENTER, /window 2/],
    ['', /inserted/],
  ]);
});

test('htop, recorded on a bare terminal', async () => {
  if (!hasPrograms('htop')) return;
  const bare = home.run(['htop', '-d', '2'], { cols: pane.cols, rows: pane.rows });
  await bare.waitFor('htop shows its keys', 'F1Help');
  bare.type(DOWN + DOWN);
  const drawn = bare.received;
  await bare.waitFor('htop has drawn itself some times', t => t.received > drawn + 2000);
  await replayed(bare, 'htop.bytes');
});

test.run();
