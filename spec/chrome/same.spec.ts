import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { remember, same } from '../../lib/chrome/same.ts';

const test = suite('chrome/same');

test('plain values are equal by structure', () => {
  assert.ok(same({ a: [1, { b: 'x' }], c: undefined }, { c: undefined, a: [1, { b: 'x' }] }));
  assert.not(same({ a: 1 }, { a: 2 }));
  assert.not(same({ a: undefined }, { b: undefined }));
  assert.not(same([1, 2], [1]));
  assert.not(same([], {}));
  assert.not(same(null, {}));
});

test('values that never end are different, not a hang', () => {
  const loop = (): unknown => {
    const value: { next?: unknown } = {};
    value.next = value;
    return value;
  };
  assert.not(same(loop(), loop()));
});

test('an answer is given again for equal arguments, and only the last one', () => {
  let calls = 0;
  const double = remember((n: { readonly value: number }) => ({ calls: ++calls, twice: n.value * 2 }));
  const first = double({ value: 2 });
  assert.is(double({ value: 2 }), first);
  assert.is(double({ value: 3 }).twice, 6);
  assert.is.not(double({ value: 2 }), first);
});

test.run();
