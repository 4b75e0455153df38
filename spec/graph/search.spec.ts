import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { parseLore } from '../../lib/graph/lore.ts';
import { alternatives } from '../../lib/graph/pattern.ts';
import { searchLores } from '../../lib/graph/search.ts';
import type { SearchRank } from '../../lib/graph/search.ts';
import type { SearchableLore } from '../../lib/graph/types.ts';

const test = suite('lore search');
const lore = (name: string, text: string): SearchableLore => parseLore(`.sgpt/lores/${name}.md`, text).value!;

const LORES = [
  lore('flats', '---\ntitle: Flat fields\nlabels:\n  area: optics\n---\nTake flats at dusk.\nNever later.'),
  lore('domes', 'The dome turns.\nA dome has one writer.\nDOME\ndome\n'),
  lore('night', '---\ntitle: The dome at night\n---\nQuiet.'),
];

test('finds what matches in title, labels and lines, best first', () => {
  assert.equal(
    searchLores(LORES, { pattern: 'dome', limit: 10 }).map(h => [h.name, h.matchCount]),
    [
      ['lores/domes', 5],
      ['lores/night', 1],
    ],
  );
  assert.equal(
    searchLores(LORES, { pattern: '^optics$', limit: 10 }).map(h => h.name),
    ['lores/flats'],
  );
  assert.equal(searchLores(LORES, { pattern: 'nowhere', limit: 10 }), []);
});

test('snippets are the first three lines, with their numbers in the file', () => {
  assert.equal(searchLores(LORES, { pattern: 'dome', limit: 1 })[0]?.snippets, [
    { line: 1, text: 'The dome turns.' },
    { line: 2, text: 'A dome has one writer.' },
    { line: 3, text: 'DOME' },
  ]);
  assert.equal(searchLores(LORES, { pattern: 'dusk', limit: 1 })[0]?.snippets, [
    { line: 6, text: 'Take flats at dusk.' },
  ]);
});

test('a long line is shown around its match, and nothing in it moves a cursor', () => {
  const [hit] = searchLores([lore('x', `${'-'.repeat(900)}needle\u001b[2J${'+'.repeat(900)}`)], {
    pattern: 'needle',
    limit: 1,
  });
  const { text } = hit!.snippets[0]!;
  assert.ok(
    text.length < 170 && text.includes('needle [2J') && text.startsWith('…') && text.endsWith('…'),
    text,
  );
});

test('the limit holds', () => {
  assert.is(searchLores(LORES, { pattern: '.', limit: 2 }).length, 2);
  assert.is(searchLores(LORES, { pattern: '.', limit: 0 }).length, 0);
  assert.is(searchLores(LORES, { pattern: '.', limit: -1 }).length, 0);
});

test('what is no regular expression is a usage error with its reason', () => {
  for (const pattern of ['(', '[', '*a', '', 'a'.repeat(501)]) {
    try {
      searchLores(LORES, { pattern: pattern, limit: 1 });
      assert.unreachable(pattern);
    } catch (error) {
      assert.instance(error, CodedError);
      assert.is((error as CodedError).code, 'usage');
      assert.not.match((error as CodedError).message, /\n/);
    }
  }
});

test('a needless backslash is forgiven', () => {
  assert.is(searchLores(LORES, { pattern: 'dome\\-?', limit: 10 }).length, 2);
});

test('a search that has run out of time ends with what it has', () => {
  const many = Array.from({ length: 100 }, (_, i) => lore(`l${i}`, 'dome'));
  let asked = 0;
  assert.is(searchLores(many, { pattern: 'dome', limit: 100, expired: () => ++asked > 10 }).length, 10);
  const long = lore('long', 'dome\n'.repeat(10_000));
  let looks = 0;
  assert.ok(
    searchLores([long], { pattern: 'dome', limit: 1, expired: () => ++looks > 3 })[0]!.matchCount < 1000,
  );
});

test('what RE2 has not is refused, with what to do instead', () => {
  const refused = (pattern: string): string => {
    try {
      searchLores(LORES, { pattern, limit: 1 });
      return 'not refused';
    } catch (error) {
      const { code, message, hint } = error as CodedError;
      return `${code} ${message} (${hint})`;
    }
  };
  assert.match(
    refused('a(?=b)'),
    /^usage search: not a regular expression: .* \(RE2 looks neither ahead nor behind/,
  );
  assert.match(refused('(?<!a)b'), /neither ahead nor behind/);
  assert.match(refused('(a)\\1'), /RE2 does not refer back to groups/);
  assert.match(refused('a++'), /RE2 never goes back/);
  assert.match(refused('a{1001}'), /invalid repeat count at '\{1001\}'/);
  assert.match(refused('(open'), /missing closing \) at '\(open'/);
});

test('patterns that take others for ever end soon', () => {
  const many = Array.from({ length: 200 }, (_, i) =>
    lore(`l${i}`, `${'a'.repeat(1500)}!\n${'xy'.repeat(900)}`),
  );
  for (const pattern of [
    '^(a+)+$',
    '(x+x+)+z',
    '(a|a)*b',
    '(.*)*(.*)*c',
    '((a?){30}){30}a{30}z',
    '(a|aa)+$',
  ]) {
    const started = performance.now();
    searchLores(many, { pattern, limit: 10, expired: () => performance.now() > started + 500 });
    assert.ok(performance.now() - started < 5000, `${pattern}: ${performance.now() - started} ms`);
  }
});

test('a line matches as if it stood alone, whatever the shortcut over whole bodies says', () => {
  const text = 'first line\nsecond line\n\nlast';
  const counts = (pattern: string): number =>
    searchLores([lore('q', text)], { pattern, limit: 1 })[0]?.matchCount ?? 0;
  assert.equal(
    [
      '^second',
      'line$',
      '\\Afirst',
      '\\Asecond',
      'line\\z',
      '^$',
      'line.second',
      'line\\ssecond',
      '(?-m)^last$',
    ].map(counts),
    [1, 2, 1, 1, 2, 1, 0, 0, 1],
  );
});

test('random words of letters, classes and repetitions match as V8 has it', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '\\w', '\\b', '^', '$', 'ü', '\\.');
  const part = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}'))
    .map(([a, r]) => (/[\^$b]$/.test(a) && a !== 'b' ? a : a + r));
  const line = fc.stringMatching(/^[abü. ]{0,12}$/);
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (parts, lines) => {
        const pattern = parts.join('');
        const found = searchLores([lore('0', lines.join('\n'))], { pattern, limit: 1 })[0];
        const expected = lines.filter(text => new RegExp(pattern, 'iu').test(text)).length;
        const heads = ['0', 'lores/0'].some(text => new RegExp(pattern, 'iu').test(text)) ? 1 : 0;
        assert.is(found?.matchCount ?? 0, expected + heads);
      },
    ),
  );
});

test('by relevance, the rare word and the title come before many common lines', () => {
  const lores = [
    lore('common', 'The pool is full.\n'.repeat(40)),
    lore('rare', 'The pool has one sluice.'),
    lore('titled', '---\ntitle: The pool\n---\nIt is full.'),
    ...Array.from({ length: 20 }, (_, i) => lore(`n${i}`, 'A pool.')),
  ];
  const names = (rank: SearchRank): string[] =>
    searchLores(lores, { pattern: 'pool|sluice', limit: 3, rank }).map(hit =>
      hit.name.slice('lores/'.length),
    );
  assert.equal(names('matches'), ['common', 'titled', 'n0']);
  assert.equal(names('relevance').slice(0, 2), ['rare', 'titled']);
});

test('alternatives are those outside groups and classes', () => {
  assert.equal(alternatives('a|b(c|d)|[|]|e\\|f|'), ['a', 'b(c|d)', '[|]', 'e\\|f']);
  assert.equal(alternatives('|'), ['|']);
  assert.equal(alternatives('[]|]a|b'), ['[]|]a', 'b']);
  assert.equal(alternatives('\\Qa|b\\E|c'), ['\\Qa|b\\E|c']);
});

test.run();
