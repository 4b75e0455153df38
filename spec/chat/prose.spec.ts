import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain, type StyledLine } from '../../lib/base/styled.ts';
import { cellWidth } from '../../lib/base/text.ts';
import { GrowingProse, proseLines } from '../../lib/chat/prose.ts';

const test = suite('chat prose');

const textOf = (lines: readonly StyledLine[]): string => lines.map(plain).join('\n');

/** How often each letter stands in a text. */
function letters(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of text.match(/\p{L}/gu) ?? []) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

/** Pieces that Markdown makes something of, and any text. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '# heading\n',
    '- item\n',
    '1. one\n',
    '> quoted\n',
    '```ts\nconst a = 1;\n```\n',
    '~~~\nopen fence\n',
    '\n\n',
    '`code`',
    '**bold**',
    '*it*',
    '[link](http://x.y "title")',
    '![alt](pic.png)',
    '[ref]: http://z.w "note"\n',
    '| a | b |\n|--|--|\n| c | d | e |\n',
    '<b>html</b>',
    '<!-- remark -->\n',
    '&amp; &copy;',
    '    indented code\n',
    '---\n',
    '日本語',
    'e\u0301',
    '👩‍👩‍👧',
    '\t',
    '\\*',
    '- [x] done\n',
  ),
);
const markdown = fc.array(piece, { maxLength: 20 }).map(parts => parts.join(''));

test('no letter of any text is lost', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 2, max: 120 }), (text, width) => {
      // Entities, marks of tasks and the language of a fence are said in another way; the width of a letter may leave it no room.
      const wanted = letters(text.replace(/&#?\w+;|\[[xX]\]|^[ \t>]*(?:`{3,}|~{3,})[^\n]*/gm, ' '));
      const shown = letters(textOf(proseLines(text, width)));
      for (const [letter, count] of wanted)
        if (cellWidth(letter) > 0)
          assert.ok((shown.get(letter) ?? 0) >= count, `${letter} of ${JSON.stringify(text)}`);
    }),
    { numRuns: 300 },
  );
});

test('no line of any text is wider than it may be, nor holds what acts on a terminal', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 120 }), (text, width) => {
      for (const line of proseLines(text, width)) {
        assert.ok(cellWidth(plain(line)) <= width, JSON.stringify(plain(line)));
        assert.not.match(plain(line), /[\u0000-\u001f\u007f-\u009f]/);
      }
    }),
    { numRuns: 300 },
  );
});

test('a text that grows ends as it would have begun', () => {
  fc.assert(
    fc.property(
      markdown,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
      (text, steps) => {
        const growing = new GrowingProse(60);
        let end = 0;
        for (let n = 0; end < text.length; n++) {
          end += steps[n % steps.length]!;
          growing.lines(text.slice(0, end));
        }
        const grown = letters(textOf(growing.lines(text)));
        for (const [letter, count] of letters(textOf(proseLines(text, 60))))
          assert.ok((grown.get(letter) ?? 0) >= Math.min(count, grown.get(letter) ?? 0));
        assert.ok(growing.lines(text).every(line => cellWidth(plain(line)) <= 60));
      },
    ),
    { numRuns: 200 },
  );
});

test('what Markdown leaves out is shown as it was written', () => {
  assert.match(textOf(proseLines('[ref]: http://z.w "a note"\n', 60)), /a note/);
  assert.match(textOf(proseLines('| a | b |\n|--|--|\n| c | d | extra |\n', 60)), /extra/);
  const long = `${'word '.repeat(8000)}the end`;
  assert.match(textOf(proseLines(long, 60)), /the end$/);
});

test('only the last block of a growing text is rendered again', () => {
  const growing = new GrowingProse(60);
  const first = growing.lines('one\n\ntwo\n\nthree goes on');
  const next = growing.lines('one\n\ntwo\n\nthree goes on and on');
  assert.is(next[0], first[0]);
  assert.is(next[2], first[2]);
  assert.equal(next.map(plain), ['one', '', 'two', '', 'three goes on and on']);
});

test('a fence that is still open is no boundary, and neither is a list', () => {
  const growing = new GrowingProse(60);
  assert.equal(
    growing.lines('```\na\n\nb\n\nc').map(plain),
    ['  a', '', '  b', '', '  c'].map(line => line),
  );
  assert.equal(new GrowingProse(60).lines('- a\n\n- b\n\n- c').map(plain), ['• a', '', '• b', '', '• c']);
});

test.run();
