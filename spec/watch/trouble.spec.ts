import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { GraphService } from '../../lib/watch/graph-service.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('live graphs in trouble');
const LIB = join(import.meta.dirname, '../../lib/watch/graph-service.js');
const UNTIL = join(import.meta.dirname, '../support/until.js');

/** Runs a module text in a process of its own; `service` and `until` are at hand. */
function run(
  body: string,
  wrapper: string[] = [],
): { status: number | null; stdout: string; stderr: string } {
  const script = `
    import fs from 'node:fs';
    import { GraphService } from ${JSON.stringify(LIB)};
    import { until } from ${JSON.stringify(UNTIL)};
    const service = new GraphService();
    ${body}`;
  const argv = [...wrapper, process.execPath, '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(argv[0]!, argv.slice(1), {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { code: string }) => error.code,
  );

test('the thread ends with the process and does not keep it alive', () => {
  const root = tempDir({ '.sgpt.json': '', '.sgpt/a.role.md': 'x' });
  const { status, stdout } = run(`
    const handle = service.open(${JSON.stringify(root)});
    handle.onChange(() => {});
    console.log((await handle.ready).roles.length);`);
  assert.equal([status, stdout], [0, '1\n']);
});

test('where the system has no watches left, changes show by looking now and then, and that is said', () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}/x`, '']));
  const root = tempDir({ ...files, '.sgpt.json': '', '.sgpt/a.role.md': 'one' });
  // A user namespace has limits of its own: 20 watches, in this process only.
  const limit = [
    'unshare',
    '-Ur',
    'sh',
    '-c',
    'echo 20 > /proc/sys/user/max_inotify_watches && exec "$@"',
    '-',
  ];
  if (spawnSync(limit[0]!, [...limit.slice(1), 'true']).status !== 0) {
    console.log('skipped: running out of watches: no user namespaces here');
    return;
  }
  const { status, stdout, stderr } = run(
    `
    const handle = service.open(${JSON.stringify(root)});
    const first = await handle.ready;
    console.log(first.roles[0].prompt, first.diagnostics.map(d => d.code).join());
    fs.writeFileSync(${JSON.stringify(join(root, '.sgpt/a.role.md'))}, 'two');
    await until('the change', () => handle.graph.roles[0].prompt === 'two');
    console.log('seen', handle.graph.diagnostics.length);`,
    limit,
  );
  assert.is(stderr, '');
  assert.equal([status, stdout], [0, 'one polling\nseen 1\n']);
});

test('a directory that becomes readable is read', () => {
  const root = tempDir({ '.sgpt.json': '', 'closed/.sgpt/a.role.md': 'x' });
  for (const dir of ['.', 'closed']) chmodSync(join(root, dir), 0o777);
  const drop = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups', '--'] : [];
  if (drop.length > 0 && spawnSync(drop[0]!, [...drop.slice(1), 'true']).status !== 0) {
    console.log('skipped: a directory that becomes readable: no setpriv here');
    return;
  }
  const { stdout, stderr } = run(
    `
    const dir = ${JSON.stringify(join(root, 'own'))};
    fs.mkdirSync(dir + '/.sgpt', { recursive: true });
    fs.writeFileSync(dir + '/.sgpt/b.role.md', 'x');
    fs.chmodSync(dir, 0);
    const handle = service.open(${JSON.stringify(root)});
    await handle.ready;
    console.log(handle.graph.diagnostics.map(d => d.file + ' ' + d.code).join());
    fs.chmodSync(dir, 0o755);
    await until('the role', () => handle.graph.roles.length === 2);
    console.log(handle.graph.diagnostics.length);`,
    drop,
  );
  assert.is(stderr, '');
  assert.is(stdout, 'own/ unreadable\n0\n');
});

test('a thread that dies is started again, the last graph stays; one that keeps dying is given up with a word', async () => {
  const module = tempDir({ 'die.mjs': 'export const renderMarkdown = () => process.exit(3);' });
  const service = new GraphService({ renderer: `file://${module}/die.mjs` });
  const handle = service.open(tempDir({ '.sgpt.json': '', '.sgpt/lores/a.md': 'body' }));
  await handle.ready;
  assert.is(await codeOf(handle.preview('lores/a', 10)), 'failed');
  assert.is(handle.graph.lores.length, 1);
  assert.is((await handle.search('body', 1)).length, 1, 'started again');
  for (let i = 0; i < 4; i++) assert.is(await codeOf(handle.preview('lores/a', 10)), 'failed');
  assert.equal(
    handle.graph.diagnostics.map(d => d.code),
    ['not-watched'],
  );
  assert.is(handle.graph.lores.length, 1);
  assert.is((await handle.search('body', 1)).length, 1, 'a new wish tries again');
  await until('the notice goes', () => handle.graph.diagnostics.length === 0);
  service.dispose();
});

test('a thread that hangs is noticed and replaced', async () => {
  const hang =
    'export const renderMarkdown = () => { setImmediate(() => { for (;;); }); return [[{ text: "ok" }]]; };';
  const module = tempDir({ 'hang.mjs': hang });
  const clock = new ManualClock();
  const service = new GraphService({ renderer: `file://${module}/hang.mjs`, clock });
  const handle = service.open(tempDir({ '.sgpt.json': '', '.sgpt/lores/a.md': 'body' }));
  await handle.ready;
  assert.is((await handle.preview('lores/a', 10)).length, 1);
  for (let i = 0; i < 6; i++) clock.advance(5000);
  // The hanging thread could never answer.
  assert.is((await handle.search('body', 1)).length, 1);
  service.dispose();
});

test('calls to a service that is gone, or too many at once, are refused', async () => {
  const service = new GraphService();
  const handle = service.open(tempDir({ '.sgpt.json': '', '.sgpt/lores/a.md': 'body' }));
  await handle.ready;
  const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(handle.search('body', 1))));
  assert.is(codes.filter(code => code === 'none').length, 64);
  assert.is(codes.filter(code => code === 'failed').length, 36);
  service.dispose();
  assert.is(await codeOf(handle.search('body', 1)), 'failed');
});

test.run();
