import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { lineContent } from '../../lib/chrome/content.ts';
import { StandIns } from '../../lib/chrome/stand-ins.ts';
import { text } from './views.ts';

const test = suite('chrome/content');
const bare = (content: string): string => content.replace(/\x1b\[[\d;]*m/g, '');

test('plain text stays as it is, cut to the row', () => {
  const standIns = new StandIns();
  assert.is(bare(lineContent([{ text: 'hello' }, { text: ' world' }], 8, standIns)), 'hello wo');
  assert.is(lineContent([], 8, standIns), '');
  assert.is(lineContent([{ text: '' }], 8, standIns), '');
});

test('each cell of a cluster is one character, and a wide one is not cut in half', () => {
  const standIns = new StandIns();
  assert.is(bare(lineContent([{ text: 'a港🍌b' }], 10, standIns)).length, 6);
  assert.is(bare(lineContent([{ text: 'a港🍌b' }], 4, standIns)).length, 3);
});

test('any text gives at most one harmless character per cell', () => {
  fc.assert(
    fc.property(fc.array(text(), { maxLength: 4 }), fc.nat(60), (parts, cols) => {
      const standIns = new StandIns();
      const content = bare(
        lineContent(
          parts.map(part => ({ text: part })),
          cols,
          standIns,
        ),
      );
      assert.ok(content.length <= cols);
      assert.not.match(content, /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/);
    }),
  );
});

test.run();
