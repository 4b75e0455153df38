import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOutside, readModifiers, splitArguments } from '../../lib/format/syntax.ts';

const test = suite('format syntax');

test('what stands inside an inner format or behind a hash does not count', () => {
  assert.is(findOutside('#{a,b},c', 0, ','), 6);
  assert.is(findOutside('a#,b,c', 0, ','), 4);
  assert.is(findOutside('a}b,c', 0, ','), -1);
  assert.equal(splitArguments('#{?x,1,2},b#,c,'), ['#{?x,1,2}', 'b#,c', '']);
});

test('modifiers are read with their arguments', () => {
  const read = (text: string): unknown => {
    const { modifiers, rest } = readModifiers(text);
    return [...modifiers.map(m => [m.name, ...m.args]), rest];
  };
  assert.equal(read('b;=10:path'), [['b'], ['=', '10'], 'path']);
  assert.equal(read('=/10/...:path'), [['=', '10', '...'], 'path']);
  assert.equal(read('=|-3|>|:path'), [['=', '-3', '>'], 'path']);
  assert.equal(read('s/a/b/i:x'), [['s', 'a', 'b', 'i'], 'x']);
  assert.equal(read('s/a//:x'), [['s', 'a', ''], 'x']);
  assert.equal(read('==:a,b'), [['=='], 'a,b']);
  assert.equal(read('q/e:x'), [['q', 'e'], 'x']);
});

test('a plain name has no modifiers', () => {
  assert.equal(readModifiers('pane_id'), { modifiers: [], rest: 'pane_id' });
  assert.equal(readModifiers('s/a/b'), { modifiers: [], rest: 's/a/b' });
  assert.equal(readModifiers('b;pane_id'), { modifiers: [], rest: 'b;pane_id' });
  assert.equal(readModifiers(''), { modifiers: [], rest: '' });
});

test.run();
