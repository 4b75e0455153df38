import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitEnvironment, gitFlags, sshCommand } from '../../lib/git/environment.ts';
import { commandOf, isLocked, reasonOf } from '../../lib/git/failure.ts';

const test = suite('git environment');

test('a repository that the caller happened to be in is not taken for the one that is meant', () => {
  const env = gitEnvironment({
    GIT_DIR: '/x',
    GIT_INDEX_FILE: '/y',
    GIT_TRACE2: '1',
    PATH: '/bin',
    SSH_ASKPASS: 'ask',
  });
  assert.equal(
    [env['GIT_DIR'], env['GIT_INDEX_FILE'], env['GIT_TRACE2'], env['SSH_ASKPASS'], env['PATH']],
    [undefined, undefined, undefined, undefined, '/bin'],
  );
  assert.is(gitEnvironment({ GIT_INDEX_FILE: '/y' }, { GIT_INDEX_FILE: '/z' })['GIT_INDEX_FILE'], '/z');
});

test('git is told to ask nobody, in English', () => {
  const env = gitEnvironment({ LC_ALL: 'de_DE.UTF-8', GIT_TERMINAL_PROMPT: '1' });
  assert.equal([env['GIT_TERMINAL_PROMPT'], env['GIT_ASKPASS'], env['LC_ALL']], ['0', '', 'C']);
});

test('reading takes no locks', () => {
  assert.ok(gitFlags('read').includes('--no-optional-locks'));
  assert.not.ok(gitFlags('write').includes('--no-optional-locks'));
});

test("a person's own ssh is kept and told not to ask, unless it is none that knows how", () => {
  const batch = '-o BatchMode=yes';
  const cases: readonly [env: Record<string, string>, configured: string, expected: string | undefined][] = [
    [{}, '', `ssh ${batch}`],
    [{}, 'ssh -i ~/.ssh/work', `ssh -i ~/.ssh/work ${batch}`],
    [{ GIT_SSH_COMMAND: '/usr/bin/ssh -v' }, 'ssh -i x', `/usr/bin/ssh -v ${batch}`],
    [{ GIT_SSH: "/opt/it's/ssh" }, '', `'/opt/it'\\''s/ssh' ${batch}`],
    [{ GIT_SSH: '/opt/plink' }, '', undefined],
    [{ GIT_SSH: '/opt/plink', GIT_SSH_VARIANT: 'ssh' }, '', `/opt/plink ${batch}`],
    [{ GIT_SSH_VARIANT: 'tortoiseplink' }, '', undefined],
  ];
  for (const [env, configured, expected] of cases)
    assert.is(sshCommand(env, configured), expected, JSON.stringify([env, configured]));
});

test('the reason is the line that git marks as one, not the advice behind it', () => {
  const text =
    'Cloning…\nfatal: Could not read from remote repository.\n\nPlease make sure you have the rights\n';
  assert.is(reasonOf(text), 'Could not read from remote repository.');
  assert.is(reasonOf('one\ntwo\x1b[31m\n\n'), 'two [31m');
  assert.is(reasonOf(''), '');
  assert.is(reasonOf('x'.repeat(10_000)).length, 301);
});

test('the lock of another git is told from a failure that stays', () => {
  assert.ok(isLocked("fatal: Unable to create '/r/.git/index.lock': File exists."));
  assert.ok(isLocked('error: could not lock config file .git/config: File exists'));
  assert.not.ok(isLocked("fatal: Unable to create '/r/.git/index.lock': Permission denied"));
  assert.not.ok(isLocked("fatal: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create it"));
});

test('a command is named as a person would say it', () => {
  assert.is(commandOf(['worktree', 'add', '/x']), 'worktree add');
  assert.is(commandOf(['fetch', '--quiet']), 'fetch');
});

test.run();
