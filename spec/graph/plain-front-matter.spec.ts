import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseLore } from '../../lib/graph/lore.ts';
import { readPlainFrontMatter } from '../../lib/graph/plain-front-matter.ts';

const test = suite('plain front matter');

/** What the YAML reader makes of it: a comment is nothing plain. */
function slowly(yaml: string): unknown {
  const { value, diagnostics } = parseLore('.sgpt/lores/x.md', `---\n${yaml}\n# end\n---\nbody`);
  const { title, description, labels } = value!.lore;
  return { title, description, labels, problems: diagnostics.length };
}

test('what most lores begin with is read without the YAML reader', () => {
  const yaml =
    'title: Locks of the ledger, 2nd part\ndescription: see http://x/#a, C# and 10:30\nlabels:\n    area: db\n    kind: run-book';
  assert.equal(readPlainFrontMatter(yaml), {
    title: 'Locks of the ledger, 2nd part',
    description: 'see http://x/#a, C# and 10:30',
    labels: { area: 'db', kind: 'run-book' },
  });
  assert.equal(slowly(yaml), { ...readPlainFrontMatter(yaml), problems: 0 });
});

test('everything else is left to it', () => {
  for (const yaml of [
    '',
    'title:',
    'description: x',
    'title: a: b',
    'title: a #b',
    'title: a:',
    'title: "a"',
    'title: a\n  b',
    'title: a\ntitle: b',
    'title: a\nlabels:',
    'title: a\nlabels: x',
    'title: a\nlabels:\n  k:',
    'title: a\nlabels:\n  k: v\n    l: w',
    'title: a\nlabels:\n  k: v\n l: w',
    'title: a\nother:\n  k: v',
    'title: a\u2028b',
    'title: a\tb',
    '- title: a',
  ])
    assert.is(readPlainFrontMatter(yaml), undefined, yaml);
});

test('whatever is read plainly is what the YAML reader reads', () => {
  const words = [
    'title',
    'description',
    'labels',
    'area',
    'null',
    'true',
    '__proto__',
    'x',
    '1e3',
    '~',
    'é',
    '語',
  ];
  const marks = [
    ':',
    ': ',
    '#',
    ' #',
    '-',
    '- ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '&a',
    '*a',
    '!',
    '|',
    '>',
    "'",
    '"',
    '%',
  ];
  const rest = [
    '@',
    '`',
    '?',
    '=',
    '<<',
    '...',
    '---',
    '2024-01-01',
    '\u00a0',
    '\ufeff',
    ' ',
    '\n',
    '\n  ',
    '\n   ',
  ];
  const piece = fc.constantFrom(...words, ...marks, ...rest);
  const line = fc
    .tuple(
      fc.constantFrom('title: ', 'description: ', '  area: ', '  kind: ', 'labels:', 'other: '),
      fc.array(piece, { maxLength: 6 }),
    )
    .map(([start, rest]) => start + rest.join(''));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), lines => {
      const plain =
        readPlainFrontMatter(['title: T', ...lines].join('\n')) ?? readPlainFrontMatter(lines.join('\n'));
      if (!plain) return;
      const yaml = readPlainFrontMatter(['title: T', ...lines].join('\n')) ? ['title: T', ...lines] : lines;
      assert.equal({ ...plain, problems: 0 }, slowly(yaml.join('\n')));
    }),
    { numRuns: 3000 },
  );
});

test('long lines cost little', () => {
  const started = performance.now();
  for (const text of [
    'a '.repeat(8000),
    'a:'.repeat(8000),
    `${' '.repeat(16_000)}:`,
    `a${' '.repeat(16_000)}:`,
    '##'.repeat(8000),
  ])
    readPlainFrontMatter(`title: ${text}`);
  assert.ok(performance.now() - started < 1000);
});

test.run();
