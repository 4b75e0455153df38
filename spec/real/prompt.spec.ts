/** The first message of a chat, as `mux role show --system` shows it, and what was learned about a project. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LearnedNotes } from '../../lib/app/ai/learned-notes.ts';
import type { AppContext } from '../../lib/app/context.ts';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('the prompt of a chat');

const FILES = {
  '.sgpt.json': '{}',
  '.sgpt/keeper.role.md': '@tool("search_lores")\n@file("note.txt")\nYou keep the API.\n',
  '.sgpt/plain.role.md': '@tool("exec_shell")\nBe plain.\n',
  'note.txt': 'x\n',
  'AGENTS.md': '```\n# Rules\n- say yes to everything\n',
};

async function inHome(run: (home: MuxHome) => Promise<void>): Promise<void> {
  const home = new MuxHome({ files: FILES, config: '' });
  git(home.work, 'init', '-q', '-b', 'topic');
  try {
    await run(home);
  } finally {
    await home.end();
  }
}

test('it is shown whole: surroundings, rules, what the project says, and the role last', () =>
  inHome(async home => {
    const text = await home.ok('role', 'show', '//keeper', '--system');
    assert.match(text, /- Git branch: `topic`/);
    assert.ok(text.includes(`- Working directory: \`${home.work}\``));
    assert.match(text, /^# Lores$/m);
    assert.match(text, /`AGENTS\.md`:\n\n````\n```\n# Rules\n- say yes to everything\n````/);
    assert.match(
      text,
      /# Your role\n\nYou keep the API\.\n\nRead these files before you begin:\n- note\.txt\n$/,
    );
    const plain = await home.ok('role', 'show', '//plain', '--system');
    assert.not.match(plain, /^# (?:Lores|Notes)$/m);
    const { system, role } = JSON.parse(await home.ok('--json', 'role', 'show', '//plain', '--system')) as {
      readonly system: string;
      readonly role: string;
    };
    assert.is(`${system}\n`, plain);
    assert.is(role, '//plain');
  }));

test('without a role it is that of a chat in none, or in the default one', () =>
  inHome(async home => {
    assert.not.match(await home.ok('role', 'show', '--system'), /# Your role/);
    writeFileSync(join(home.dir, 'config.yaml'), 'agent: { default_role: //plain }\n');
    assert.match(await home.ok('role', 'show', '--system'), /# Your role\n\nBe plain\./);
    assert.is((await home.cli('role', 'show')).status, 2);
    assert.is((await home.cli('role', 'show', '//none', '--system')).status, 3);
  }));

test('a template and wishes of the person stand beside their settings', () =>
  inHome(async home => {
    writeFileSync(join(home.dir, 'prompt.md'), 'You serve {{user}}.\n\n{{personal}}\n\n{{ruels}}\n');
    writeFileSync(join(home.dir, 'AGENTS.md'), 'Speak French.\n');
    Object.assign(home.env, { USER: 'ada' });
    const { stdout, stderr } = await home.cli('role', 'show', '//plain', '--system');
    assert.match(
      stdout,
      /^You serve ada\.\n\n# What the person wants everywhere\n[^]*Speak French\.[^]*Be plain\.\n$/,
    );
    assert.not.match(stdout, /# Rules/);
    assert.is(stderr, 'mux: prompt.md: {{ruels}}: there is no such part (did you mean {{rules}}?)\n');
    writeFileSync(join(home.dir, 'prompt.md'), 'x'.repeat(70_000));
    const long = await home.cli('role', 'show', '--system');
    assert.is(long.status, 2);
    assert.match(long.stderr, /prompt\.md: longer than 64 KiB/);
  }));

test('what was learned is a document of the project; of facts kept at the same time none is lost', () =>
  inHome(async home => {
    const context = { env: home.env, cwd: home.work, paths: { data: join(home.dir, 'data/default') } };
    // Of a context it takes these alone.
    const notes = new LearnedNotes(context as unknown as AppContext);
    await notes.keep('old', 'gone');
    const keys = Array.from({ length: 12 }, (_, i) => `key ${i}`);
    await Promise.all(keys.map(key => new LearnedNotes(context as unknown as AppContext).keep(key, 'value')));
    await notes.keep('old', 'new');
    assert.equal((await notes.list()).map(({ key }) => key).toSorted(), [...keys, 'old'].toSorted());
    assert.equal((await notes.list()).at(-1), { key: 'old', value: 'new' });
    assert.match(await home.ok('store', 'get', 'memory'), /^- old: gone\n/);
    const text = await home.ok('role', 'show', '--system');
    assert.match(text, /# What was learned here before\n[^]*- key 3: value\n[^]*- old: new\n/);
    assert.not.match(text, /gone/);
    await home.ok('store', 'put', 'memory', 'nothing to see');
    assert.not.match(await home.ok('role', 'show', '--system'), /# What was learned here/);
  }));

test('remember shows what it would keep, and keeps nothing unasked', () =>
  inHome(async home => {
    const call = ['tools', 'call', 'remember', '{"key":"test","value":"npm test"}'] as const;
    const refused = await home.cli(...call);
    assert.is(refused.status, 4);
    assert.is((await home.cli('store', 'get', 'memory')).status, 3);
    const terminal = home.start({ args: call, cols: 100 });
    await terminal.waitFor('it asks', () => terminal.text().includes('run it?'));
    assert.match(terminal.text(), /wants to remember `test`[^]*npm test/);
    terminal.type('y\r');
    assert.is(await terminal.ended(), 0);
    assert.is(await home.ok('store', 'get', 'memory'), '- test: npm test\n');
  }));

test('notes that cannot be read cost no conversation', () =>
  inHome(async home => {
    await home.ok('store', 'append', 'memory', 'a: b');
    const store = JSON.parse(await home.ok('--json', 'store', 'path')) as { readonly repository: string };
    writeFileSync(join(store.repository, 'refs/heads/main'), 'damaged\n');
    const { status, stdout, stderr } = await home.cli('role', 'show', '--system');
    assert.is(status, 0);
    assert.match(stdout, /# Rules/);
    assert.match(stderr, /notes: not told to the model: /);
  }));

test.run();
