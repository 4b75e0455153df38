import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { isQuiet, Notifier } from '../../../lib/server/attention/notifier.ts';
import { shellWord } from '../../../lib/base/shell-word.ts';
import type { Decision } from '../../../lib/status/types.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('notifier');
const SESSION = { id: 's1', name: 'fix' } as SessionRecord;

function needs(reason: string): Decision {
  return { status: 'needs-you', need: 'permission', reason, by: { source: 'hook', evidence: 'x', at: 0 }, lost: [], until: Infinity }; // prettier-ignore
}

function play(command: () => string): {
  notifier: Notifier;
  clock: ManualClock;
  told: string[];
  quiet: { hours: string };
} {
  const clock = new ManualClock(0);
  const told: string[] = [];
  const quiet = { hours: '' };
  const notifier = new Notifier({
    clock,
    logger: { log: () => undefined },
    env: { PATH: process.env['PATH'] ?? '' },
    command,
    quiet: () => quiet.hours,
    onTerminals: text => void told.push(text),
  });
  return { notifier, clock, told, quiet };
}

test('the same need is told once, however often it is said, until it is over', () => {
  const { notifier, clock, told } = play(() => '');
  for (let i = 0; i < 50; i++) {
    notifier.notify(SESSION, needs('Bash: ls'));
    clock.advance(1000);
  }
  assert.equal(told, ['fix needs you: Bash: ls']);
  notifier.over(SESSION);
  notifier.notify(SESSION, needs('Bash: ls'));
  assert.is(told.length, 2);
});

test('a session that asks again and again is not told of every time', () => {
  const { notifier, clock, told } = play(() => '');
  for (let i = 0; i < 50; i++) {
    notifier.notify(SESSION, needs(`n ${i}`));
    notifier.over(SESSION);
    clock.advance(100);
  }
  assert.is(told.length, 1);
});

test('what is told reaches the command word by word, through no shell', async () => {
  const file = join(tempDir({}), 'told');
  const { notifier } = play(() => `printf '%s|%s|%s' "$1" "$2" "$MUX_NOTIFY_BODY" > ${shellWord(file)}`);
  const evil = `$(touch /tmp/x) \`id\` "; rm -rf ' \u001b]0;x`;
  notifier.notify(SESSION, needs(evil));
  await until('it has run', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
  const clean = evil.replace('\u001b', ' ').replace('  ', '  ');
  assert.is(readFileSync(file, 'utf8'), `fix needs you|${clean}|${clean}`);
});

test('hours are quiet, also over midnight', () => {
  const at = (hour: number, minute = 0): number => new Date(2026, 0, 5, hour, minute).getTime();
  const quiet = (hours: string, ...times: number[]): boolean[] => times.map(time => isQuiet(hours, time));
  assert.equal(quiet('22:00-07:00', at(21, 59), at(22), at(3), at(6, 59), at(7)), [
    false,
    true,
    true,
    true,
    false,
  ]);
  assert.equal(quiet('12:00-13:00', at(11, 59), at(12), at(13)), [false, true, false]);
  assert.equal(quiet('', at(3)), [false]);
  const { notifier, told, quiet: set } = play(() => '');
  set.hours = '00:00-23:59';
  notifier.notify(SESSION, needs('x'));
  assert.equal(told, []);
});

test('a word for a shell is that word, whatever it holds', () => {
  assert.equal(['/a/b-c.js', "it's", 'a b', '$(x)', ''].map(shellWord), [
    '/a/b-c.js',
    `'it'\\''s'`,
    `'a b'`,
    `'$(x)'`,
    `''`,
  ]);
});

test.run();
