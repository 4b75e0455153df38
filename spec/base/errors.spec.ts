import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError, nearest, toCoded } from '../../lib/base/errors.ts';

const test = suite('errors');

test('a slip of the fingers finds the word that was meant', () => {
  const words = ['split-window', 'select-pane', 'list-keys'];
  assert.is(nearest('splt-window', words), 'split-window');
  assert.is(nearest('slect-pane', words), 'select-pane');
  assert.is(nearest('list-kyes', words), 'list-keys');
});

test('a word that is like none finds nothing', () => {
  assert.is(nearest('banana', ['split-window', 'select-pane']), undefined);
  assert.is(nearest('x', []), undefined);
});

test('a coded error carries the exit status of its row', () => {
  assert.is(new CodedError('not_found', 'session x: no such session').exit, 3);
  assert.is(new CodedError('timeout', 'wait: timed out').exit, 124);
});

test('anything thrown becomes one line', () => {
  const coded = toCoded(new Error('first\nsecond'));
  assert.is(coded.code, 'failed');
  assert.is(coded.message, 'first');
  assert.is(toCoded(coded), coded);
});

test.run();
