/**
 * What happens to sessions without anybody asking for it: idle stop, agents that never come up, expiry.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../../lib/base/errors.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { Expiry } from '../../../lib/server/lifecycle/expiry.ts';
import { IdleStop } from '../../../lib/server/lifecycle/idle-stop.ts';
import { Watchdog } from '../../../lib/server/lifecycle/watchdog.ts';
import { fakeModel, program, type Fake } from '../../model/fake.ts';

const test = suite('watching over sessions');
const SIZE = { cols: 80, rows: 24 };
const MINUTE = 60_000;
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function agent(fake: Fake, name: string): SessionRecord {
  const launch = { argv: ['agent'], cwd: '/', env: {}, ofAgent: true };
  return fake.model.sessions.create(program({ name, durable: true, launch }), SIZE);
}

/** Output, and silence since. */
function becomesReady(fake: Fake, session: SessionRecord): void {
  fake.terminal(session).output.fire();
  fake.clock.advance(5000);
}

interface Idle {
  readonly fake: Fake;
  readonly stopped: string[];
  readonly asked: (() => boolean)[];
  attached: SessionRecord | undefined;
  canResume: boolean;
  /** Why it cannot be stopped. */
  cannot: string;
  readonly told: string[];
}

/** Idle stop after ten minutes. */
function idle(): Idle {
  const fake = fakeModel();
  const result: Idle = {
    fake,
    stopped: [],
    asked: [],
    attached: undefined,
    canResume: true,
    cannot: '',
    told: [],
  };
  void new IdleStop({
    clock: fake.clock,
    model: fake.model,
    after: () => 10 * MINUTE,
    isAttached: session => result.attached === session,
    canResume: () => result.canResume,
    stop(session, isStill) {
      result.asked.push(isStill);
      if (isStill()) result.stopped.push(session.name);
      return result.cannot ? Promise.reject(new CodedError('failed', result.cannot)) : Promise.resolve();
    },
    tell: text => void result.told.push(text),
  });
  return result;
}

test('an agent that is ready is stopped when nobody was in front of it for the whole time', () => {
  const all = idle();
  const session = agent(all.fake, 'one');
  becomesReady(all.fake, session);
  all.fake.clock.advance(9 * MINUTE);
  assert.equal(all.stopped, []);
  all.attached = session;
  all.fake.clock.advance(MINUTE);
  all.attached = undefined;
  all.fake.clock.advance(9 * MINUTE);
  assert.equal(all.stopped, [], 'the time begins when the last one has gone');
  all.fake.clock.advance(2 * MINUTE);
  assert.is(all.stopped[0], 'one');
});

test('a program that cannot be killed is tried again after the same time, and told of once', async () => {
  const all = idle();
  all.cannot = 'it does not end';
  becomesReady(all.fake, agent(all.fake, 'one'));
  for (let i = 0; i < 600; i++) {
    all.fake.clock.advance(MINUTE / 10);
    await settle();
  }
  assert.equal(all.told, ['it does not end']);
  assert.is(all.stopped.length, 5);
});

test('one that works, or could not go on where it was, is left alone', () => {
  const all = idle();
  const session = agent(all.fake, 'one');
  becomesReady(all.fake, session);
  all.canResume = false;
  all.fake.clock.advance(60 * MINUTE);
  assert.equal(all.stopped, []);
  all.canResume = true;
  for (let i = 0; i < 30; i++) {
    all.fake.clock.advance(MINUTE);
    becomesReady(all.fake, session);
  }
  assert.equal(all.stopped, []);
});

test('a resumed session is not stopped at once for the idleness of before', () => {
  const all = idle();
  const session = agent(all.fake, 'one');
  becomesReady(all.fake, session);
  all.fake.clock.advance(9 * MINUTE);
  all.fake.terminal(session).exit.fire({ code: 0, signal: 0 });
  all.fake.model.sessions.restart(session, SIZE);
  becomesReady(all.fake, session);
  all.fake.clock.advance(5 * MINUTE);
  assert.equal(all.stopped, []);
});

test('what is stopped is asked about once more: a resumed one, and one in front of somebody, stays', () => {
  const all = idle();
  const session = agent(all.fake, 'one');
  becomesReady(all.fake, session);
  all.fake.clock.advance(11 * MINUTE);
  const isStill = all.asked[0]!;
  assert.ok(isStill());
  all.attached = session;
  assert.not(isStill());
  all.attached = undefined;
  all.fake.terminal(session).exit.fire({ code: 0, signal: 0 });
  all.fake.model.sessions.restart(session, SIZE);
  becomesReady(all.fake, session);
  assert.not(isStill());
});

test('an agent that never shows anything is started again, three times, and then given up', async () => {
  const fake = fakeModel();
  const done: string[] = [];
  const session = agent(fake, 'mute');
  const talker = agent(fake, 'talker');
  fake.terminal(talker).output.fire();
  void new Watchdog({
    clock: fake.clock,
    model: fake.model,
    tell: () => undefined,
    startAnew(one, again, isStill) {
      assert.ok(isStill());
      fake.model.sessions.stopping(one, 'watchdog');
      fake.terminal(one).exit.fire({ code: 0, signal: 9 });
      if (again) fake.model.sessions.restart(one, SIZE);
      done.push(`${one.name} ${again ? 'again' : 'given up'}`);
      return Promise.resolve();
    },
  });
  for (let i = 0; i < 60; i++) {
    fake.clock.advance(MINUTE / 2);
    await settle();
  }
  assert.equal(done, ['mute again', 'mute again', 'mute again', 'mute given up']);
  assert.is(fake.model.sessions.status(session), 'failed');
});

test('an adopted agent had its time with the server before', async () => {
  const fake = fakeModel();
  const done: string[] = [];
  const session = agent(fake, 'old');
  session.lastOutputAt = fake.clock.now();
  void new Watchdog({
    clock: fake.clock,
    model: fake.model,
    tell: () => undefined,
    startAnew: one => Promise.resolve(void done.push(one.name)),
  });
  fake.clock.advance(20 * MINUTE);
  await settle();
  assert.equal(done, []);
});

test('a deleted session goes when its time is over, one with work that would be lost stays and is told once', async () => {
  const fake = fakeModel();
  const told: string[] = [];
  const clean = agent(fake, 'clean');
  const dirty = agent(fake, 'dirty');
  const listed = agent(fake, 'listed');
  void new Expiry({
    clock: fake.clock,
    model: fake.model,
    tell: text => void told.push(text),
    purge(session) {
      if (session === dirty)
        return Promise.reject(new CodedError('refused', 'session dirty: 1 changed file'));
      fake.model.sessions.delete(session);
      return Promise.resolve();
    },
  });
  fake.model.sessions.softDelete(clean, fake.clock.now() + 10 * MINUTE);
  fake.model.sessions.softDelete(dirty, fake.clock.now() + 20 * MINUTE);
  const left = (): string[] => fake.model.sessions.every().map(session => session.name);
  fake.clock.advance(10 * MINUTE - 1);
  await settle();
  assert.equal(left(), ['clean', 'dirty', 'listed']);
  fake.clock.advance(1);
  await settle();
  assert.equal(left(), ['dirty', 'listed']);
  for (let i = 0; i < 10; i++) {
    fake.clock.advance(30 * MINUTE);
    await settle();
  }
  assert.equal(told, ['its time is over, but session dirty: 1 changed file']);
  assert.equal(left(), ['dirty', listed.name]);
});

test('a session that could not go, was restored and deleted anew has all its time again', async () => {
  const fake = fakeModel();
  const session = agent(fake, 'one');
  const tried: number[] = [];
  let isDirty = true;
  void new Expiry({
    clock: fake.clock,
    model: fake.model,
    tell: () => undefined,
    purge() {
      tried.push(fake.clock.now() / MINUTE);
      if (isDirty) return Promise.reject(new CodedError('refused', 'session one: 1 changed file'));
      fake.model.sessions.delete(session);
      return Promise.resolve();
    },
  });
  const start = fake.clock.now() / MINUTE;
  fake.model.sessions.softDelete(session, fake.clock.now() + 10 * MINUTE);
  fake.clock.advance(10 * MINUTE);
  await settle();
  assert.equal(tried, [start + 10]);
  fake.model.sessions.undelete(session);
  isDirty = false;
  fake.clock.advance(120 * MINUTE);
  fake.model.sessions.softDelete(session, fake.clock.now() + 10 * MINUTE);
  for (let i = 0; i < 9; i++) {
    fake.clock.advance(MINUTE);
    await settle();
  }
  assert.equal(tried, [start + 10], 'it can be restored still');
  fake.clock.advance(MINUTE);
  await settle();
  assert.equal(tried, [start + 10, start + 140]);
});

test.run();
