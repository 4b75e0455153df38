/**
 * When files were last changed, as the history of a repository tells.
 */
import type { Git } from './run.ts';

/** Output read: some 40,000 changes of files, the newest. What is older than all of them is not known. */
const MAX_OUTPUT = 4 * 1024 * 1024;
/** Commits looked at: one call for all files, and no longer than a second in a large history. */
const MAX_COMMITS = 5000;

/**
 * Times of the last commits that changed files below a folder, in ms, by path relative to `cwd`. Empty outside a
 * repository, and where git does not answer: it is a hint and no more.
 */
export async function lastChanges(
  git: Pick<Git, 'ask'>,
  cwd: string,
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  const args = [
    'log',
    `-n${MAX_COMMITS}`,
    '--no-renames',
    '--relative',
    '-z',
    '--name-only',
    '--format=%x01%ct',
  ];
  const answer = await git
    .ask([...args, '--', folder], { cwd, maxOutput: MAX_OUTPUT })
    // Too much, no git, no time: nothing is known.
    .catch(() => undefined);
  if (answer?.code !== 0) return last;
  let at = 0;
  for (const word of answer.stdout.toString('utf8').split('\0')) {
    const text = word.replace(/^\n+/, '');
    if (text.startsWith('\x01')) at = Number.parseInt(text.slice(1), 10) * 1000;
    else if (text !== '' && !last.has(text)) last.set(text, at);
  }
  return last;
}
