import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { EMPTY_GRAPH } from '../../lib/graph/types.ts';
import type { Graph } from '../../lib/graph/types.ts';
import { GraphService } from '../../lib/watch/graph-service.ts';
import type { GraphHandle } from '../../lib/watch/graph-service.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('live graphs');
/** What a person is promised, ms. */
const PROMISE_MS = 300;
const service = new GraphService();
test.after(() => service.dispose());

const write = (root: string, file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const roles = (graph: Graph): string => graph.roles.map(r => `${r.selector}=${r.prompt}`).join(' ');
const errors = (graph: Graph): string =>
  graph.diagnostics.map(d => `${d.file}:${d.line} ${d.code}`).join(' ');
const latencies: number[] = [];

/** Does something to the files and waits until the graph shows it. */
async function shows(
  what: string,
  handle: GraphHandle,
  act: () => void,
  seen: (graph: Graph) => boolean,
): Promise<void> {
  assert.not(seen(handle.graph), `${what}: shown before it was done`);
  act();
  const started = performance.now();
  await until(what, () => seen(handle.graph), {
    deadlineMs: 8000,
    describe: () =>
      `${roles(handle.graph)} | ${errors(handle.graph)} | ${handle.graph.lores.map(l => l.name).join(' ')}`,
  });
  latencies.push(performance.now() - started);
}

async function opened(files: Record<string, string>): Promise<{ root: string; handle: GraphHandle }> {
  const root = tempDir(files);
  const handle = service.open(root);
  await handle.ready;
  return { root, handle };
}

test('files added, edited, broken, mended, renamed and removed show in the graph', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '{}', '.sgpt/a.role.md': 'one', 'sub/x': '' });
  assert.is(roles(handle.graph), '//a=one');
  const path = (file: string): string => join(root, file);
  await shows(
    'edit',
    handle,
    () => write(root, '.sgpt/a.role.md', 'two'),
    g => roles(g) === '//a=two',
  );
  const added = '//a=two //b=new';
  await shows(
    'add',
    handle,
    () => write(root, '.sgpt/b.role.md', 'new'),
    g => roles(g) === added,
  );
  await shows(
    'break',
    handle,
    () => write(root, '.sgpt/a.role.md', 'x\n@oops("x")'),
    g => errors(g) === '.sgpt/a.role.md:2 unknown-directive',
  );
  assert.is(roles(handle.graph), '//b=new', 'the others stay');
  await shows(
    'mend',
    handle,
    () => write(root, '.sgpt/a.role.md', 'two'),
    g => roles(g) === added && errors(g) === '',
  );
  await shows(
    'rename',
    handle,
    () => renameSync(path('.sgpt/b.role.md'), path('.sgpt/c.role.md')),
    g => roles(g) === '//a=two //c=new',
  );
  await shows(
    'remove',
    handle,
    () => rmSync(path('.sgpt/c.role.md')),
    g => roles(g) === '//a=two',
  );
  await shows(
    'a first .sgpt',
    handle,
    () => write(root, 'sub/.sgpt/d.role.md', 'd'),
    g => roles(g) === '//a=two //sub:d=d',
  );
  await shows(
    'a new deep directory',
    handle,
    () => write(root, 'p/q/r/.sgpt/e.role.md', 'e'),
    g => roles(g).includes('//p/q/r:e=e'),
  );
  await shows(
    'a directory moved',
    handle,
    () => renameSync(path('p'), path('m')),
    g => roles(g).includes('//m/q/r:e=e') && !roles(g).includes('//p/'),
  );
  await shows(
    'edit after the move',
    handle,
    () => write(root, 'm/q/r/.sgpt/e.role.md', 'e2'),
    g => roles(g).includes('=e2'),
  );
  await shows(
    'a directory removed',
    handle,
    () => rmSync(path('m'), { recursive: true }),
    g => roles(g) === '//a=two //sub:d=d',
  );
  await shows(
    'ignored',
    handle,
    () => write(root, '.gitignore', 'sub/'),
    g => roles(g) === '//a=two',
  );
  await shows(
    'no longer ignored',
    handle,
    () => rmSync(path('.gitignore')),
    g => roles(g) === '//a=two //sub:d=d',
  );
  await shows(
    'ignored by settings',
    handle,
    () => write(root, '.sgpt.json', '{title: "T", ignore: ["sub"]}'),
    g => roles(g) === '//a=two' && g.title === 'T',
  );
  await shows(
    'a lore in a new folder',
    handle,
    () => write(root, '.sgpt/lores/x/y.md', 'body'),
    g => g.lores.length === 1,
  );
  handle.dispose();
});

test('twenty saves by rename are all seen, the last content wins', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '', '.sgpt/a.role.md': 'start' });
  for (let i = 0; i < 20; i++)
    await shows(
      `save ${i}`,
      handle,
      () => {
        write(root, '.sgpt/.a.role.md.tmp', `save ${i}`);
        renameSync(join(root, '.sgpt/.a.role.md.tmp'), join(root, '.sgpt/a.role.md'));
      },
      g => roles(g) === `//a=save ${i}`,
    );
  handle.dispose();
});

test('a .sgpt deleted and made again at once is still watched, its lore folders too', async () => {
  const { root, handle } = await opened({
    '.sgpt.json': '',
    '.sgpt/lores/d/a.md': 'x',
    '.sgpt/r.role.md': 'r',
  });
  const again = (): void => {
    rmSync(join(root, '.sgpt'), { recursive: true });
    write(root, '.sgpt/lores/d/b.md', 'x');
  };
  await shows('made again', handle, again, g => g.lores[0]?.name === 'lores/d/b' && g.roles.length === 0);
  await shows(
    'more',
    handle,
    () => write(root, '.sgpt/lores/d/c.md', 'x'),
    g => g.lores.length === 2,
  );
  await shows(
    'edit',
    handle,
    () => write(root, '.sgpt/lores/d/c.md', '---\ntitle: T\n---\n'),
    g => g.lores[1]?.title === 'T',
  );
  handle.dispose();
});

test('a file added the moment its folder shows is not missed', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '' });
  const ROUNDS = 20;
  const listening = handle.onChange(({ roles: [...shown] }) => {
    for (const { file, title } of shown)
      if (title === 'first') write(root, file.replace('first', 'second'), 'x');
  });
  for (let i = 0; i < ROUNDS; i++)
    await shows(
      `round ${i}`,
      handle,
      () => write(root, `d${i}/.sgpt/first.role.md`, 'x'),
      g => g.roles.length === 2 * (i + 1),
    );
  listening.dispose();
  handle.dispose();
});

test('many files changed at once are few changes', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '' });
  let changes = 0;
  handle.onChange(() => changes++);
  const checkout = (): void => {
    for (let i = 0; i < 200; i++) write(root, `d${i % 20}/.sgpt/r${i}.role.md`, 'x');
  };
  await shows('all', handle, checkout, g => g.roles.length === 200);
  assert.ok(changes <= 6, `${changes} changes`);
  handle.dispose();
});

test('what did not change keeps its identity, and a file saved without a change is no change', async () => {
  const { root, handle } = await opened({
    '.sgpt.json': '',
    '.sgpt/a.role.md': 'a',
    '.sgpt/b.role.md': 'b',
    '.sgpt/lores/l.md': 'x',
  });
  const before = handle.graph;
  let changes = 0;
  handle.onChange(() => changes++);
  write(root, '.sgpt/a.role.md', 'a');
  await shows(
    'edit',
    handle,
    () => write(root, '.sgpt/b.role.md', 'b2'),
    g => roles(g) === '//a=a //b=b2',
  );
  assert.is(handle.graph.roles[0], before.roles[0]);
  assert.is(handle.graph.lores, before.lores);
  assert.is(changes, 1);
  await shows(
    'a lore body',
    handle,
    () => write(root, '.sgpt/lores/l.md', 'y'),
    g => g.lores[0] !== before.lores[0],
  );
  handle.dispose();
});

test('a directory without a graph has none until one appears, and again when it goes', async () => {
  const root = mkdtempSync(join(tmpdir(), 'mux-t-'));
  mkdirSync(join(root, 'a/b'), { recursive: true });
  const handle = service.open(join(root, 'a/b'));
  assert.is(await handle.ready, EMPTY_GRAPH);
  await shows(
    'appears above',
    handle,
    () => write(root, '.sgpt.json', '{title: "outer"}'),
    g => g.title === 'outer',
  );
  await shows(
    'appears nearer',
    handle,
    () => write(root, 'a/.sgpt.json', '{title: "inner"}'),
    g => g.title === 'inner',
  );
  await shows(
    'nearer goes',
    handle,
    () => rmSync(join(root, 'a/.sgpt.json')),
    g => g.title === 'outer',
  );
  await shows(
    'all goes',
    handle,
    () => rmSync(root, { recursive: true }),
    g => g === EMPTY_GRAPH,
  );
  const again = (): void => {
    write(root, '.sgpt.json', '{title: "again"}');
    write(root, '.sgpt/a.role.md', 'x');
  };
  await shows('made again', handle, again, g => g.title === 'again' && roles(g) === '//a=x');
  await shows(
    'and watched',
    handle,
    () => write(root, '.sgpt/a.role.md', 'y'),
    g => roles(g) === '//a=y',
  );
  handle.dispose();
  rmSync(root, { recursive: true });
});

test('lores are searched and shown in the other thread', async () => {
  const { handle } = await opened({
    '.sgpt.json': '{}',
    '.sgpt/lores/a.md': '---\ntitle: A\n---\nfirst\nneedle',
    '.sgpt/lores/b.md': 'x',
  });
  const [hit, ...rest] = await handle.search('NEEDLE', 10);
  assert.equal(rest, []);
  assert.equal(hit, { name: 'lores/a', matchCount: 1, snippets: [{ line: 5, text: 'needle' }] });
  assert.equal((await handle.preview('lores/a', 40)).map(plain), ['first', 'needle']);
  const code = async (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
  assert.is(await code(handle.search('(', 1)), 'usage');
  assert.is(await code(handle.preview('lores/c', 40)), 'not_found');
  handle.dispose();
  const none = service.open(tempDir());
  assert.equal(await none.search('x', 1), []);
  assert.is(await code(none.preview('etc/passwd', 40)), 'not_found');
  none.dispose();
});

test('the lores with a link to one are found, by whatever kind of link', async () => {
  const { handle } = await opened({
    '.sgpt.json': '{}',
    '.sgpt/lores/db/locks.md': 'x [[db/locks]]',
    '.sgpt/lores/a.md': 'see [[db/locks]]\n',
    '.sgpt/lores/db/b.md': '\nsee [it](locks.md), and `[[a]]`\n',
  });
  const found = await handle.backlinks('lores/db/locks');
  assert.equal(
    found.map(({ name, snippets }) => [name, snippets[0]?.line]),
    [
      ['lores/a', 1],
      ['lores/db/b', 2],
    ],
  );
  assert.equal(await handle.backlinks('lores/a'), []);
  assert.equal(await handle.backlinks('lores/gone'), []);
  handle.dispose();
});

test('imported lores are listed, searched, shown and linked under the name they have here', async () => {
  const shared = tempDir({
    '.sgpt.json': '',
    '.sgpt/lores/style.md': '---\ntitle: Style\n---\nPlain words. [[more]]',
    '.sgpt/lores/more.md': 'x',
  });
  const { handle } = await opened({
    '.sgpt.json': JSON.stringify({ imports: [{ name: 'core', path: shared }] }),
    '.sgpt/lores/a.md': 'See [[@core//lores/style]] and [[b]], [[b]] and [[gone]].',
    '.sgpt/lores/b.md': 'x',
  });
  const named = handle.graph.imported.map(lore => `${lore.name} ${lore.file}`);
  assert.equal(
    named,
    ['more', 'style'].map(name => `@core//lores/${name} ${shared}/.sgpt/lores/${name}.md`),
  );
  assert.equal(
    (await handle.search('plain', 9)).map(hit => hit.name),
    ['@core//lores/style'],
  );
  assert.equal((await handle.preview('@core//lores/style', 20)).map(plain), ['Plain words. [[more]]']);
  const linked = async (name: string): Promise<string[]> =>
    (await handle.links(name)).map(hit => `${hit.name} ${hit.matchCount}`);
  assert.equal(await linked('lores/a'), ['@core//lores/style 1', 'lores/b 2']);
  assert.equal(await linked('@core//lores/style'), ['@core//lores/more 1']);
  assert.equal(await linked('lores/gone'), []);
  const [first] = handle.graph.imported;
  await shows(
    'a change of an imported lore',
    handle,
    () => write(shared, '.sgpt/lores/style.md', 'other'),
    g => g.imported[1]?.title === 'style',
  );
  assert.is(handle.graph.imported[0], first, 'what did not change is the same object');
  handle.dispose();
});

test('a role is told as it is on the disk, in paths from where the agent starts, watched or not', async () => {
  const root = tempDir({
    '.sgpt.json': '{}',
    '.sgpt/a.role.md': '@file("docs/...")\n@file("~/x.md")\n@role("//gone")\nOne.\n',
    'sub/x': '',
  });
  const text = async (): Promise<readonly string[]> =>
    (await service.role(join(root, 'sub'), 'a')).text.split('\n').filter(line => !line.includes('x.md'));
  assert.equal(await text(), [
    'One.',
    '',
    'Read these files before you begin:',
    '- ../docs: everything in it and below',
  ]);
  assert.match((await service.role(root, 'a')).warnings.join(), /a\.role\.md:3: @role\("\/\/gone"\)/);
  write(root, '.sgpt/a.role.md', 'Two.\n');
  assert.equal(await text(), ['Two.']);
  const wrong = await service.role(root, 'b').catch((error: Error) => error);
  assert.match((wrong as Error).message, /role b: /);
  const nowhere = await service.role('/', 'a').catch((error: Error) => error);
  assert.match((nowhere as Error).message, /no \.sgpt\.json/);
});

test('a file of a role that appears later, or goes, is seen', async () => {
  const { root, handle } = await opened({
    '.sgpt.json': '{}',
    '.sgpt/a.role.md': '@file("docs/x.md")\nA.\n',
  });
  assert.match(errors(handle.graph), /missing-file/);
  const isMissing = (graph: Graph): boolean => errors(graph).includes('missing-file');
  await shows(
    'file made',
    handle,
    () => write(root, 'docs/x.md', ''),
    graph => !isMissing(graph),
  );
  await shows('file removed', handle, () => rmSync(join(root, 'docs/x.md')), isMissing);
  handle.dispose();
});

test('settings of folders above and of imported graphs count live', async () => {
  const top = tempDir({
    'in/.sgpt.json': '{}',
    'in/.sgpt/a.role.md': '@role("@shared//base")\nA.\n',
    'shared/.sgpt.json': '{}',
  });
  const handle = service.open(join(top, 'in'));
  await handle.ready;
  const broken = (graph: Graph): boolean => errors(graph).includes('a.role.md:1');
  assert.ok(broken(handle.graph));
  const imports = JSON.stringify({ imports: [{ name: 'shared', path: join(top, 'shared') }] });
  write(top, '.sgpt.json', imports);
  await until('the import of the outer settings', () => !errors(handle.graph).includes('unknown-import'));
  await shows(
    'role in the imported graph',
    handle,
    () => write(top, 'shared/.sgpt/base.role.md', 'B.\n'),
    graph => !broken(graph),
  );
  handle.dispose();
});

test('a renderer is loaded in the other thread', async () => {
  const module = tempDir({
    'r.mjs': 'export const renderMarkdown = (text, width) => [[{ text: `${width}:${text}` }]];',
  });
  const own = new GraphService({ renderer: `file://${module}/r.mjs` });
  const handle = own.open(tempDir({ '.sgpt.json': '', '.sgpt/lores/a.md': 'body' }));
  assert.equal(await handle.preview('lores/a', 7), [[{ text: '7:body' }]]);
  own.dispose();
});

test('a pattern that takes others for ever is answered, and one that RE2 refuses is told', async () => {
  const { handle } = await opened({ '.sgpt.json': '', '.sgpt/lores/a.md': 'a'.repeat(60) + '!' });
  assert.equal(await handle.search('^(a+)+b$', 10), []);
  assert.is((await handle.search('a!', 10, 'relevance')).length, 1);
  const error = await handle.search('(?=a)', 10).catch((e: { code: string; message: string }) => e);
  assert.is((error as { code: string }).code, 'usage');
  handle.dispose();
});

test('one directory is one graph however often it is opened, and nothing stays behind', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '', '.sgpt/a.role.md': 'x', 'sub/x': '' });
  const size = service.size;
  for (let i = 0; i < 50; i++) {
    const other = service.open(root);
    other.onChange(() => undefined);
    assert.is(other.graph, handle.graph);
    other.dispose();
    other.dispose();
  }
  const sub = service.open(join(root, 'sub'));
  assert.is(await sub.ready, handle.graph, 'a directory below shares the graph');
  assert.is(service.size, size + 1);
  sub.dispose();
  assert.is(service.size, size);
  handle.dispose();
  assert.is(service.size, size - 1);
});

test('a disposed handle hears nothing more', async () => {
  const { root, handle } = await opened({ '.sgpt.json': '' });
  const other = service.open(root);
  let heard = 0;
  handle.onChange(() => heard++);
  handle.dispose();
  await shows(
    'edit',
    other,
    () => write(root, '.sgpt/a.role.md', 'x'),
    g => roles(g) === '//a=x',
  );
  assert.is(heard, 0);
  other.dispose();
});

test('changes showed as soon as promised', () => {
  const sorted = latencies.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  // The median, since a shared machine may stall any one of them.
  assert.ok(median < PROMISE_MS, `median ${median} of ${sorted.map(ms => Math.round(ms)).join(' ')}`);
});

test.run();
