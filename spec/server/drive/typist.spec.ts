/**
 * Typing for scripts: into programs, and never into what a person types.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILTIN_AGENTS } from '../../../lib/config/agents.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { Typist } from '../../../lib/server/drive/typist.ts';
import { fakeModel, program, type Fake } from '../../model/fake.ts';

const test = suite('typist');
const gone = new AbortController().signal;
const SIZE = { cols: 80, rows: 24 };

interface Scene extends Fake {
  readonly typist: Typist;
  readonly session: SessionRecord;
  readonly done: readonly string[];
}

function scene(changes: Parameters<typeof program>[0] = {}, modes: object = {}): Scene {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program(changes), SIZE);
  const terminal = fake.terminal(session);
  Object.assign(terminal.view.modes, modes);
  const typist = new Typist({ clock: fake.clock, agents: () => BUILTIN_AGENTS });
  return Object.assign(fake, { typist, session, done: terminal.done });
}

/** Time goes on in steps, between which promises settle. */
async function pass({ clock }: Fake, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    for (let i = 0; i < 10; i++) await Promise.resolve();
    clock.advance(Math.min(10, left));
  }
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

test('the text comes first, and Enter in a write of its own a moment later', async () => {
  const s = scene();
  const typed = s.typist.type(s.session, 'hello', { enter: true, gone });
  await pass(s, 10);
  assert.equal(s.done, ['hello']);
  await pass(s, 100);
  assert.equal(s.done, ['hello', '\r']);
  await typed;
});

test('without a newline there is the text alone', async () => {
  const s = scene();
  await s.typist.type(s.session, 'hello', { enter: false, gone });
  await pass(s, 1000);
  assert.equal(s.done, ['hello']);
});

test('Enter has the form that the program asked for', async () => {
  const s = scene({}, { kittyFlags: 8 });
  const typed = s.typist.type(s.session, 'x', { enter: true, gone });
  await pass(s, 1000);
  await typed;
  assert.equal(s.done, ['x', '\x1b[13u']);
});

test('lines and long texts are pasted where the program takes pastes, else lines end with Enter', async () => {
  const pasting = scene({}, { bracketedPaste: true });
  await pasting.typist.type(pasting.session, 'one\ntwo', { enter: false, gone });
  await pasting.typist.type(pasting.session, 'x'.repeat(201), { enter: false, gone });
  await pasting.typist.type(pasting.session, 'short', { enter: false, gone });
  assert.equal(pasting.done, ['\x1b[200~one\rtwo\x1b[201~', `\x1b[200~${'x'.repeat(201)}\x1b[201~`, 'short']);
  const plain = scene();
  await plain.typist.type(plain.session, 'one\ntwo', { enter: false, gone });
  assert.equal(plain.done, ['one\rtwo']);
});

test('a paste cannot be left by what is in it', async () => {
  const s = scene({}, { bracketedPaste: true });
  await s.typist.type(s.session, 'a\n\x1b[201~rm', { enter: false, gone });
  assert.equal(s.done[0]!.split('\x1b[201~').length, 2);
});

test('while a person types there, it waits until they have been idle', async () => {
  const s = scene();
  s.model.sessions.typed(s.session);
  void s.typist.type(s.session, 'script', { enter: false, gone });
  await pass(s, 1500);
  s.model.sessions.typed(s.session);
  await pass(s, 1900);
  assert.equal(s.done, []);
  await pass(s, 200);
  assert.equal(s.done, ['script']);
});

test('a person who never stops is not waited for without an end', async () => {
  const s = scene();
  void s.typist.type(s.session, 'script', { enter: false, gone });
  for (let i = 0; i < 16; i++) {
    s.model.sessions.typed(s.session);
    await pass(s, 1000);
  }
  assert.equal(s.done, ['script']);
});

test('two that type at once do not mix', async () => {
  const s = scene();
  void s.typist.type(s.session, 'one', { enter: true, gone });
  void s.typist.type(s.session, 'two', { enter: true, gone });
  await pass(s, 1000);
  assert.equal(s.done, ['one', '\r', 'two', '\r']);
});

test('a caller that has gone types nothing', async () => {
  const s = scene();
  const controller = new AbortController();
  s.model.sessions.typed(s.session);
  const typed = s.typist
    .type(s.session, 'x', { enter: true, gone: controller.signal })
    .then(() => '', String);
  controller.abort();
  await pass(s, 3000);
  assert.match(await typed, /nothing was typed/);
  assert.equal(s.done, []);
});

test('an agent that shows nothing of what was typed is woken before Enter', async () => {
  const s = scene({ isAi: true });
  void s.typist.type(s.session, 'hello', { enter: true, gone });
  await pass(s, 1000);
  assert.equal(s.terminal(s.session).killed, ['SIGWINCH']);
  assert.equal(s.done, ['hello', '\r']);
});

test('typing into a stopped session fails, with the remedy', async () => {
  const s = scene({ name: 'build', durable: true });
  s.terminal(s.session).exit.fire({ code: 0, signal: 0 });
  const error = await s.typist.type(s.session, 'x', { enter: true, gone }).catch((e: unknown) => e);
  assert.match(String((error as Error).message), /program is stopped/);
  assert.match(String((error as { hint: string }).hint), /mux resume build/);
});

test('an agent is interrupted by its own key, as often as it needs', async () => {
  const once = scene({ agent: 'claude' });
  void once.typist.interrupt(once.session);
  await pass(once, 1000);
  assert.equal(once.done, ['\x1b']);
  const twice = scene({ agent: 'opencode' });
  void twice.typist.interrupt(twice.session);
  await pass(twice, 100);
  assert.equal(twice.done, ['\x1b']);
  await pass(twice, 1000);
  assert.equal(twice.done, ['\x1b', '\x1b']);
  const shell = scene({ agent: 'nobody-knows' });
  void shell.typist.interrupt(shell.session);
  await pass(shell, 1000);
  assert.equal(shell.done, ['\x03']);
});

test('more than a bound of what waits for one session is refused, and there is room again later', async () => {
  const s = scene();
  const waiting = Array.from({ length: 64 }, () => s.typist.type(s.session, 'x', { enter: true, gone }));
  const error = await s.typist.type(s.session, 'y', { enter: true, gone }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(error!.message, /64 wait to type/);
  await pass(s, 64 * 200);
  await Promise.all(waiting);
  await s.typist.type(s.session, 'z', { enter: false, gone });
  assert.is(s.done.at(-1), 'z');
});

test.run();
