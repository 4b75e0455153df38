import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Arguments, Tool } from '../../../lib/agent/tool.ts';
import { CodedError } from '../../../lib/base/errors.ts';
import { readToolMethods } from '../../../lib/tools/contract.ts';
import { findTools } from '../../../lib/tools/files/find-tools.ts';
import { namePattern } from '../../../lib/tools/files/pattern.ts';
import { readFilesTool } from '../../../lib/tools/files/read-files.ts';
import { Workspace } from '../../../lib/tools/files/workspace.ts';
import { call, callContext, named, realDir } from '../support.ts';

const test = suite('tools that find and read files');
const methods = readToolMethods();

async function answer(dir: string, tool: string, args: Arguments): Promise<string> {
  return (await call(await toolOf(dir, tool), args)).outcome.content;
}
async function toolOf(dir: string, name: string): Promise<Tool> {
  const workspace = await Workspace.open(dir, [], dir);
  return named([...findTools(methods, workspace), readFilesTool(methods, workspace)], name);
}

const TREE = {
  'src/a.ts': 'const one = 1;\nuse(one);\n',
  'src/deep/b.ts': 'nothing\nOne here\nend\n',
  'src/deep/c.js': 'one\n',
  'build/out.ts': 'one\n',
  'node_modules/x/i.ts': 'one\n',
  '.gitignore': 'build/\n*.log\n!keep.log\n',
  'x.log': 'one\n',
  'keep.log': 'one\n',
  'bin.dat': 'one\0',
};

test('names are found by pattern, the newest first, without what git ignores', async () => {
  const dir = realDir(TREE);
  utimesSync(join(dir, 'src/a.ts'), 5000, 5000);
  utimesSync(join(dir, 'src/deep/b.ts'), 6000, 6000);
  assert.is(await answer(dir, 'glob', { pattern: '**/*.ts' }), 'src/deep/b.ts\nsrc/a.ts');
  assert.is(await answer(dir, 'glob', { pattern: '*.log' }), 'keep.log');
  assert.is(await answer(dir, 'glob', { pattern: '*.ts', path: 'src/deep' }), 'src/deep/b.ts');
  assert.is(await answer(dir, 'glob', { pattern: '*.rs' }), 'no file matches *.rs');
});

test('patterns mean what they mean to shells', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['*.ts', 'a/b.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**/*.ts', 'src/b.ts', true],
    ['src/**', 'src/a/b', true],
    ['**/x', 'x', true],
    ['{a,b}.{js,ts}', 'b.js', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[!a]b', 'ab', false],
    ['[!a]b', 'cb', true],
    ['a.b', 'axb', false],
    ['a,b', 'a,b', true],
    ['(x)+', '(x)+', true],
    ['\\*', '*', true],
  ];
  for (const [pattern, path, wanted] of cases)
    assert.is(namePattern(pattern, 'x')(path), wanted, `${pattern} ${path}`);
  for (const bad of ['', '{a', 'x'.repeat(2000)])
    assert.throws(
      () => namePattern(bad, 'x'),
      (error: unknown) => error instanceof CodedError,
    );
});

test('text is found with its lines, and what is around it', async () => {
  const dir = realDir(TREE);
  assert.is(
    await answer(dir, 'grep', { pattern: 'one', path: 'src' }),
    'src/a.ts:1:const one = 1;\nsrc/a.ts:2:use(one);\nsrc/deep/c.js:1:one',
  );
  assert.is(
    await answer(dir, 'grep', { pattern: '^one', ignore_case: true, include: '*.ts', context_lines: 1 }),
    'src/deep/b.ts-1-nothing\nsrc/deep/b.ts:2:One here\nsrc/deep/b.ts-3-end',
  );
  assert.is(
    await answer(dir, 'grep', { pattern: 'o.e', files_only: true }),
    'keep.log\nsrc/a.ts\nsrc/deep/c.js',
  );
  assert.is(await answer(dir, 'grep', { pattern: 'one', path: 'src/deep/c.js' }), 'src/deep/c.js:1:one');
  assert.is(await answer(dir, 'grep', { pattern: 'zzz' }), 'nothing matches zzz');
});

test('matches whose surroundings meet are told once', async () => {
  const dir = realDir({ a: '1\nx\n3\nx\n5\n6\n7\n8\nx\n' });
  assert.is(
    await answer(dir, 'grep', { pattern: 'x', context_lines: 1 }),
    'a-1-1\na:2:x\na-3-3\na:4:x\na-5-5\n--\na-8-8\na:9:x',
  );
});

test('a pattern that would take for ever elsewhere is answered', async () => {
  const dir = realDir({ a: `${'a'.repeat(5000)}b\n` });
  assert.is(await answer(dir, 'grep', { pattern: '(a+)+$' }), 'nothing matches (a+)+$');
  const tool = await toolOf(dir, 'grep');
  let told = '';
  await tool.preview({ pattern: '(?=a)' }, callContext()).catch((error: Error) => (told = error.message));
  assert.ok(told.startsWith('grep: argument pattern: '));
});

test('links are not followed in a walk', async () => {
  const dir = realDir({ 'a/x.ts': 'one\n' });
  symlinkSync('..', join(dir, 'a/up'));
  symlinkSync('/etc', join(dir, 'etc'));
  assert.is(await answer(dir, 'glob', { pattern: '**' }), 'a/x.ts');
});

test('a folder is listed with sizes, and outside of the workspace it is elevated', async () => {
  const dir = realDir({ 'b/c': '', 'a.txt': '12345' });
  symlinkSync('a.txt', join(dir, 'l'));
  assert.is(await answer(dir, 'list_dir', {}), 'a.txt (5 bytes)\nb/\nl (link)');
  for (const [name, args] of [
    ['list_dir', { path: '/etc' }],
    ['glob', { pattern: '*', path: '..' }],
    ['grep', { pattern: 'x', path: '/etc/passwd' }],
    ['read_files', { paths: ['a.txt', '/etc/passwd'] }],
  ] as const) {
    const { subject } = await (await toolOf(dir, name)).preview(args, callContext());
    assert.is(subject.kind === 'words' && subject.tier, 'elevated', name);
  }
});

test('files are read one after the other, each with its name and its lines', async () => {
  const dir = realDir({ a: '1\n2\n3\n', b: 'x', empty: '' });
  assert.is(
    await answer(dir, 'read_files', { paths: ['a', 'nope', 'b', 'empty', '.'] }),
    '==> a (lines 1-3 of 3) <==\n1\n2\n3\n\n==> nope: no such file\n==> b (lines 1-1 of 1) <==\nx\n\n==> empty (empty) <==\n\n==> .: it is a directory',
  );
  assert.is(
    await answer(dir, 'read_files', { paths: 'a', first_line: 2, line_count: 1 }),
    '==> a (lines 2-2 of 3; go on with first_line 3) <==\n2\n',
  );
  assert.is(await answer(dir, 'read_files', { paths: ['a'], first_line: 9 }), '==> a: it has 3 lines');
});

test('long files and long lines are cut, and where to go on is told', async () => {
  const dir = realDir({
    long: Array.from({ length: 5000 }, (_, at) => `${at + 1}\n`).join(''),
    wide: 'x'.repeat(500_000),
  });
  const text = await answer(dir, 'read_files', { paths: ['long'] });
  assert.ok(text.startsWith('==> long (lines 1-2000 of 5000; go on with first_line 2001) <==\n1\n'));
  const wide = await answer(dir, 'read_files', { paths: ['wide'] });
  assert.ok(wide.length < 5000 && wide.includes('[496000 more]'));
});

test('binary files are named, other encodings are read and told', async () => {
  const dir = realDir({ bin: 'a\0b' });
  writeFileSync(join(dir, 'le'), Buffer.from('\ufeffhé\n', 'utf16le'));
  writeFileSync(join(dir, 'latin'), Buffer.from('hé\n', 'latin1'));
  assert.is(
    await answer(dir, 'read_files', { paths: ['bin', 'le', 'latin'] }),
    '==> bin: it is binary, 3 bytes\n==> le (lines 1-1 of 1, utf16le) <==\nhé\n\n==> latin (lines 1-1 of 1, latin1) <==\nhé\n',
  );
});

test('devices, pipes and sockets are not waited for', async () => {
  const dir = realDir();
  execFileSync('mkfifo', [join(dir, 'p')]);
  const text = await answer(dir, 'read_files', { paths: ['/dev/zero', 'p'] });
  assert.is(text, '==> /dev/zero: it is no regular file\n==> p: it is no regular file');
});

test('a link that is turned elsewhere after the look is not read', async () => {
  const dir = realDir({ a: 'mine\n' });
  const tool = await toolOf(dir, 'read_files');
  symlinkSync('a', join(dir, 'l'));
  const preview = await tool.preview({ paths: ['l'] }, callContext());
  execFileSync('ln', ['-sfn', '/etc/passwd', join(dir, 'l')]);
  const { content } = await tool.run({ paths: ['l'] }, preview, callContext());
  assert.ok(content.includes('it leads elsewhere now'));
});

test.run();
