import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain, type Role, type StyledLine } from '../../lib/base/styled.ts';
import { cellWidth } from '../../lib/base/text.ts';
import { renderMarkdown } from '../../lib/markdown/render.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('markdown');

/** The text alone, without the spaces at the ends of lines. */
function text(source: string, width = 40): string[] {
  return renderMarkdown(source, width).map(line => plain(line).trimEnd());
}

/** The runs that hold `word`. */
function runs(lines: readonly StyledLine[], word: string) {
  return lines.flat().filter(run => run.text.includes(word));
}

test('paragraphs are wrapped between words, with an empty line between them', () => {
  assert.equal(text('one two three four\nfive\n\nsix', 10), ['one two', 'three four', 'five', '', 'six']);
  assert.equal(text('line  \nbroken\\\ntwice'), ['line', 'broken', 'twice']);
});

test('headings, emphasis and code have their styles', () => {
  const lines = renderMarkdown('# Top\n\n### Low\n\na **b _c_** `d` ~~e~~', 40);
  assert.equal(lines[0], [{ text: 'Top', role: 'accent', bold: true, underline: true }]);
  assert.equal(lines[2], [{ text: 'Low', bold: true }]);
  assert.equal(lines[4], [
    { text: 'a ' },
    { text: 'b ', bold: true },
    { text: 'c', bold: true, italic: true },
    { text: ' ' },
    { text: 'd', role: 'accent' },
    { text: ' ' },
    { text: 'e', role: 'dim' },
  ]);
});

test('lists nest, number and wrap beside their markers', () => {
  assert.equal(text('- one two three four five\n  - inner\n    1. deep\n- next', 20), [
    '• one two three four',
    '  five',
    '  • inner',
    '    1. deep',
    '• next',
  ]);
  assert.equal(text('9. a\n10. b'), [' 9. a', '10. b']);
  assert.equal(text('- a\n\n- b\n\n  c'), ['• a', '', '• b', '', '  c']);
});

test('tasks show whether they are done', () => {
  assert.equal(text('- [ ] a\n- [x] b'), ['[ ] a', '[x] b']);
  assert.is(runs(renderMarkdown('- [x] b', 40), '[x]')[0]?.role, 'ok');
});

test('quotes have a bar on every line, also nested', () => {
  assert.equal(text('> a\n>\n> b\n> > c'), ['│ a', '│', '│ b', '│', '│ │ c']);
});

test('code keeps its spaces, is coloured by language, and breaks only where the line is full', () => {
  const lines = renderMarkdown('```ts\nconst  x = 5; // n\n```', 40);
  assert.equal(lines.map(plain), ['  const  x = 5; // n']);
  const role = (word: string): Role | undefined => runs(lines, word)[0]?.role;
  assert.equal([role('const'), role('5'), role('// n')], ['accent', 'warn', 'dim']);
  assert.equal(text('```\nabcdefghij klm\n```', 12), ['  abcdefghij', '   klm']);
  assert.equal(text('    indented'), ['  indented']);
});

test('a diff shows what is added and what is gone', () => {
  const lines = renderMarkdown('```diff\n+ new\n- old\n```', 40);
  assert.equal([runs(lines, 'new')[0]?.role, runs(lines, 'old')[0]?.role], ['add', 'del']);
});

test('an unknown language and none are shown plain', () => {
  for (const lang of ['', 'klingon', '__proto__', 'constructor'])
    assert.equal(renderMarkdown('```' + lang + '\nif <b> &amp;\n```', 40), [
      [{ text: '  ' }, { text: 'if <b> &amp;' }],
    ]);
});

test('columns of a table are aligned by cells', () => {
  assert.equal(text('| a | bb | r |\n|---|:-:|--:|\n| 日本 | x | 1 |\n| z | 123 | 22 |'), [
    'a    │ bb  │  r',
    '─────┼─────┼───',
    '日本 │  x  │  1',
    'z    │ 123 │ 22',
  ]);
});

test('a table that is too wide cuts its widest cells, and becomes a list where columns are no use', () => {
  const narrow = '| a | b |\n|---|---|\n| long long long | x |';
  assert.equal(text(narrow, 12), ['a        │ b', '─────────┼──', 'long lo… │ x']);
  assert.equal(text('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |', 8), ['a: 1', 'b: 2', '', 'a: 3', 'b: 4']);
});

test('links show where they lead, unless that is what they say', () => {
  assert.equal(text('[here](http://x.y/z)'), ['here (http://x.y/z)']);
  assert.is(runs(renderMarkdown('[here](http://x.y/z)', 40), '(http')[0]?.role, 'dim');
  assert.equal(text('<http://x.y> www.x.y a@b.cd'), ['http://x.y www.x.y a@b.cd']);
});

test('images are their text, HTML is shown, entities are decoded', () => {
  assert.equal(text('![a cat](cat.png) ![](dog.png)'), ['a cat dog.png']);
  assert.equal(text('a <b>c</b> &lt;d&gt; &#65; &#x42; &unknown; &#0;'), [
    'a <b>c</b> <d> A B &unknown; \ufffd',
  ]);
  assert.equal(text('<div>\nraw\n</div>'), ['<div>', 'raw', '</div>']);
});

test('a rule fills the line', () => assert.equal(text('---', 7), ['───────']));

test('control characters are shown and do nothing', () => {
  const hostile =
    'a \u001b[31mred\u0007\tb\n\n```js\n"\u001b]52;c;x\u0007"\n```\n\n[x](http://a/\u009b31m) <i\u001b> &#27;[2J &#x9b;';
  for (const line of renderMarkdown(hostile, 60))
    assert.not.match(plain(line), /[\u0000-\u001f\u007f-\u009f]/);
  assert.match(text(hostile, 60).join('\n'), /\^\[\[31mred\^G {4}b/);
});

test('words too long for a line are broken, wide characters never in two', () => {
  assert.equal(text('abcdefgh', 3), ['abc', 'def', 'gh']);
  assert.equal(text('日本語', 3), ['日', '本', '語']);
  assert.equal(text('日本', 1), ['?', '?']);
});

test('the end of a very long text is left out, and the reader is told', () => {
  const lines = text('word '.repeat(60_000), 80);
  assert.match(lines.at(-1)!, /^… \d+ more characters$/);
});

test('texts made to hurt are rendered soon', () => {
  const hurt = [
    '>'.repeat(100_000),
    '> '.repeat(50_000),
    '1. '.repeat(30_000),
    '- '.repeat(50_000),
    '['.repeat(100_000),
    '*a '.repeat(30_000),
    '*a _b '.repeat(700) + 'b_ a*'.repeat(700),
    '[*a '.repeat(900) + '*](b)'.repeat(900),
    Array.from({ length: 400 }, (_, i) => ' '.repeat(i * 2) + '- a').join('\n'),
    '|a'.repeat(5000) + '\n' + '|-'.repeat(5000) + '\n' + '|b'.repeat(5000),
    '```js\n' + 'a(`${"x"}`);\n'.repeat(9000),
    'a' + '\u0301'.repeat(100_000),
    '\u{1f468}\u200d'.repeat(30_000),
    '`'.repeat(50_000) + 'a',
    '<a '.repeat(30_000),
  ];
  for (const source of hurt) {
    const started = cpuMs();
    renderMarkdown(source, 80);
    assert.ok(cpuMs() - started < 5000, source.slice(0, 20));
  }
});

const PIECES = [
  '# ',
  '- ',
  '1. ',
  '> ',
  '```',
  '```js\n',
  '`',
  '**',
  '*',
  '_',
  '~~',
  '[',
  '](',
  ')',
  '![',
  '|',
  '|-|-|',
  '\n',
  '\n\n',
  '    ',
  '  ',
  '---',
  '<b>',
  '<!--',
  '&amp;',
  '&#27;',
  'word',
  '日本',
  '👨‍👩‍👧',
  'e\u0301',
  '\u0301',
  '\ufe0f',
  '\u001b[31m',
  '\t',
  '\r',
  '\ud800',
  'http://a.b',
  '[ ] ',
];

test('whatever the text and the width, no line is wider and none holds a control character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })), {
        maxLength: 60,
      }),
      fc.integer({ min: -1, max: 60 }),
      (pieces, width) => {
        for (const line of renderMarkdown(pieces.join(''), width)) {
          if (cellWidth(plain(line)) > Math.max(1, width)) return false;
          if (/[\u0000-\u001f\u007f-\u009f]/.test(plain(line))) return false;
        }
        return true;
      },
    ),
    { numRuns: 1500 },
  );
});

test('no word of prose is lost, at any width', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 40 }),
      (list, width) => {
        const shown = renderMarkdown(list.join(' '), width).map(plain).join('').replace(/ /g, '');
        return shown === list.join('');
      },
    ),
  );
});

test.run();
