/**
 * Fetching: over the network, so bounded in time, never asking, and never deciding whether anything else works.
 */
import { CodedError } from '../base/errors.ts';
import { remoteOf } from './base.ts';
import { sshCommand } from './environment.ts';
import type { Repository } from './repository.ts';
import type { Git } from './run.ts';
import { trustedValue } from './trust.ts';

export interface FetchOptions {
  /** How long it may take; default that of runs over the network. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches the remote that bases are on, together with others who want that now. Resolves with the remote's name,
 * undefined where there is none.
 * @throws CodedError `timeout`, `cancelled` (others still get theirs), `failed` with git's reason
 */
export async function fetchRemote(
  git: Git,
  repo: Pick<Repository, 'main' | 'remotes' | 'commonDir'>,
  options: FetchOptions = {},
): Promise<string | undefined> {
  const remote = remoteOf(repo);
  if (!remote) return undefined;
  const { timeoutMs } = options;
  const fetched = git.fetches.run(`${timeoutMs ?? ''}:${repo.commonDir}`, () =>
    fetchNow(git, repo.main, remote, timeoutMs),
  );
  await orCancelled(fetched, options.signal);
  return remote;
}

async function fetchNow(git: Git, dir: string, remote: string, timeoutMs: number | undefined): Promise<void> {
  const settings = await git.settings(dir);
  // The person's: what the repository itself says may be an agent's choice.
  const configured = trustedValue(settings, 'core.sshcommand') ?? '';
  const ssh = sshCommand(git.env, configured.trim());
  // FETCH_HEAD is the person's: what they fetched last by hand.
  const uploadPack = trustedValue(settings, `remote.${remote}.uploadpack`) ?? 'git-upload-pack';
  const flags = [
    '--quiet',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    `--upload-pack=${uploadPack}`,
  ];
  await git.run(['fetch', ...flags, remote], {
    cwd: dir,
    kind: 'network',
    env: ssh === undefined ? {} : { GIT_SSH_COMMAND: ssh },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

async function orCancelled(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  const cancelled = new CodedError('cancelled', 'git fetch: cancelled');
  if (signal.aborted) throw cancelled;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
