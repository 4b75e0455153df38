/**
 * Sessions and the person write to each other, by the real command line.
 */
// spec-timeout: 300
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';
import { Voice } from '../support/voice.ts';

const test = suite('messages');
const home = new MuxHome({ config: 'agents:\n  robot: { command: cat, ai: true }\n' });
test.after(() => home.end());

const lines = (
  text: string,
): { seq: number; body: string; sender_name: string; id: string; thread_id: string }[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

test('what is sent is read by its receiver alone, once, and its sender is who its token says', async () => {
  await home.ok('new', 'alice', '--agent', 'robot', '--background');
  await home.ok('new', 'bob', '--background', 'cat');
  const [alice, bob] = [await Voice.of(home, 'alice'), await Voice.of(home, 'bob')];
  await alice.ok('msg', 'send', 'bob', 'hello bob', '--thread', 'greeting');
  await home.ok('msg', 'send', 'bob', 'from the person');
  const read = lines(await bob.ok('--json', 'msg', 'inbox', '--ack'));
  assert.equal(
    read.map(({ seq, body, sender_name, thread_id }) => [seq, body, sender_name, thread_id]),
    [
      [1, 'hello bob', 'alice', 'greeting'],
      [2, 'from the person', 'human', null],
    ],
  );
  assert.is(await bob.ok('msg', 'inbox'), '');
  assert.is(lines(await bob.ok('--json', 'msg', 'inbox', '--all')).length, 2);
  assert.is(await alice.ok('msg', 'inbox'), '', 'nobody else has it');
  const answer = await bob.ok('--json', 'msg', 'send', 'alice', 'back', '--reply-to', read[0]!.id);
  assert.is(lines(answer)[0]!.thread_id, 'greeting');
  const talk = lines(await alice.ok('--json', 'msg', 'conversation')).map(one => one.body);
  assert.equal(talk, ['hello bob', 'back']);
  const refused = await alice.cli(['msg', 'conversation', 'bob']);
  assert.is(refused.status, 4, refused.stderr);
});

test('a thread is read by itself, and the rest stays unread', async () => {
  for (const [body, thread] of [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'a'],
  ])
    await home.ok('msg', 'pub', '-t', 'threads', '--thread', thread!, body!);
  const bodies = async (...args: string[]): Promise<string[]> =>
    lines(await home.ok('--json', 'msg', 'sub', '-t', 'threads', ...args)).map(one => one.body);
  assert.equal(await bodies('--thread', 'a', '--ack'), ['1', '3']);
  assert.equal(await bodies(), ['2']);
  await home.ok('msg', 'ack', '-t', 'threads');
  assert.equal(await bodies(), []);
  const { topics } = (await home.cli('msg', 'topics', '--json')).json();
  const { name, total, unread } = topics.find((one: { name: string }) => one.name === 'threads');
  assert.equal([name, total, unread], ['threads', 3, 0]);
});

test('texts come from files and pipes, and what is no message is refused in one line', async () => {
  const bob = await Voice.of(home, 'bob');
  const file = join(home.work, 'text');
  writeFileSync(file, 'from a file\nof two lines\n');
  await bob.ok('msg', 'send', 'human', '-f', file);
  assert.is((await bob.cli(['msg', 'send', 'human', '-'], '-piped\n')).status, 0);
  const read = lines(await home.ok('--json', 'msg', 'inbox', '--ack')).map(one => one.body);
  assert.equal(read, ['from a file\nof two lines', '-piped']);
  const refused = async (args: string[], input?: string): Promise<string> => {
    const { status, stderr } = await bob.cli(['msg', ...args], input);
    assert.is(stderr.split('\n').length, 2, stderr);
    return `${status} ${stderr.trim()}`;
  };
  assert.match(
    await refused(['send', 'human', '-'], 'x'.repeat(10_000_000)),
    /^4 .*10000000 bytes is more than the 524288/,
  );
  assert.match(await refused(['send', 'human', '']), /^2 .*there is no text/);
  assert.match(await refused(['send', 'nobody', 'x']), /^3 .*no such session/);
  assert.match(await refused(['pub', '-t', '_system.x', 'x']), /^4 .*only mux itself/);
  assert.match(await refused(['pub', '-t', 'inbox:1', 'x']), /^2 /);
  assert.match(await refused(['send', 'human', 'x', '--reply-to', 'msg_0']), /^3 .*you have no such message/);
  assert.match(await refused(['send', 'human', '-f', '/nowhere']), /^3 .*no such file/);
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
  assert.match(await refused(['send', 'human', '-f', file]), /^2 .*no UTF-8 text/);
});

test('a body is text on a terminal: nothing of it is a control sequence', async () => {
  await home.ok('msg', 'pub', '-t', 'hostile', 'a\u001b]0;title\u0007b\u009b31mc\rd');
  const text = await home.ok('msg', 'sub', '-t', 'hostile');
  assert.not.match(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('waiting ends with the next message, or with 124', async () => {
  const bob = await Voice.of(home, 'bob');
  assert.is((await bob.cli(['msg', 'inbox', '--wait', '0.2'])).status, 124);
  const waiting = bob.cli(['--json', 'msg', 'inbox', '--wait', '60', '--ack']);
  await home.ok('msg', 'send', 'bob', 'now');
  assert.equal(
    lines((await waiting).stdout).map(one => one.body),
    ['now'],
  );
});

test('a follower has every message once, in order, over a restart of the server', async () => {
  const child = spawn(process.execPath, [LAUNCHER, '--json', 'msg', 'sub', '-t', 'feed', '-f'], {
    env: home.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  const seen = (): string[] => lines(out.slice(0, out.lastIndexOf('\n') + 1)).map(one => one.body);
  for (let n = 1; n <= 3; n++) await home.ok('msg', 'pub', '-t', 'feed', String(n));
  await until('three', () => seen().length === 3);
  await home.ok('server', 'restart');
  for (let n = 4; n <= 6; n++) await home.ok('msg', 'pub', '-t', 'feed', String(n));
  await until('six', () => seen().length >= 6, { describe: () => out });
  assert.equal(seen(), ['1', '2', '3', '4', '5', '6']);
  child.kill();
});

test('messages are events', async () => {
  const { stdout } = await home.cli('events');
  const events = stdout.split('\n').filter(line => line.includes('"type":"message"'));
  const feed = events.map(line => JSON.parse(line)).filter(one => one.stream === 'feed');
  assert.equal(feed.map(({ seq, sender_id }) => [seq, sender_id]).at(-1), [6, 'human']);
});

test('a damaged database is kept aside and told, and the server goes on', async () => {
  const path = join(home.dir, 'data/default/messages.sqlite');
  await home.ok('server', 'restart');
  const pid = await home.serverPid();
  process.kill(pid, 'SIGKILL');
  await until('it is gone', () => !home.pids().includes(pid));
  writeFileSync(path, readFileSync(path).fill(0x5a, 0, 4096));
  const { status, stderr } = await home.cli('new', 'third', '--background', 'cat');
  assert.is(status, 0, stderr);
  await home.ok('msg', 'pub', '-t', 'feed', 'anew');
  assert.match(home.log(), /messages .*kept as .*messages\.sqlite\.corrupt-/);
  assert.equal(
    lines(await home.ok('--json', 'msg', 'sub', '-t', 'feed')).map(one => one.body),
    ['anew'],
  );
  const { checks } = (await home.cli('doctor', '--json')).json();
  const check = checks.find((one: { name: string; ok: boolean }) => one.name === 'messages' && !one.ok);
  assert.match(check?.detail ?? '', /corrupt-/);
});

test.run();
