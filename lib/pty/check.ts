/**
 * Whether a program can be run at all, told before anything is started: afterwards nobody could be told in one line.
 */
import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { systemReason } from '../base/system-reasons.ts';
import type { SpawnSpec } from './host.ts';

/** Throws CodedError where the directory or the program of `spec` cannot be used. */
export function checkSpawn({ argv, cwd, env }: SpawnSpec): void {
  const program = argv[0];
  if (!program) throw new CodedError('usage', 'no command: its name is empty');
  checkDirectory(cwd);
  checkProgram(program, env.PATH ?? '', cwd);
}

function checkDirectory(cwd: string): void {
  let isDirectory = false;
  try {
    isDirectory = statSync(cwd).isDirectory();
  } catch (error) {
    throw new CodedError(
      'failed',
      `directory ${cwd}: ${systemReason(error, { ENOENT: 'it does not exist' })}`,
      'give one that exists with -c',
      {
        cause: error,
      },
    );
  }
  if (!isDirectory) throw new CodedError('failed', `directory ${cwd}: it is not a directory`);
}

function checkProgram(program: string, path: string, cwd: string): void {
  const candidates = program.includes('/')
    ? [isAbsolute(program) ? program : join(cwd, program)]
    : path.split(delimiter).map(dir => join(dir || '.', program));
  let denied = false;
  for (const candidate of candidates) {
    try {
      const stat = statSync(candidate);
      if (stat.isFile() && (stat.mode & 0o111) !== 0) return;
      denied ||= stat.isFile();
    } catch {
      // ENOENT and its like: not in this directory.
    }
  }
  throw new CodedError(
    'failed',
    `${program}: ${denied ? 'it is not executable' : 'no such program'}`,
    denied
      ? undefined
      : 'install it, or say where it is: by its path, in PATH, or in agents: of the settings',
  );
}
