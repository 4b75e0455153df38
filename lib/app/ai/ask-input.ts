/** What a question is made of: words, a pipe, files and pictures, as messages of a user. */
import { fstatSync, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Message } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';

/** Bytes of one file, and of a pipe: far more than models take, and less than a message of gRPC. */
const SIZE_MAX = 8 * 1024 * 1024;
/** First bytes of the pictures that models take, and their media types. */
const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
];

/** A file as a message of its own, marked as sgpt marks it. Throws CodedError. */
export function fileMessage(given: string, cwd: string): Message {
  const path = resolve(cwd, given);
  const bytes = readWhole(path, given);
  const head = bytes.subarray(0, 16).toString('latin1');
  const picture = PICTURES.find(([start]) => start.test(head));
  const labels = { 'sgpt.com/injected-file': 'true' };
  const annotations = { 'sgpt.com/file-path': path };
  if (picture) {
    const blocks = [{ text: `${basename(path)}:` }, { image: { data: bytes, media_type: picture[1] } }];
    return { role: 'ROLE_USER', labels, annotations, blocks };
  }
  const text = decoded(bytes, given);
  return { role: 'ROLE_USER', labels, annotations, blocks: [{ text: `${path}\n${fenced(text)}` }] };
}

/** Words and what came through the pipe as one message. */
export function questionMessage(words: string, piped: string): Message {
  const parts = [words, ...(piped === '' ? [] : [words === '' ? piped : fenced(piped)])];
  return { role: 'ROLE_USER', blocks: [{ text: parts.filter(Boolean).join('\n\n') }] };
}

/** A fence that the text does not end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function readWhole(path: string, given: string): Buffer {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new CodedError('refused', `${given}: it is a folder`, 'name its files');
    if (found.size > SIZE_MAX) throw tooLarge(given);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('not_found', `${given}: ${systemReason(error)}`, undefined, { cause: error });
  }
}

function decoded(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // TypeError: bytes that are no UTF-8.
    throw new CodedError('refused', `${what}: it is no UTF-8 text and no picture`);
  }
}

function tooLarge(what: string): CodedError {
  return new CodedError('refused', `${what}: larger than ${SIZE_MAX / 1024 / 1024} MiB`);
}

/** What comes through a pipe or a redirection, to its end; '' on a terminal and from a device such as /dev/null. */
export async function pipedText(): Promise<string> {
  if (process.stdin.isTTY || fstatSync(0, { throwIfNoEntry: false } as never)?.isCharacterDevice()) return '';
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > SIZE_MAX) throw tooLarge('what comes through the pipe');
    pieces.push(piece);
  }
  return decoded(Buffer.concat(pieces), 'what comes through the pipe').replace(/\n+$/, '');
}
