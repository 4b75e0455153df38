import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { parseLore } from '../../lib/graph/lore.ts';
import { searchLores } from '../../lib/graph/search.ts';
import type { SearchableLore } from '../../lib/graph/search.ts';

const test = suite('lore search');
const lore = (name: string, text: string): SearchableLore => parseLore(`.sgpt/lores/${name}.md`, text).value!;

const LORES = [
  lore('flats', '---\ntitle: Flat fields\nlabels:\n  area: optics\n---\nTake flats at dusk.\nNever later.'),
  lore('domes', 'The dome turns.\nA dome has one writer.\nDOME\ndome\n'),
  lore('night', '---\ntitle: The dome at night\n---\nQuiet.'),
];

test('finds what matches in title, labels and lines, best first', () => {
  assert.equal(
    searchLores(LORES, 'dome', 10).map(h => [h.name, h.matchCount]),
    [
      ['lores/domes', 5],
      ['lores/night', 1],
    ],
  );
  assert.equal(
    searchLores(LORES, '^optics$', 10).map(h => h.name),
    ['lores/flats'],
  );
  assert.equal(searchLores(LORES, 'nowhere', 10), []);
});

test('snippets are the first three lines, with their numbers in the file', () => {
  assert.equal(searchLores(LORES, 'dome', 1)[0]?.snippets, [
    { line: 1, text: 'The dome turns.' },
    { line: 2, text: 'A dome has one writer.' },
    { line: 3, text: 'DOME' },
  ]);
  assert.equal(searchLores(LORES, 'dusk', 1)[0]?.snippets, [{ line: 6, text: 'Take flats at dusk.' }]);
});

test('a long line is shown around its match, and nothing in it moves a cursor', () => {
  const [hit] = searchLores([lore('x', `${'-'.repeat(900)}needle\u001b[2J${'+'.repeat(900)}`)], 'needle', 1);
  const { text } = hit!.snippets[0]!;
  assert.ok(
    text.length < 170 && text.includes('needle [2J') && text.startsWith('…') && text.endsWith('…'),
    text,
  );
});

test('the limit holds', () => {
  assert.is(searchLores(LORES, '.', 2).length, 2);
  assert.is(searchLores(LORES, '.', 0).length, 0);
  assert.is(searchLores(LORES, '.', -1).length, 0);
});

test('what is no regular expression is a usage error with its reason', () => {
  for (const pattern of ['(', '[', '*a', '', 'a'.repeat(501)]) {
    try {
      searchLores(LORES, pattern, 1);
      assert.unreachable(pattern);
    } catch (error) {
      assert.instance(error, CodedError);
      assert.is((error as CodedError).code, 'usage');
      assert.not.match((error as CodedError).message, /\n/);
    }
  }
});

test('a needless backslash is forgiven', () => {
  assert.is(searchLores(LORES, 'dome\\-?', 10).length, 2);
});

test('a search that has run out of time ends with what it has', () => {
  const many = Array.from({ length: 100 }, (_, i) => lore(`l${i}`, 'dome'));
  let asked = 0;
  assert.is(searchLores(many, 'dome', 100, () => ++asked > 10).length, 10);
  const long = lore('long', 'dome\n'.repeat(10_000));
  let looks = 0;
  assert.ok(searchLores([long], 'dome', 1, () => ++looks > 3)[0]!.matchCount < 1000);
});

test.run();
