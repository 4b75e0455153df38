/**
 * The graph from the command line, as scripts and people use it: what is looked at, and what is written.
 */
import { spawnSync } from 'node:child_process';
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
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome, type CliResult } from '../support/mux.ts';

const test = suite('the graph from the command line');

const GRAPH = {
  '.sgpt.json': '{ "imports": [{ "name": "shared", "path": "~/shared" }] }',
  '.sgpt/base.role.md': '@alias("b")\n@tool("replace")\nBe brief.\n',
  'api/.sgpt/keeper.role.md': '@model("fast")\n@role("//base")\nYou keep the API.\n',
  '.sgpt/lores/db/locks.md': '---\ntitle: Locks\ndescription: ""\n---\nLock. See [notes](../notes.md).\n',
  '.sgpt/lores/notes.md':
    '---\ntitle: Notes\n---\n[[db/locks]] and [it](./db/locks.md#top), not `[[db/locks]]`\n',
};

async function inHome(files: Readonly<Record<string, string>>, run: (home: MuxHome) => Promise<void>) {
  const home = new MuxHome({ files });
  // The one that `edit` writes.
  Object.assign(home.env, { EDITOR: join(home.dir, 'editor') });
  const shared = join(home.dir, 'home/shared');
  mkdirSync(shared);
  writeFileSync(join(shared, '.sgpt.json'), '{}');
  try {
    await run(home);
  } finally {
    await home.end();
  }
}

/** Edits a lore in an editor that adds a line to the file, and to another one where that is named. */
function edit(home: MuxHome, lore: string, also = ''): Promise<CliResult> {
  const path = join(home.dir, 'editor');
  writeFileSync(path, `#!/bin/sh\necho added >>"$1"\n${also && `echo meanwhile >>'${also}'\n`}`);
  chmodSync(path, 0o755);
  return home.cli('lore', 'edit', lore);
}

test('a graph without fault passes the check, one with faults does not, in text, JSON and SARIF alike', () =>
  inHome(GRAPH, async home => {
    assert.is((await home.cli('graph', 'check')).status, 0);
    writeFileSync(join(home.work, 'api/.sgpt/broken.role.md'), '@rol("x")\n@role("//bas")\n');
    const text = await home.cli('graph', 'check');
    assert.is(text.status, 1);
    assert.match(text.stdout, /^api\/\.sgpt\/broken\.role\.md:1:1: error: .*\[unknown-directive\]$/m);
    const json = await home.cli('graph', 'check', '--json');
    assert.is(json.status, 1);
    const { diagnostics } = json.json() as { diagnostics: { file: string; code: string; line: number }[] };
    const ours = diagnostics.filter(({ file }) => file.includes('broken'));
    assert.is(ours.length > 0, true);
    const sarif = (await home.cli('graph', 'check', '--sarif')).json();
    assert.is(sarif.version, '2.1.0');
    const [run] = sarif.runs;
    assert.is(run.results.length, diagnostics.length);
    const rules = new Set(run.tool.driver.rules.map((rule: { id: string }) => rule.id));
    for (const result of run.results) {
      assert.ok(rules.has(result.ruleId), result.ruleId);
      assert.ok(result.message.text);
      assert.match(result.locations[0].physicalLocation.artifactLocation.uri, /^[^/].*/);
    }
  }));

test('warnings fail the check only where it is strict', () =>
  inHome({ ...GRAPH, '.sgpt/lonely.role.md': 'Nobody includes me.\n' }, async home => {
    const found = await home.cli('graph', 'check');
    assert.is(found.status, 0, found.stdout);
    assert.match(found.stdout, /warning/);
    assert.is((await home.cli('graph', 'check', '--strict')).status, 1);
  }));

test('a role is shown as its prompt, or with the place that each part is from', () =>
  inHome(GRAPH, async home => {
    assert.is(await home.ok('role', 'show', '//api:keeper', '--prompt'), 'Be brief.\n\nYou keep the API.\n');
    const text = await home.ok('role', 'show', '//api:keeper', '--explain');
    assert.match(text, /^model +fast +api\/\.sgpt\/keeper\.role\.md:1$/m);
    assert.match(text, /^tools +replace +\.sgpt\/base\.role\.md:2$/m);
    assert.match(text, /^ +3 {2}You keep the API\.$/m);
    const wrong = await home.cli('role', 'show', '//api:keepr');
    assert.is(wrong.status, 3);
    assert.match(wrong.stderr, /\/\/api:keeper/);
  }));

test('a lore tells its links and those that lead to it', () =>
  inHome(GRAPH, async home => {
    const shown = (await home.cli('lore', 'show', 'db/locks', '--json')).json();
    assert.equal([shown.links, shown.backlinks], [['lores/notes'], ['lores/notes']]);
  }));

test('a lore tells when it was last committed', () =>
  inHome(GRAPH, async home => {
    git(home.work, 'init', '--quiet', '--template=', '-b', 'main');
    git(home.work, 'add', '.sgpt/lores/notes.md');
    git(home.work, 'commit', '--quiet', '-m', 'old', '--date', '2020-01-01T00:00:00Z');
    const { lores } = (await home.cli('lore', 'list', '--json')).json();
    const facts = lores.map((lore: { name: string; changed_at: string | null }) => [
      lore.name,
      lore.changed_at !== null,
    ]);
    assert.equal(facts, [
      ['lores/db/locks', false],
      ['lores/notes', true],
    ]);
  }));

test('a graph is begun by one file, and filled by name', () =>
  inHome({ 'api/main.ts': '' }, async home => {
    assert.is(await home.ok('graph', 'init'), '.sgpt.json\n');
    assert.equal(readdirSync(home.work).sort(), ['.sgpt.json', 'api']);
    const again = await home.cli('graph', 'init');
    assert.is(again.status, 4);
    assert.match(again.stderr, /it is there already/);
    assert.is(await home.ok('role', 'new', '//api:keeper'), 'api/.sgpt/keeper.role.md\n');
    assert.is((await home.cli('role', 'new', '//api:keeper')).status, 4);
    assert.is((await home.cli('role', 'new', '//nowhere:keeper')).status, 3);
    assert.is(
      await home.ok('lore', 'new', 'db/locks', '--title', 'Locks: first', '--label', 'area=db'),
      '.sgpt/lores/db/locks.md\n',
    );
    const { lores } = (await home.cli('lore', 'list', '--json')).json();
    assert.equal(
      lores.map((lore: { title: string; labels: object }) => [lore.title, lore.labels]),
      [['Locks: first', { area: 'db' }]],
    );
    assert.is((await home.cli('graph', 'check')).status, 0);
  }));

test('names that leave the folder, links that lead out and folders that cannot be written are refused', () =>
  inHome(GRAPH, async home => {
    for (const name of [
      '../x',
      'a/../../x',
      '/etc/x',
      'a//b',
      '.hidden',
      'lores/',
      'a\nb',
      'a#b',
      '@shared//lores/x',
    ])
      assert.is((await home.cli('lore', 'new', name)).status, 2, name);
    for (const name of ['//../x:y', '@shared//x', '//a:b/c'])
      assert.is((await home.cli('role', 'new', name)).status, 2, name);
    symlinkSync(home.dir, join(home.work, '.sgpt/lores/out'));
    assert.is((await home.cli('lore', 'new', 'out/deep/x')).status, 4);
    assert.not.ok(existsSync(join(home.dir, 'deep')));
    if (process.getuid?.() === 0) return;
    chmodSync(join(home.work, '.sgpt/lores'), 0o555);
    const denied = await home.cli('lore', 'new', 'x');
    chmodSync(join(home.work, '.sgpt/lores'), 0o755);
    assert.match(denied.stderr, /permission denied/);
  }));

test('a lore gets another name with the links to it and in it, and nothing is overwritten', () =>
  inHome(GRAPH, async home => {
    const at = (name: string): string => join(home.work, '.sgpt/lores', `${name}.md`);
    const taken = await home.cli('lore', 'rename', 'db/locks', 'notes');
    assert.is(taken.status, 4, taken.stderr);
    assert.ok(readFileSync(at('db/locks'), 'utf8').includes('Lock.'));
    assert.match(await home.ok('lore', 'rename', 'db/locks', 'sql/deep/locking'), /links mended in 1 lore/);
    assert.match(
      readFileSync(at('notes'), 'utf8'),
      /^\[\[sql\/deep\/locking\]\] and \[it\]\(\.\/sql\/deep\/locking\.md#top\), not `\[\[db\/locks\]\]`$/m,
    );
    assert.match(readFileSync(at('sql/deep/locking'), 'utf8'), /See \[notes\]\(\.\.\/\.\.\/notes\.md\)\.$/m);
    await home.ok('lore', 'rename', 'sql/deep/locking', 'sql/deep/Locking');
    assert.equal(readdirSync(join(home.work, '.sgpt/lores'), { recursive: true }).sort(), [
      'notes.md',
      'sql',
      'sql/deep',
      'sql/deep/Locking.md',
    ]);
    assert.is((await home.cli('graph', 'check', '--strict')).stdout.includes('dead-link'), false);
  }));

test('where two write one lore, neither is lost', () =>
  inHome(GRAPH, async home => {
    const path = join(home.work, '.sgpt/lores/notes.md');
    assert.is((await edit(home, 'notes')).stdout, 'saved\n');
    assert.match(readFileSync(path, 'utf8'), /added\n$/);
    const crossed = await edit(home, 'notes', path);
    assert.is(crossed.status, 4);
    assert.match(crossed.stderr, /was changed meanwhile/);
    assert.match(readFileSync(path, 'utf8'), /added\nmeanwhile\n$/);
    const kept = /what you wrote is in (\S+)/.exec(crossed.stderr)![1]!;
    assert.match(readFileSync(kept, 'utf8'), /added\nadded\n$/);
    writeFileSync(`${path}.new`, '');
    const held = await home.cli('lore', 'rename', 'notes', 'other');
    assert.is(held.status, 4);
    assert.match(held.stderr, /somebody else writes/);
    assert.ok(existsSync(path) && existsSync(`${path}.new`));
  }));

test('the file of labels follows what is written, and is not written without need', () =>
  inHome(GRAPH, async home => {
    const path = join(home.work, '.sgpt/labels');
    await home.ok('lore', 'new', 'plain');
    assert.not.ok(existsSync(path), 'nothing is labelled');
    await home.ok('lore', 'new', 'pool', '--label', 'kind=rule', '--label', 'area=db');
    await home.ok('lore', 'new', 'ships', '--label', 'area=api');
    assert.is(readFileSync(path, 'utf8'), 'area: api, db\nkind: rule\n');
    const { mtimeMs, ino } = statSync(path);
    await home.ok('lore', 'new', 'more', '--label', 'area=api');
    await home.ok('lore', 'search', 'pool');
    await edit(home, 'notes');
    assert.equal([statSync(path).mtimeMs, statSync(path).ino], [mtimeMs, ino]);
    writeFileSync(`${path}.new`, '');
    const held = await home.cli('lore', 'new', 'last', '--label', 'area=web');
    assert.is(held.status, 0, held.stderr);
    assert.match(held.stderr, /labels was not written: labels: somebody else writes/);
  }));

test('what an editor leaves that cannot be read again is not saved, and not lost', () =>
  inHome(GRAPH, async home => {
    const path = join(home.work, '.sgpt/lores/notes.md');
    const before = readFileSync(path, 'utf8');
    const left: readonly (readonly [string, RegExp])[] = [
      [`printf '\\351' >>"$1"`, /no text in UTF-8/],
      [`printf '\\0' >>"$1"`, /no text in UTF-8/],
      [`head -c 2000000 /dev/zero | tr '\\0' x >>"$1"`, /larger than 1024 KiB/],
    ];
    for (const [script, why] of left) {
      writeFileSync(join(home.dir, 'editor'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const edited = await home.cli('lore', 'edit', 'notes');
      assert.is(edited.status, 4);
      assert.match(edited.stderr, why);
      assert.ok(existsSync(/what you wrote is in (\S+)/.exec(edited.stderr)![1]!));
      assert.is(readFileSync(path, 'utf8'), before);
    }
    assert.equal(readdirSync(join(home.work, '.sgpt/lores')).sort(), ['db', 'notes.md']);
  }));

test('in a tree that cannot be written nothing is, and what was written in the editor is kept', () =>
  inHome(GRAPH, async home => {
    const lores = join(home.work, '.sgpt/lores');
    // Root writes anywhere.
    const drop = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups', '--'] : [];
    if (drop.length > 0 && spawnSync(drop[0]!, [...drop.slice(1), 'true']).status !== 0)
      return console.log('skipped: a tree that cannot be written: no setpriv here');
    writeFileSync(join(home.dir, 'editor'), '#!/bin/sh\necho added >>"$1"\n', { mode: 0o755 });
    for (const dir of readdirSync(home.dir, { recursive: true, encoding: 'utf8', withFileTypes: true }))
      if (dir.isDirectory()) chmodSync(join(dir.parentPath, dir.name), 0o555);
    chmodSync(home.dir, 0o755);
    const mux = join(import.meta.dirname, '../../../bin/mux.js');
    const said = (...words: string[]): string => {
      const argv = [...drop, process.execPath, mux, ...words];
      const env = { ...home.env, EDITOR: join(home.dir, 'editor') };
      const { status, stderr } = spawnSync(argv[0]!, argv.slice(1), {
        cwd: home.work,
        env,
        encoding: 'utf8',
      });
      return `${status} ${stderr}`;
    };
    assert.match(said('lore', 'new', 'x'), /^\d .*(?:permission denied|EACCES)/s);
    assert.match(said('role', 'new', 'x'), /^\d .*(?:permission denied|EACCES)/s);
    assert.match(said('lore', 'rename', 'notes', 'other'), /^\d .*(?:permission denied|EACCES)/s);
    const edited = said('lore', 'edit', 'notes');
    assert.match(edited, /permission denied|EACCES/);
    assert.match(readFileSync(/what you wrote is in (\S+)/.exec(edited)![1]!, 'utf8'), /added\n$/);
    assert.equal(readdirSync(lores, { recursive: true }).sort(), ['db', 'db/locks.md', 'notes.md']);
  }));

test.run();
