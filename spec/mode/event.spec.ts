import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { moveIndex, pageRows } from '../../lib/mode/event.ts';

const test = suite('mode events');

test('named motions move within a list', () => {
  assert.is(moveIndex('down', 0, 5, 3), 1);
  assert.is(moveIndex('page-down', 0, 5, 3), 3);
  assert.is(moveIndex('page-down', 3, 5, 3), 4);
  assert.is(moveIndex('wheel-up', 4, 5, 3), 1);
  assert.is(moveIndex('bottom', 0, 5, 3), 4);
  assert.is(moveIndex('bottom', 0, 0, 3), 0);
});

test('what is no motion is said to be none', () => {
  assert.is(moveIndex('accept', 0, 5, 3), undefined);
  assert.is(moveIndex('toString', 0, 5, 3), undefined);
});

test('a page is half of what is seen less a row, and at least one', () => {
  assert.equal([24, 10, 3, 1, 0].map(pageRows), [11, 4, 1, 1, 1]);
});

test.run();
