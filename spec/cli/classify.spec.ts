/**
 * `mux classify` as scripts use it: its statuses, its JSON, and a line for each that it reads.
 */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, Mux } from './mux.ts';

const test = suite('mux classify');
const mux = new Mux();

test('the status tells the tier', async () => {
  for (const [line, status] of [
    ['cd x', 0],
    ['git status', 0],
    ['touch a', 10],
    ['git push', 11],
    ['rm -rf b', 12],
    ['', 0],
  ] as const)
    assert.is((await mux.run(['classify', line])).status, status, line);
});

test('several words are the words of one command', async () => {
  const answer = await mux.run(['classify', '--json', '--', 'echo', 'a; rm -rf b']);
  assert.is(answer.status, 0);
  assert.is(JSON.parse(answer.out).cmd, "echo 'a; rm -rf b'");
});

test('JSON has the tier, reasons with their pieces, and every command', async () => {
  const { out, status } = await mux.run(['classify', '--json', 'ls; sudo rm -rf "$x"']);
  const { cmd, tier, reasons, parts } = JSON.parse(out);
  assert.equal([cmd, tier, status], ['ls; sudo rm -rf "$x"', 'destructive', 12]);
  assert.equal(reasons[0].tier, 'destructive');
  assert.equal(Object.keys(reasons[0]), ['tier', 'why', 'part']);
  assert.equal(
    parts.map((part: { argv: string[] }) => part.argv),
    [['ls'], ['rm', '-rf', '…'], ['sudo', 'rm', '-rf', '…']],
  );
});

test('a person is shown what is not seen', async () => {
  const { out } = await mux.run(['classify', 'echo \u202e; rm -rf b']);
  assert.match(out, /^destructive\n/);
  assert.match(out, /<202e>/);
});

test('--jsonl answers each line, and tells of those that are none', () => {
  const input = '{"cmd":"ls"}\nnot JSON\n\n{"cmd":3}\n{"cmd":"rm -rf b"}\n';
  const { stdout, status } = spawnSync(process.execPath, [LAUNCHER, 'classify', '--jsonl'], {
    input,
    encoding: 'utf8',
    env: mux.environment(),
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  assert.equal(
    answers.map(one => one.tier ?? one.error.code),
    ['passthrough', 'usage', 'usage', 'destructive'],
  );
  assert.is(status, 0);
});

test('without a command it says how it is used', async () => {
  const { status, err } = await mux.run(['classify']);
  assert.is(status, 2);
  assert.match(err, /^mux: classify: no command \(usage: mux classify 'CMD' \| classify --jsonl\)\n$/);
  assert.is((await mux.run(['classify', '--jsonl', 'ls'])).status, 2);
});

test.after(() => mux.stop?.());

test.run();
