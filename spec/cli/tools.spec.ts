/**
 * `mux tools` as scripts and people use it.
 */
// spec-timeout: 300
// spec-long
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('mux tools');

const RULES = `permissions:
  - { tool: write_file, argv: ['notes/*'], mode: allow }
  - { tool: exec_shell, argv: [touch], mode: allow }
  - { tool: '*', argv: ['secret.txt'], mode: deny }
`;

async function inProject(
  run: (home: MuxHome, call: (tool: string, args: object) => ReturnType<MuxHome['cli']>) => Promise<void>,
) {
  const home = new MuxHome({
    files: {
      'a.txt': 'one\n',
      'secret.txt': 'x\n',
      '.sgpt.json': '{}',
      '.sgpt/lores/db/locks.md': '---\ntitle: Locks\n---\nTake the lock first.\n',
    },
    config: RULES,
  });
  git(home.work, 'init', '-q');
  try {
    await run(home, (tool, args) => home.cli('tools', 'call', tool, JSON.stringify(args)));
  } finally {
    await home.end();
  }
}

test('the list has every tool with its schema as it is sent', async () => {
  await inProject(async home => {
    const { tools } = JSON.parse((await home.cli('--json', 'tools', 'list')).stdout) as {
      readonly tools: readonly {
        name: string;
        description: string;
        tier: string;
        schema: { type: string; required?: string[] };
      }[];
    };
    const names = tools.map(({ name }) => name);
    for (const name of [
      'read_files',
      'glob',
      'grep',
      'list_dir',
      'diff',
      'replace',
      'write_file',
      'exec_shell',
      'search_lores',
      'propose_lore',
    ])
      assert.ok(names.includes(name), name);
    assert.not(names.includes('fetch_url'));
    assert.ok(tools.every(({ description, schema }) => description !== '' && schema.type === 'object'));
    assert.equal(tools.find(({ name }) => name === 'diff')!.schema.required, ['path', 'diff']);
    assert.is(tools.find(({ name }) => name === 'grep')!.tier, 'read');
    assert.match((await home.cli('tools', 'list')).stdout, /^read_files\tread\tRead files as text\.$/m);
  });
});

test('what only reads runs, and what a rule allows', async () => {
  await inProject(async (home, call) => {
    assert.is(
      (await call('read_files', { paths: ['a.txt'] })).stdout,
      '==> a.txt (lines 1-1 of 1) <==\none\n',
    );
    assert.is((await call('write_file', { path: 'notes/x.md', content: 'x\n' })).status, 0);
    assert.is(readFileSync(join(home.work, 'notes/x.md'), 'utf8'), 'x\n');
    assert.is((await call('exec_shell', { command: 'touch made' })).status, 0);
    assert.match(
      (await call('search_lores', { query: 'lock' })).stdout,
      /^lores\/db\/locks: Locks\n.*\.sgpt\/lores\/db\/locks\.md/,
    );
  });
});

test('what needs a verdict is refused where nobody can give one, and so is what a rule denies', async () => {
  await inProject(async (home, call) => {
    for (const [tool, args] of [
      ['write_file', { path: 'b.txt', content: 'x' }],
      ['exec_shell', { command: 'touch x; rm a.txt' }],
      ['read_files', { paths: ['/etc/passwd'] }],
      ['read_files', { paths: ['a.txt', 'secret.txt'] }],
      ['propose_lore', { name: 'x', title: 'X', content: 'c' }],
    ] as const) {
      const { status, stderr } = await call(tool, args);
      assert.is(status, 4, `${tool} ${stderr}`);
      assert.match(stderr, /^mux: /);
    }
    assert.not(existsSync(join(home.work, 'b.txt')));
    assert.ok(existsSync(join(home.work, 'a.txt')));
  });
});

test('arguments that are none are usage errors, and a failed call is a failure', async () => {
  await inProject(async (home, call) => {
    assert.is((await home.cli('tools', 'call', 'glob', '{"pattern":')).status, 2);
    assert.is((await home.cli('tools', 'call', 'glob', '[]')).status, 2);
    assert.is((await home.cli('tools', 'call', 'glob')).status, 2);
    assert.is((await call('glob', { pattern: 7 })).status, 2);
    assert.is((await home.cli('tools', 'cal')).status, 2);
    const { status, stderr } = await call('grepp', {});
    assert.is(status, 3);
    assert.match(stderr, /did you mean grep\?/);
    assert.is((await call('read_files', { paths: ['nope'] })).status, 1);
    const failed = JSON.parse(
      (await home.cli('--json', 'tools', 'call', 'read_files', '{"paths":["nope"]}')).stdout,
    ) as { is_error: boolean };
    assert.ok(failed.is_error);
  });
});

test('what calls changed is taken back and done again, commands of the shell too', async () => {
  await inProject(async (home, call) => {
    await call('exec_shell', { command: 'touch one two' });
    const undone = await home.cli('tools', 'undo');
    assert.is(undone.status, 0, undone.stderr);
    assert.match(undone.stdout, /^taken back: shell `touch one two`\n {2}one\n {2}two\n$/);
    assert.not(existsSync(join(home.work, 'one')));
    assert.is((await home.cli('tools', 'redo')).status, 0);
    assert.ok(existsSync(join(home.work, 'two')));
    await home.cli('tools', 'undo');
    assert.is((await home.cli('tools', 'undo')).status, 3);
  });
});

test('documents and facts go through the store of the project', async () => {
  await inProject(async (home, call) => {
    await home.cli('store', 'put', 'plan', 'the plan');
    assert.is((await call('get_document', { key: 'plan' })).stdout, 'the plan\n');
    assert.is((await call('list_documents', {})).stdout, 'plan\n');
    assert.is((await call('get_document', { key: 'nope' })).status, 1);
    assert.is((await call('remember', { key: 'build', value: 'make' })).status, 4);
  });
});

test('mail without a server is a failure that says so', async () => {
  await inProject(async (_, call) => {
    const { status, stdout } = await call('read_messages', {});
    assert.is(status, 1);
    assert.match(stdout, /server/);
  });
});

test.run();
