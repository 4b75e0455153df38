import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { compilePattern, substitute } from '../../lib/format/pattern.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('format pattern');

const sub = (source: string, text: string, to: string, ignoreCase = false): string | undefined => {
  const pattern = compilePattern(source, ignoreCase);
  return pattern && substitute(pattern, text, to, { steps: 400_000 });
};

test('the usual operators mean the usual things', () => {
  assert.is(sub('a|b', 'cab', 'x'), 'cxx');
  assert.is(sub('colou?r', 'color colour', 'x'), 'x x');
  assert.is(sub('[0-9]+', 'a12b3', '#'), 'a#b#');
  assert.is(sub('[^a-c]', 'abcd', '_'), 'abc_');
  assert.is(sub('[[:upper:][:digit:]]', 'aB3', '_'), 'a__');
  assert.is(sub('[]x]', 'a]x', '_'), 'a__');
  assert.is(sub('[a-]', 'a-b', '_'), '__b');
  assert.is(sub('a{2,3}', 'aaaaa', 'x'), 'xx');
  assert.is(sub('a{2,}', 'aaaaa', 'x'), 'x');
  assert.is(sub('^a', 'aa', 'x'), 'xa');
  assert.is(sub('a$', 'aa', 'x'), 'ax');
  assert.is(sub('\\.', 'a.b', '-'), 'a-b');
  assert.is(sub('.', '日本', 'x'), 'xx');
  assert.is(sub('ÄB', 'äb', 'x', true), 'x');
});

test('what cannot be read is no pattern', () => {
  for (const bad of [
    '(',
    ')',
    '[',
    '*',
    'a{',
    'a{3,1}',
    '\\',
    '[[:nope:]]',
    '((((((((((a))))))))))',
    '(a{99}){99}',
  ]) {
    assert.is(compilePattern(bad, false), undefined, bad);
  }
});

test('it replaces what the language itself would replace', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a)', '(a|b)', '(ab)');
  const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}')).map(([a, q]) => a + q);
  const source = fc
    .array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map(alternatives => alternatives.map(p => p.join('')).join('|'));
  fc.assert(
    fc.property(
      source,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }),
      (pattern, text) => {
        assert.is(sub(pattern, text, '<\\0>'), text.replace(new RegExp(pattern, 'g'), '<$&>'));
      },
    ),
    { numRuns: 1500 },
  );
});

test('patterns that stop backtracking engines take no time', () => {
  const started = cpuMs();
  assert.is(sub('(a+)+$', 'a'.repeat(1000) + 'b', 'x'), 'a'.repeat(1000) + 'b');
  assert.is(sub('(a|a)*c', 'a'.repeat(1000), 'x'), 'a'.repeat(1000));
  assert.ok(cpuMs() - started < 5000);
});

test.run();
