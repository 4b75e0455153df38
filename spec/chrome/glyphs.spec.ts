import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cellWidth } from '../../lib/base/text.ts';
import { asciiFor, JUNCTIONS, STATES } from '../../lib/chrome/glyphs.ts';

const test = suite('chrome/glyphs');

test('every state has a mark of its own, one cell wide, with and without Unicode', () => {
  const marks = Object.values(STATES).map(state => state.mark);
  assert.is(new Set(marks).size, 6);
  assert.ok(marks.every(mark => cellWidth(mark) === 1));
  assert.equal(
    ['working', 'needs-you', 'ready', 'starting', 'stopped', 'failed'].map(name =>
      asciiFor(STATES[name as 'ready'].mark),
    ),
    ['*', '!', '-', '~', '#', 'x'],
  );
});

test('lines become + - and | without Unicode', () => {
  assert.is([...JUNCTIONS].map(asciiFor).join(''), ' |||-+++-+++-+++');
});

test('anything else becomes a question mark', () => {
  assert.is(asciiFor('港'), '?');
  assert.is(asciiFor('👩‍👩‍👧'), '?');
  assert.is(asciiFor('a'), 'a');
});

test.run();
