/**
 * Bytes from a terminal → keys, mouse, paste, focus and replies.
 */
import { C1, copyBytes } from './controls.ts';
import type { InputEvent } from './event.ts';
import { PasteReader } from './paste.ts';
import { scanTail, scanToken } from './scan.ts';
import type { Token } from './token.ts';

const EMPTY = new Uint8Array(0);
/** `[`, which makes a control sequence of the ESC before it. */
const CSI_BYTE = 0x5b;

/** Unknown bytes are joined up to this many, so that joining costs no more than a copy of a short piece each. */
const MAX_JOINED = 256;

/** The bytes of one-byte keys, made once: a long text typed at once would else be mostly tiny arrays. */
const SINGLE: readonly Uint8Array[] = Array.from({ length: 0x80 }, (_, byte) => Uint8Array.of(byte));

/** The bytes of a token, for keeping. */
function rawOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const single = end === start + 1 ? SINGLE[bytes[start]!] : undefined;
  return single ?? copyBytes(bytes, start, end);
}

function join(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (before.length === 0) return bytes;
  const joined = new Uint8Array(before.length + bytes.length);
  joined.set(before);
  joined.set(bytes, before.length);
  return joined;
}

/**
 * A resumable decoder: the events are the same however the bytes are cut (but for the pieces of pastes and of
 * unknown bytes). It holds at most one unfinished sequence, a few kilobytes. No input makes it throw.
 *
 * The `raw` bytes of the events, with focus reports and paste markers put back, are the input. A key press that made
 * several characters gives several events, of which the first has all the bytes and the others none.
 *
 * The caller owns the escape timer: arm it when `pending` is true after `feed`, and call `flush` when it fires.
 */
export class InputDecoder {
  #held: Uint8Array = EMPTY;
  #paste: { readonly reader: PasteReader; first: boolean } | undefined;
  #endless: 'csi' | 'string' | undefined;
  #pending = false;
  #flushed = false;

  /**
   * Whether a lone ESC or an unfinished sequence waits for the timer. Never during a paste. Still true after `flush`
   * where a sequence nobody types has begun: it deserves a longer timer.
   */
  get pending(): boolean {
    return this.#pending;
  }

  /** Whether a paste has begun and not ended. */
  get inPaste(): boolean {
    return this.#paste !== undefined;
  }

  /** Ends the paste under way, of which no more is coming. What was held of a marker is its text. */
  endPaste(): InputEvent[] {
    if (!this.#paste) return [];
    const event = { type: 'paste', data: this.#held, first: this.#paste.first, last: true } as const;
    this.#paste = undefined;
    this.#held = EMPTY;
    return [event];
  }

  /** Takes the next bytes, of any number. `bytes` may be reused; the events' bytes are only for reading. */
  feed(bytes: Uint8Array): InputEvent[] {
    if (bytes.length === 0) return [];
    // A control sequence that goes on, however slowly, is on its way; a string may be text that somebody types.
    if (this.#held[0] === C1.csi || this.#held[1] === CSI_BYTE) this.#flushed = false;
    const events = this.#run(join(this.#held, bytes), false);
    this.#pending = !this.#paste && (this.#held.length > 0 || this.#endless !== undefined);
    return events;
  }

  /**
   * The escape timer has fired: a lone ESC is the Escape key, `ESC [` is Alt-[. A longer sequence, which nobody
   * types, is waited for once more (a slow line); the next time it is given up as 'unknown'.
   */
  flush(): InputEvent[] {
    if (this.#paste) return [];
    this.#pending = false;
    this.#endless = undefined;
    const again = this.#flushed;
    const events = this.#run(this.#held, true);
    if (again && this.#held.length > 0) {
      events.push({ type: 'unknown', raw: this.#held });
      this.#held = EMPTY;
    }
    this.#flushed = this.#held.length > 0;
    this.#pending = this.#flushed;
    return events;
  }

  /** Reads all whole tokens of `bytes` and holds the rest. */
  #run(bytes: Uint8Array, flush: boolean): InputEvent[] {
    const events: InputEvent[] = [];
    let at = 0;
    while (at < bytes.length) {
      const end = this.#step(bytes, at, flush, events);
      if (end === at) break;
      at = end;
    }
    if (at > 0) this.#flushed = false;
    this.#held = copyBytes(bytes, at, bytes.length);
    return events;
  }

  /** Reads one thing at `at`; the offset behind it, or `at` itself when it must wait for more bytes. */
  #step(bytes: Uint8Array, at: number, flush: boolean, events: InputEvent[]): number {
    if (this.#paste) return this.#readPaste(this.#paste, bytes, at, events);
    if (this.#endless) {
      const tail = scanTail(bytes, at, this.#endless);
      if (tail.end > at) events.push({ type: 'unknown', raw: copyBytes(bytes, at, tail.end) });
      if (!tail.over) return tail.end;
      this.#endless = undefined;
      if (tail.end > at) return tail.end;
    }
    const token = scanToken(bytes, at, flush);
    if (!token) return at;
    this.#emit(token, rawOf(bytes, at, token.end), events);
    return token.end;
  }

  #readPaste(
    paste: { readonly reader: PasteReader; first: boolean },
    bytes: Uint8Array,
    at: number,
    events: InputEvent[],
  ): number {
    const { data, end, over } = paste.reader.read(bytes, at);
    if (data.length > 0 || over) {
      events.push({ type: 'paste', data, first: paste.first, last: over });
      paste.first = false;
    }
    if (over) this.#paste = undefined;
    return end;
  }

  #emit(token: Token, raw: Uint8Array, events: InputEvent[]): void {
    const { meaning } = token;
    if (meaning.type === 'keys')
      for (const [i, key] of meaning.keys.entries())
        events.push({ type: 'key', key, raw: i === 0 ? raw : EMPTY });
    else if (meaning.type === 'mouse') events.push({ type: 'mouse', mouse: meaning.mouse, raw });
    else if (meaning.type === 'focus') events.push({ type: 'focus', focused: meaning.focused });
    else if (meaning.type === 'reply' || meaning.type === 'key-report')
      events.push({ type: meaning.type, raw });
    else if (meaning.type === 'paste')
      this.#paste = { reader: new PasteReader(meaning.eightBit), first: true };
    else this.#unknown(raw, meaning.type === 'endless' ? meaning.within : undefined, events);
  }

  /** Neighbouring unknown bytes become one event, so that noise makes few. */
  #unknown(raw: Uint8Array, within: 'csi' | 'string' | undefined, events: InputEvent[]): void {
    this.#endless = within;
    const before = events.at(-1);
    if (before?.type === 'unknown' && before.raw.length < MAX_JOINED)
      events[events.length - 1] = { type: 'unknown', raw: join(before.raw, raw) };
    else events.push({ type: 'unknown', raw });
  }
}
