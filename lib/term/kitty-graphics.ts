/**
 * How large a picture of the kitty graphics protocol is, and whether it is to be shown. Nothing is answered: programs
 * that ask first are thereby told that there are no pictures here. Source: the kitty graphics protocol.
 */
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import type { Picture } from './image.ts';
import type { PayloadHandler, XtermParams } from './xterm-core.ts';

/** Characters kept of one string: the keys, and as much of the data as a PNG needs to tell its size. */
const MAX_KEPT = 512;
/** Sizes of pictures that were sent to be shown later, by number; the oldest are forgotten. */
const MAX_REMEMBERED = 256;
/** Base64 of the first bytes of a PNG: signature, and the header with width and height at 16 and 20. */
const PNG_HEADER = 32;
/** First four bytes of every PNG. */
const PNG_SIGNATURE = 0x89504e47;
/** Largest side in pixels that is believed. */
const MAX_SIDE = 16_384;

interface Size {
  readonly width: number;
  readonly height: number;
}

function keysOf(text: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) keys.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return keys;
}

function number(keys: ReadonlyMap<string, string>, key: string): number {
  const text = keys.get(key) ?? '';
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), MAX_SIDE) : 0;
}

function saveSize(to: ByteWriter, { width, height }: Size): void {
  to.count(width);
  to.count(height);
}

function loadSize(from: ByteReader): Size {
  return { width: from.count(MAX_SIDE), height: from.count(MAX_SIDE) };
}

/** The size in a PNG's header, from the beginning of its base64; undefined if it is none. */
export function pngSize(base64: string): Size | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64.slice(0, PNG_HEADER)), c => c.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0) !== PNG_SIGNATURE) return undefined;
    return {
      width: Math.min(view.getUint32(16), MAX_SIDE),
      height: Math.min(view.getUint32(20), MAX_SIDE),
    };
  } catch {
    // No base64, or too short: a file name, or no PNG.
    return undefined;
  }
}

/** Follows the graphics commands of one pane and hands over the pictures that are to be shown. */
export class KittyGraphics implements PayloadHandler, Kept {
  readonly #done: (picture: Picture) => void;
  readonly #sizes = new Map<string, Size>();
  #text = '';
  /** A picture in several parts is shown when the last has come. */
  #pending: { readonly keys: ReadonlyMap<string, string>; readonly size: Size } | undefined;

  constructor(done: (picture: Picture) => void) {
    this.#done = done;
  }

  start(): void {
    this.#text = '';
  }

  hook(_params: XtermParams): void {
    this.start();
  }

  put(data: Uint32Array, start: number, end: number): void {
    const room = MAX_KEPT - this.#text.length;
    if (room > 0) this.#text += String.fromCodePoint(...data.subarray(start, Math.min(end, start + room)));
  }

  end(success: boolean): boolean {
    const text = this.#text;
    this.start();
    if (!success) return true;
    const at = text.indexOf(';');
    this.#command(keysOf(at < 0 ? text : text.slice(0, at)), at < 0 ? '' : text.slice(at + 1));
    return true;
  }

  unhook(success: boolean): boolean {
    return this.end(success);
  }

  /** Without the text of a string: that is there only inside one. */
  save(to: ByteWriter): void {
    to.count(this.#sizes.size);
    for (const [id, size] of this.#sizes) {
      to.text(id);
      saveSize(to, size);
    }
    to.flag(this.#pending !== undefined);
    if (!this.#pending) return;
    const { keys, size } = this.#pending;
    to.count(keys.size);
    for (const pair of keys) for (const text of pair) to.text(text);
    saveSize(to, size);
  }

  load(from: ByteReader): void {
    for (let n = from.count(MAX_REMEMBERED); n > 0; n--) this.#sizes.set(from.text(), loadSize(from));
    if (!from.flag()) return;
    const keys = new Map<string, string>();
    for (let n = from.count(MAX_KEPT); n > 0; n--) keys.set(from.text(), from.text());
    this.#pending = { keys, size: loadSize(from) };
  }

  #command(keys: ReadonlyMap<string, string>, payload: string): void {
    const isLast = keys.get('m') !== '1';
    if (this.#pending) {
      const pending = this.#pending;
      if (isLast) this.#pending = undefined;
      if (isLast) this.#act(pending.keys, pending.size);
      return;
    }
    const size = this.#sizeOf(keys, payload);
    if (isLast) this.#act(keys, size);
    else this.#pending = { keys, size };
  }

  #sizeOf(keys: ReadonlyMap<string, string>, payload: string): Size {
    const told = { width: number(keys, 's'), height: number(keys, 'v') };
    if (told.width > 0 && told.height > 0) return told;
    const isPng = keys.get('f') === '100' && (keys.get('t') ?? 'd') === 'd';
    return (isPng ? pngSize(payload) : undefined) ?? this.#sizes.get(keys.get('i') ?? '') ?? told;
  }

  #act(keys: ReadonlyMap<string, string>, size: Size): void {
    const action = keys.get('a') ?? 't';
    const id = keys.get('i');
    if (id !== undefined && (action === 't' || action === 'T')) this.#remember(id, size);
    if (action !== 'T' && action !== 'p') return;
    // Unicode placeholders are drawn by the program itself.
    if (keys.get('U') === '1') return;
    this.#done({
      ...size,
      cols: number(keys, 'c'),
      rows: number(keys, 'r'),
      cursor: keys.get('C') === '1' ? 'stays' : 'behind',
    });
  }

  #remember(id: string, size: Size): void {
    this.#sizes.delete(id);
    this.#sizes.set(id, size);
    if (this.#sizes.size <= MAX_REMEMBERED) return;
    const oldest = this.#sizes.keys().next();
    if (!oldest.done) this.#sizes.delete(oldest.value);
  }
}
