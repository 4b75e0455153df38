/**
 * `ESC P tmux; … ESC \` carries bytes meant for the terminal outside, their ESCs doubled. xterm's parser would end the
 * string at the first inner ESC and execute the rest, so it is taken out before the parser sees it.
 */

const ESC = 0x1b;
const P = 0x50;
const CAN = 0x18;
const SUB = 0x1a;
/** What follows `ESC P`: "tmux;". */
const INTRODUCER: readonly number[] = [0x74, 0x6d, 0x75, 0x78, 0x3b];
const ESC_BYTE = Uint8Array.of(ESC);

/** Removes passthrough payloads from a byte stream in any chunking. Keeps two numbers, never bytes. */
export class PassthroughFilter {
  /** Bytes of INTRODUCER matched after an `ESC P`, or -1 where none began. All of them: inside a payload. */
  #matched = -1;
  /** Whether the byte before was an ESC. */
  #escape = false;

  /** Whether nothing has begun that could be a payload: then there is nothing to remember. */
  get isIdle(): boolean {
    return this.#matched < 0 && !this.#escape;
  }

  /** Forgets what was seen, as after a reset of the parser. */
  reset(): void {
    this.#matched = -1;
    this.#escape = false;
  }

  /** Calls `sink` with every part of `bytes` outside a payload, in order, as views. The introducer passes. */
  feed(bytes: Uint8Array, sink: (part: Uint8Array) => void): void {
    for (let i = 0; i < bytes.length;) {
      if (this.#matched === INTRODUCER.length) {
        i = this.#skip(bytes, i, sink);
        continue;
      }
      const end = this.#match(bytes, i);
      sink(i === 0 && end === bytes.length ? bytes : bytes.subarray(i, end));
      i = end;
    }
  }

  /** Index of the first byte of a payload after `from`, or the end. */
  #match(bytes: Uint8Array, from: number): number {
    for (let i = from; ;) {
      while (this.#matched >= 0 && i < bytes.length) {
        if (bytes[i] !== INTRODUCER[this.#matched]) this.#matched = -1;
        else {
          i++;
          if (++this.#matched < INTRODUCER.length) continue;
          this.#escape = false;
          return i;
        }
      }
      // P is rarer in output than ESC, so look for it.
      const p = i < bytes.length ? bytes.indexOf(P, i) : -1;
      if (p < 0) {
        this.#escape = bytes[bytes.length - 1] === ESC;
        return bytes.length;
      }
      if (p === from ? this.#escape : bytes[p - 1] === ESC) this.#matched = 0;
      i = p + 1;
    }
  }

  /** Index of the first byte after the payload, or the end. The parser, still in its DCS, is given the ESC of ST. */
  #skip(bytes: Uint8Array, from: number, sink: (part: Uint8Array) => void): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === CAN || byte === SUB) {
        this.reset();
        return i;
      }
      if (this.#escape && byte !== ESC) {
        this.#matched = -1;
        sink(ESC_BYTE);
        return i;
      }
      this.#escape = byte === ESC && !this.#escape;
    }
    return bytes.length;
  }
}
