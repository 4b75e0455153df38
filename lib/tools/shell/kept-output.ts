/**
 * What a program prints, of which the beginning and the end are kept: memory does not grow with it.
 */
import { StringDecoder } from 'node:string_decoder';
import { joined } from '../outcome.ts';

/** The last bytes of a stream, in pieces whose number is bounded, too. */
class Tail {
  readonly #max: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(piece: Buffer): void {
    // A copy: the piece may be a part of a much larger buffer.
    const kept = Buffer.from(piece.length > this.#max ? piece.subarray(piece.length - this.#max) : piece);
    this.#pieces.push(kept);
    this.#length += kept.length;
    // Joined now and then instead of at each of many small pieces.
    if (this.#length > 2 * this.#max || this.#pieces.length > 1024) this.#join();
  }

  bytes(): Buffer {
    this.#join();
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  #join(): void {
    const all = Buffer.concat(this.#pieces);
    const last = Buffer.from(all.subarray(Math.max(0, all.length - this.#max)));
    this.#pieces = [last];
    this.#length = last.length;
  }
}

/** Beginning and end of a stream of bytes. */
export class KeptOutput {
  readonly #headMax: number;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  readonly #tail: Tail;
  #total = 0;

  /** @param max bytes that are kept, half of them from the beginning */
  constructor(max: number) {
    this.#headMax = Math.floor(max / 2);
    this.#tail = new Tail(max - this.#headMax);
  }

  push(bytes: Buffer): void {
    this.#total += bytes.length;
    const room = this.#headMax - this.#headLength;
    const first = bytes.subarray(0, room);
    if (first.length > 0) this.#head.push(Buffer.from(first));
    this.#headLength += first.length;
    if (bytes.length > first.length) this.#tail.push(bytes.subarray(first.length));
  }

  /** Bytes that came, kept or not. */
  get total(): number {
    return this.#total;
  }

  /** What is kept, and how much is not. */
  text(): string {
    const [head, tail] = [Buffer.concat(this.#head), this.#tail.bytes()];
    return joined(head, tail, this.#total - head.length - tail.length);
  }
}

/** Output that is read piece by piece: what nobody has read is dropped from its beginning where it gets too much. */
export class UnreadOutput {
  readonly #max: number;
  #tail: Tail;
  #unread = 0;

  /** @param max bytes that wait to be read */
  constructor(max: number) {
    this.#max = max;
    this.#tail = new Tail(max);
  }

  push(bytes: Buffer): void {
    this.#unread += bytes.length;
    this.#tail.push(bytes);
  }

  /** What came since the last time. */
  take(): string {
    const bytes = this.#tail.bytes();
    const text = joined(Buffer.alloc(0), bytes, this.#unread - bytes.length);
    this.#tail = new Tail(this.#max);
    this.#unread = 0;
    return text;
  }
}

/** Pieces for people who watch: a few each second, of a flood the newest. */
export class LiveText {
  readonly #show: (text: string) => void;
  readonly #now: () => number;
  readonly #decoder = new StringDecoder('utf8');
  #waiting = '';
  #skipped = 0;
  #shownAt = -Infinity;

  /** Time between two pieces, ms: eyes see no more, and each may be drawn. */
  static readonly EVERY_MS = 50;
  /** UTF-16 units of a piece: two screens full. */
  static readonly PIECE_MAX = 8192;

  constructor(show: (text: string) => void, now: () => number) {
    this.#show = show;
    this.#now = now;
  }

  push(bytes: Buffer): void {
    // Of a large piece only the end can be shown.
    const end =
      bytes.length > 4 * LiveText.PIECE_MAX ? bytes.subarray(bytes.length - 4 * LiveText.PIECE_MAX) : bytes;
    this.#skipped += bytes.length - end.length;
    this.#waiting += this.#decoder.write(end);
    const over = this.#waiting.length - LiveText.PIECE_MAX;
    if (over > 0) {
      this.#waiting = this.#waiting.slice(over);
      this.#skipped += over;
    }
    if (this.#now() - this.#shownAt >= LiveText.EVERY_MS) this.flush();
  }

  /** Shows what has not been shown. */
  flush(): void {
    if (this.#waiting === '') return;
    const text = this.#skipped > 0 ? `\n[…]\n${this.#waiting}` : this.#waiting;
    [this.#waiting, this.#skipped, this.#shownAt] = ['', 0, this.#now()];
    this.#show(text);
  }
}
