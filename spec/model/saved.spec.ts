/**
 * A model as plain values, and a new one made of them.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { formatLayout } from '../../lib/layout/codec.ts';
import { paneIds } from '../../lib/layout/tree.ts';
import { PRESETS } from '../../lib/layout/types.ts';
import type { Model } from '../../lib/model/model.ts';
import { restoreModel, saveModel, type SavedState } from '../../lib/model/saved.ts';
import type { SessionId } from '../../lib/model/types.ts';
import { FakeTerminal, fakeModel, program, type Fake } from './fake.ts';

const noPrograms = (): undefined => undefined;

const test = suite('saved model');
const SIZE = { cols: 120, rows: 40 };

/** What a document of JSON makes of a value. */
function throughText<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Something a person does, told by two numbers. */
type Step = (fake: Fake, a: number, b: number) => void;

const STEPS: readonly Step[] = [
  (fake, a) => openWindow(fake, a % 2 === 0),
  ({ model }, a, b) => {
    const pane = pick(model.windows.panes(), a);
    if (!pane) return;
    const session = model.sessions.create(program({ pane: model.windows.nextPane }), SIZE);
    const made = model.windows.split(pane, session.id, b % 2 ? 'h' : 'v', { background: b % 3 === 0 });
    if (made === 'no-space') model.sessions.delete(session);
  },
  ({ model }, a) => {
    const pane = pick(model.windows.panes(), a);
    if (pane) model.closePane(pane);
  },
  ({ model }, a) => {
    const pane = pick(model.windows.panes(), a);
    if (pane) model.windows.focus(pane);
  },
  ({ model }, a) => {
    const window = pick(model.windows.all(), a);
    if (window) model.windows.select(window);
  },
  ({ model }, a) => {
    const window = pick(model.windows.all(), a);
    if (window) model.windows.toggleZoom(window);
  },
  ({ model }, a, b) => {
    const window = pick(model.windows.all(), a);
    if (window) model.windows.resize(window, { cols: 1 + (b % 200), rows: 1 + (b % 70) });
  },
  ({ model }, a, b) => {
    const window = pick(model.windows.all(), a);
    if (window) model.windows.setSynchronized(window, [true, false, undefined][b % 3]);
  },
  ({ model }, a, b) => {
    const [one, other] = [pick(model.windows.panes(), a), pick(model.windows.panes(), b)];
    if (one && other) model.windows.swap(one, other);
  },
  ({ model }, a, b) => {
    const pane = pick(model.windows.panes(), a);
    if (pane) model.windows.setTitle(pane, `title ${b}`);
  },
  ({ model }, a, b) => {
    const window = pick(model.windows.all(), a);
    if (window) window.preset = PRESETS[b % PRESETS.length];
  },
  (fake, a, b) => {
    const session = pick(fake.model.sessions.all(), a);
    if (session && !session.exit) fake.terminal(session).exit.fire({ code: b % 256, signal: 0 });
  },
  ({ model }, a) => {
    const session = pick(model.sessions.all(), a);
    if (session) model.sessions.setAttention(session, 'permission');
  },
];

function pick<T>(list: readonly T[], n: number): T | undefined {
  return list[n % Math.max(1, list.length)];
}

function openWindow({ model }: Fake, durable: boolean): void {
  const name = durable ? `named-${model.sessions.all().length}-${model.windows.nextPane}` : '';
  const session = model.sessions.create(program({ name, durable, pane: model.windows.nextPane }), SIZE);
  model.windows.create({ session: session.id, name, program: 'cat', size: SIZE, background: false });
}

const history = fc.array(fc.tuple(fc.nat(STEPS.length - 1), fc.nat(1000), fc.nat(1000)), { maxLength: 40 });

function lived(steps: readonly (readonly [number, number, number])[]): Fake {
  const fake = fakeModel();
  openWindow(fake, true);
  for (const [step, a, b] of steps) STEPS[step]!(fake, a, b);
  return fake;
}

/** What Windows and Sessions promise of themselves. */
function checkPromises({ windows, sessions }: Model): void {
  const all = windows.all();
  assert.is(new Set(all.map(window => window.index)).size, all.length, 'indexes');
  assert.equal(windows.recent.map(w => w.id).sort(), all.map(w => w.id).sort());
  for (const window of all) {
    const ids = paneIds(window.tree);
    assert.ok(ids.length > 0);
    assert.equal([...window.recent].sort(), [...ids].sort());
    assert.is(window.active, window.recent[0]);
    assert.equal(paneIds(window.shape), ids);
    for (const id of ids) assert.is(windows.pane(id)!.window, window.id);
  }
  assert.is(all.flatMap(window => paneIds(window.tree)).length, windows.panes().length);
  const shown = windows.panes().map(pane => pane.session);
  assert.is(new Set(shown).size, shown.length, 'a session has one pane');
  for (const id of shown) assert.ok(sessions.get(id));
  for (const { id } of windows.panes()) assert.ok(id < windows.nextPaneId);
  const names = sessions.all().map(session => session.name);
  assert.is(new Set(names).size, names.length, 'names');
}

test('whatever was done, the next model is the same, its programs stopped', () => {
  fc.assert(
    fc.property(history, steps => {
      const { model } = lived(steps);
      const saved = throughText(saveModel(model, 'stopped'));
      const next = fakeModel();
      assert.equal(restoreModel(next.model, saved, noPrograms), []);
      checkPromises(next.model);
      assert.equal(throughText(saveModel(next.model)), saved);
      for (const session of next.model.sessions.all())
        assert.ok(['stopped', 'failed'].includes(next.model.sessions.status(session)));
    }),
    // A pane closed in a window that was too small for two.
    {
      numRuns: 150,
      examples: [
        [
          [
            [1, 0, 0],
            [6, 0, 0],
            [2, 0, 0],
          ],
        ],
      ],
    },
  );
});

test('whatever the text says, the promises are kept and every session is listed', () => {
  const id = fc.constantFrom('s0', 's1', 's2', 's3', 'gone') as fc.Arbitrary<SessionId>;
  const number = fc.integer({ min: 0, max: 5 });
  const window = fc.record({
    index: number,
    layout: fc.constantFrom(
      '',
      'x'.repeat(100),
      formatLayout({ type: 'pane', id: 1, cols: 80, rows: 24 }),
      'a9bc,80x24,0,0{40x24,0,0,1,39x24,41,0,2}',
    ),
    panes: fc.array(fc.record({ id: number, session: id, title: fc.string() }), { maxLength: 5 }),
    recent: fc.array(number, { maxLength: 8 }),
    zoomed: fc.boolean(),
    size: fc.record({ cols: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) }),
  });
  const base = saveModel(
    lived([
      [0, 1, 0],
      [0, 1, 0],
      [0, 0, 0],
    ]).model,
  );
  fc.assert(
    fc.property(
      fc.array(window, { maxLength: 6 }),
      fc.array(number),
      fc.array(fc.record({ id, name: fc.constantFrom('a', 'b') }), { maxLength: 6 }),
      (windows, recentWindows, renamed) => {
        const { model } = fakeModel();
        const state: SavedState = {
          sessions: renamed.map(change => ({ ...base.sessions[0]!, ...change })),
          windows: windows.map(changes => ({ ...base.windows[0]!, ...changes })),
          recentWindows,
          nextPane: 0,
        };
        restoreModel(model, state, noPrograms);
        checkPromises(model);
        const ids = new Set(renamed.map(session => session.id));
        assert.equal(new Set(model.sessions.all().map(session => session.id)), ids);
      },
    ),
    { numRuns: 300 },
  );
});

test('a program that still runs is adopted, and its end is noticed', () => {
  const before = lived([[1, 0, 1]]);
  before.terminal(before.model.sessions.all()[0]!).output.fire();
  const saved = throughText(saveModel(before.model));
  const next = fakeModel();
  const terminals = new Map<string, FakeTerminal>();
  restoreModel(next.model, saved, session => {
    if (!session.durable) return undefined;
    const terminal = new FakeTerminal(session.size);
    terminals.set(session.id, terminal);
    return terminal;
  });
  const [kept, lost] = next.model.sessions.all();
  assert.equal([next.model.sessions.status(kept!), kept!.stopReason], ['ready', '']);
  assert.equal([next.model.sessions.status(lost!), lost!.stopReason], ['stopped', 'lost']);
  terminals.get(kept!.id)!.output.fire();
  assert.is(next.model.sessions.status(kept!), 'working');
  terminals.get(kept!.id)!.exit.fire({ code: 2, signal: 0 });
  assert.is(next.model.sessions.status(kept!), 'failed');
  assert.equal(next.events.filter(event => event.type === 'session-exited').length, 1);
});

test('programs that had ended are not asked for, and keep how they ended', () => {
  const before = lived([]);
  const [session] = before.model.sessions.all();
  before.terminal(session!).exit.fire({ code: 7, signal: 0 });
  const next = fakeModel();
  restoreModel(
    next.model,
    throughText(saveModel(before.model)),
    () => assert.unreachable('it has ended') as never,
  );
  const [restored] = next.model.sessions.all();
  assert.equal([restored!.exit, next.model.sessions.status(restored!)], [{ code: 7, signal: 0 }, 'failed']);
});

test('what mux opened to show something is gone with its program, and its pane with it', () => {
  const before = lived([]);
  const { model } = before;
  const viewer = model.sessions.create(program({ isViewer: true }), SIZE);
  model.windows.split(model.windows.focused!, viewer.id, 'h', { background: false });
  const next = fakeModel();
  assert.equal(restoreModel(next.model, throughText(saveModel(model)), noPrograms), []);
  assert.equal([next.model.sessions.all().length, next.model.windows.panes().length], [1, 1]);
  checkPromises(next.model);
});

test('a session that comes back is started again in its pane, under its number', () => {
  const saved = throughText(saveModel(lived([[1, 0, 1]]).model, 'stopped'));
  const next = fakeModel();
  restoreModel(next.model, saved, noPrograms);
  const { sessions, windows } = next.model;
  const [session] = sessions.all();
  const pane = windows.paneOf(session!.id)!;
  sessions.restart(session!, windows.paneSize(pane));
  assert.equal([sessions.status(session!), session!.stopReason], ['starting', '']);
  assert.equal([`%${pane.id}`, windows.nextPaneId], [session!.pane, saved.nextPane]);
  assert.equal(next.terminal(session!).size, windows.paneSize(pane));
});

test.run();
