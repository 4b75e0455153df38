/**
 * A burst of launches: only a few agents are in their first seconds at the same time.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { LaunchSlots, type LaunchSlot } from '../../../lib/server/lifecycle/launch-slots.ts';
import { FakeTerminal } from '../../model/fake.ts';

const test = suite('launch slots');

interface Burst {
  readonly clock: ManualClock;
  readonly slots: LaunchSlots;
  /** Who has got a slot, in order. */
  readonly got: number[];
  readonly held: Map<number, LaunchSlot>;
  ask(who: number, signal?: AbortSignal): Promise<void>;
}

function burst(max: number): Burst {
  const clock = new ManualClock(0);
  const slots = new LaunchSlots({ clock, max: () => max });
  const got: number[] = [];
  const held = new Map<number, LaunchSlot>();
  return {
    clock,
    slots,
    got,
    held,
    async ask(who, signal) {
      const slot = await slots.take(signal);
      got.push(who);
      held.set(who, slot);
    },
  };
}

/** Lets what has been resolved go on. */
const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const terminal = (): FakeTerminal => new FakeTerminal({ cols: 80, rows: 24 });

test('those beyond the bound wait, and go in the order in which they came', async () => {
  const { got, held, ask } = burst(2);
  for (const who of [1, 2, 3, 4]) void ask(who);
  await settle();
  assert.equal(got, [1, 2]);
  held.get(2)!.release();
  held.get(2)!.release();
  await settle();
  assert.equal(got, [1, 2, 3]);
  held.get(1)!.release();
  await settle();
  assert.equal(got, [1, 2, 3, 4]);
});

test('the first output, the end, or ten seconds free a slot, and only once', async () => {
  const { clock, got, held, ask } = burst(1);
  for (const who of [1, 2, 3, 4, 5]) void ask(who);
  await settle();
  const first = terminal();
  held.get(1)!.follow(first);
  first.output.fire();
  first.output.fire();
  first.exit.fire({ code: 0, signal: 0 });
  await settle();
  assert.equal(got, [1, 2]);
  const second = terminal();
  held.get(2)!.follow(second);
  second.exit.fire({ code: 1, signal: 0 });
  await settle();
  assert.equal(got, [1, 2, 3]);
  held.get(3)!.follow(terminal());
  clock.advance(9999);
  await settle();
  assert.equal(got, [1, 2, 3]);
  clock.advance(1);
  await settle();
  assert.equal(got, [1, 2, 3, 4]);
});

test('who gives up waiting takes no slot with them', async () => {
  const { got, held, ask } = burst(1);
  const abort = new AbortController();
  void ask(1);
  const given = ask(2, abort.signal).then(
    () => 'started',
    (error: Error) => error.message,
  );
  void ask(3);
  await settle();
  abort.abort();
  assert.match(await given, /cancelled/);
  held.get(1)!.release();
  await settle();
  assert.equal(got, [1, 3]);
});

test.run();
