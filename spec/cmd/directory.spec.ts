import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isWithin, resolveDirectory } from '../../lib/cmd/directory.ts';

const test = suite('directories as text');

test('a path leads from the directory it is said in', () => {
  for (const [base, path, wanted] of [
    ['/a/b', '.', '/a/b'],
    ['/a/b', '..', '/a'],
    ['/a/b', '../../../..', '/'],
    ['/a/b', 'c//d/', '/a/b/c/d'],
    ['/a/b', '/c/./d', '/c/d'],
    ['/', 'x', '/x'],
  ] as const)
    assert.is(resolveDirectory(base, path), wanted);
});

test('a directory holds itself and what is below, not what is named alike', () => {
  assert.ok(isWithin('/a/b', '/a/b'));
  assert.ok(isWithin('/a/b', '/a/b/c'));
  assert.ok(isWithin('/', '/a'));
  assert.not.ok(isWithin('/a/b', '/a/bc'));
  assert.not.ok(isWithin('/a/b', '/a'));
});

test.run();
