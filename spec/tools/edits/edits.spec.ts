import { applyPatch, parsePatch } from 'diff';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyHunks, applyPatches, type Applied } from '../../../lib/tools/edits/apply.ts';
import { parseDiff } from '../../../lib/tools/edits/parse-diff.ts';
import { unifiedDiff } from '../../../lib/tools/edits/unified.ts';

const test = suite('changes of texts');

const byDiff = (text: string, diff: string): Applied => applyHunks(text, parseDiff(diff).hunks);
const textOf = (applied: Applied): string =>
  'text' in applied ? applied.text : `TROUBLE ${applied.trouble}`;

test('a hunk is found by its lines, whatever its numbers say', () => {
  assert.is(
    textOf(byDiff('a\nb\nc\n', '--- a/x\n+++ b/x\n@@ -900,2 +7 @@ somewhere\n a\n-b\n+B\n')),
    'a\nB\nc\n',
  );
});

test('text in front of the first hunk, notes about line ends and lines without a sign are tolerated', () => {
  const diff = 'Here you go:\n```diff\n@@\na\n-b\n\\ No newline at end of file\n+B\n\n\n';
  assert.is(textOf(byDiff('a\nb\nc\n', diff)), 'a\nB\nc\n');
});

test('hunks are applied one after the other, each on the text that is there by then', () => {
  assert.is(textOf(byDiff('a\n', '@@\n-a\n+b\n@@\n-b\n+c\n')), 'c\n');
});

test('blanks at line ends that differ are forgiven, and kept lines stay as they are in the file', () => {
  const result = byDiff('if (x) {  \n\told();\t\n}\n', '@@\n if (x) {\n-\told();\n+\tnewer();\n }\n');
  assert.equal(result, { text: 'if (x) {  \n\tnewer();\n}\n', healed: 1 });
});

test('indentation that differs is forgiven, and added lines get that of the file', () => {
  const result = byDiff(
    'class A {\n    go() {\n        old();\n    }\n}\n',
    '@@\n go() {\n-    old();\n+    one();\n+\n+    two();\n }\n',
  );
  assert.is(textOf(result), 'class A {\n    go() {\n        one();\n\n        two();\n    }\n}\n');
});

test('lines that are not there, or there more than once, are told by hunk with where they are', () => {
  assert.ok(
    textOf(byDiff('a\n', '@@\n-a\n+b\n@@\n-zzz\n+y\n')).startsWith(
      'TROUBLE hunk 2: its lines are not in the file',
    ),
  );
  assert.ok(
    textOf(byDiff('a\nx\na\n', '@@\n-a\n+b\n')).startsWith(
      'TROUBLE hunk 1: its lines are there more than once (lines 1, 3)',
    ),
  );
  assert.ok(textOf(byDiff(' a\nx\na \n', '@@\n-a\n+b\n')).includes('more than once') === false);
});

test('a hunk of added lines alone is refused in a file with lines', () => {
  assert.ok(textOf(byDiff('a\n', '@@\n+b\n')).startsWith('TROUBLE hunk 1: it has only added lines'));
  assert.is(textOf(byDiff('', '@@\n+b\n')), 'b\n');
});

test('a file whose last line has no end keeps it so', () => {
  assert.is(textOf(byDiff('a\nb', '@@\n-b\n+c\n')), 'a\nc');
});

test('only the first file of a diff of several is meant', () => {
  assert.is(
    textOf(byDiff('a\n', '--- a/x\n+++ b/x\n@@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@\n-q\n+r\n')),
    'b\n',
  );
});

test('names in headers lose quotes and dates', () => {
  const { oldPath, newPath } = parseDiff('--- "a/x y.ts"\n+++ b/x.ts\t2026-01-01 00:00:00\n@@\n');
  assert.equal([oldPath, newPath], ['a/x y.ts', 'b/x.ts']);
});

test('a search text must be there once, unless all are meant', () => {
  assert.is(textOf(applyPatches('a a b', [{ search: 'b', replace: 'c' }])), 'a a c');
  assert.ok(textOf(applyPatches('a a b', [{ search: 'a', replace: 'c' }])).includes('more than once'));
  assert.is(textOf(applyPatches('a a b', [{ search: 'a', replace: 'aa', replace_all: true }])), 'aa aa b');
  assert.ok(textOf(applyPatches('a', [{ search: '', replace: 'c' }])).includes('nothing to search for'));
  assert.ok(textOf(applyPatches('aaa', [{ search: 'aa', replace: 'c' }])).includes('more than once'));
});

test('a replacement is text and no pattern', () => {
  assert.is(textOf(applyPatches('a.b', [{ search: '.', replace: '$&$1' }])), 'a$&$1b');
});

test('patches are all done or none, each on what the others made', () => {
  const patches = [
    { search: 'a', replace: 'b' },
    { search: 'bb', replace: 'c' },
  ];
  assert.is(textOf(applyPatches('ab', patches)), 'c');
  assert.ok(textOf(applyPatches('ax', patches)).startsWith('TROUBLE patch 2: the text is not in the file'));
});

test('lines of a patch are found with other blanks, too', () => {
  assert.is(
    textOf(applyPatches('{\n    a();\n    b();\n}\n', [{ search: 'a();\nb();\n', replace: 'c();\n' }])),
    '{\n    c();\n}\n',
  );
});

const TEXT = fc
  .array(fc.constantFrom('a', 'b', 'c', '', ' a', 'a '), { maxLength: 30 })
  .chain(lines => fc.constantFrom(lines.join('\n'), lines.map(line => `${line}\n`).join('')));

test('the diff of any two texts leads from one to the other, by another program too', () => {
  fc.assert(
    fc.property(TEXT, TEXT, (before, after) => {
      const diff = unifiedDiff(before, after, { from: 'x', to: 'x' });
      if (before === after) assert.is(diff, '');
      else assert.is(applyPatch(before, parsePatch(diff)[0]!), after);
    }),
  );
});

test('texts with nothing in common are one piece', () => {
  const [before, after] = ['old', 'new'].map(word =>
    Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join(''),
  );
  const diff = unifiedDiff(before!, after!, { from: 'x', to: 'x' });
  assert.is(applyPatch(before!, parsePatch(diff)[0]!), after);
});

test('a hunk made of a true diff is applied as it says', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.string({ maxLength: 5 }).filter(line => !/[\r\n\\]/.test(line) && line.trim() !== ''),
        { minLength: 8, maxLength: 20 },
      ),
      fc.nat(),
      (lines, at) => {
        if (new Set(lines.map(line => line.trim())).size < lines.length) return;
        const before = lines.map(line => `${line}\n`).join('');
        const made = lines.with(at % lines.length, 'a line that is new');
        const after = made.map(line => `${line}\n`).join('');
        assert.is(textOf(byDiff(before, unifiedDiff(before, after, { from: 'x', to: 'x' }))), after);
      },
    ),
  );
});

test('lines that are all alike take no long time', () => {
  const text = 'a\n'.repeat(50_000);
  const diff = `@@\n${' a\n'.repeat(25_000)}-b\n+c\n`;
  const start = process.cpuUsage();
  assert.ok(textOf(byDiff(text, diff)).startsWith('TROUBLE'));
  assert.ok(process.cpuUsage(start).user < 2_000_000);
});

test.run();
