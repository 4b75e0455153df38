/**
 * The checkpoints of a conversation in a project.
 */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { errorLine, CodedError } from '../../base/errors.ts';
import { Git } from '../../git/run.ts';
import { Checkpoints } from '../../tools/checkpoints/checkpoints.ts';
import type { AppContext } from '../context.ts';
import { repositoryRoot } from './repository-root.ts';

/** Digits of a project's folder name: enough that no two of a person's projects have the same. */
const DIGITS = 16;

/**
 * Opens them. They are below the state of the server, apart for each project.
 *
 * @param conversation a name that can be that of a folder
 */
export async function openCheckpoints(
  { cwd, env, paths }: AppContext,
  conversation: string,
): Promise<Checkpoints> {
  const home = env.HOME || homedir();
  const root = await realpath(await repositoryRoot(cwd, home));
  const project = createHash('sha256').update(root).digest('hex').slice(0, DIGITS);
  return new Checkpoints({
    git: new Git({ env, clock: systemClock }),
    clock: systemClock,
    dir: join(paths.state, 'checkpoints', project, conversation),
    root,
    onTrouble: text => console.error(errorLine(new CodedError('failed', text))),
  });
}
