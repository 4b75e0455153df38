import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WalkRules } from '../../lib/graph/walk-rules.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('walk rules');

/** Directories of a small tree with the names that are trouble. */
const DIRS = [
  'a',
  'a/b',
  'a/b/c',
  'a/build',
  'a/build/x',
  'build',
  'build/y',
  'src',
  'src/build',
  'src/build/z',
  '.hidden',
  '.hidden/d',
  'A',
  'a b',
  'a b/c',
  '#h',
  '!n',
  '[z]',
  '[z]/q',
  'é',
  'x1',
  'x2',
  'x10',
  'a/x1',
  'tail ',
  'back\\slash',
  'back\\slash/k',
  'foo.d',
  'foo.d/bar',
  'deep/a/b/c',
  'deep/a/b',
  'deep/a',
  'deep',
].sort();

type Ignores = Readonly<Record<string, string>>;

/** What our walk enters. */
function walked(ignores: Ignores): string[] {
  const entered: string[] = [];
  const visit = (dir: string, outer: WalkRules): void => {
    const text = ignores[dir];
    const rules = text === undefined ? outer : outer.within(dir, text);
    for (const child of DIRS.filter(d => d.slice(0, Math.max(0, d.lastIndexOf('/'))) === dir))
      if (rules.enters(child)) {
        entered.push(child);
        visit(child, rules);
      }
  };
  visit('', WalkRules.from([]));
  return entered.sort();
}

const repo = tempDir();
const git = (args: string[], input = ''): string =>
  execFileSync('git', args, {
    cwd: repo,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: repo },
  }).toString();
git(['init', '-q']);
for (const dir of DIRS) mkdirSync(join(repo, dir), { recursive: true });

/** What git does not ignore. */
function kept(ignores: Ignores): string[] {
  for (const dir of ['', ...DIRS]) rmSync(join(repo, dir, '.gitignore'), { force: true });
  for (const [dir, text] of Object.entries(ignores)) writeFileSync(join(repo, dir, '.gitignore'), text);
  let output = '';
  try {
    output = git(['check-ignore', '--no-index', '-z', '--stdin'], DIRS.join('\0') + '\0');
  } catch (error) {
    // Status 1: nothing is ignored.
    assert.is((error as { status: number }).status, 1);
  }
  const ignored = new Set(output.split('\0'));
  return DIRS.filter(dir => !ignored.has(dir));
}

const CASES: [string, Ignores][] = [
  ['nothing', {}],
  ['a name anywhere', { '': 'build' }],
  ['a directory anywhere', { '': 'build/\n' }],
  ['anchored by a leading slash', { '': '/build' }],
  ['anchored by an inner slash', { '': 'a/build' }],
  ['anchored below the root', { a: '/b\n/x1', '': '' }],
  ['a name below the root', { src: 'build\n' }],
  ['stars', { '': 'x*\n*.d' }],
  ['question mark and class', { '': 'x?\nx[2-9]0' }],
  ['double stars', { '': '**/c\ndeep/**' }],
  ['double star inside', { '': 'deep/**/c' }],
  ['comments, blanks and carriage returns', { '': '#h\r\n\r\n  \r\nbuild\r\n' }],
  ['escapes', { '': '\\#h\n\\!n\n\\[z]\n' }],
  ['trailing spaces', { '': 'build   \ntail\\ ' }],
  ['negation', { '': 'x*\n!x1' }],
  ['negation in a nearer file', { '': 'b', a: '!b' }],
  ['negation below an ignored directory does nothing', { '': 'a\n!a/b' }],
  ['all but one', { '': '/*\n!/src' }],
  ['what is below a directory re-included nearer', { '': 'b/', a: '!b/' }],
  ['a nearer file wins over a farther', { '': '!build', src: 'build' }],
  ['in a directory with a star-like name', { '[z]': '/q', 'back\\slash': 'k' }],
  ['in a directory with a space', { 'a b': 'c' }],
  ['case matters', { '': 'A' }],
  ['only a slash', { '': '/\n!/\n!' }],
  ['a star alone in a directory', { a: '*' }],
  ['beyond ASCII', { '': 'é' }],
];
for (const [name, ignores] of CASES)
  test(`agrees with git: ${name}`, () => assert.equal(walked(ignores), kept(ignores)));

test('agrees with git on patterns put together at random', () => {
  const word = fc.constantFrom(
    'a',
    'b',
    'c',
    'build',
    'x1',
    'x*',
    '*',
    '**',
    '?',
    '[ab]',
    'deep',
    'foo.d',
    '*.d',
    '.*',
  );
  const pattern = fc
    .tuple(
      fc.constantFrom('', '!', '/', '!/'),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/'),
    )
    .map(([start, words, end]) => start + words.join('/') + end);
  const file = fc.array(pattern, { minLength: 1, maxLength: 4 }).map(lines => lines.join('\n'));
  const files = fc.record({ '': file, a: file, deep: file, src: file }, { requiredKeys: [] });
  // To git '?' is one byte, here one character; so what is beyond ASCII is left out of the comparison.
  const ascii = (dirs: string[]): string[] => dirs.filter(dir => dir !== 'é');
  fc.assert(
    fc.property(files, ignores =>
      assert.equal(ascii(walked(ignores)), ascii(kept(ignores)), JSON.stringify(ignores)),
    ),
    { numRuns: 60 },
  );
});

test('settings weigh less than any .gitignore', () => {
  const rules = WalkRules.from(['generated/', '/only-root']);
  assert.not(rules.enters('x/generated'));
  assert.not(rules.enters('only-root'));
  assert.ok(rules.enters('x/only-root'));
  assert.ok(rules.within('', '!generated/').enters('generated'));
});

test('git and the holders are never entered, hidden directories are', () => {
  const rules = WalkRules.from([]).within('', '!.git\n!.sgpt');
  assert.not(rules.enters('.git'));
  assert.not(rules.enters('a/.sgpt'));
  assert.ok(rules.enters('.github'));
});

test('rules of one directory do not leak into its siblings', () => {
  const root = WalkRules.from([]);
  const inner = root.within('a', 'b');
  assert.not(inner.enters('a/b'));
  assert.ok(inner.enters('c/b'));
  assert.ok(root.enters('a/b'));
});

test('patterns no person writes are passed over', () => {
  const rules = WalkRules.from(['a'.repeat(100_000), ...Array.from({ length: 20_000 }, () => 'x')]);
  assert.not(rules.enters('x'));
  assert.ok(rules.enters('b'));
});

test.run();
