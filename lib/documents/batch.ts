/**
 * Some writes, one commit each, by one git: all of them, or none.
 */
import { CodedError } from '../base/errors.ts';
import { runGit, type StoreGit } from './git.ts';
import { Import } from './import.ts';
import { parentsOf } from './key.ts';
import { commitMessage } from './message.ts';
import type { Outcome, Write } from './queue.ts';
import { broken, tipOf } from './repository.ts';

/** A document is something that people and agents read; larger things belong elsewhere. */
export const DOCUMENT_MAX = 32 * 1024 * 1024;

/** Tries against a branch that others move: with the lock there is nobody, and without it each try lets one through. */
const TRIES = 60;
/** How far back a write is looked for that may have been done before a crash. */
const LOOK_BACK = 2000;
const LOG_MAX = 4 * 1024 * 1024;

/**
 * Writes all of them; what became of each, by its id.
 * @param isUncertain some may have been written already, by a process that has died
 * @throws CodedError where the repository is broken, or the disk full
 */
export async function writeBatch(
  git: StoreGit,
  writes: readonly Write[],
  isUncertain: boolean,
): Promise<ReadonlyMap<string, Outcome>> {
  try {
    let isMoved = false;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const done = isUncertain || isMoved ? await writtenBefore(git, writes) : new Map<string, Outcome>();
      const outcomes = await importAll(git, writes, done);
      if (outcomes !== undefined) return outcomes;
      isMoved = true;
    }
  } catch (error) {
    throw told(git, error);
  }
  throw new CodedError('failed', `document store ${git.dir}: others write to it all the time`, 'try again');
}

/** Undefined where the branch was moved by another meanwhile: then nothing was written. */
async function importAll(
  git: StoreGit,
  writes: readonly Write[],
  done: ReadonlyMap<string, Outcome>,
): Promise<ReadonlyMap<string, Outcome> | undefined> {
  const run = new Import(git, tipOf(git));
  const outcomes = new Map(done);
  try {
    for (const write of writes)
      if (!outcomes.has(write.id)) outcomes.set(write.id, await writeOne(run, write));
  } catch (error) {
    await run.abandon();
    throw error;
  }
  return (await run.finish()) === 'done' ? outcomes : undefined;
}

async function writeOne(run: Import, write: Write): Promise<Outcome> {
  const { key, kind } = write;
  const parents = parentsOf(key);
  const entries = await run.look([...parents, key]);
  const blocking = parents.find((_, i) => entries[i]?.kind === 'blob');
  const there = entries.at(-1);
  if (kind === 'rm') {
    if (there?.kind !== 'blob') return { result: 'missing' };
    return { result: 'written', commit: await commit(run, write, undefined), size: 0 };
  }
  if (blocking !== undefined) return { result: 'blocked', by: blocking };
  if (there?.kind === 'tree') return { result: 'blocked', by: `${key}/` };
  const body = kind === 'append' && there ? appended(await run.content(there.id), write.body) : write.body;
  if (body.length > DOCUMENT_MAX) return { result: 'too_large' };
  const id = await run.blob(body);
  if (id === there?.id) return { result: 'unchanged', commit: '', size: body.length };
  return { result: 'written', commit: await commit(run, write, id), size: body.length };
}

function commit(
  run: Import,
  { key, kind, id, writer, at }: Write,
  blob: string | undefined,
): Promise<string> {
  return run.commit(key, blob, { message: commitMessage(kind, key, id, writer), at });
}

/** What is added begins a line of its own, whether or not the last one was ended. */
function appended(old: Buffer, line: Buffer): Buffer {
  const isOpen = old.length > 0 && old.at(-1) !== 10;
  return Buffer.concat([old, Buffer.from(isOpen ? '\n' : ''), line]);
}

/** Those of the writes that are in the log. */
async function writtenBefore(git: StoreGit, writes: readonly Write[]): Promise<Map<string, Outcome>> {
  const format = '--format=%H %(trailers:key=Write-Id,valueonly,separator=%x20)';
  const words = ['log', '-n', String(LOOK_BACK), format, tipOf(git)];
  const log = (await runGit(git, words, { maxOutput: LOG_MAX })).toString();
  const commits = new Map(log.split('\n').map(line => line.split(' ').toReversed() as [string, string]));
  return new Map(
    writes.flatMap(({ id, body }): [string, Outcome][] => {
      const found = commits.get(id);
      return found === undefined ? [] : [[id, { result: 'written', commit: found, size: body.length }]];
    }),
  );
}

/** What git said, as a person needs it. */
function told({ dir }: StoreGit, error: unknown): unknown {
  if (!(error instanceof CodedError) || error.hint !== undefined) return error;
  if (/no space left|quota exceeded/i.test(error.message))
    return new CodedError('no_space', `document store ${dir}: the disk is full`, 'free some space');
  return broken(dir, error.message);
}
