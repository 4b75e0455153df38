import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Arguments } from '../../../lib/agent/tool.ts';
import { CodedError } from '../../../lib/base/errors.ts';
import { systemClock } from '../../../lib/base/clock.ts';
import { Git } from '../../../lib/git/run.ts';
import { Checkpoints } from '../../../lib/tools/checkpoints/checkpoints.ts';
import { readToolMethods } from '../../../lib/tools/contract.ts';
import { editTools } from '../../../lib/tools/files/edit-tool.ts';
import { Workspace } from '../../../lib/tools/files/workspace.ts';
import { Jobs } from '../../../lib/tools/shell/jobs.ts';
import { shellTools } from '../../../lib/tools/shell/shell-tools.ts';
import { call, named, realDir } from '../support.ts';

const test = suite('checkpoints');
const methods = readToolMethods();

interface Scene {
  readonly dir: string;
  readonly points: Checkpoints;
  readonly troubles: string[];
  run(tool: string, args: Arguments): Promise<string>;
  read(file: string): string;
  sh(command: string): string;
}

async function scene(files: Readonly<Record<string, string>> = {}, isRepository = true): Promise<Scene> {
  const dir = realDir(files);
  const sh = (command: string): string =>
    execFileSync('bash', ['-c', command], { cwd: dir, encoding: 'utf8' });
  if (isRepository)
    sh(
      'git init -q && git config user.email a@b && git config user.name n && git add -A && git commit -qm one --allow-empty',
    );
  const troubles: string[] = [];
  const points = new Checkpoints({
    git: new Git({ env: process.env, clock: systemClock }),
    clock: systemClock,
    dir: realDir(),
    root: dir,
    onTrouble: text => void troubles.push(text),
  });
  const workspace = await Workspace.open(dir, [], dir);
  const jobs = new Jobs(systemClock);
  const tools = [
    ...editTools(methods, workspace, points),
    ...shellTools(methods, { workspace, env: process.env, clock: systemClock, jobs, keeper: points }),
  ];
  return {
    dir,
    points,
    troubles,
    sh,
    run: async (tool, args) => (await call(named(tools, tool), args)).outcome.content,
    read: file => readFileSync(join(dir, file), 'utf8'),
  };
}

for (const isRepository of [true, false])
  test(`what a command of the shell did is taken back and done again, ${isRepository ? 'in' : 'without'} a repository`, async () => {
    const { dir, points, run, read, troubles } = await scene(
      { 'a.txt': 'one\r\n', 'b/c.txt': 'two\n', 'run.sh': '#\n' },
      isRepository,
    );
    chmodSync(join(dir, 'run.sh'), 0o700);
    await run('exec_shell', {
      command:
        'echo more >> a.txt; rm -r b; rm run.sh; ln -s a.txt link; mkdir -p n/m; echo new > n/m/x; echo €',
    });
    assert.equal(troubles, []);
    const { paths } = await points.undo();
    assert.is(paths.length, 5);
    assert.is(read('a.txt'), 'one\r\n');
    assert.is(read('b/c.txt'), 'two\n');
    assert.is(statSync(join(dir, 'run.sh')).mode & 0o777, 0o700);
    assert.not(existsSync(join(dir, 'link')) || existsSync(join(dir, 'n/m/x')));
    await points.redo();
    assert.is(read('a.txt'), 'one\r\nmore\n');
    assert.not(existsSync(join(dir, 'b/c.txt')));
    assert.ok(lstatSync(join(dir, 'link')).isSymbolicLink());
    assert.is(readlinkSync(join(dir, 'link')), 'a.txt');
    assert.is(read('n/m/x'), 'new\n');
  });

test('neither the index nor the objects nor the references of the repository are touched', async () => {
  const { run, sh, points } = await scene({ a: 'one\n' });
  sh('echo staged > s; git add s; echo two > a');
  const look =
    'git status --porcelain; git for-each-ref; git stash list; git count-objects -v; sha256sum .git/index';
  const before = sh(look);
  await run('exec_shell', { command: 'echo x > y' });
  await points.undo();
  assert.is(sh(look), before);
});

test('what file tools did is taken back, in a folder that git ignores too', async () => {
  const { run, read, points, dir } = await scene({
    '.gitignore': 'out/\n',
    'out/x': 'one\n',
    'm.txt': 'a\n',
  });
  chmodSync(join(dir, 'out/x'), 0o640);
  await run('write_file', { path: 'out/x', content: 'two\n' });
  await run('diff', { path: 'm.txt', diff: '--- a/m.txt\n+++ b/moved.txt\n@@\n-a\n+b\n' });
  await run('write_file', { path: 'new.txt', content: 'x' });
  assert.is((await points.journal()).entries.length, 3);
  await points.undo();
  assert.not(existsSync(join(dir, 'new.txt')));
  await points.undo();
  assert.is(read('m.txt'), 'a\n');
  assert.not(existsSync(join(dir, 'moved.txt')));
  await points.undo();
  assert.is(read('out/x'), 'one\n');
  assert.is(statSync(join(dir, 'out/x')).mode & 0o777, 0o640);
  let told = '';
  await points.undo().catch((error: CodedError) => (told = error.message));
  assert.is(told, 'undo: there is nothing to take back');
});

test('what somebody has changed since is not overwritten, unless they say so', async () => {
  const { run, read, points, dir } = await scene({ a: 'one\n', b: 'one\n' });
  await run('exec_shell', { command: 'echo two > a; echo two > b' });
  writeFileSync(join(dir, 'b'), 'mine\n');
  let told = '';
  await points.undo().catch((error: CodedError) => (told = `${error.code} ${error.message}`));
  assert.is(told, `refused undo: changed since: ${dir}/b`);
  assert.is(read('a'), 'two\n');
  await points.undo(true);
  assert.is(read('b'), 'one\n');
});

test('a new call ends what could be done again', async () => {
  const { run, points } = await scene({ a: 'one\n' });
  await run('write_file', { path: 'a', content: 'two\n' });
  await points.undo();
  await run('write_file', { path: 'a', content: 'three\n' });
  let told = '';
  await points.redo().catch((error: CodedError) => (told = error.message));
  assert.is(told, 'redo: there is nothing to do again');
});

test('calls that change nothing are not noted, and reading ones not looked at', async () => {
  const { run, points } = await scene({ a: 'one\n' });
  await run('exec_shell', { command: 'cat a' });
  await run('exec_shell', { command: 'touch a; true > /dev/null' });
  await run('write_file', { path: 'a', content: 'one\n' });
  assert.equal((await points.journal()).entries, []);
});

test('a command that fails or is ended is noted with what it did', async () => {
  const { run, read, points } = await scene({ a: 'one\n' });
  await run('exec_shell', { command: 'echo two > a; exit 7' });
  await run('exec_shell', { command: 'echo three > a; sleep 60', timeout_seconds: 1 });
  await points.undo();
  assert.is(read('a'), 'two\n');
  await points.undo();
  assert.is(read('a'), 'one\n');
});

test('attributes and filters of the repository change no byte of what is put back', async () => {
  const { run, read, sh, points } = await scene({
    '.gitattributes': '*.txt text eol=lf filter=evil\n',
    'a.txt': 'x\r\n$Id$\r\n',
  });
  sh('git config filter.evil.clean "touch ran; cat"; git config filter.evil.smudge "touch ran; cat"');
  await run('exec_shell', { command: 'echo gone > a.txt' });
  await points.undo();
  assert.is(read('a.txt'), 'x\r\n$Id$\r\n');
  assert.not(sh('ls').includes('ran'));
});

test('a folder that became a link is not written through', async () => {
  const outside = realDir();
  const { run, sh, points } = await scene({ 'd/a': 'one\n' });
  await run('exec_shell', { command: 'rm d/a' });
  sh(`rmdir d; ln -s ${outside} d`);
  let told = '';
  await points.undo().catch((error: CodedError) => (told = error.message));
  assert.ok(told.includes('its folder is a link by now'), told);
  assert.not(existsSync(join(outside, 'a')));
});

test('without git a call runs all the same, and it is told', async () => {
  const dir = realDir({ a: 'one\n' });
  const troubles: string[] = [];
  const git = new Git({ env: process.env, clock: systemClock, program: '/nowhere/git' });
  const points = new Checkpoints({
    git,
    clock: systemClock,
    dir: realDir(),
    root: dir,
    onTrouble: text => void troubles.push(text),
  });
  const outcome = await points.around(
    { id: 'x', tool: 'exec_shell', header: 'h', touched: { what: 'workspace' } },
    async () => ({ content: 'ran', isError: false }),
  );
  assert.is(outcome.content, 'ran');
  assert.ok(troubles[0]!.startsWith('exec_shell: it cannot be taken back: '));
});

test('only so many calls can be taken back', async () => {
  const { run, points } = await scene({ a: '0\n' });
  for (let at = 1; at <= 53; at++) await run('write_file', { path: 'a', content: `${at}\n` });
  const { entries, cursor } = await points.journal();
  assert.is(entries.length, 50);
  assert.is(cursor, 50);
  assert.is(entries[0]!.number, 4);
});

test.run();
