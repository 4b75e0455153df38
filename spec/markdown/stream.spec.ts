import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain, type StyledLine } from '../../lib/base/styled.ts';
import { cellWidth } from '../../lib/base/text.ts';
import { renderMarkdown } from '../../lib/markdown/render.ts';
import { MarkdownStream } from '../../lib/markdown/stream.ts';

const test = suite('markdown stream');

const BLOCKS = [
  '# A heading\n',
  'A paragraph of *some* words\nover two lines with `code`.\n',
  'para\n#hashtag that goes on\n',
  'Setext\n===\n',
  '- one\n- two\n  - three\n\n  more of two\n',
  '1. first\n2. second\n',
  '> quoted\n> text\ngoes on lazily\n',
  '```ts\nconst a = 1;\n\n// b\n```\n',
  '~~~\nfence with\n```\ninside\n~~~\n',
  '| a | b |\n|---|---|\n| 漢字 | 😀 |\n',
  '    indented code\n\n    and more\n',
  '<div>\nhtml\n</div>\n',
  '---\n',
  'wide 漢字かな交じり文 and 👩‍👩‍👧 family\n',
];
const documents = fc.array(fc.constantFrom(...BLOCKS), { maxLength: 8 }).map(blocks => blocks.join('\n'));

/** All lines of a text that comes in pieces of these lengths, over and over. */
function streamed(text: string, sizes: readonly number[], width = 40): StyledLine[] {
  const stream = new MarkdownStream(width);
  const lines: StyledLine[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length]!;
    lines.push(...stream.add(text.slice(at, at + size)));
    void stream.running;
    at += size;
  }
  return [...lines, ...stream.end()];
}

test('a text that comes in pieces ends as the same lines as the whole of it', () => {
  fc.assert(
    fc.property(
      documents,
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      (text, sizes) => assert.equal(streamed(text, sizes).map(plain), renderMarkdown(text, 40).map(plain)),
    ),
    { numRuns: 100 },
  );
});

test('a block is finished as soon as the next one has a line, and not before', () => {
  const stream = new MarkdownStream(40);
  assert.equal(stream.add('para\n#'), []);
  assert.equal(stream.add('tag\n\nnext').map(plain), []);
  assert.equal(stream.running.map(plain), ['para #tag', '', 'next']);
  assert.equal(stream.add(' line\n').map(plain), ['para #tag']);
  assert.equal(stream.running.map(plain), ['', 'next line']);
});

test('lines may end as on any system, in whatever pieces they come', () => {
  for (const end of ['\r\n', '\r', '\n']) {
    const text = `one${end}${end}two${end}${end}\`\`\`${end}a${end}${end}b${end}\`\`\``;
    assert.equal(streamed(text, [1]).map(plain), ['one', '', 'two', '', '  a', '', '  b']);
  }
});

test('nothing of a text is left out, however long its blocks and lines are', () => {
  const words = Array.from({ length: 12_000 }, (_, n) => `w${n}`);
  const shapes: readonly ((words: readonly string[]) => string)[] = [
    all => all.join(' '),
    all => all.join(''),
    all => `\`\`\`js\n${all.join('\n')}\n\`\`\`\nafter\n`,
    all => all.map(word => `- ${word}`).join('\n'),
    all => `\`\`\`${all.slice(0, 10).join('')}\n${all.slice(10).join(' ')}`,
  ];
  for (const shape of shapes) {
    const text = shape(words);
    const shown = streamed(text, [3000]).map(plain).join('').replace(/[\s•]/g, '');
    // The language of a fence is not shown.
    const wanted = text.startsWith('```w') ? words.slice(10).join('') : words.join('');
    assert.ok(shown.includes(wanted), text.slice(0, 20));
  }
});

test('any text is made of lines that fit and act on no terminal', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 1, max: 30 }),
      (text, width) => {
        for (const line of streamed(text, [7], width)) {
          assert.ok(cellWidth(plain(line)) <= width, JSON.stringify(plain(line)));
          // oxlint-disable-next-line no-control-regex -- they are what is looked for
          assert.not.match(plain(line), /[\u0000-\u001f\u007f-\u009f\u202e]/);
        }
      },
    ),
  );
});

test.run();
