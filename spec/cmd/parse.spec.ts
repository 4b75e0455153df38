import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCommands, quoteWord, splitCommands } from '../../lib/cmd/parse.ts';

const test = suite('command language');

/** A text → the commands it holds. */
const TEXTS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['', []],
  ['  \n ; ;\n', []],
  ['list', [['list']]],
  ['a b\tc', [['a', 'b', 'c']]],
  ['a;b', [['a'], ['b']]],
  ['a ; b\nc', [['a'], ['b'], ['c']]],
  ["a 'b c;d'", [['a', 'b c;d']]],
  ['a "b c" d', [['a', 'b c', 'd']]],
  ['a "x\\n\\"y\\""', [['a', 'x\n"y"']]],
  ["a 'x\\n'", [['a', 'x\\n']]],
  ['a b\\ c \\; d', [['a', 'b c', ';', 'd']]],
  ["a ''", [['a', '']]],
  ['a "" b', [['a', '', 'b']]],
  [`a b'c'"d"e`, [['a', 'bcde']]],
  ['a b\\\n c', [['a', 'b', 'c']]],
  ['# all\nlist # not a comment', [['list', '#', 'not', 'a', 'comment']]],
  ['a #b', [['a', '#b']]],
  ['a ; # rest', [['a']]],
  ['bind x { split-window -h ; list }', [['bind', 'x', 'split-window -h ; list']]],
  ['if { a { b } } { c }', [['if', 'a { b }', 'c']]],
  [`bind x { show '}' }`, [['bind', 'x', `show '}'`]]],
  ['{', [['{']]],
  ['a -', [['a', '-']]],
  ['show #{pane_id}', [['show', '#{pane_id}']]],
];

for (const [text, commands] of TEXTS) {
  test(`${JSON.stringify(text)} is read`, () => assert.equal(parseCommands(text), commands));
}

test('what is not closed is told with its line', () => {
  for (const [text, line] of [
    ["a 'b", 1],
    ['a\nb "c', 2],
    ['a\n\nbind x { b', 3],
    ["a { 'b }", 1],
  ] as const) {
    assert.throws(() => parseCommands(text), new RegExp(`line ${line}: .* is not closed`), text);
  }
});

test('a text beyond the limit is refused', () => {
  assert.throws(() => parseCommands('a'.repeat(64 * 1024 + 1)), /longer than/);
});

test('quoted words are read back as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 }), words => {
      // The name of a command comes first; what it is given may be anything.
      const line = ['name', ...words].map(quoteWord).join(' ');
      if (line.length > 64 * 1024) return;
      assert.equal(parseCommands(line), [['name', ...words]]);
    }),
  );
});

test('no text makes it hang or fail otherwise than in words', () => {
  const pieces = fc.constantFrom('a', ' ', ';', '\n', "'", '"', '\\', '{', '}', '#', '~', '$', '%');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), parts => {
      try {
        parseCommands(parts.join(''));
      } catch (error) {
        assert.match((error as Error).message, /^command line \d+: .* is not closed$/);
      }
    }),
    { numRuns: 1000 },
  );
});

/** Words of a shell → commands, as in tmux. */
const SHELL: readonly (readonly [readonly string[], readonly (readonly string[])[]])[] = [
  [['a', 'b'], [['a', 'b']]],
  [
    ['a', ';', 'b'],
    [['a'], ['b']],
  ],
  [
    ['a;', 'b'],
    [['a'], ['b']],
  ],
  [['a', 'x\\;'], [['a', 'x;']]],
  [['a', 'x; y'], [['a', 'x; y']]],
  [[';', 'a', ';'], [['a']]],
  [[], []],
];

for (const [words, commands] of SHELL) {
  test(`the words ${JSON.stringify(words)} are parted`, () => assert.equal(splitCommands(words), commands));
}

test.run();
