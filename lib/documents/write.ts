/**
 * Changing documents: whoever has the lock writes for all who wait.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '../base/errors.ts';
import { writeBatch } from './batch.ts';
import { gitCommand, type StoreGit } from './git.ts';
import { Lock } from './lock.ts';
import { Queue, type Outcome, type Write } from './queue.ts';
import { packCount } from './repository.ts';

/** A batch takes well under a second; who has had the lock for longer is stuck. */
const WAIT_MS = 30_000;
/** Pauses between looks at the lock: short at first, for most wait for one batch alone. */
const PAUSE_MS = 2;
const PAUSE_MAX_MS = 20;
/** With more packs than this, looking for an object is what takes time. */
const PACKS_MAX = 60;

/** Does a write, and with it those that wait. @throws CodedError */
export async function performWrite(git: StoreGit, write: Write, now: () => number): Promise<Outcome> {
  const lock = new Lock(join(git.dir, 'mux/lock'));
  const queue = new Queue(join(git.dir, 'mux'));
  if (lock.take()) return lead(git, lock, queue, write, now);
  const end = now() + WAIT_MS;
  const name = queue.add(write, now());
  try {
    for (let wait = PAUSE_MS; ; wait = Math.min(PAUSE_MAX_MS, wait * 1.5)) {
      const isMine = lock.take();
      // Asked with the lock: nobody can answer any more who has not.
      const answer = queue.takeAnswer(name);
      if (answer !== undefined) {
        if (isMine) lock.release();
        return answer;
      }
      if (isMine) return await lead(git, lock, queue, write, now);
      if (now() > end) throw stuck(git, lock);
      await pause(wait);
    }
  } finally {
    queue.remove(name);
  }
}

/** Writes ours and what waits, tells the others, and lets the lock go. */
async function lead(
  git: StoreGit,
  lock: Lock,
  queue: Queue,
  mine: Write,
  now: () => number,
): Promise<Outcome> {
  try {
    const isUncertain = queue.hasUnfinished();
    const waiting = queue.next(now());
    const others = waiting.filter(({ write }) => write.id !== mine.id);
    if (others.length > 0) queue.started();
    const writes = [...others.map(({ write }) => write), mine];
    const outcomes = await writeBatch(git, writes, isUncertain);
    for (const { name, write } of others) queue.answer(name, outcomes.get(write.id)!);
    queue.finished();
    return outcomes.get(mine.id)!;
  } finally {
    lock.release();
    tidy(git);
  }
}

function stuck({ dir }: StoreGit, lock: Lock): CodedError {
  const [pid = '?'] = (lock.owner() ?? '').split('.');
  return new CodedError(
    'timeout',
    `document store ${dir}: process ${pid} has been writing for ${WAIT_MS / 1000} s`,
    'if it is stuck, end it and try again',
  );
}

/** Puts packs together, behind us: nobody waits for it, and nothing is lost should it be cut off. */
function tidy(git: StoreGit): void {
  try {
    if (packCount(git.dir) < PACKS_MAX) return;
    const { program, args, options } = gitCommand(git, ['repack', '-d', '--geometric=2', '--quiet']);
    const child = spawn(program, args, { ...options, stdio: 'ignore' });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // What was written is written; the next one tidies.
  }
}
