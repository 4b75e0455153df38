/**
 * What a document shall hold: the word itself, a file, or what comes through a pipe.
 */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** Where the content comes from, as it was said. */
export interface InputRequest {
  /** The command, for errors. */
  readonly what: string;
  readonly word: string | undefined;
  readonly file: string | undefined;
  readonly cwd: string;
  /** Bytes after which reading ends: one more tells that it was too much. */
  readonly limit: number;
}

/** The bytes, at most one more than the limit. @throws CodedError */
export async function documentFrom({ what, word, file, cwd, limit }: InputRequest): Promise<Buffer> {
  if (file !== undefined && word !== undefined)
    throw new CodedError('usage', `${what}: a text and -f exclude each other`);
  if (file !== undefined && file !== '-') {
    try {
      return await upTo(createReadStream(resolve(cwd, file), { end: limit }), limit);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isMissing = code === 'ENOENT';
      throw new CodedError(
        isMissing ? 'not_found' : 'failed',
        `${file}: ${isMissing ? 'there is no such file' : (code ?? String(error))}`,
      );
    }
  }
  if (word !== undefined && word !== '-') return Buffer.from(word);
  if (process.stdin.isTTY)
    throw new CodedError('usage', `${what}: say what it shall hold`, 'a text, -f FILE, or - for a pipe');
  return upTo(process.stdin, limit);
}

async function upTo(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    size += piece.length;
    if (size > limit) break;
  }
  return Buffer.concat(pieces);
}
