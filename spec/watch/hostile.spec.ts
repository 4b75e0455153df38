import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadGraph } from '../../lib/watch/load-graph.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('a hostile graph');
const MIB = 1024 * 1024;
/** Many times what each of these takes on a busy machine; without bounds they would take minutes. */
const LIMIT_MS = 10_000;

/** What is wrong with a graph of these files, and that it was found in bounded time. */
async function toldOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const dir = tempDir({ '.sgpt.json': '', ...files });
  const started = performance.now();
  const { diagnostics } = await loadGraph(dir, {});
  assert.ok(performance.now() - started < LIMIT_MS, `${performance.now() - started} ms`);
  return [...new Set(diagnostics.map(d => `${d.file} ${d.code}`))];
}

test('a lore of fifty megabytes is not read, and the others are', async () => {
  const dir = tempDir({ '.sgpt.json': '', '.sgpt/lores/big.md': '', '.sgpt/lores/good.md': 'x [[big]]' });
  truncateSync(join(dir, '.sgpt/lores/big.md'), 50 * MIB);
  const before = process.memoryUsage().rss;
  const { resolver, diagnostics } = await loadGraph(dir, {});
  assert.ok(process.memoryUsage().rss - before < 40 * MIB);
  assert.equal(
    resolver.shelf('lore').list.map(l => l.name),
    ['lores/good'],
  );
  assert.equal(
    diagnostics.map(d => `${d.file} ${d.code}`),
    ['.sgpt/lores/big.md file-size'],
  );
});

test('bytes that are no text are told, each with its kind', async () => {
  const dir = tempDir({ '.sgpt.json': '', '.sgpt/ok.role.md': 'x' });
  writeFileSync(join(dir, '.sgpt/zero.role.md'), Buffer.from([65, 0, 66]));
  writeFileSync(join(dir, '.sgpt/latin.role.md'), Buffer.from([10, 10, 0xe9]));
  writeFileSync(join(dir, '.sgpt/surrogate.toolset'), Buffer.from([0xed, 0xa0, 0x80]));
  symlinkSync('loop.role.md', join(dir, '.sgpt/loop.role.md'));
  mkdirSync(join(dir, '.sgpt/lores/folder.md'), { recursive: true });
  const { diagnostics } = await loadGraph(dir, {});
  assert.equal(
    diagnostics.map(d => `${d.file}:${d.line} ${d.code}`),
    [
      '.sgpt/latin.role.md:3 bad-encoding',
      '.sgpt/loop.role.md:0 link-loop',
      '.sgpt/surrogate.toolset:1 bad-encoding',
      '.sgpt/zero.role.md:0 not-text',
    ],
  );
});

const DEEP: readonly (readonly [string, string])[] = [
  ['.sgpt.json', '['.repeat(200_000)],
  ['.sgpt.json', '{a:'.repeat(200_000)],
  ['.sgpt.json', 'local a = 1; '.repeat(50_000)],
  ['.sgpt.json', `local a = ${'"\\'.repeat(200_000)}`],
  ['.sgpt.json', `{title: ${'|||\n'.repeat(100_000)}`],
  ['.sgpt.json', `{title: ${'env('.repeat(100_000)}`],
  ['.sgpt.json', `{title: "a" ${'+ "b" '.repeat(100_000)}`],
  ['.sgpt.json', '/*'.repeat(400_000)],
  ['.sgpt/t.toolset', '{"a":'.repeat(200_000)],
  ['.sgpt/r.role.md', '@file("'.repeat(100_000)],
  ['.sgpt/r.role.md', '@file("a"\n'.repeat(50_000)],
  ['.sgpt/r.role.md', `@file(${'"a",'.repeat(100_000)}x)`],
  ['.sgpt/lores/l.md', `---\na: ${'['.repeat(15_000)}\n---\n`],
  ['.sgpt/lores/l.md', `---\n${'a: &a [*a,*a]\n'.repeat(500)}---\n`],
  ['.sgpt/lores/l.md', '[['.repeat(400_000)],
  ['.sgpt/lores/l.md', `${'[x]('.repeat(20_000)}\n`.repeat(10)],
  ['.sgpt/lores/l.md', '`[[x]]'.repeat(100_000)],
  ['.sgpt/lores/l.md', '[[a]]\n'.repeat(100_000)],
  ['.gitignore', `${'**/'.repeat(300)}a\n`.repeat(100)],
];

for (const [i, [file, text]] of DEEP.entries())
  test(`${file} of ${JSON.stringify(text.slice(0, 14))}… (${i}) costs little`, async () => {
    await toldOf({ 'a/b/c/x.txt': '', [file]: text });
  });

test('thousands of mentions that lead nowhere cost little beside thousands of roles', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [
      `.sgpt/role-number-${i}.role.md`,
      `@role("role-nunber-${i}x")\nx`,
    ]),
  );
  assert.ok((await toldOf(files)).length > 0);
});

test.run();
