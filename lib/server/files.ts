/**
 * Files that commands name: read and written for them, with errors a person can act on.
 */
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { systemCode, systemReason } from '../base/system-reasons.ts';

/** A path as its caller means it: anything but an absolute one is relative to where the caller is. */
function located(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd || '/', path);
}

async function told<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError(
      systemCode(error) === 'ENOENT' ? 'not_found' : 'failed',
      `${what}: ${systemReason(error)}`,
      undefined,
      { cause: error },
    );
  }
}

/** The text of a file of commands. Throws CodedError. */
export function readCommands(path: string, cwd: string): Promise<string> {
  return told(`source-file ${path}`, () => readFile(located(path, cwd), 'utf8'));
}

/** The bytes of an ordinary file of at most `limit` bytes: a pipe or a device could hold the caller for ever. */
export function readBytes(path: string, cwd: string, limit: number): Promise<Uint8Array> {
  return told(path, async () => {
    const file = located(path, cwd);
    const facts = await stat(file);
    if (facts.isDirectory()) throw new CodedError('failed', `${path}: it is a directory`);
    if (!facts.isFile()) throw new CodedError('failed', `${path}: it is no ordinary file`);
    if (facts.size > limit)
      throw new CodedError('refused', `${path}: its ${facts.size} bytes are more than ${limit}`);
    const handle = await open(file);
    try {
      // It may have grown since: no more than the limit is read whatever it is now.
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(limit, facts.size)), 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  });
}

/** Writes a file that only the person can read, or adds to it. Throws CodedError. */
export function writeBytes(
  path: string,
  cwd: string,
  data: Uint8Array,
  { append }: { append: boolean },
): Promise<void> {
  return told(path, () => writeFile(located(path, cwd), data, { flag: append ? 'a' : 'w', mode: 0o600 }));
}
