/**
 * What agents and editors ask a terminal when they start: each question is answered at once, or ignored without a trace,
 * so that none of them waits, with a terminal attached or without.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('questions of programs that start');
const ASKER = join(import.meta.dirname, '../../../spec/fixtures/programs/asker.mjs');
/** Programs give a terminal about a second before they go on without. */
const PATIENCE_MS = 1000;
const ST = '\x1b\\';

/** What is asked, and what must be in the answer; undefined where silence is as good. */
type Question = readonly [name: string, asked: string, answer?: RegExp];

const COLOR = 'rgb:[0-9a-f]{4}/[0-9a-f]{4}/[0-9a-f]{4}';
/** By what the questions are for; together they are what the agents in use today send. */
const QUESTIONS: readonly Question[] = [
  ['what kind of terminal (DA1)', '\x1b[c', /\x1b\[\?6\d;[\d;]*c.*\x1b\[\?6\d;[\d;]*c/s],
  ['which version (DA2)', '\x1b[>c', /\x1b\[>\d+;\d+;\d+c/],
  ['which unit (DA3)', '\x1b[=c', /\x1bP!\|[0-9A-F]+\x1b\\/],
  ['which program (XTVERSION)', '\x1b[>0q', /\x1bP>\|mux\(.*\)\x1b\\/],
  ['where the cursor is (CPR)', '\x1b[6n', /\x1b\[\d+;\d+R/],
  ['whether it is well (DSR)', '\x1b[5n', /\x1b\[0n/],
  ['the size in pixels', '\x1b[14t', /\x1b\[4;\d+;\d+t/],
  ['the size of a cell', '\x1b[16t', /\x1b\[6;\d+;\d+t/],
  ['the size in cells', '\x1b[18t', /\x1b\[8;\d+;\d+t/],
  ['the keyboard protocol', '\x1b[?u', /\x1b\[\?\d+u/],
  ['the keyboard protocol, set and taken back', '\x1b[>7u\x1b[?u\x1b[<u', /\x1b\[\?\d+u/],
  ['modified keys', '\x1b[>4;2m\x1b[>4;0m\x1b[?4m'],
  ['synchronized output', '\x1b[?2026$p', /\x1b\[\?2026;[124]\$y/],
  ['grapheme clusters, eleven times', '\x1b[?2027$p'.repeat(11), /(\x1b\[\?2027;\d\$y){11}/],
  ['light or dark', '\x1b[?996n', /\x1b\[\?997;[12]n/],
  ['news of light and dark, pastes and focus', '\x1b[?2031h\x1b[?2004h\x1b[?1004h\x1b[?2031l\x1b[?2004l\x1b[?1004l'],
  ['the text colour', `\x1b]10;?${ST}`, RegExp(`\\x1b\\]10;${COLOR}`)],
  ['the background', '\x1b]11;?\x07', RegExp(`\\x1b\\]11;${COLOR}`)],
  ['both', `\x1b]10;?${ST}\x1b]11;?${ST}`, RegExp(`\\x1b\\]10;${COLOR}.*\\x1b\\]11;${COLOR}`, 's')],
  ['the colour of the cursor', `\x1b]12;?${ST}`, RegExp(`\\x1b\\]12;${COLOR}`)],
  [
    'sixteen colours',
    Array.from({ length: 16 }, (_, i) => `\x1b]4;${i};?\x07`).join(''),
    RegExp(`(\\x1b\\]4;\\d+;${COLOR}(\\x07|\\x1b\\\\)){16}`),
  ],
  ['a capability (XTGETTCAP)', `\x1bP+q4d73${ST}`, /\x1bP[01]\+r4d73/i],
  ['the pen (DECRQSS)', `\x1bP$qm${ST}`, /\x1bP1\$r.*m\x1b\\/],
  ['images', `\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ST}`],
  ['sized text', `\x1b]66;w=2;x${ST}`],
  ['notifications', `\x1b]99;i=1:p=?;${ST}`],
  ['capabilities of another program', `\x1b]1337;Capabilities${ST}`],
  ['a state in words', '\x1b]7501;state=idle:app=codex\x07'],
  ['a title, kept and given back', '\x1b[22;0t\x1b]0;working\x07\x1b[23;0t'],
  ['wrapping off and on', '\x1b[?7l\x1b[?7h'],
  ['the mouse, the wheel as keys', '\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?1007l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l'],
  ['a link', `\x1b]8;;https://example.com/${ST}\x1b]8;;${ST}`],
  ['the screen for a moment', '\x1b[?1049h\x1b[?1049l'],
]; // prettier-ignore

interface Answer {
  readonly text: string;
  readonly ms: number;
  readonly from?: string;
  readonly to?: string;
}

const home = new MuxHome();
test.after(() => home.end());

function put(): void {
  copyFileSync(ASKER, join(home.work, 'asker.mjs'));
  writeFileSync(join(home.work, 'ask.json'), JSON.stringify(QUESTIONS.map(([name, asked]) => [name, asked])));
}

async function answers(file: string): Promise<Readonly<Record<string, Answer>>> {
  const path = join(home.work, file);
  await until(`the answers in ${file}`, () => existsSync(path), { deadlineMs: 60_000, describe: () => home.log() });
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Answer>;
} // prettier-ignore

function check(given: Readonly<Record<string, Answer>>): void {
  for (const [name, , wanted] of QUESTIONS) {
    const { text, ms, from, to } = given[name]!;
    const shown = JSON.stringify(text);
    assert.ok(ms < PATIENCE_MS, `${name}: ${Math.round(ms)} ms, ${shown}`);
    if (wanted) assert.match(text, wanted, `${name}: ${shown}`);
    assert.ok(from !== undefined && from === to, `${name} moved the cursor from ${from} to ${to}`);
  }
}

test('on a terminal', async () => {
  put();
  const { mux } = await startMux({ home });
  mux.type(`clear; ${process.execPath} asker.mjs ask.json attached.json; echo asked\r`);
  check(await answers('attached.json'));
  // Nothing that was asked is left on the screen, and nothing that was answered is typed into the shell.
  await mux.waitFor('its end, and a prompt with nothing behind it', /^asked\n\$\n/m);
  assert.equal(
    mux.screen().slice(2, -1).map(row => row.trimEnd()).filter(Boolean),
    ['asked', '$'],
  ); // prettier-ignore
  mux.type(prefix('d'));
  assert.is(await mux.ended(), 0);
});

test('without a terminal', async () => {
  await home.ok('new-window', '-d', `${process.execPath} asker.mjs ask.json detached.json`);
  check(await answers('detached.json'));
});

test.run();
