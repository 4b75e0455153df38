import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSessionName } from '../../lib/model/names.ts';
import { WORKING_MS } from '../../lib/status/decide.ts';
import { afterHook } from '../../lib/status/hooks.ts';
import { fakeModel, program } from './fake.ts';

const test = suite('sessions');
const SIZE = { cols: 80, rows: 24 };

test('names nobody chose are made different, names somebody chose must be', () => {
  const { model } = fakeModel();
  const names = [1, 2, 3].map(() => model.sessions.create(program(), SIZE).name);
  assert.equal(names, ['cat', 'cat-2', 'cat-3']);
  model.sessions.create(program({ name: 'mine', durable: true }), SIZE);
  assert.throws(() => model.sessions.create(program({ name: 'mine', durable: true }), SIZE), /exists/);
  assert.throws(() => model.sessions.rename(model.sessions.byName('cat')!, 'mine'), /exists/);
});

test('a session that cannot be started is not there', () => {
  const fake = fakeModel();
  fake.failure = new Error('no such program');
  assert.throws(() => fake.model.sessions.create(program(), SIZE), /no such program/);
  assert.equal([fake.model.sessions.all(), fake.events], [[], []]);
});

test('a session whose host has died is told as lost, not as ended by a signal that nobody sent', () => {
  const fake = fakeModel();
  const { model } = fake;
  const session = model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  fake.terminal(session).exit.fire({ code: 0, signal: 1, isLost: true });
  const { status, by } = model.sessions.decision(session);
  assert.equal([status, by.evidence], ['failed', 'lost: the process that ran it has died']);
});

test('a session that cannot be started again stays as it was', () => {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  const first = fake.terminal(session);
  first.exit.fire({ code: 3, signal: 0 });
  fake.failure = new Error('no such program');
  assert.throws(() => fake.model.sessions.restart(session, SIZE), /no such program/);
  assert.equal([session.exit, fake.model.sessions.status(session)], [{ code: 3, signal: 0 }, 'failed']);
  assert.is(session.terminal, first, 'its last screen is still there');
});

test('the state follows output, echo and the end', () => {
  const fake = fakeModel();
  const { model, clock } = fake;
  const session = model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  const state = (): string => model.sessions.status(session);
  assert.is(state(), 'starting');
  fake.terminal(session).output.fire();
  assert.is(state(), 'working');
  clock.advance(WORKING_MS);
  assert.is(state(), 'ready');
  model.sessions.typed(session);
  fake.terminal(session).output.fire();
  assert.is(state(), 'ready', 'the echo of a key is no work');
  clock.advance(1000);
  fake.terminal(session).output.fire();
  assert.is(state(), 'working');
  fake.terminal(session).exit.fire({ code: 0, signal: 9 });
  assert.is(state(), 'failed');
  model.sessions.restart(session, SIZE);
  assert.is(state(), 'starting');
  fake.terminal(session).exit.fire({ code: 0, signal: 0 });
  assert.is(state(), 'stopped');
});

test('progress ends with its program, and the same again is no change', () => {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  const count = (): number => fake.events.length;
  fake.model.sessions.setProgress(session, { state: 'normal', percent: 5 });
  const before = count();
  fake.model.sessions.setProgress(session, { state: 'normal', percent: 5 });
  assert.is(count(), before);
  fake.terminal(session).exit.fire({ code: 0, signal: 0 });
  assert.is(session.progress, undefined);
});

test('the same notice forty-seven times is one change until somebody has looked', () => {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  const before = fake.events.length;
  for (let i = 0; i < 47; i++) fake.model.sessions.setAttention(session, 'Build: done');
  assert.is(fake.events.length, before + 1);
  fake.model.sessions.setAttention(session, '');
  fake.model.sessions.setAttention(session, 'Build: done');
  assert.is(fake.events.length, before + 3);
});

test('a late end of a program that was replaced changes nothing', () => {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program({ durable: true, name: 'x' }), SIZE);
  const first = fake.terminal(session);
  first.exit.fire({ code: 0, signal: 0 });
  fake.model.sessions.restart(session, SIZE);
  assert.ok(first.isDisposed);
  first.exit.fire({ code: 1, signal: 0 });
  assert.is(session.exit, undefined);
});

test('a pane whose program ended stays or goes as remain_on_exit says', () => {
  for (const [remain, code, stays] of [
    ['on', 0, true],
    ['off', 1, false],
    ['failed', 1, true],
    ['failed', 0, false],
  ] as const) {
    const fake = fakeModel();
    fake.remain = remain;
    const session = fake.model.sessions.create(program(), SIZE);
    fake.model.windows.create({ session: session.id, name: '', size: SIZE, background: false });
    fake.terminal(session).exit.fire({ code, signal: 0 });
    assert.is(fake.model.windows.panes().length, stays ? 1 : 0, `${remain} ${code}`);
    assert.is(fake.model.isEmpty, !stays);
  }
});

test('what mux opened to show something goes when it has ended well, and stays when it failed', () => {
  for (const [code, panes] of [
    [0, 0],
    [1, 1],
  ] as const) {
    const fake = fakeModel();
    fake.remain = 'on';
    const session = fake.model.sessions.create(program({ isViewer: true }), SIZE);
    fake.model.windows.create({ session: session.id, name: '', size: SIZE, background: false });
    fake.terminal(session).exit.fire({ code, signal: 0 });
    assert.is(fake.model.windows.panes().length, panes);
  }
});

test('a named session outlives its pane, one that nobody named does not', () => {
  const fake = fakeModel();
  const { model } = fake;
  for (const durable of [true, false]) {
    const session = model.sessions.create(program({ durable, name: durable ? 'kept' : '' }), SIZE);
    const pane = model.windows.create({ session: session.id, name: '', size: SIZE, background: false });
    const terminal = fake.terminal(session);
    model.closePane(pane);
    assert.equal(terminal.killed, ['SIGHUP']);
  }
  assert.equal(
    model.sessions.all().map(s => s.name),
    ['kept'],
  );
});

test('deleting closes the pane and tells it once', () => {
  const fake = fakeModel();
  const { model, events } = fake;
  const session = model.sessions.create(program(), SIZE);
  model.windows.create({ session: session.id, name: '', size: SIZE, background: false });
  model.sessions.delete(session);
  model.sessions.delete(session);
  assert.equal(model.windows.all(), []);
  assert.is(events.filter(event => event.type === 'session-deleted').length, 1);
});

test('a name is safe in a target, a path and a status line', () => {
  for (const name of ['a', 'build-2', 'Über.x_y+z', '9', 'x'.repeat(64)]) checkSessionName(name);
  for (const name of [
    '',
    ' ',
    'a b',
    'a/b',
    '-x',
    '.',
    '..',
    '%1',
    'a:b',
    'x'.repeat(65),
    'a\n',
    'a\x1b[m',
    '\u202e',
  ])
    assert.throws(() => checkSessionName(name), /session name/, JSON.stringify(name));
  const said = (): void => checkSessionName(`${'x'.repeat(79)}😀${'x'.repeat(10_000)}`);
  assert.throws(said, /^session name 'x{79}\?…': it may/, 'a refused name fills no screen');
});

test('an agent that a person has quit is no crash, whatever status it leaves; of the next run that says nothing', () => {
  const fake = fakeModel();
  const { sessions } = fake.model;
  const session = sessions.create(program(), { cols: 80, rows: 24 });
  const says = (event: string, reason: string): void =>
    sessions.setEvidence(session, afterHook(session.evidence, event, { reason }, fake.clock.now()));
  const ends = (signal: number): string => {
    fake.terminal(session).exit.fire({ code: signal ? 0 : 1, signal });
    return sessions.status(session);
  };
  says('SessionEnd', 'prompt_input_exit');
  assert.equal([ends(0), session.stopReason], ['stopped', 'quit']);
  sessions.restart(session, { cols: 80, rows: 24 });
  assert.is(ends(0), 'failed', 'the run before it was quit');
  sessions.restart(session, { cols: 80, rows: 24 });
  says('SessionEnd', 'clear');
  assert.is(ends(0), 'failed', 'that was no end');
  sessions.restart(session, { cols: 80, rows: 24 });
  says('SessionEnd', 'prompt_input_exit');
  says('SessionStart', 'resume');
  assert.is(ends(0), 'failed', 'it went on');
  sessions.restart(session, { cols: 80, rows: 24 });
  says('SessionEnd', 'prompt_input_exit');
  assert.is(ends(11), 'failed', 'it crashed while it ended');
});

test.run();
