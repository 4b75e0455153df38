import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { rank } from '../../lib/mode/fuzzy.ts';
import { highlight } from '../../lib/mode/highlight.ts';
import { plain } from '../../lib/base/styled.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('fuzzy');

const found = (texts: readonly string[], query: string): string[] =>
  rank(texts, query).map(m => texts[m.index]!);

test('a blank query keeps everything in order', () => {
  assert.equal(found(['b', 'a'], '  '), ['b', 'a']);
});

test('the characters of the query may have others between them', () => {
  assert.equal(found(['db/migrations', 'db/locks', 'overview'], 'dbm'), ['db/migrations']);
  assert.equal(found(['fix-login', 'review'], 'flg'), ['fix-login']);
});

test('unbroken matches and beginnings of words come first', () => {
  assert.is(found(['layers of code keep', 'db/locks', 'unlock'], 'lock')[0], 'db/locks');
  assert.equal(found(['rename-window', 'new-window', 'window'], 'window')[0], 'window');
});

test('equal matches stay in the order given', () => {
  const texts = ['task 3', 'task 1', 'task 2'];
  assert.equal(found(texts, 'task'), texts);
});

test('what matched can be highlighted', () => {
  const texts = ['select-pane'];
  const [match] = rank(texts, 'pane');
  assert.equal(match!.ranges, [[7, 11]]);
  const line = highlight(texts[0]!, match!.ranges);
  assert.equal(line, [{ text: 'select-' }, { text: 'pane', role: 'accent', bold: true }]);
});

test('highlighting keeps the text whatever the ranges', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(fc.nat(20), fc.nat(20))), (text, ranges) => {
      assert.is(plain(highlight(text, ranges)), text);
    }),
  );
});

test('letters of every script, signs and emoji can be searched', () => {
  assert.equal(found(['Übersicht', 'над', '日本語'], 'über'), ['Übersicht']);
  assert.equal(found(['Übersicht', 'над', '日本語'], 'НАД'), ['над']);
  assert.equal(found(['Übersicht', 'над', '日本語'], '日語'), ['日本語']);
  assert.equal(found(['a/b', 'ab'], '/'), ['a/b']);
  assert.equal(found(['🍌 peel', 'peel'], '🍌'), ['🍌 peel']);
  assert.equal(found(['-x', 'x', 'y'], '-x'), ['x', '-x']);
  assert.equal(found(['say "hi"', 'none'], '"hi"'), ['say "hi"']);
});

test('a text is found by itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abAB1 -_/.:é'), minLength: 1, maxLength: 40 }),
      text => {
        assert.equal(found([text], text), [text]);
      },
    ),
  );
});

test('hostile titles and queries take no time', () => {
  const started = cpuMs();
  const texts = Array.from({ length: 200 }, () => 'lolo'.repeat(200) + 'c');
  rank(texts, 'lololololololololololololololololololok');
  rank(texts, 'lo lo lo lo lo lo lo lo lo c');
  rank(
    Array.from({ length: 200 }, () => 'a'.repeat(5000)),
    'a'.repeat(5000) + 'b',
  );
  rank(
    Array.from({ length: 5000 }, (_, i) => `item ${i}\n(.*`),
    '(.*',
  );
  assert.ok(cpuMs() - started < 5000);
});

test('nothing it is asked makes it throw', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (texts, query) => {
      const matches = rank(texts, query);
      assert.is(new Set(matches.map(m => m.index)).size, matches.length);
      assert.ok(matches.every(m => m.index in texts));
    }),
    { numRuns: 500 },
  );
});

test.run();
