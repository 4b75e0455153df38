/**
 * How much a descriptor comes to, told from its bytes before anything is made of them: a message that is declared in two bytes
 * becomes an object of hundreds.
 */
import protobuf from 'protobufjs';

/** Parts of descriptor.proto that hold others, by the numbers of their fields; `leaf` holds nothing that counts. */
const LEVELS = {
  file: { 4: 'message', 5: 'enum', 6: 'service', 9: 'info' },
  message: { 2: 'leaf', 3: 'message', 4: 'enum', 8: 'leaf' },
  enum: { 2: 'leaf' },
  service: { 2: 'leaf' },
  info: { 1: 'leaf' },
  leaf: {},
} as const satisfies Record<string, Readonly<Record<number, string>>>;

type Level = keyof typeof LEVELS;

const LENGTH_DELIMITED = 2;
/** Bytes of a leaf that are as one part: its names and numbers. */
const LEAF_BYTES = 32;
/** Messages within messages. */
const DEPTH_MAX = 100;

/**
 * The number of its parts: declarations, comments, and their contents by size.
 *
 * @throws RangeError, or the reader's error, where the bytes are no message
 */
export function partsOf(bytes: Uint8Array): number {
  return count(protobuf.Reader.create(bytes), bytes.length, 'file', DEPTH_MAX);
}

function count(reader: protobuf.Reader, end: number, level: Level, depth: number): number {
  if (depth === 0) throw new RangeError('nested too deep');
  const inner: Readonly<Record<number, Level>> = LEVELS[level];
  let parts = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    parts++;
    const below = (tag & 7) === LENGTH_DELIMITED ? inner[tag >>> 3] : undefined;
    if (below === undefined) {
      reader.skipType(tag & 7);
      continue;
    }
    const length = reader.uint32();
    const stop = reader.pos + length;
    if (stop > end) throw new RangeError('a part goes beyond what holds it');
    if (below === 'leaf') {
      parts += Math.ceil(length / LEAF_BYTES);
      reader.skip(length);
    } else parts += count(reader, stop, below, depth - 1);
  }
  return parts;
}
