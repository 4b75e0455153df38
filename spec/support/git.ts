/**
 * Real repositories for specs, away from whatever the caller has configured.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../lib/base/clock.ts';
import { Git } from '../../lib/git/run.ts';
import { tempDir } from './temp.ts';

/** A home without anything in it, and an identity. */
export function gitEnv(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: tempDir(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
}

/** The machine's clock, whose pauses keep a spec's process alive as a server's sockets do. */
const clock: Clock = {
  ...systemClock,
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** mux's git in that environment. */
export function quietGit(extra: Readonly<Record<string, string>> = {}): Git {
  return new Git({ env: { ...gitEnv(), ...extra }, clock });
}

const ENV = gitEnv();

/** Runs git as a person would; its output without the last newline. Throws where git fails. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    env: ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

/** A temporary folder whose path has no symlinks. */
export function realTempDir(files: Readonly<Record<string, string>> = {}): string {
  return realpathSync(tempDir(files));
}

/** Made once and copied: git takes longer to make a repository than to use it. */
const made = new Map<string, string>();

function copied(key: string, make: () => string): string {
  const template = made.get(key) ?? make();
  made.set(key, template);
  const copy = realTempDir();
  cpSync(template, copy, { recursive: true });
  return copy;
}

/** A repository on `main` with the files committed. */
export function repository(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' }): string {
  return copied(JSON.stringify(files), () => {
    const dir = realTempDir(files);
    git(dir, 'init', '--quiet', '--template=', '-b', 'main');
    git(dir, 'add', '-A');
    git(dir, 'commit', '--quiet', '-m', 'one');
    return dir;
  });
}

/** A bare repository as the `origin` of a clone with one commit on `main`, pushed. */
export function clonedRepository(files?: Readonly<Record<string, string>>): {
  readonly remote: string;
  readonly clone: string;
} {
  const both = copied(`clone ${JSON.stringify(files)}`, () => {
    const dir = realTempDir();
    git(dir, 'clone', '--quiet', '--template=', '--bare', repository(files), 'remote');
    git(dir, 'clone', '--quiet', '--template=', join(dir, 'remote'), 'work');
    return dir;
  });
  const clone = join(both, 'work');
  const remote = join(both, 'remote');
  const config = join(clone, '.git/config');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/url = .*/, `url = ${remote}`));
  return { remote, clone };
}

/** An empty commit. */
export function commit(dir: string, message: string): string {
  git(dir, 'commit', '--quiet', '--allow-empty', '-m', message);
  return git(dir, 'rev-parse', 'HEAD');
}

/** A commit that others have pushed to the remote's branch. */
export function commitOnRemote(remote: string, message: string, branch = 'main'): string {
  const other = join(realTempDir(), 'other');
  git(remote, 'clone', '--quiet', '-b', branch, remote, other);
  const id = commit(other, message);
  git(other, 'push', '--quiet', 'origin', branch);
  return id;
}
