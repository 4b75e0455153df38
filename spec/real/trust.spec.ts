/** Settings that repositories bring along: what counts of them before and after the person trusts them. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('trust');

const HOOK =
  'hooks: [{ event: before_tool, match: read_files, command: "echo ran >>../ran; echo no >&2; exit 2" }]\n';
const READ = ['tools', 'call', 'read_files', '{"paths":["note.txt"]}'] as const;

async function inProject(
  settings: string,
  run: (home: MuxHome, ran: () => string) => Promise<void>,
  config = '',
): Promise<void> {
  const home = new MuxHome({ files: { '.mux.yaml': settings, 'note.txt': 'hello\n' }, config });
  git(home.work, 'init', '-q');
  const path = join(home.dir, 'ran');
  try {
    await run(home, () => (existsSync(path) ? readFileSync(path, 'utf8') : ''));
  } finally {
    await home.end();
  }
}

test('nothing of a repository runs before the person has said yes, and again after its settings change', () =>
  inProject(HOOK, async (home, ran) => {
    const before = await home.cli(...READ);
    assert.is(before.status, 0);
    assert.match(before.stdout, /hello/);
    assert.match(before.stderr, /\.mux\.yaml: not trusted, so only its rules count \('mux trust' shows/);
    assert.is(ran(), '');

    const shown = await home.cli('trust', '--show');
    assert.is(shown.status, 4);
    assert.match(shown.stdout, /not asked about yet\n {2}run before_tool of read_files: echo ran/);
    assert.is((await home.cli('trust')).status, 4);
    await home.ok('trust', '-y');

    const after = await home.cli(...READ);
    assert.is(after.status, 4);
    assert.match(after.stderr, /^mux: read_files: blocked by a hook: no\n$/);
    assert.is(ran(), 'ran\n');

    writeFileSync(join(home.work, '.mux.yaml'), `${HOOK}# changed\n`);
    assert.is((await home.cli(...READ)).status, 0);
    assert.is(ran(), 'ran\n');
    writeFileSync(join(home.work, '.mux.yaml'), HOOK);
    assert.is((await home.cli('trust', '--show')).status, 0, 'what was said to the old content still holds');
    await home.ok('trust', '--forget');
    assert.is((await home.cli('trust', '--show')).status, 4);
  }));

test('no is an answer, too: it is not asked again', () =>
  inProject(HOOK, async home => {
    assert.is((await home.cli('trust', '--no')).status, 4);
    const { stderr, status } = await home.cli(...READ);
    assert.is(status, 0);
    assert.match(stderr, /not trusted, so only its rules count\n$/);
  }));

test('on a terminal the person is asked once, and sees what hides', () =>
  inProject(HOOK.replace('echo ran', 'echo \u202e ran'), async (home, ran) => {
    const terminal = home.start({ args: READ, rows: 30, cols: 120 });
    await terminal.waitFor('it asks', () => terminal.text().includes('Do you trust it?'));
    assert.match(terminal.text(), /run before_tool of read_files: echo \\u\{202e\} ran/);
    terminal.type('y\r');
    await terminal.waitFor('the hook has run', () => ran() !== '');
    await terminal.ended();
    assert.is((await home.cli(...READ)).status, 4);
  }));

test('rules of a repository tighten without being asked about, and never loosen', () =>
  inProject(
    'permissions:\n- { tool: read_files, mode: deny }\n- { tool: exec_shell, mode: allow }\n',
    async home => {
      assert.match((await home.cli(...READ)).stderr, /project rule 1: deny/);
      const shell = await home.cli('tools', 'call', 'exec_shell', '{"command":"touch made"}');
      assert.is(shell.status, 4);
      assert.not(existsSync(join(home.work, 'made')));
      assert.is((await home.cli('trust')).status, 0, 'there is nothing to trust in it');
    },
  ));

test('a worktree of the project is trusted with it; a folder that only says it is one, is not', () =>
  inProject(HOOK, async home => {
    git(home.work, 'add', '.');
    git(home.work, 'commit', '-qm', 'first');
    await home.ok('trust', '-y');
    const tree = join(home.dir, 'tree');
    git(home.work, 'worktree', 'add', '-q', tree);
    const trustIn = async (folder: string): Promise<number> => {
      const terminal = home.start({ args: ['trust', '--show'], cwd: folder });
      return terminal.ended();
    };
    assert.is(await trustIn(tree), 0);
    const fake = join(home.dir, 'fake');
    mkdirSync(fake);
    writeFileSync(join(fake, '.mux.yaml'), HOOK);
    writeFileSync(join(fake, '.git'), readFileSync(join(tree, '.git')));
    assert.is(await trustIn(fake), 4);
  }));

test('an agent can look, and neither trust nor be asked', () =>
  inProject(HOOK, async (home, ran) => {
    Object.assign(home.env, { MUX_SESSION: 'abc', MUX_AGENT: 'claude' });
    assert.match((await home.cli('trust', '-y')).stderr, /that is for the person to say/);
    assert.is((await home.cli('trust', '--show')).status, 4);
    await home.cli(...READ);
    assert.is(ran(), '');
  }));

test('settings that are wrong, or lead elsewhere, let nothing run', () =>
  inProject('permissions: [{ tol: x }]\n', async home => {
    const wrong = await home.cli(...READ);
    assert.is(wrong.status, 2);
    assert.match(wrong.stderr, /\.mux\.yaml:1:\d+: permissions\[0\]/);
    const path = join(home.work, '.mux.yaml');
    rmSync(path);
    symlinkSync('/etc/passwd', path);
    assert.match((await home.cli(...READ)).stderr, /leads out of the project/);
  }));

test('hooks of the person block and are told; wrong ones, or wrong rules, let nothing run', async () => {
  const config =
    'hooks:\n- { event: after_tool, command: "cat >../told" }\n- { event: before_tool, match: list_dir, command: "not-there" }\n';
  await inProject(
    '',
    async home => {
      await home.ok(...READ);
      const told = JSON.parse(readFileSync(join(home.dir, 'told'), 'utf8')) as Record<string, unknown>;
      assert.is(told['tool'], 'read_files');
      assert.match(String(told['output']), /hello/);
      const broken = await home.cli('tools', 'call', 'list_dir', '{"path":"."}');
      assert.is(broken.status, 4);
      assert.match(
        broken.stderr,
        /'not-there' of config\.yaml is broken: exit status 127[^\n]*\n.*nothing runs that it may forbid/,
      );
      writeFileSync(join(home.dir, 'config.yaml'), 'hooks: [{ event: before, command: x }]\n');
      const wrong = await home.cli(...READ);
      assert.is(wrong.status, 2);
      assert.match(wrong.stderr, /config\.yaml:1:\d+: hooks\[0\]\.event/);
    },
    config,
  );
});

test.run();
