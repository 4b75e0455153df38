/**
 * Frames on the socket between client and server: 1 byte channel, 4 bytes big-endian payload length, payload.
 */

/** Channel 0 carries one JSON envelope a frame, channel 1 raw terminal bytes. */
export const CHANNEL = { control: 0, bytes: 1 } as const;
export type Channel = (typeof CHANNEL)[keyof typeof CHANNEL];

/** Header size in bytes. */
const HEADER = 5;
/** 4 MiB: far above any frame or command output chunk we send, small enough to hold one per connection. */
export const MAX_PAYLOAD = 4 * 1024 * 1024;

export interface WireFrame {
  readonly channel: Channel;
  readonly payload: Buffer;
}

/** The peer broke the framing: its connection ends, nothing else does. */
export class FramingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FramingError';
  }
}

/** One frame as a single buffer, so that one write carries it whole. Throws FramingError above MAX_PAYLOAD. */
export function encodeFrame(channel: Channel, payload: Uint8Array): Buffer {
  if (payload.length > MAX_PAYLOAD)
    throw new FramingError(`payload of ${payload.length} bytes exceeds ${MAX_PAYLOAD}`);
  const frame = Buffer.allocUnsafe(HEADER + payload.length);
  frame[0] = channel;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, HEADER);
  return frame;
}

/** Takes bytes in any chunking and gives whole frames. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Frames completed by `chunk`. Throws FramingError on an unknown channel or an over-long length, before reading on. */
  push(chunk: Buffer): WireFrame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: WireFrame[] = [];
    while (this.#length >= HEADER) {
      const data = this.#joined(HEADER);
      const channel = data[0]!;
      if (channel !== CHANNEL.control && channel !== CHANNEL.bytes)
        throw new FramingError(`unknown channel ${channel}`);
      const size = data.readUInt32BE(1);
      if (size > MAX_PAYLOAD) throw new FramingError(`frame of ${size} bytes exceeds ${MAX_PAYLOAD}`);
      if (this.#length < HEADER + size) break;
      const whole = this.#joined(HEADER + size);
      frames.push({ channel, payload: whole.subarray(HEADER, HEADER + size) });
      this.#drop(HEADER + size);
    }
    return frames;
  }

  /** The first chunk, grown until it holds `size` bytes. */
  #joined(size: number): Buffer {
    const first = this.#chunks[0]!;
    if (first.length >= size) return first;
    const all = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [all];
    return all;
  }

  #drop(size: number): void {
    const rest = this.#chunks[0]!.subarray(size);
    if (rest.length > 0) this.#chunks[0] = rest;
    else this.#chunks.shift();
    this.#length -= size;
  }
}
