/** Files that can be named in a message: those below the working directory, as git or the directory itself lists them. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rank } from '../../mode/fuzzy.ts';

/** Files that are looked through: large repositories have more, whose names are typed. */
const FILES_MAX = 20_000;
/** Output of git that is read: so many names of usual length. */
const OUTPUT_MAX = 8 * 1024 * 1024;
/** git has this long, in ms: a list that comes later helps nobody. */
const GIT_MS = 2000;
/** Rows given. */
const GIVEN = 8;
/** Names that a directory is walked for where there is no git: enough to find something, and soon over. */
const WALK_MAX = 5000;
/** Folders that hold nothing that a person wrote. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist', 'target', '.venv']);

/** The files that fit a query best. */
export async function filesLike(
  cwd: string,
  query: string,
): Promise<{ readonly text: string; readonly note: string }[]> {
  const files = await filesBelow(cwd);
  return rank(files, query)
    .slice(0, GIVEN)
    .map(({ index }) => ({ text: `@${files[index]!}`, note: '' }));
}

/** All that can be named, as git or the directory has them. */
export async function filesBelow(cwd: string): Promise<string[]> {
  const listed = await gitFiles(cwd);
  return listed ?? (await walked(cwd));
}

function gitFiles(cwd: string): Promise<string[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return new Promise(done =>
    execFile('git', args, { cwd, maxBuffer: OUTPUT_MAX, timeout: GIT_MS }, (error, out) =>
      done(error ? undefined : out.split('\0').filter(Boolean).slice(0, FILES_MAX)),
    ),
  );
}

async function walked(cwd: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (
    let folder = folders.shift();
    folder !== undefined && found.length < WALK_MAX;
    folder = folders.shift()
  ) {
    const entries = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && folders.length < WALK_MAX) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found;
}
