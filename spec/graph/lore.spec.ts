import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseLore } from '../../lib/graph/lore.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('lores');
const FILE = '.sgpt/lores/optics/flats.md';
const told = (text: string): string[] =>
  parseLore(FILE, text).diagnostics.map(d => `${d.line}:${d.column} ${d.severity} ${d.code}`);

test('front matter and body', () => {
  const { value, diagnostics } = parseLore(
    FILE,
    '\ufeff\n---\ntitle: Flats\ndescription: >\n  two\n  lines\nlabels:\n    area: optics\n    year: 2024\n    on: yes\nowner: me\n---\nBody\n---\nmore',
  );
  assert.equal(diagnostics, []);
  assert.equal(value, {
    lore: {
      selector: 'lores/optics/flats',
      name: 'lores/optics/flats',
      title: 'Flats',
      file: FILE,
      description: 'two lines',
      labels: { area: 'optics', year: '2024', on: 'yes' },
    },
    body: 'Body\n---\nmore',
    bodyLine: 13,
    links: [],
  });
});

test('no front matter, or one that is never closed, is all body', () => {
  for (const text of ['Just text', '---\ntitle: x\nno end', '# ---\nx\n---', '--- x\n---\n', '']) {
    const { value, diagnostics } = parseLore(FILE, text);
    assert.equal(diagnostics, [], text);
    assert.equal([value?.lore.title, value?.body, value?.bodyLine], ['flats', text, 1]);
  }
});

const MISTAKES: [string, string[]][] = [
  ['---\ntitle: x\nlabels: [a, b]\n---\n', ['3:1 error bad-labels']],
  ['---\ntitle: x\nlabels:\n  a: {b: c}\n  d: e\n---\n', ['4:3 error bad-labels']],
  ['---\ntitle: [x]\n---\n', ['2:1 error front-matter']],
  ['---\ndescription: x\n---\n', ['2:1 warning missing-title']],
  ['---\n- a\n---\n', ['2:1 error front-matter']],
  ['---\ntitle: x\ntitle: y\n---\n', ['3:1 error yaml-syntax']],
];
for (const [text, expected] of MISTAKES)
  test(`${JSON.stringify(text)} is told with its place`, () =>
    assert.equal(told(text).sort(), expected.toSorted()));

test('a YAML mistake is told where it stands, and body and other fields still count', () => {
  const { value, diagnostics } = parseLore(
    FILE,
    '\n---\ntitle: Flats\ndescription: "open\nlabels: {a: b}\n---\nBody',
  );
  assert.is(diagnostics[0]?.code, 'yaml-syntax');
  assert.ok(diagnostics[0]!.line >= 4 && diagnostics[0]!.line <= 6, String(diagnostics[0]?.line));
  assert.is(value?.lore.title, 'Flats');
  assert.is(value?.body, 'Body');
});

test('values are one printable line, and a label may have any name', () => {
  const { value } = parseLore(FILE, '---\ntitle: "a\\e[31mb"\nlabels:\n  __proto__: x\n---\n');
  assert.is(value?.lore.title, 'a [31mb');
  assert.equal(Object.entries(value!.lore.labels), [['__proto__', 'x']]);
});

test('hostile front matter costs little', () => {
  const started = cpuMs();
  const bomb = 'a: &a [x,x]\n' + Array.from({ length: 60 }, (_, i) => `b${i}: &b${i} [*a,*a]`).join('\n');
  for (const yaml of ['['.repeat(8000), bomb, '? '.repeat(8000), '{a: '.repeat(4000), 'x\n'.repeat(200_000)])
    assert.ok(parseLore(FILE, `---\n${yaml}\n---\nBody`).value?.body === 'Body', yaml.slice(0, 20));
  assert.ok(cpuMs() - started < 5000);
});

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    'title',
    ': ',
    '- ',
    '"',
    '&a',
    '*a',
    '[',
    '{',
    '!x ',
    '|',
    '\t',
    '#',
    '%',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      assert.ok(parseLore(FILE, `---\n${pieces.join('')}\n---\n`).value);
    }),
    { numRuns: 500 },
  );
});

test.run();
