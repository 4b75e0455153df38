/**
 * Where new work begins: the branch it will be compared with, and the commit it starts from.
 */
import { CodedError } from '../base/errors.ts';
import { commitOf, type Repository } from './repository.ts';
import type { Git } from './run.ts';

export interface Base {
  /** Branch or revision, as a person says it: `main`. The name of the unborn branch where nothing is committed. */
  readonly name: string;
  /** What was taken for it: `origin/main`, `main`, a commit. */
  readonly start: string;
  /** The commit to start from; undefined in a repository without one. */
  readonly commit: string | undefined;
}

/** Branches that are usually the main one, by how usual they are now. */
const USUAL = ['main', 'master'];

/**
 * The base: what `wanted` names, else the default branch of the remote, else `main` or `master` there, else here, else
 * what is checked out, else nothing yet. The remote's state of a branch is preferred to the local one, which may be old.
 * @param wanted from the person; '' for none
 * @throws CodedError `not_found` when `wanted` means no commit
 */
export async function findBase(git: Git, repo: Repository, wanted = ''): Promise<Base> {
  const remote = remoteOf(repo);
  if (wanted === 'HEAD') return checkedOut(repo);
  const candidates = wanted ? wantedCandidates(wanted, remote) : await defaultCandidates(git, repo, remote);
  for (const { name, start, revision } of candidates) {
    const commit = await commitOf(git, repo.top || repo.main, revision);
    if (commit) return { name, start, commit };
  }
  if (wanted) throw new CodedError('not_found', `base ${wanted}: no such branch or commit in ${repo.main}`);
  return checkedOut(repo);
}

interface Candidate {
  readonly name: string;
  readonly start: string;
  /** The same without ambiguity. */
  readonly revision: string;
}

const onRemote = (remote: string, name: string): Candidate => ({
  name,
  start: `${remote}/${name}`,
  revision: `refs/remotes/${remote}/${name}`,
});
const here = (name: string): Candidate => ({ name, start: name, revision: `refs/heads/${name}` });

function wantedCandidates(wanted: string, remote: string | undefined): Candidate[] {
  const asGiven = { name: wanted, start: wanted, revision: wanted };
  return remote ? [onRemote(remote, wanted), asGiven] : [asGiven];
}

async function defaultCandidates(
  git: Git,
  repo: Repository,
  remote: string | undefined,
): Promise<Candidate[]> {
  if (!remote) return USUAL.map(here);
  const head = await remoteHead(git, repo, remote);
  const names = head ? [head, ...USUAL] : USUAL;
  return [...names.map(name => onRemote(remote, name)), ...USUAL.map(here)];
}

/** The remote that bases are looked for on: `origin`, else the only one. */
export function remoteOf(repo: Pick<Repository, 'remotes'>): string | undefined {
  if (repo.remotes.includes('origin')) return 'origin';
  return repo.remotes.length === 1 ? repo.remotes[0] : undefined;
}

/** The branch that refs/remotes/REMOTE/HEAD names, which `git clone` writes; undefined where there is none. */
export async function remoteHead(git: Git, repo: Repository, remote: string): Promise<string | undefined> {
  const answer = await git.ask(['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`], {
    cwd: repo.main,
  });
  const prefix = `refs/remotes/${remote}/`;
  const ref = answer.stdout.toString('utf8').trim();
  return answer.code === 0 && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

function checkedOut({ head }: Repository): Base {
  if (head.kind === 'unborn') return { name: head.branch, start: head.branch, commit: undefined };
  if (head.kind === 'branch') return { name: head.branch, start: head.branch, commit: head.commit };
  return { name: head.commit, start: head.commit, commit: head.commit };
}
