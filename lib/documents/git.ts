/**
 * How git is run on a store: on that repository and no other, with nothing of what the person has configured.
 */
import { spawn } from 'node:child_process';
import { CodedError } from '../base/errors.ts';
import { gitEnvironment, gitFlags, type Env } from '../git/environment.ts';
import { reasonOf, type GitAnswer } from '../git/failure.ts';

/** The one branch of a store. */
export const BRANCH = 'main';

/** A store's repository and the environment git is run in. */
export interface StoreGit {
  /** Absolute path of the bare repository. */
  readonly dir: string;
  readonly env: Env;
}

/** Reading takes milliseconds; a disk that does not answer for so long will not. */
const TIMEOUT_MS = 20_000;
/** Of what is said about errors the end is kept: the reason stands there. */
const ERROR_MAX = 8 * 1024;

/** Hooks, filters, signing and other things of the person's own have no place in a store. */
const ISOLATED: Env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };

/** Program, words and options of a run. */
export function gitCommand({ dir, env }: StoreGit, words: readonly string[]) {
  return {
    program: 'git',
    args: [...gitFlags('write'), `--git-dir=${dir}`, ...words],
    // A group of its own: Ctrl-C in the terminal is for mux, and what git has begun it ends.
    options: { cwd: dir, env: gitEnvironment(env, ISOLATED), detached: true },
  };
}

/** What is taken of git's output. */
export interface AskOptions {
  readonly input?: string;
  /** Beyond so many bytes the run is ended and fails. */
  readonly maxOutput: number;
  /** Takes each piece, which is not kept then; true when enough has been seen: git is ended, and has succeeded. */
  readonly isEnough?: (piece: Buffer) => boolean;
}

/** What git said; a status other than 0 is an answer. @throws CodedError where it cannot be started or does not end */
export async function askGit(
  git: StoreGit,
  words: readonly string[],
  options: AskOptions,
): Promise<GitAnswer> {
  const { program, args, options: how } = gitCommand(git, words);
  const child = spawn(program, args, { ...how, stdio: ['pipe', 'pipe', 'pipe'] });
  const pieces: Buffer[] = [];
  let size = 0;
  let stderr = '';
  let verdict: CodedError | undefined;
  let isEnough = false;
  const end = (error?: CodedError): void => {
    verdict ??= error;
    child.kill('SIGKILL');
  };
  const late = setTimeout(
    () => end(new CodedError('timeout', `git ${words[0]}: no end after ${TIMEOUT_MS / 1000} s`)),
    TIMEOUT_MS,
  );
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  child.stderr.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(-ERROR_MAX)));
  child.stdout.on('data', (piece: Buffer) => {
    if (isEnough || verdict) return;
    if (options.isEnough) isEnough = options.isEnough(piece);
    else pieces.push(piece);
    if (!options.isEnough) size += piece.length;
    if (size > options.maxOutput)
      end(new CodedError('failed', `git ${words[0]}: says more than ${options.maxOutput} bytes`));
    else if (isEnough) end();
  });
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', error =>
        reject(new CodedError('failed', `git: ${error.message}`, 'install git 2.31 or newer')),
      );
      child.on('close', status => resolve(status ?? 1));
    });
    if (verdict) throw verdict;
    return { code: isEnough ? 0 : code, stdout: Buffer.concat(pieces), stderr };
  } finally {
    clearTimeout(late);
  }
}

/** The output of a run that has to succeed. @throws CodedError with git's reason */
export async function runGit(git: StoreGit, words: readonly string[], options: AskOptions): Promise<Buffer> {
  const answer = await askGit(git, words, options);
  if (answer.code === 0) return answer.stdout;
  throw new CodedError('failed', reasonOf(answer.stderr) || `git ended with status ${answer.code}`);
}
