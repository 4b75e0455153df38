/**
 * When the model is written to the disk, and what happens where that fails.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../../lib/base/errors.ts';
import type { SavedState } from '../../../lib/model/saved.ts';
import { Persistence } from '../../../lib/server/saved/persistence.ts';
import { fakeModel, program, type Fake } from '../../model/fake.ts';

const test = suite('persistence');
const SIZE = { cols: 80, rows: 24 };
/** Within this after a change the state is on its way. */
const SOON_MS = 100;
const SELDOM_MS = 30_000;

interface Disk {
  readonly fake: Fake;
  readonly persistence: Persistence;
  readonly saved: SavedState[];
  readonly identities: (readonly string[])[];
  readonly told: string[];
  failure: CodedError | undefined;
  /** Set to hold writes back until it is called. */
  release: (() => void) | undefined;
}

function disk(options: { held?: boolean } = {}): Disk {
  const fake = fakeModel();
  const saved: SavedState[] = [];
  const identities: string[][] = [];
  const told: string[] = [];
  let writing = 0;
  const result: Disk = {
    fake,
    saved,
    identities,
    told,
    failure: undefined,
    release: undefined,
    persistence: new Persistence({
      clock: fake.clock,
      model: fake.model,
      async save(state) {
        assert.is(++writing, 1, 'one write at a time');
        if (options.held) await new Promise<void>(resolve => (result.release = resolve));
        else await Promise.resolve();
        writing--;
        if (result.failure) throw result.failure;
        // As a document: what the model does afterwards must not reach it.
        saved.push(JSON.parse(JSON.stringify(state)) as SavedState);
      },
      saveNow: state => void saved.push(state),
      keepIdentities: async sessions => void identities.push(sessions.map(one => one.id)),
      tell: text => void told.push(text),
    }),
  };
  return result;
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Time passes, and what began in it ends. */
async function pass(fake: Fake, ms: number): Promise<void> {
  fake.clock.advance(ms);
  await settled();
}

function names(state: SavedState | undefined): string[] | undefined {
  return state?.sessions.map(session => session.name);
}

function open(fake: Fake, name: string, isDurable = true): ReturnType<Fake['model']['sessions']['create']> {
  const session = fake.model.sessions.create(program({ name, durable: isDurable }), SIZE);
  fake.model.windows.create({ session: session.id, name, size: SIZE, background: false });
  return session;
}

test('a burst of changes is one write, soon after its first', async () => {
  const { fake, saved, identities } = disk();
  for (const name of ['a', 'b', 'c']) {
    open(fake, name);
    fake.clock.advance(10);
  }
  await pass(fake, SOON_MS - 30);
  assert.equal(saved.map(names), [['a', 'b', 'c']]);
  assert.equal(identities, [['s0', 's1', 's2']]);
  await pass(fake, SELDOM_MS * 3);
  assert.is(saved.length, 1, 'nothing has changed');
});

test('output, progress and names of programs do not write at every change', async () => {
  const { fake, saved } = disk();
  const session = open(fake, 'a', false);
  fake.model.windows.current!.autoName = true;
  await pass(fake, SOON_MS);
  assert.is(saved.length, 1);
  for (let i = 0; i < 200; i++) {
    fake.terminal(session).output.fire();
    fake.model.sessions.setProgram(session, `program ${i}`);
    fake.model.sessions.setProgress(session, { state: 'normal', percent: i % 100 });
    fake.model.windows.setAutoName(fake.model.windows.current!, `name ${i}`);
    await pass(fake, 100);
  }
  assert.is(saved.length, 1);
  await pass(fake, SELDOM_MS);
  assert.is(saved.length, 2);
  assert.equal([saved[1]!.sessions[0]!.program, saved[1]!.windows[0]!.name], ['program 199', 'name 199']);
  assert.is(saved[1]!.sessions[0]!.lastOutputAt, session.lastOutputAt);
});

test('flush resolves when everything as it is now is kept', async () => {
  const one = disk({ held: true });
  const { fake, persistence, saved } = one;
  open(fake, 'a');
  const first = persistence.flush();
  await settled();
  open(fake, 'b');
  let isDone = false;
  const second = persistence.flush().then(() => (isDone = true));
  one.release!();
  await settled();
  assert.equal([saved.map(names), isDone], [[['a']], false], 'the write under way is an older one');
  one.release!();
  await Promise.all([first, second]);
  assert.equal(saved.map(names), [['a'], ['a', 'b']]);
  await persistence.flush();
  assert.is(saved.length, 2, 'it is there already');
});

test('a write that fails is told once, tried again, and its end is told', async () => {
  const one = disk();
  const { fake, persistence, saved, told } = one;
  one.failure = new CodedError(
    'no_space',
    'state: it cannot be saved: no space left on the disk',
    'free some space',
  );
  open(fake, 'a');
  await pass(fake, SOON_MS);
  for (let i = 0; i < 5; i++) {
    open(fake, `more-${i}`);
    await pass(fake, 5000);
  }
  assert.equal(told, [
    'state: it cannot be saved: no space left on the disk (free some space); what runs goes on, and it is tried again every 5 seconds',
  ]);
  let error: unknown;
  await persistence.flush().catch((reason: unknown) => (error = reason));
  assert.is(error, one.failure, 'whoever needs it to be kept is told');
  one.failure = undefined;
  await pass(fake, 5000);
  assert.is(names(saved.at(-1))!.length, 6);
  assert.equal(told.slice(1), ['The state is saved again']);
  await pass(fake, SELDOM_MS);
  assert.is(saved.length, 1);
});

test('the end keeps how things were, not what the end itself does', async () => {
  for (const [keep, kept] of [
    ['stopped', ['named', 'shell', 'ended']],
    ['durable', ['named', 'ended']],
  ] as const) {
    const { fake, persistence, saved } = disk();
    fake.remain = 'off';
    const named = open(fake, 'named');
    const shell = open(fake, 'shell', false);
    const ended = open(fake, 'ended');
    fake.terminal(ended).exit.fire({ code: 3, signal: 0 });
    const closed = persistence.close(keep);
    for (const session of [named, shell]) fake.terminal(session).exit.fire({ code: 0, signal: 15 });
    await closed;
    await pass(fake, SELDOM_MS);
    const last = saved.at(-1)!;
    assert.equal(names(last), kept);
    assert.equal(
      last.sessions.map(({ runs, stopReason, exit }) => [runs, stopReason, exit?.code]),
      kept.map(name => (name === 'ended' ? [false, '', 3] : [false, 'shutdown', undefined])),
    );
    assert.is(last.windows.length, 2);
  }
});

test('a process that dies of an error keeps the state as it is', () => {
  const { fake, persistence, saved } = disk();
  open(fake, 'a');
  persistence.saveNow();
  assert.equal(names(saved[0]), ['a']);
});

test.run();
