/**
 * Whether the files are there that roles want to be read.
 */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diagnostic } from '../graph/check.ts';
import type { Environment } from '../graph/json-text.ts';
import { quote } from '../graph/printable.ts';
import type { Repository } from '../graph/repository.ts';
import type { Diagnostic } from '../graph/types.ts';
import { expandHome } from './settings.ts';

/** Files looked for at once: the thread pool has four threads. */
const PARALLEL = 8;

/** The absolute path that an `@file` means: of `dir/...`, the directory. */
export function roleFilePath(written: string, root: string, env: Environment): string {
  return resolve(root, expandHome(written.replace(/\/\.\.\.$/, '/'), env));
}

/** A warning for each `@file` of a repository that leads to nothing. Never rejects. */
export async function missingFiles(repository: Repository, env: Environment): Promise<Diagnostic[]> {
  const wanted = [...repository.files.values()].flatMap(({ file, references = [] }) =>
    references.filter(r => r.directive === 'file').map(r => ({ file, ...r })),
  );
  const problems: Diagnostic[] = [];
  for (let i = 0; i < wanted.length; i += PARALLEL)
    await Promise.all(
      wanted.slice(i, i + PARALLEL).map(async reference => {
        const path = roleFilePath(reference.value, repository.root, env);
        const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown error');
        if (typeof found !== 'string') return;
        const isGone = found === 'ENOENT' || found === 'ENOTDIR';
        const message = `@file ${quote(reference.value)}: ${isGone ? 'not there' : `cannot be read: ${found}`}`;
        problems.push(diagnostic(reference, 'missing-file', message));
      }),
    );
  return problems;
}
