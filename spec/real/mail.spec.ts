/**
 * Agents are told of their mail: when they are idle, once, and never into what a person types.
 */
// spec-timeout: 300
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';
import { Voice } from '../support/voice.ts';

const test = suite('mail');

/** A prompt at which lines are read, as an agent has it; each is noted. */
const AGENT = `#!/bin/bash
while :; do
  printf '> '
  IFS= read -r line || exit
  printf '%s\\n' "$line" >>"$MUX_HOME/got-$MUX_SESSION"
  echo done
done
`;
const home = new MuxHome({ files: { agent: AGENT } });
chmodSync(join(home.work, 'agent'), 0o755);
const config = `agents:\n  robot: { command: ${join(home.work, 'agent')}, ai: true }\n`;
writeFileSync(join(home.dir, 'config.yaml'), config);
test.after(() => home.end());

/** Lines that the agent of a session was given. */
function given(id: string): string[] {
  const path = join(home.dir, `got-${id}`);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

async function agent(name: string): Promise<string> {
  await home.ok('new', name, '--agent', 'robot', '--background');
  await home.ok('wait', name, '--contains', '^>');
  return ((await home.cli('show', name, '--json')).json() as { id: string }).id;
}

test('an idle agent is told once, also over a restart of the server, and never of quiet mail', async () => {
  const id = await agent('one');
  await home.ok('msg', 'send', 'one', 'quiet', '--quiet');
  await home.ok('msg', 'send', 'one', 'first');
  await until('it is told', () => given(id).length === 1);
  assert.match(
    given(id)[0]!,
    /^\[mux\] A new message from human \(msg_[0-9a-f]{16}\)\. .*mux msg inbox --ack/,
  );
  await home.ok('server', 'restart');
  await home.ok('msg', 'send', 'one', 'second', '--no-reply');
  await until('it is told of the next', () => given(id).length >= 2);
  assert.match(given(id)[1]!, /^\[mux\] A new message from human .* no answer is wanted\.$/);
  const bodies = (await (await Voice.of(home, 'one')).ok('--json', 'msg', 'inbox')).trim().split('\n');
  assert.equal(
    bodies.map(line => JSON.parse(line).body),
    ['quiet', 'first', 'second'],
  );
  assert.is(given(id).length, 2);
});

test('nothing is typed into a draft, however long it stands there', async () => {
  const id = await agent('two');
  const mux = home.start({ args: ['attach', 'two'] });
  await mux.waitFor('its prompt', /^>$/m);
  mux.type('half a dra');
  await mux.waitFor('the draft', /half a dra/);
  await home.ok('msg', 'send', 'two', 'mail');
  // Longer than anybody who only pauses, and longer than it takes to look again.
  await home.ok('wait', 'two', '--idle', '6');
  assert.equal(given(id), []);
  mux.type('ft\r');
  await until('it is told behind it', () => given(id).length === 2, { describe: () => given(id).join('\n') });
  assert.is(given(id)[0], 'half a draft');
  assert.match(given(id)[1]!, /^\[mux\] A new message/);
  mux.close();
});

test('a stopped agent is started again for its mail, and then told', async () => {
  const id = await agent('three');
  await home.ok('stop', 'three');
  await home.ok('msg', 'send', 'three', 'wake up');
  await until('it is told', () => given(id).length === 1);
  await home.ok('stop', 'three');
  await home.ok('msg', 'send', 'three', 'sleep on', '--quiet');
  assert.is((await home.cli('show', 'three', '--json')).json().status, 'stopped');
});

test('a hook that takes context is given the messages once, and they are read then', async () => {
  await home.ok('new', 'four', '--background', 'cat');
  const four = await Voice.of(home, 'four');
  await home.ok('msg', 'send', 'four', 'in your context', '--quiet');
  const ask = async (event: string): Promise<string> =>
    (await four.cli(['hook', 'claude', event], JSON.stringify({ prompt: 'x' }))).stdout.trim();
  assert.is(await ask('PostToolUse'), '{}');
  const { hookSpecificOutput } = JSON.parse(await ask('UserPromptSubmit'));
  assert.is(hookSpecificOutput.hookEventName, 'UserPromptSubmit');
  assert.match(hookSpecificOutput.additionalContext, /From human \(msg_.*\):\nin your context\n/);
  assert.is(await ask('UserPromptSubmit'), '{}');
  assert.is(await four.ok('msg', 'inbox'), '');
});

test.run();
