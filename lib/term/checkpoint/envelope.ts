/**
 * What stands around the state in a checkpoint, so that a file that a crash has cut, or another version has written, is
 * known as such before anything of it is believed.
 *
 * Five words, little endian: magic, format, version of @xterm/headless (major, minor, patch: a byte each), bytes in
 * all, sum. The sum is over everything behind it.
 */
import { XTERM_VERSION } from '../xterm-core.ts';
import { CheckpointError } from './error.ts';

/** "muxc". */
const MAGIC = 0x6378756d;
/**
 * The format. To be raised with every change to what any `save` writes, to the packed rows of history, or to the states
 * of clusters (base/unicode): a screen of another format is rebuilt from the log instead.
 */
export const FORMAT = 2;
const WORDS = 5;
/** Bytes of it. */
export const ENVELOPE_BYTES = WORDS * 4;

const AT = { magic: 0, format: 4, xterm: 8, length: 12, sum: 16 } as const;

function xtermNumber(): number {
  return XTERM_VERSION.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/** Whether words of a typed array lie in memory as they do in a checkpoint. */
function isLittleEndian(): boolean {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
}

/**
 * A sum of 32 bits. Each step is one to one, both for the sum so far and for the word, so that a change within one word
 * always shows; any other goes unseen once in four thousand million times.
 */
export function sumOf(bytes: Uint8Array): number {
  const whole = bytes.length & ~3;
  // A typed array of words can only begin at a multiple of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, whole / 4);
  let sum = bytes.length;
  for (let i = 0; i < words.length; i++) {
    sum = Math.imul(sum ^ words[i]!, 0x9e3779b1);
    sum = (sum << 15) | (sum >>> 17);
  }
  for (let i = whole; i < bytes.length; i++) {
    sum = Math.imul(sum ^ bytes[i]!, 0x9e3779b1);
    sum = (sum << 15) | (sum >>> 17);
  }
  return sum >>> 0;
}

/** Fills in the first ENVELOPE_BYTES of a checkpoint that is complete but for them. */
export function seal(bytes: Buffer): void {
  bytes.writeUInt32LE(MAGIC, AT.magic);
  bytes.writeUInt32LE(FORMAT, AT.format);
  bytes.writeUInt32LE(xtermNumber(), AT.xterm);
  bytes.writeUInt32LE(bytes.length, AT.length);
  bytes.writeUInt32LE(sumOf(bytes.subarray(ENVELOPE_BYTES)), AT.sum);
}

/** What is in the envelope. Throws a CheckpointError where it is not whole, or not for this version. */
export function open(bytes: Uint8Array): Uint8Array {
  if (!isLittleEndian()) throw new CheckpointError('version', 'this machine keeps its words the other way');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < ENVELOPE_BYTES || view.getUint32(AT.magic, true) !== MAGIC)
    throw new CheckpointError('damaged', 'it is none');
  const format = view.getUint32(AT.format, true);
  if (format !== FORMAT) throw new CheckpointError('version', `format ${format}, not ${FORMAT}`);
  if (view.getUint32(AT.xterm, true) !== xtermNumber())
    throw new CheckpointError('version', `not of @xterm/headless ${XTERM_VERSION}`);
  const length = view.getUint32(AT.length, true);
  if (length !== bytes.length)
    throw new CheckpointError('damaged', `${bytes.length} bytes where ${length} were written`);
  const body = bytes.subarray(ENVELOPE_BYTES);
  if (sumOf(body) !== view.getUint32(AT.sum, true)) throw new CheckpointError('damaged', 'its sum is wrong');
  return body;
}
