import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fetchRemote } from '../../lib/git/fetch.ts';
import { fastForward } from '../../lib/git/pull.ts';
import { repositoryAt } from '../../lib/git/repository.ts';
import { gitStatus } from '../../lib/git/status.ts';
import { guardEnvironment, overrulings, readSettings } from '../../lib/git/trust.ts';
import {
  clonedRepository,
  commit,
  commitOnRemote,
  git,
  quietGit,
  realTempDir,
  repository,
} from '../support/git.ts';

const test = suite('settings of a repository that would run programs');

/** A program that leaves a file, and does what it stands for. */
function leaver(): { readonly program: string; readonly ran: () => boolean } {
  const dir = realTempDir();
  writeFileSync(join(dir, 'run'), '#!/bin/sh\n: >"${0%run}left"\nexec "$@"\n', { mode: 0o755 });
  return { program: join(dir, 'run'), ran: () => existsSync(join(dir, 'left')) };
}

/** Runs git with settings that name `program`; what git says of it does not count. */
async function fetched(
  settings: readonly (readonly [key: string, value: string])[],
  env = {},
): Promise<string> {
  const { remote, clone } = clonedRepository();
  for (const [key, value] of settings) git(clone, 'config', key, value);
  const tip = commitOnRemote(remote, 'two');
  const quiet = quietGit(env);
  await fetchRemote(quiet, await repositoryAt(quiet, clone), { timeoutMs: 10_000 }).catch(() => undefined);
  return git(clone, 'rev-parse', 'origin/main') === tip ? 'fetched' : 'not fetched';
}

test('the program for the other side of a fetch is not taken from there, and the fetch works', async () => {
  const { program, ran } = leaver();
  assert.is(await fetched([['remote.origin.uploadpack', `${program} git-upload-pack`]]), 'fetched');
  assert.not(ran());
});

test('a remote that is a command is not run, whatever the repository allows', async () => {
  const { program, ran } = leaver();
  await fetched([
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::${program} git-upload-pack /nowhere`],
  ]);
  assert.not(ran());
  await fetched([
    ['protocol.ext.allow', 'always'],
    ['remote.origin.vcs', 'ext'],
    ['remote.origin.url', `${program} git-upload-pack /nowhere`],
  ]);
  assert.not(ran());
});

for (const [what, env] of [
  ['ssh', {}],
  ['a program of the person that is no OpenSSH', { GIT_SSH: '/bin/false' }],
] as const)
  test(`a command in place of ${what} is not run`, async () => {
    const { program, ran } = leaver();
    await fetched(
      [
        ['core.sshCommand', program],
        ['remote.origin.url', 'ssh://127.0.0.1:1/nowhere'],
      ],
      env,
    );
    assert.not(ran());
  });

test('a proxy of the repository is not run', async () => {
  const { program, ran } = leaver();
  await fetched([
    ['core.gitProxy', program],
    ['remote.origin.url', 'git://127.0.0.1:1/nowhere'],
  ]);
  assert.not(ran());
});

test('filters are not run when the state is asked for, nor when newer files are checked out', async () => {
  const { program, ran } = leaver();
  const { remote, clone } = clonedRepository({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=own\n' });
  git(clone, 'config', 'filter.own.clean', `${program} cat`);
  git(clone, 'config', 'filter.own.smudge', `${program} cat`);
  git(clone, 'config', 'filter.own.required', 'true');
  // Of the same size and another time: git has to read it.
  utimesSync(join(clone, 'a.txt'), 1, 1);
  const quiet = quietGit();
  assert.equal(await gitStatus(quiet, clone), { branch: 'main', dirty: 0, ahead: 0, behind: 0 });
  assert.not(ran());
  const other = join(realTempDir(), 'other');
  git(remote, 'clone', '--quiet', remote, other);
  writeFileSync(join(other, 'a.txt'), 'newer\n');
  git(other, 'commit', '--quiet', '-am', 'newer');
  git(other, 'push', '--quiet');
  await fetchRemote(quiet, await repositoryAt(quiet, clone));
  assert.is(await fastForward(quiet, clone, () => false), '');
  assert.not(ran());
});

test('hooks and the file system monitor are not run', async () => {
  const { program, ran } = leaver();
  const { remote, clone } = clonedRepository();
  const hooks = join(clone, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of ['post-merge', 'reference-transaction', 'post-checkout', 'post-index-change'])
    writeFileSync(join(hooks, name), `#!/bin/sh\nexec ${program} true\n`, { mode: 0o755 });
  git(clone, 'config', 'core.fsmonitor', program);
  const quiet = quietGit();
  commitOnRemote(remote, 'two');
  await gitStatus(quiet, clone);
  await fetchRemote(quiet, await repositoryAt(quiet, clone));
  assert.is(await fastForward(quiet, clone, () => false), '');
  assert.not(ran());
});

test('a signature is not checked by a program of the repository', async () => {
  const { program, ran } = leaver();
  const { remote, clone } = clonedRepository();
  git(clone, 'config', 'merge.verifySignatures', 'true');
  git(clone, 'config', 'gpg.program', program);
  commitOnRemote(remote, 'two');
  const quiet = quietGit();
  await fetchRemote(quiet, await repositoryAt(quiet, clone));
  assert.is(await fastForward(quiet, clone, () => false), '');
  assert.not(ran());
});

test('what the person has set holds, in their order; what the repository adds does not', () => {
  const all = readSettings(
    [
      ['global', 'credential.helper\nstore'],
      ['global', 'credential.https://example.org.helper\ncache'],
      ['global', 'core.sshcommand\nssh -v'],
      ['global', 'filter.lfs.process\ngit-lfs filter-process'],
      ['local', 'filter.lfs.process\nevil'],
      ['local', 'credential.helper\n!evil'],
      ['worktree', 'core.sshcommand\nevil'],
      ['local', 'remote.a.b.uploadpack\nevil'],
      ['local', 'core.bare\nfalse'],
      ['local', 'filter.big.clean\ngit-lfs clean -- %f'],
      ['local', 'alias.flag'],
    ]
      .flat()
      .map(word => `${word}\0`)
      .join(''),
  );
  assert.equal(overrulings(all), [
    ['filter.lfs.process', 'git-lfs filter-process'],
    ['filter.lfs.required', 'false'],
    ['core.sshcommand', 'ssh -v'],
    ['credential.helper', ''],
    ['credential.helper', 'store'],
    ['credential.https://example.org.helper', 'cache'],
  ]);
});

test('settings that the person gives by the environment stay', () => {
  const helper = { scope: 'local', key: 'credential.helper', value: '!evil' };
  assert.equal(guardEnvironment({ GIT_CONFIG_COUNT: '1' }, [helper]), {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: 'credential.helper',
    GIT_CONFIG_VALUE_1: '',
  });
  assert.equal(guardEnvironment({}, []), {});
  const uploadPack = { scope: 'local', key: 'remote.origin.uploadpack', value: 'evil' };
  assert.equal(guardEnvironment({}, [uploadPack]), { GIT_NO_LAZY_FETCH: '1' });
});

test('a configuration that git cannot read runs nothing', async () => {
  const dir = repository();
  commit(dir, 'two');
  writeFileSync(join(dir, '.git/config'), '[broken\n');
  assert.equal(await gitStatus(quietGit(), dir), { branch: '', dirty: 0, ahead: 0, behind: 0 });
});

test.run();
