import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toCoded, type CodedError } from '../../lib/base/errors.ts';
import { createPlace } from '../../lib/git/create.ts';
import { fetchRemote } from '../../lib/git/fetch.ts';
import { repositoryAt } from '../../lib/git/repository.ts';
import { git, quietGit, realTempDir, repository } from '../support/git.ts';
import { until } from '../support/until.ts';

const test = suite('running git');

async function failure(promise: Promise<unknown>): Promise<CodedError> {
  return promise.then(
    () => assert.unreachable('it did not fail') as never,
    (error: unknown) => toCoded(error),
  );
}

/** A program named `ssh`, from this text. */
function fakeSsh(script: string): string {
  const path = join(realTempDir({ ssh: `#!/bin/sh\n${script}\n` }), 'ssh');
  chmodSync(path, 0o755);
  return path;
}

function withRemote(url: string): string {
  const dir = repository();
  git(dir, 'remote', 'add', 'origin', url);
  return dir;
}

test('a failure is told in the words of git, on one line', async () => {
  const error = await failure(quietGit().run(['switch', 'nowhere'], { cwd: repository(), kind: 'write' }));
  assert.equal([error.code, error.message], ['failed', 'git switch: invalid reference: nowhere']);
});

test('a folder that is gone and a git that is gone are told apart', async () => {
  const noFolder = await failure(quietGit().run(['status'], { cwd: '/no/such/place' }));
  assert.is(noFolder.message, 'git status: no folder /no/such/place');
  const noGit = await failure(quietGit({ PATH: '/nowhere' }).run(['status'], { cwd: '/' }));
  assert.is(noGit.message, 'git status: git was not found');
  const bad = await failure(quietGit().run(['status'], { cwd: '/tmp/\0' }));
  assert.is(bad.code, 'failed');
});

test('output without end is cut', async () => {
  const dir = repository({ 'big.txt': 'x'.repeat(100_000) });
  const error = await failure(quietGit().run(['show', 'HEAD:big.txt'], { cwd: dir, maxOutput: 1000 }));
  assert.is(error.message, 'git show: says more than 1000 bytes');
});

test('a remote that never answers is given up, with all the programs that git has started for it', async () => {
  const pids = join(realTempDir(), 'pids');
  const ssh = fakeSsh(`echo $$ >>${pids}; sleep 1000 & echo $! >>${pids}; wait`);
  const dir = withRemote('ssh://nobody@example.invalid/x.git');
  const mine = quietGit({ GIT_SSH_COMMAND: ssh });
  const repo = await repositoryAt(mine, dir);
  const error = await failure(fetchRemote(mine, repo, { timeoutMs: 500 }));
  assert.equal([error.code, error.message], ['timeout', 'git fetch: no end after 0.5 s']);
  const started = readFileSync(pids, 'utf8').trim().split('\n');
  assert.is(started.length, 2);
  await until('no program is left', () => started.every(pid => !existsSync(`/proc/${pid}`) || isZombie(pid)));
});

function isZombie(pid: string): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

test('one that is deaf to being asked to end is killed', async () => {
  const ssh = fakeSsh("trap '' TERM HUP INT; while :; do sleep 1; done");
  const mine = quietGit({ GIT_SSH_COMMAND: ssh });
  const repo = await repositoryAt(mine, withRemote('ssh://nobody@example.invalid/x.git'));
  assert.is((await failure(fetchRemote(mine, repo, { timeoutMs: 200 }))).code, 'timeout');
});

test('nothing that git starts has a terminal to ask for a passphrase on, and ssh is told not to', async () => {
  const said = join(realTempDir(), 'said');
  const ssh = fakeSsh(`echo "$@" >${said}; (: </dev/tty) 2>>${said} && echo asked >>${said}; exit 1`);
  const mine = quietGit({ GIT_SSH_COMMAND: ssh, SSH_ASKPASS: '/bin/false', DISPLAY: ':0' });
  const repo = await repositoryAt(mine, withRemote('ssh://nobody@example.invalid/x.git'));
  assert.is((await failure(fetchRemote(mine, repo))).code, 'failed');
  const text = readFileSync(said, 'utf8');
  assert.match(text, /BatchMode=yes/);
  assert.not.match(text, /^asked/m);
});

test('a password that a remote wants is a failure, not a question', async () => {
  // A helper of ours that asks as git's own do: over `git credential fill`.
  const script =
    '#!/bin/sh\nprintf "protocol=https\\nhost=example.invalid\\n\\n" | git credential fill >&2 || exit 1\n';
  const helper = join(realTempDir({ 'git-remote-ask': script }), 'git-remote-ask');
  chmodSync(helper, 0o755);
  const path = `${join(helper, '..')}:${process.env['PATH']}`;
  const mine = quietGit({ PATH: path });
  const repo = await repositoryAt(mine, withRemote('ask::nothing'));
  const error = await failure(fetchRemote(mine, repo, { timeoutMs: 10_000 }));
  assert.is(error.code, 'failed', error.message);
});

test('a remote that does not answer is a warning when a session is made, and the rest goes on', async () => {
  const ssh = fakeSsh('echo "no route to host" >&2; exit 255');
  const dir = withRemote('ssh://nobody@example.invalid/x.git');
  const place = await createPlace(quietGit({ GIT_SSH_COMMAND: ssh }), {
    root: join(realTempDir(), 'w'),
    dir,
    id: '0a1b2c3d',
    name: 'x',
    prefix: 'mux',
    user: 'ada',
    fetch: true,
  });
  assert.is(place.warnings.length, 1);
  assert.match(place.warnings[0]!, / was not fetched: git fetch: Could not read from remote repository/);
  assert.ok(existsSync(place.main.worktree));
});

test('what is cancelled ends, and what was cancelled before does not begin', async () => {
  const mine = quietGit({ GIT_SSH_COMMAND: fakeSsh('sleep 1000') });
  const cancel = new AbortController();
  const running = failure(
    mine.run(['ls-remote', 'ssh://x@example.invalid/y'], { cwd: '/', signal: cancel.signal }),
  );
  cancel.abort();
  assert.is((await running).code, 'cancelled');
  assert.is((await failure(mine.run(['status'], { cwd: '/', signal: cancel.signal }))).code, 'cancelled');
});

test("another git's lock is waited for, and a lock that stays is told", async () => {
  const dir = repository();
  const lock = join(dir, '.git/refs/heads/x.lock');
  writeFileSync(lock, '');
  const made = quietGit().run(['update-ref', 'refs/heads/x', 'HEAD'], { cwd: dir, kind: 'write' });
  setTimeout(() => rmSync(lock), 300);
  await made;
  writeFileSync(lock, '');
  const error = await failure(
    quietGit().run(['update-ref', '-d', 'refs/heads/x'], { cwd: dir, kind: 'write' }),
  );
  assert.match(error.message, /File exists/);
});

test('many may ask at once, and all are answered', async () => {
  const dir = repository();
  const mine = quietGit();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => mine.run(['rev-parse', 'HEAD'], { cwd: dir })),
  );
  assert.is(new Set(answers).size, 1);
});

test.run();
