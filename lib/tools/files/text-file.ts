/**
 * Files as text and back: what encoding their bytes are in, and which ends their lines have. Whatever is not changed in the
 * text comes out with the same bytes.
 */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { systemCode } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { pathError } from './workspace.ts';

/** Bytes of a file that is changed by tools: source files of more are made by programs. */
export const EDIT_MAX = 16 * 1024 * 1024;
/** Bytes by which binary files are told, as git does it. */
const SNIFF = 8000;

/** Encodings, as Node names them; `latin1` stands for any of one byte: it gives every byte back as it was. */
export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1';

/** A file that is there. */
export interface TextFile {
  /** Lines end with `\n`, whatever they end with in the file, as long as they all end alike. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly hasMark: boolean;
  readonly isCrlf: boolean;
  readonly mode: number;
  /** Of its bytes. */
  readonly hash: string;
}

/** Opens a regular file without waiting for anything: a pipe would wait for whoever writes it. Throws CodedError. */
export async function openRegular(
  path: string,
  shown: string,
): Promise<{ handle: FileHandle; size: number; mode: number }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const entry = await handle.stat();
    if (entry.isFile()) return { handle, size: entry.size, mode: entry.mode & 0o7777 };
    const what = entry.isDirectory() ? 'it is a directory' : 'it is no regular file';
    throw new CodedError('failed', `${visible(shown)}: ${what}`);
  } catch (error) {
    await handle?.close();
    // ENXIO: a socket.
    if (systemCode(error) === 'ENXIO')
      throw new CodedError('failed', `${visible(shown)}: it is no regular file`);
    throw error instanceof CodedError ? error : pathError(shown, error);
  }
}

/** Reads a file for changing it; undefined where there is none. Throws CodedError, also for binary files. */
export async function readTextFile(path: string, shown: string): Promise<TextFile | undefined> {
  const opened = await openRegular(path, shown).catch((error: CodedError) => {
    if (systemCode(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (!opened) return undefined;
  const { handle, size, mode } = opened;
  try {
    if (size > EDIT_MAX)
      throw new CodedError('failed', `${visible(shown)}: it is larger than ${EDIT_MAX >> 20} MiB`);
    const bytes = await handle.readFile();
    const encoding = encodingOf(bytes);
    if (!encoding) throw new CodedError('failed', `${visible(shown)}: it is binary`);
    return { ...decoded(bytes, encoding), mode, hash: hashOf(bytes) };
  } finally {
    await handle.close();
  }
}

/** Of bytes, for comparing. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The encoding of a text's bytes; undefined where they are no text. Looks at all that it is given. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  if (bytes.subarray(0, SNIFF).includes(0)) return undefined;
  return isUtf8(bytes) ? 'utf8' : 'latin1';
}

const MARK = '\ufeff';

function decoded(
  bytes: Buffer,
  encoding: Encoding,
): Pick<TextFile, 'text' | 'encoding' | 'hasMark' | 'isCrlf'> {
  const raw = decodeBytes(bytes, encoding);
  const hasMark = encoding !== 'latin1' && raw.startsWith(MARK);
  const text = hasMark ? raw.slice(1) : raw;
  const isCrlf = text.includes('\r\n') && !/(?:^|[^\r])\n|\r(?!\n)/.test(text);
  return { text: isCrlf ? text.replaceAll('\r\n', '\n') : text, encoding, hasMark, isCrlf };
}

/** Bytes as text. An odd byte at the end of UTF-16 is dropped. */
export function decodeBytes(bytes: Buffer, encoding: Encoding): string {
  if (encoding !== 'utf16be') return bytes.toString(encoding);
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return even.swap16().toString('utf16le');
}

/** The bytes of a text in the form of the file that it came from. Throws CodedError where that cannot hold it. */
export function encoded(
  text: string,
  { encoding, hasMark, isCrlf }: Omit<TextFile, 'text' | 'mode' | 'hash'>,
): Buffer {
  const ended = isCrlf ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text;
  const whole = hasMark ? MARK + ended : ended;
  // oxlint-disable-next-line no-control-regex -- all of them are characters of one byte
  if (encoding === 'latin1' && /[^\x00-\xff]/.test(whole))
    throw new CodedError(
      'failed',
      'the file is in an encoding of one byte, and the new text has other characters',
    );
  if (encoding !== 'utf16be') return Buffer.from(whole, encoding);
  return Buffer.from(whole, 'utf16le').swap16();
}
