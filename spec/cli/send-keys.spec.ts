/**
 * send-keys against tmux: what a program in the pane reads for each name of a key.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support/until.ts';
import { has, Mux } from './mux.ts';
import { Tmux } from './tmux.ts';

const test = suite('keys sent are read as in tmux');

/** Words after `send-keys`. Not Home and End: tmux sends its own terminal's, mux those of xterm. */
const KEYS: readonly string[] = [
  'hello',
  'Enter',
  'Space',
  'Tab',
  'BTab',
  'Escape',
  'BSpace',
  'DC',
  'IC',
  'PPage',
  'PageUp',
  'PgDn',
  'Up',
  'Down',
  'Left',
  'Right',
  'F1',
  'F4',
  'F5',
  'F12',
  'C-a',
  'C-Space',
  '^x',
  'C-]',
  'M-x',
  'M-X',
  'M-Enter',
  'C-M-a',
  'C-Up',
  'S-Up',
  'M-Left',
  'C-S-Right',
  'S-F5',
  'C-Home',
  'M-PPage',
  'a b Enter c',
  'é',
  '日本',
  '-l Enter',
  '-l C-a -x',
  '-H 41 1b 7f',
  '-N 3 x',
  '-N 2 Up',
  'ls -l Enter',
  '-- -l',
];

/** Sends all and returns what the program read, by key. */
async function read(run: (...words: string[]) => string | Promise<string>): Promise<string[]> {
  const program = `stty raw -echo; printf READY; exec cat -v`;
  await run('new-window', '-n', 'keys', program, ';', 'resize-window', '-x', '200', '-y', '24');
  const shown = async (): Promise<string> => (await run('capture-pane', '-p', '-J')).trimEnd();
  await until('the program reads', async () => (await shown()).includes('READY'));
  const words = KEYS.flatMap(keys => ['send-keys', ...keys.split(' '), ';', 'send-keys', '-l', '|', ';']);
  await run(...words, 'send-keys', '-l', 'END');
  await until('all was read', async () => (await shown()).endsWith('END'));
  return (await shown()).replace('READY', '').split('|').slice(0, -1);
}

if (has('tmux')) {
  test('every key gives the same', async () => {
    const mux = new Mux();
    await mux.ok('--detach', '--', 'cat');
    const ours = await read((...words) => mux.ok(...words));
    await mux.stop();
    const tmux = new Tmux();
    const theirs = await read((...words) => tmux.run(words));
    tmux.stop();
    assert.is(ours.length, KEYS.length);
    const told = (read: string[]): object => Object.fromEntries(KEYS.map((keys, i) => [keys, read[i]]));
    assert.equal(told(ours), told(theirs));
  });
} else {
  test('there is nothing to compare with', () => undefined);
}
test.run();
