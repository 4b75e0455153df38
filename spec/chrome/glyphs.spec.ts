import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cellWidth } from '../../lib/base/text.ts';
import { JUNCTIONS, STATES } from '../../lib/chrome/glyphs.ts';
import { asciiFor } from '../../lib/render/ascii.ts';

const test = suite('chrome/glyphs');
/** What a terminal that takes only ASCII shows for a sign. */
const plain = (sign: string): string => String.fromCharCode(asciiFor(sign.codePointAt(0)!));

test('every state has a mark of its own, one cell wide, with and without Unicode', () => {
  const marks = Object.values(STATES).map(state => state.mark);
  assert.is(new Set(marks).size, 6);
  assert.ok(marks.every(mark => cellWidth(mark) === 1));
  assert.equal(
    ['working', 'needs-you', 'ready', 'starting', 'stopped', 'failed'].map(name =>
      plain(STATES[name as 'ready'].mark),
    ),
    ['*', '!', '-', '~', '#', 'x'],
  );
});

test('lines become + - and | without Unicode', () => {
  assert.is([...JUNCTIONS].map(plain).join(''), ' |||-+++-+++-+++');
});

test('of the other signs that chrome draws none becomes a question mark', () => {
  assert.is([...'…‹›«»▸▾↑↓→←·×⎇–—⏎‘’“”'].map(plain).join(''), `.<><>>v^v><.x@-->''""`);
  assert.is(plain('港'), '?');
});

test.run();
