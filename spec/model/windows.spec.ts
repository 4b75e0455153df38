import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rects } from '../../lib/layout/query.ts';
import { rotate } from '../../lib/layout/edit.ts';
import { preset } from '../../lib/layout/presets.ts';
import { paneIds } from '../../lib/layout/tree.ts';
import { PRESETS } from '../../lib/layout/types.ts';
import type { Model } from '../../lib/model/model.ts';
import type { PaneRecord, WindowRecord } from '../../lib/model/types.ts';
import { fakeModel, program, type Fake } from './fake.ts';

const test = suite('windows');
const SIZE = { cols: 80, rows: 24 };

/** What must be true of windows and panes after every operation. */
function check({ model, terminal }: Fake): void {
  const { windows, sessions } = model;
  const all = windows.all();
  assert.is(new Set(all.map(w => w.index)).size, all.length, 'indexes are unique');
  assert.equal(
    all.map(w => w.index),
    all.map(w => w.index).toSorted((a, b) => a - b),
    'windows are in order',
  );
  assert.is(
    windows.current === undefined,
    all.length === 0,
    'there is a current window, unless there is none',
  );
  const shown = all.flatMap(window => paneIds(window.tree));
  assert.is(new Set(shown).size, shown.length, 'a pane is in one place');
  assert.equal(
    windows
      .panes()
      .map(pane => pane.id)
      .toSorted((a, b) => a - b),
    shown.toSorted((a, b) => a - b),
    'every pane is in a tree',
  );
  for (const window of all) {
    const ids = paneIds(window.tree);
    assert.ok(ids.includes(window.active), 'the active pane is in the tree');
    assert.is(window.recent[0], window.active, 'the active pane was used last');
    assert.equal(
      window.recent.toSorted((a, b) => a - b),
      ids.toSorted((a, b) => a - b),
      'recent lists exactly the panes',
    );
    assert.ok(!window.zoomed || ids.length > 1, 'a lone pane is not zoomed');
    for (const id of ids) assert.is(windows.pane(id)!.window, window.id, 'a pane knows its window');
  }
  const showing = windows.panes().map(pane => pane.session);
  assert.is(new Set(showing).size, showing.length, 'a session has one pane');
  for (const pane of windows.panes()) {
    const session = sessions.get(pane.session);
    assert.ok(session, 'a pane shows a session that is there');
    assert.equal(terminal(session).size, windows.paneSize(pane), 'a program has the size of its pane');
  }
}

type Step = (fake: Fake, a: number, b: number, flag: boolean) => void;

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)];
const pane = (model: Model, n: number): PaneRecord | undefined => pick(model.windows.panes(), n);
const window = (model: Model, n: number): WindowRecord | undefined => pick(model.windows.all(), n);

const STEPS: readonly (readonly [string, Step])[] = [
  [
    'create',
    ({ model }, _a, _b, background) => {
      const session = model.sessions.create(program(), SIZE);
      model.windows.create({ session: session.id, name: '', size: SIZE, background });
    },
  ],
  [
    'split',
    ({ model }, a, b, flag) => {
      const target = pane(model, a);
      if (!target) return;
      const session = model.sessions.create(program(), SIZE);
      const options = { background: flag, before: b % 2 === 0, full: b % 3 === 0 };
      const made = model.windows.split(target, session.id, b % 5 < 2 ? 'h' : 'v', options);
      if (made === 'no-space') model.sessions.delete(session);
    },
  ],
  [
    'close',
    ({ model }, a) => {
      const target = pane(model, a);
      if (target) model.closePane(target);
    },
  ],
  [
    'close a window',
    ({ model }, a, b) => {
      const target = window(model, a);
      if (target && b % 4 === 0) model.closeWindow(target);
    },
  ],
  [
    'swap',
    ({ model }, a, b) => {
      const [one, two] = [pane(model, a), pane(model, b)];
      if (one && two) model.windows.swap(one, two);
    },
  ],
  [
    'break',
    ({ model }, a, _b, background) => {
      const target = pane(model, a);
      if (target) model.windows.breakOut(target, { name: '', background });
    },
  ],
  [
    'join',
    ({ model }, a, b, background) => {
      const [one, two] = [pane(model, a), pane(model, b)];
      if (one && two && one !== two)
        model.windows.join(one, two, a % 2 ? 'h' : 'v', { background, before: b % 2 === 0 });
    },
  ],
  [
    'resize',
    ({ model }, a, b) => {
      const target = window(model, a);
      if (target) model.windows.resize(target, { cols: 1 + (b % 200), rows: 1 + (a % 60) });
    },
  ],
  [
    'zoom',
    ({ model }, a) => {
      const target = window(model, a);
      if (target) model.windows.toggleZoom(target);
    },
  ],
  [
    'focus',
    ({ model }, a) => {
      const target = pane(model, a);
      if (target) model.windows.focus(target);
    },
  ],
  [
    'select',
    ({ model }, a) => {
      const target = window(model, a);
      if (target) model.windows.select(target);
    },
  ],
  [
    'arrange',
    ({ model }, a, b) => {
      const target = window(model, a);
      if (!target) return;
      const { tree, size } = target;
      model.windows.setTree(
        target,
        b % 2 ? rotate(tree, 'up') : preset(pick(PRESETS, b)!, paneIds(tree), size),
      );
    },
  ],
  [
    'end',
    fake => {
      const session = fake.model.sessions.all()[0];
      if (session && !session.exit) fake.terminal(session).exit.fire({ code: 0, signal: 0 });
    },
  ],
];

test('after any sequence of operations everything is in its place', () => {
  const step = fc.tuple(fc.nat(STEPS.length - 1), fc.nat(1000), fc.nat(1000), fc.boolean());
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom('on', 'off', 'failed'),
      (steps, remain) => {
        const fake = fakeModel();
        fake.remain = remain;
        for (const [which, a, b, flag] of steps) {
          STEPS[which]![1](fake, a, b, flag);
          check(fake);
        }
      },
    ),
    { numRuns: 200 },
  );
});

function withPanes(count: number): Fake & { panes: PaneRecord[] } {
  const fake = fakeModel();
  const panes: PaneRecord[] = [];
  for (let i = 0; i < count; i++) {
    const session = fake.model.sessions.create(program(), SIZE);
    const made =
      i === 0
        ? fake.model.windows.create({ session: session.id, name: '', size: SIZE, background: false })
        : fake.model.windows.split(panes[i - 1]!, session.id, 'h', { background: false });
    assert.not.equal(made, 'no-space');
    panes.push(made as PaneRecord);
  }
  return Object.assign(fake, { panes });
}

test('the focus goes back to the pane used before when one is closed', () => {
  const { model, panes } = withPanes(3);
  model.windows.focus(panes[0]!);
  model.windows.focus(panes[2]!);
  model.closePane(panes[2]!);
  assert.is(model.windows.focused, panes[0]);
});

test('the window shown before is shown when the current one is closed', () => {
  const { model } = withPanes(1);
  const session = model.sessions.create(program(), SIZE);
  const other = model.windows.create({ session: session.id, name: 'other', size: SIZE, background: false });
  assert.is(model.windows.current!.name, 'other');
  model.closePane(other);
  assert.is(model.windows.current!.index, 1);
});

test('a lone pane has the whole window, also where that is tiny', () => {
  const { model, panes } = withPanes(1);
  const [shown] = model.windows.all();
  for (const size of [
    { cols: 1, rows: 1 },
    { cols: 211, rows: 3 },
  ]) {
    model.windows.resize(shown!, size);
    assert.equal(model.windows.paneSize(panes[0]!), size);
  }
});

test('a zoomed pane has the whole window and its old place afterwards', () => {
  const { model, panes } = withPanes(2);
  const [shown] = model.windows.all();
  const before = rects(shown!.tree).get(panes[1]!.id)!;
  model.windows.toggleZoom(shown!);
  assert.equal(model.windows.paneSize(panes[1]!), SIZE);
  model.windows.toggleZoom(shown!);
  assert.equal(model.windows.paneSize(panes[1]!), { cols: before.width, rows: before.height });
});

test('a window without a name has its program’s until a person gives one', () => {
  const { model } = fakeModel();
  const session = model.sessions.create(program(), SIZE);
  const made = model.windows.create({
    session: session.id,
    name: '',
    program: 'cat',
    size: SIZE,
    background: false,
  });
  const shown = model.windows.windowOf(made);
  assert.is(shown.name, 'cat');
  model.windows.setAutoName(shown, 'vim');
  assert.is(shown.name, 'vim');
  model.windows.rename(shown, 'mine');
  model.windows.setAutoName(shown, 'bash');
  assert.is(shown.name, 'mine');
});

test('a pane cannot be joined to itself', () => {
  const { model, panes } = withPanes(1);
  assert.throws(
    () => model.windows.join(panes[0]!, panes[0]!, 'h', { background: false }),
    /cannot be joined to itself/,
  );
});

test.run();
