import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { Emitter } from '../../../lib/base/event.ts';
import { Model } from '../../../lib/model/model.ts';
import { WORKING_MS } from '../../../lib/status/decide.ts';
import type { ExitStatus, Terminal } from '../../../lib/model/types.ts';
import { StatusWatch } from '../../../lib/server/attention/status-watch.ts';
import { Activity } from '../../../lib/server/attention/activity.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { fakeModel, program } from '../../model/fake.ts';

const test = suite('activity');

/** A session whose program is played by the spec. */
function play(): {
  clock: Clock;
  model: Model;
  changes: () => number;
  output: (text: string) => void;
  setForeground: (name: string) => void;
} {
  const clock = new ManualClock(1_000_000);
  const output = new Emitter<void>();
  const exit = new Emitter<ExitStatus>();
  const emulator = new Emulator({ cols: 80, rows: 24, historyLines: 10 });
  let foreground = 'bash';
  const terminal: Terminal = {
    view: emulator,
    pid: 1,
    started: Promise.resolve(),
    onOutput: output.event,
    onRelease: emulator.onRelease,
    onSignal: emulator.onSignal,
    onExit: exit.event,
    write: () => true,
    resize: () => undefined,
    kill: () => undefined,
    foreground: () => foreground,
    cwd: () => '/',
    setHistoryLines: () => undefined,
    setPalette: () => undefined,
    dropLeftModes: () => undefined,
    clearHistory: () => undefined,
    reset: () => undefined,
    dispose: () => undefined,
  };
  const model = new Model({
    clock,
    newId: () => 'a1',
    start: () => terminal,
    baseIndex: () => 1,
    renumber: () => false,
    remainOnExit: () => 'on',
  });
  let changes = 0;
  const status = new StatusWatch({ clock, model, changed: () => changes++ });
  const activity = new Activity({
    clock,
    model,
    autoName: () => true,
    named: session => status.named(session),
    output: session => status.output(session),
    released: () => undefined,
    signal: () => undefined,
    quiet: () => undefined,
  });
  const size = { cols: 80, rows: 24 };
  const session = model.sessions.create(
    { name: '', agent: 'bash', isAi: false, durable: false, launch: { argv: ['bash'], cwd: '/', env: {} } },
    size,
  );
  model.windows.create({ session: session.id, name: '', program: 'bash', size, background: false });
  activity.follow(session);
  return {
    clock,
    model,
    changes: () => changes,
    output: text => {
      emulator.write(Buffer.from(text));
      output.fire();
    },
    setForeground: name => (foreground = name),
  };
}
type Clock = ManualClock;

test('a session works while output comes and is ready when it stops', () => {
  const { clock, model, output, changes } = play();
  const session = model.sessions.all()[0]!;
  assert.is(model.sessions.status(session), 'starting');
  output('one');
  assert.is(model.sessions.status(session), 'working');
  // It is told behind the frame that shows the output.
  clock.advance(10);
  const told = changes();
  for (let i = 0; i < 10; i++) {
    clock.advance(WORKING_MS / 2);
    output('more');
  }
  assert.is(changes(), told, 'nothing moves while the state is the same');
  clock.advance(WORKING_MS * 2);
  assert.is(model.sessions.status(session), 'ready');
  assert.ok(changes() > told, 'the end is told');
});

test('the echo of a key is no work', () => {
  const { clock, model, output } = play();
  const session = model.sessions.all()[0]!;
  output('prompt');
  clock.advance(WORKING_MS * 2);
  model.sessions.typed(session);
  clock.advance(5);
  output('l');
  assert.is(model.sessions.status(session), 'ready');
  clock.advance(1000);
  output('a long answer');
  assert.is(model.sessions.status(session), 'working');
});

test('a window is named after the program in the foreground until a person names it', () => {
  const { clock, model, output, setForeground } = play();
  const window = model.windows.all()[0]!;
  setForeground('/usr/bin/vim');
  output('x');
  clock.advance(500);
  assert.is(window.name, 'vim');
  model.windows.rename(window, 'mine');
  setForeground('less');
  output('x');
  clock.advance(500);
  assert.is(window.name, 'mine');
  assert.is(model.sessions.all()[0]!.program, 'less');
});

test('of a session that is deleted, or ends, nothing is held', () => {
  const { model, clock, terminal } = fakeModel();
  const told: string[] = [];
  const activity = new Activity({
    clock,
    model,
    autoName: () => true,
    named: () => undefined,
    output: session => told.push(session.id),
    released: () => undefined,
    signal: () => undefined,
    quiet: () => undefined,
  });
  const [gone, ended, live] = [1, 2, 3].map(() => model.sessions.create(program(), { cols: 80, rows: 24 }));
  const terminals = [gone!, ended!, live!].map(terminal);
  const own = terminals.map(t => t.output.size);
  for (const session of [gone!, ended!, live!]) {
    activity.follow(session);
    activity.follow(session);
  }
  for (const t of terminals) t.output.fire();
  activity.forget(gone!);
  terminals[1]!.exit.fire({ code: 0, signal: 0 });
  assert.equal(
    terminals.map((t, i) => t.output.size - own[i]!),
    [0, 0, 1],
  );
  told.length = 0;
  for (const t of terminals) t.output.fire();
  assert.equal(told, [live!.id]);
  activity.dispose();
  assert.is(terminals[2]!.output.size, own[2]);
});

test.run();
