import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPane, findProgram, findSession, findWindow } from '../../lib/cmd/target.ts';
import type { Caller, CommandContext } from '../../lib/cmd/spec.ts';
import { fakeModel, program } from '../model/fake.ts';

const test = suite('targets');
const SIZE = { cols: 80, rows: 24 };

/**
 * Windows 1 (main: %0 and %1 side by side, %1 active) and 2, 3 (both twin: %2, %3); window 1 is current, 2 was before.
 * Sessions s0 to s3 are cat to cat-4; build (s4) and s1x (s5) are not shown.
 */
function scene(): (caller?: Partial<Caller>) => CommandContext {
  const { model } = fakeModel();
  const { sessions, windows } = model;
  const show = (name: string): ReturnType<typeof windows.create> =>
    windows.create({ session: sessions.create(program(), SIZE).id, name, size: SIZE, background: false });
  const first = show('main');
  windows.split(first, sessions.create(program(), SIZE).id, 'h', { background: false });
  show('twin');
  const third = show('twin');
  sessions.create(program({ name: 'build', durable: true }), SIZE);
  sessions.create(program({ name: 's1x', durable: true }), SIZE);
  windows.select(windows.byIndex(2)!);
  windows.select(windows.byIndex(1)!);
  assert.is(third.id, 3);
  const nobody = { pane: '', session: '' };
  return (caller = {}) => ({ model, caller: { ...nobody, ...caller } }) as CommandContext;
}

const context = scene();

/** A target → the session, or what is said. */
const SESSIONS: readonly (readonly [string | undefined, string | RegExp, Partial<Caller>?])[] = [
  ['build', 'build'],
  ['s4', 'build'],
  ['s0', 'cat'],
  ['s1', 'cat-2'],
  ['s', /session s: matches s0 \(cat\), .*s5 \(s1x\)/],
  ['s1x', 's1x'],
  ['%2', 'cat-3'],
  ['%9', /pane %9: no such pane/],
  ['biuld', /session biuld: no such session/],
  [undefined, 'cat-2'],
  ['', 'cat-2'],
  [undefined, 'cat-3', { session: 's2' }],
  [undefined, 'cat-2', { session: 'gone' }],
];

/** A target → the number of the pane, or what is said. */
const PANES: readonly (readonly [string | undefined, number | RegExp, Partial<Caller>?])[] = [
  ['%0', 0],
  ['%3', 3],
  ['%7', /pane %7: no such pane/],
  ['%x', /pane %x/],
  ['1.0', 0],
  ['1.1', 1],
  ['main.0', 0],
  ['.0', 0],
  ['1.5', /pane 1\.5/],
  ['2', 2],
  ['main', 1],
  ['twin', /window twin: matches 2 \(twin\), 3 \(twin\)/],
  ['cat', 0],
  ['s3', 3],
  ['build', /session build: no pane shows it/],
  ['nobody', /pane nobody: no such pane/],
  ['!', 0],
  ['{last}', 0],
  ['+', 0],
  [':.+', 0],
  ['-', 0],
  ['default:2', 2],
  ['default:1.0', 0],
  [undefined, 1],
  [undefined, 3, { pane: '%3' }],
  [undefined, 2, { session: 's2' }],
  [undefined, 2, { pane: '%99', session: 's2' }],
  [undefined, 1, { pane: '%99', session: 'gone' }],
];

/** A target → the index of the window, or what is said. */
const WINDOWS: readonly (readonly [string | undefined, number | RegExp, Partial<Caller>?])[] = [
  ['1', 1],
  [':2', 2],
  ['default:3', 3],
  ['@0', 1],
  ['main', 1],
  ['twin', /matches/],
  ['%3', 3],
  ['cat-3', 2],
  ['9', /window 9: no such window/],
  ['mian', /window mian: no such window/],
  ['!', 2],
  ['+', 2],
  ['-', 3],
  ['{next}', 2],
  [undefined, 1],
  [undefined, 3, { pane: '%3' }],
];

function check<T>(kind: string, target: string | undefined, wanted: T | RegExp, find: () => T): void {
  test(`${kind} ${JSON.stringify(target) ?? 'of the caller'} is ${String(wanted)}`, () => {
    if (wanted instanceof RegExp) assert.throws(find, wanted);
    else assert.is(find(), wanted);
  });
}

for (const [target, wanted, caller] of SESSIONS)
  check('session', target, wanted, () => findSession(context(caller), target).name);
for (const [target, wanted, caller] of PANES)
  check<number>('pane', target, wanted, () => findPane(context(caller), target).id);
for (const [target, wanted, caller] of WINDOWS)
  check<number>('window', target, wanted, () => findWindow(context(caller), target).index);

test('a window goes before a session whose id only begins like it', () => {
  const { model } = fakeModel();
  const made = ['main', 's'].map(name =>
    model.windows.create({
      session: model.sessions.create(program(), SIZE).id,
      name,
      size: SIZE,
      background: true,
    }),
  );
  const here = { model, caller: { pane: '', session: '' } } as CommandContext;
  assert.is(findPane(here, 's').id, made[1]!.id);
  assert.is(findProgram(here, 's').id, 's1');
});

test('a session that no pane shows is reached by whoever wants its program', () => {
  assert.is(findProgram(context(), 'build').name, 'build');
  assert.is(findProgram(context(), 's4').name, 'build');
  assert.is(findProgram(context(), '%2').name, 'cat-3');
  assert.is(findProgram(context(), undefined).name, 'cat-2');
  assert.throws(() => findProgram(context(), 'nobody'), /pane nobody: no such pane/);
});

test('a slip of the finger is answered with what was meant', () => {
  for (const find of [() => findSession(context(), 'biuld'), () => findPane(context(), 'biuld')]) {
    try {
      find();
      assert.unreachable('nothing was said');
    } catch (error) {
      assert.is((error as { hint?: string }).hint, 'did you mean build?');
    }
  }
});

test('with nothing there it says how to start something', () => {
  const empty = { model: fakeModel().model, caller: { pane: '', session: '' } } as CommandContext;
  assert.throws(() => findSession(empty, undefined), /session: there is none/);
  assert.throws(() => findPane(empty, undefined), /pane: there is none/);
  assert.throws(() => findWindow(empty, '1'), /window 1: no such window/);
});

test.run();
