import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Tool } from '../../../lib/agent/tool.ts';
import { readToolMethods } from '../../../lib/tools/contract.ts';
import { editTools } from '../../../lib/tools/files/edit-tool.ts';
import { Workspace } from '../../../lib/tools/files/workspace.ts';
import { call, callContext, named, realDir } from '../support.ts';

const test = suite('tools that change files');
const methods = readToolMethods();

async function tools(
  dir: string,
  roots: readonly string[] = [],
): Promise<{ diff: Tool; replace: Tool; write: Tool }> {
  const list = editTools(methods, await Workspace.open(dir, roots, dir));
  return { diff: named(list, 'diff'), replace: named(list, 'replace'), write: named(list, 'write_file') };
}

const read = (dir: string, file: string): string => readFileSync(join(dir, file), 'utf8');

test('a diff is shown with true line numbers before, and done as it was shown', async () => {
  const dir = realDir({ 'src/a.ts': '1\n2\n3\n4\n5\n6\n7\n8\nend \n' });
  const { diff } = await tools(dir);
  const { preview, outcome } = await call(diff, {
    path: 'src/a.ts',
    diff: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n 8\n-end\n+END\n',
  });
  assert.is(preview.header, 'edited `src/a.ts`');
  assert.is(preview.diff, '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-end \n+END\n');
  assert.equal(preview.subject, { kind: 'words', words: ['src/a.ts'], tier: 'write' });
  assert.not(outcome.isError);
  assert.is(read(dir, 'src/a.ts'), '1\n2\n3\n4\n5\n6\n7\n8\nEND\n');
});

test('other spellings of the same path are no new name', async () => {
  const dir = realDir({ 'services/x.ts': 'a\n', 'b/y.ts': 'a\n' });
  const { diff } = await tools(join(dir, 'services'), [dir]);
  for (const [path, head] of [
    [join(dir, 'services/x.ts'), '--- a/services/x.ts\n+++ b/services/x.ts'],
    [join(dir, 'services/x.ts'), '+++ b/x.ts'],
    ['x.ts', '--- a/services/x.ts\n+++ b/services/x.ts'],
    ['./x.ts', '--- x.ts\n+++ x.ts\t2026-01-01'],
    ['../services/x.ts', `--- ${dir}/services/x.ts\n+++ ${dir}/services/x.ts`],
    ['../b/y.ts', '--- b/y.ts\n+++ b/y.ts'],
  ] as const) {
    const preview = await diff.preview({ path, diff: `${head}\n@@\n-a\n+b\n` }, callContext());
    assert.ok(preview.header.startsWith('edited'), `${path} ${head}: ${preview.header} ${preview.trouble}`);
  }
});

test('a new name moves the file with its mode, and takes nobody else’s place', async () => {
  const dir = realDir({ 'src/a.sh': 'a\n', 'src/taken.sh': 'x\n' });
  chmodSync(join(dir, 'src/a.sh'), 0o750);
  const { diff } = await tools(dir);
  const taken = await call(diff, {
    path: 'src/a.sh',
    diff: '--- a/src/a.sh\n+++ b/src/taken.sh\n@@\n-a\n+b\n',
  });
  assert.ok(taken.preview.trouble!.includes('there is a file of that name'));
  assert.ok(taken.outcome.isError);
  const { preview } = await call(diff, {
    path: 'src/a.sh',
    diff: '--- a/src/a.sh\n+++ b/bin/b.sh\n@@\n-a\n+b\n',
  });
  assert.is(preview.header, 'renamed `src/a.sh` → `bin/b.sh`');
  assert.equal(preview.subject.kind === 'words' && preview.subject.words, ['src/a.sh', 'bin/b.sh']);
  assert.not(existsSync(join(dir, 'src/a.sh')));
  assert.is(read(dir, 'bin/b.sh'), 'b\n');
  assert.is(statSync(join(dir, 'bin/b.sh')).mode & 0o777, 0o750);
});

test('a file is created with its folders, and deleted', async () => {
  const dir = realDir();
  const { diff } = await tools(dir);
  const made = await call(diff, {
    path: 'x/y/z.txt',
    diff: '--- /dev/null\n+++ b/x/y/z.txt\n@@\n+one\n+two\n',
  });
  assert.is(made.preview.header, 'created `x/y/z.txt`');
  assert.is(made.preview.diff, '--- /dev/null\n+++ b/x/y/z.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n');
  assert.is(read(dir, 'x/y/z.txt'), 'one\ntwo\n');
  const again = await call(diff, { path: 'x/y/z.txt', diff: '--- /dev/null\n+++ b/x/y/z.txt\n@@\n+one\n' });
  assert.ok(again.preview.trouble!.includes('it is there already'));
  const gone = await call(diff, { path: 'x/y/z.txt', diff: '--- a/x/y/z.txt\n+++ /dev/null\n' });
  assert.is(gone.preview.header, 'deleted `x/y/z.txt`');
  assert.not(existsSync(join(dir, 'x/y/z.txt')));
});

test('a file that changes between look and run is left alone', async () => {
  const dir = realDir({ a: 'one\n' });
  for (const { tool, args } of [
    { tool: (await tools(dir)).replace, args: { path: 'a', patches: [{ search: 'one', replace: 'two' }] } },
    { tool: (await tools(dir)).write, args: { path: 'a', content: 'mine\n' } },
    { tool: (await tools(dir)).diff, args: { path: 'a', diff: '--- a/a\n+++ /dev/null\n' } },
  ]) {
    writeFileSync(join(dir, 'a'), 'one\n');
    const preview = await tool.preview(args, callContext());
    writeFileSync(join(dir, 'a'), 'one\nmore\n');
    const outcome = await tool.run(args, preview, callContext());
    assert.ok(outcome.isError && outcome.content.includes('nothing was done'), outcome.content);
    assert.is(read(dir, 'a'), 'one\nmore\n');
    assert.is.not((await tool.preview(args, callContext())).basis, preview.basis);
  }
});

test('a link that is turned elsewhere between look and run is not followed', async () => {
  const dir = realDir({ 'in/a': 'one\n' });
  const outside = realDir({ a: 'one\n' });
  const { write } = await tools(dir);
  const args = { path: 'in/a', content: 'two\n' };
  const preview = await write.preview(args, callContext());
  execFileSync('bash', ['-c', `rm -r in && ln -s ${outside} in`], { cwd: dir });
  const outcome = await write.run(args, preview, callContext());
  assert.ok(outcome.isError);
  assert.is(read(outside, 'a'), 'one\n');
});

test('what leads out of the workspace is elevated and says so, links and all', async () => {
  const outside = realDir({ a: 'x\n' });
  const dir = realDir();
  symlinkSync(outside, join(dir, 'link'));
  symlinkSync(join(outside, 'new'), join(dir, 'dangling'));
  const { write } = await tools(dir);
  for (const path of ['link/a', 'link/b/c', 'dangling', '../x', join(outside, 'a'), `${dir}/../y`]) {
    const { subject, body } = await write.preview({ path, content: 'y' }, callContext());
    assert.is(subject.kind === 'words' && subject.tier, 'elevated', path);
    assert.ok(body!.startsWith('Outside of the workspace'), path);
  }
  const inside = await tools(dir, [outside]);
  const { subject } = await inside.write.preview({ path: 'link/a', content: 'y' }, callContext());
  assert.is(subject.kind === 'words' && subject.tier, 'write');
});

test('hooks of the repository and start-up files are elevated inside the workspace too, and the system is destructive', async () => {
  const { write } = await tools(realDir());
  const tier = async (path: string): Promise<unknown> => {
    const { subject } = await write.preview({ path, content: 'y' }, callContext());
    return subject.kind === 'words' && subject.tier;
  };
  assert.is(await tier('.git/hooks/pre-commit'), 'elevated');
  assert.is(await tier('.envrc'), 'elevated');
  assert.is(await tier('/etc/passwd.new'), 'destructive');
});

test('encoding, line ends, mark and mode of a file stay', async () => {
  const dir = realDir();
  const { replace, write } = await tools(dir);
  const bytes = {
    crlf: Buffer.from('one\r\ntwo\r\n'),
    mark: Buffer.from('\ufeffone\ntwo\n'),
    le: Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le'),
    be: Buffer.from('\ufeffone\ntwo\n', 'utf16le').swap16(),
    latin: Buffer.from('one\ntwo é\n', 'latin1'),
    mixed: Buffer.from('one\r\ntwo\nthree\r\n'),
  };
  for (const [name, content] of Object.entries(bytes)) {
    writeFileSync(join(dir, name), content, { mode: 0o640 });
    chmodSync(join(dir, name), 0o640);
    const { outcome } = await call(replace, { path: name, patches: [{ search: 'one', replace: 'once' }] });
    assert.not(outcome.isError, outcome.content);
    const kind = { le: 'utf16le', be: 'utf16be', latin: 'latin1' }[name] ?? 'utf8';
    const back = readFileSync(join(dir, name));
    const text =
      kind === 'utf16be'
        ? Buffer.from(back).swap16().toString('utf16le')
        : back.toString(kind as BufferEncoding);
    const before =
      kind === 'utf16be'
        ? Buffer.from(content).swap16().toString('utf16le')
        : content.toString(kind as BufferEncoding);
    assert.is(text, before.replace('one', 'once'), name);
    assert.is(statSync(join(dir, name)).mode & 0o777, 0o640);
  }
  const { outcome } = await call(write, { path: 'latin', content: '漢' });
  assert.ok(outcome.isError && outcome.content.includes('encoding of one byte'));
  await call(write, { path: 'crlf', content: 'x\ny\n' });
  assert.is(read(dir, 'crlf'), 'x\r\ny\r\n');
});

test('what is no text file is told, and nothing waits for a pipe', async () => {
  const dir = realDir({ bin: 'a\0b', dir: '' });
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  mkdirSync(join(dir, 'folder'));
  const { write } = await tools(dir);
  for (const [path, why] of [
    ['bin', 'binary'],
    ['pipe', 'no regular file'],
    ['folder', 'a directory'],
    ['/dev/zero', 'no regular file'],
  ] as const) {
    let told = '';
    await write
      .preview({ path, content: 'x' }, callContext())
      .catch((error: Error) => (told = error.message));
    assert.ok(told.includes(why), `${path}: ${told}`);
  }
});

test('a read-only file is not replaced, and nothing is left beside files', async () => {
  if (process.getuid?.() === 0) return;
  const dir = realDir({ a: 'one\n' });
  chmodSync(join(dir, 'a'), 0o444);
  const { write } = await tools(dir);
  const { outcome } = await call(write, { path: 'a', content: 'two\n' });
  assert.ok(outcome.isError && outcome.content.includes('read-only'));
  assert.equal(readdirSync(dir), ['a']);
});

test('a link within the workspace stays one, and its file changes', async () => {
  const dir = realDir({ 'real.txt': 'a\n' });
  symlinkSync('real.txt', join(dir, 'link.txt'));
  const { write } = await tools(dir);
  await call(write, { path: 'link.txt', content: 'b\n' });
  assert.is(read(dir, 'real.txt'), 'b\n');
  assert.is(execFileSync('readlink', [join(dir, 'link.txt')]).toString(), 'real.txt\n');
  assert.equal(readdirSync(dir).sort(), ['link.txt', 'real.txt']);
});

test('names with signs of Markdown and of terminals are shown harmless', async () => {
  const { write } = await tools(realDir());
  const { header, diff } = await write.preview({ path: 'a`\u001b[2J\nb', content: 'x\n' }, callContext());
  assert.is(header, 'created `` a`^[[2J^Jb ``');
  assert.ok(diff!.startsWith('--- /dev/null\n+++ b/a`^[[2J^Jb\n@@'));
});

test.run();
