import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph } from '../../lib/graph/types.ts';
import { ancestors, findGraphRoot } from '../../lib/watch/find-root.ts';
import { GraphTree, scanGraph } from '../../lib/watch/graph-tree.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('scanning');
const OBSERVATORY = join(import.meta.dirname, '../../../spec/fixtures/graph/observatory');
const told = (graph: Graph): string[] => graph.diagnostics.map(d => `${d.file} ${d.severity} ${d.code}`);
const selectors = (graph: Graph): string[] => graph.roles.map(r => r.selector);

test('the nearest .sgpt.json marks the root', async () => {
  const dir = tempDir({ '.sgpt.json': '', 'a/b/.sgpt.json': '{}', 'a/b/c/x': '', 'd/.sgpt.json/x': '' });
  assert.is(await findGraphRoot(join(dir, 'a/b/c')), join(dir, 'a/b'));
  assert.is(await findGraphRoot(join(dir, 'a')), dir);
  assert.is(await findGraphRoot(join(dir, 'd')), dir, 'a directory of that name is no marker');
  assert.is(await findGraphRoot(join(dir, 'not/there')), dir);
  assert.is(await findGraphRoot('/'), undefined);
  assert.equal(ancestors('/a/b'), ['/a/b', '/a', '/']);
});

test('a whole repository, without what it ignores', async () => {
  const dir = tempDir();
  cpSync(OBSERVATORY, dir, { recursive: true });
  const graph = await scanGraph(dir);
  assert.equal(told(graph), []);
  assert.equal(selectors(graph), ['//keeper', '//night', '//services/dome:dome']);
  assert.equal(
    graph.toolSets.map(t => t.selector),
    ['//almanac'],
  );
  assert.equal(
    graph.lores.map(l => l.name),
    ['lores/optics/flats', 'lores/overview'],
  );
});

test('hidden directories are walked, linked ones are not, and loops of links end', async () => {
  const dir = tempDir({ '.sgpt.json': '', '.hid/den/.sgpt/a.role.md': 'x', 'real/.sgpt/b.role.md': 'x' });
  symlinkSync('..', join(dir, 'real/loop'));
  symlinkSync('real', join(dir, 'linked'));
  mkdirSync(join(dir, 'other'));
  symlinkSync('../real/.sgpt', join(dir, 'other/.sgpt'));
  const graph = await scanGraph(dir);
  assert.equal(selectors(graph), ['//.hid/den:a', '//real:b']);
  assert.equal(told(graph), ['other/.sgpt error link']);
});

test('git, holders and nested lores are not walked', async () => {
  const dir = tempDir({
    '.sgpt.json': '',
    '.git/.sgpt/a.role.md': '',
    '.sgpt/.sgpt/a.role.md': '',
    '.sgpt/sub/a.role.md': '',
    'x/.sgpt/lores/a.md': '',
  });
  const graph = await scanGraph(dir);
  assert.equal([graph.roles, graph.lores, graph.diagnostics], [[], [], []]);
});

test('a file too large or not text is a diagnostic, and the rest stays', async () => {
  const dir = tempDir({
    '.sgpt.json': '',
    '.sgpt/a.role.md': 'x',
    '.sgpt/big.role.md': '',
    '.sgpt/bin.toolset': '\0',
  });
  truncateSync(join(dir, '.sgpt/big.role.md'), 3 * 1024 * 1024);
  const graph = await scanGraph(dir);
  assert.equal(selectors(graph), ['//a']);
  assert.equal(told(graph), ['.sgpt/big.role.md error file-size', '.sgpt/bin.toolset error not-text']);
});

test('a directory that is no root has an empty graph', async () => {
  const graph = await scanGraph(join(tempDir(), 'gone'));
  assert.equal([graph.roles, graph.toolSets, graph.lores], [[], [], []]);
});

test('what cannot be read is a diagnostic, and the rest stays', async () => {
  const dir = tempDir({
    '.sgpt.json': '',
    'closed/x/.sgpt/a.role.md': '',
    'open/.sgpt/b.role.md': 'x',
    'open/.sgpt/c.role.md': '',
    'held/.sgpt/d.role.md': '',
  });
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'closed'), 0);
  chmodSync(join(dir, 'open/.sgpt/c.role.md'), 0);
  chmodSync(join(dir, 'held/.sgpt'), 0);
  const script = `
    import { scanGraph } from ${JSON.stringify(join(import.meta.dirname, '../../lib/watch/graph-tree.js'))};
    console.log(JSON.stringify(await scanGraph(${JSON.stringify(dir)})));`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  const isRoot = process.getuid?.() === 0;
  const [command, ...args] = isRoot ? ['setpriv', '--reuid=65534', '--clear-groups', '--', ...node] : node;
  const run = spawnSync(command!, args, { encoding: 'utf8' });
  for (const path of ['closed', 'held/.sgpt']) chmodSync(join(dir, path), 0o755);
  if (run.error || run.status !== 0) {
    console.log(`skipped: reading as another user: ${run.error?.message ?? run.stderr.split('\n')[0]}`);
    return;
  }
  const graph = JSON.parse(run.stdout) as Graph;
  assert.equal(selectors(graph), ['//open:b']);
  assert.equal(told(graph), [
    'closed/ error unreadable',
    'held/.sgpt/ error unreadable',
    'open/.sgpt/c.role.md error unreadable',
  ]);
});

test('ten thousand directories are walked in seconds, and one changed place in milliseconds', async () => {
  const dir = tempDir({ '.sgpt.json': '' });
  for (let i = 0; i < 100; i++)
    for (let j = 0; j < 100; j++) mkdirSync(join(dir, `d${i}/e${j}`), { recursive: true });
  writeFileSync(join(dir, '.sgpt.json'), '{}');
  const tree = new GraphTree(dir);
  const started = performance.now();
  await tree.scan();
  const scanned = performance.now();
  assert.is(tree.size, 10_101);
  assert.ok(scanned - started < 15_000, `${scanned - started} ms`);
  mkdirSync(join(dir, 'd5/e5/.sgpt'));
  writeFileSync(join(dir, 'd5/e5/.sgpt/a.role.md'), 'x');
  const before = performance.now();
  await tree.refresh({ dirs: new Map([['d5/e5', new Set()]]), shelves: new Map(), files: new Set() });
  assert.ok(performance.now() - before < 2000);
  assert.equal(selectors(tree.graph()), ['//d5/e5:a']);
});

test('a place read again gives the same objects for what did not change', async () => {
  const dir = tempDir({
    '.sgpt.json': '',
    '.sgpt/a.role.md': 'a',
    '.sgpt/b.role.md': 'b',
    'x/.sgpt/c.role.md': 'c',
  });
  const tree = new GraphTree(dir);
  await tree.scan();
  const before = tree.graph();
  writeFileSync(join(dir, '.sgpt/b.role.md'), 'b2');
  writeFileSync(join(dir, '.sgpt/a.role.md'), 'a');
  await tree.scan();
  const after = tree.graph();
  assert.is(after.roles[0], before.roles[0], 'saved without a change');
  assert.is(after.roles[1]!.prompt, 'b2');
  assert.is(after.roles[2], before.roles[2]);
});

test('problems of the walk go when their cause goes', async () => {
  const dir = tempDir({ '.sgpt.json': '', 'a/.sgpt/x.role.md': '\0', '.sgpt/lores/y.md': '\0' });
  symlinkSync('/nowhere', join(dir, '.gitignore'));
  symlinkSync('a', join(dir, 'b'));
  const tree = new GraphTree(dir);
  await tree.scan();
  assert.equal(told(tree.graph()), ['.sgpt/lores/y.md error not-text', 'a/.sgpt/x.role.md error not-text']);
  rmSync(join(dir, 'a'), { recursive: true });
  rmSync(join(dir, '.sgpt'), { recursive: true });
  await tree.scan();
  assert.equal(told(tree.graph()), []);
});

test.run();
