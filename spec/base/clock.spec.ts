import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { DisposableStore, Emitter } from '../../lib/base/event.ts';

const test = suite('clock and events');

test('timers run in the order they fall due, and not after disposal', () => {
  const clock = new ManualClock(100);
  const seen: string[] = [];
  clock.after(20, () => seen.push(`b${clock.now()}`));
  clock.after(10, () => seen.push(`a${clock.now()}`));
  const never = clock.after(15, () => seen.push('never'));
  const tick = clock.every(8, () => seen.push(`t${clock.now()}`));
  never.dispose();
  clock.advance(20);
  tick.dispose();
  clock.advance(100);
  assert.equal(seen, ['t108', 'a110', 't116', 'b120']);
});

test('a listener that throws does not keep the others from running', () => {
  const emitter = new Emitter<number>();
  const seen: number[] = [];
  emitter.event(() => {
    throw new Error('boom');
  });
  emitter.event(n => seen.push(n));
  assert.throws(() => emitter.fire(1), /boom/);
  assert.equal(seen, [1]);
});

test('a listener that unsubscribes itself leaves the others in place', () => {
  const emitter = new Emitter<void>();
  let calls = 0;
  const once = emitter.event(() => once.dispose());
  emitter.event(() => calls++);
  emitter.fire();
  emitter.fire();
  assert.is(calls, 2);
  assert.is(emitter.size, 1);
});

test('a store disposes what it owns, last first, and what comes late at once', () => {
  const order: number[] = [];
  const store = new DisposableStore();
  for (const n of [1, 2, 3]) store.add({ dispose: () => order.push(n) });
  store.dispose();
  store.dispose();
  store.add({ dispose: () => order.push(4) });
  assert.equal(order, [3, 2, 1, 4]);
});

test.run();
