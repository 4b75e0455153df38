/**
 * The input half of an attached client: bytes → keys, mouse, paste → whoever has the keyboard.
 */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import { InputDecoder } from '../../input/decoder.ts';
import type { InputEvent, Key, MouseEvent } from '../../input/event.ts';
import {
  isPrefixHeld,
  press,
  startKeys,
  withBase,
  type KeyOptions,
  type KeyState,
} from '../../keys/state.ts';
import type { KeyTables } from '../../keys/tables.ts';

/** The client's side of input. */
export interface InputSink {
  /** Key table of whoever has the keyboard now. */
  baseTable(): string;
  /** A bound key. */
  command(commandLine: string): void;
  /** A key bound to nothing, for whoever has the keyboard. */
  key(key: Key, raw: Uint8Array): void;
  /** A key event that is no press: see InputEvent. */
  keyReport(raw: Uint8Array): void;
  /** Bytes that mean nothing, for a program that may know them. */
  unknown(raw: Uint8Array): void;
  /** A key behind the prefix that is bound to nothing. */
  unbound(key: Key): void;
  mouse(event: MouseEvent): void;
  paste(data: Uint8Array, first: boolean, last: boolean): void;
  focus(focused: boolean): void;
  /** The terminal's answer to something mux asked. */
  reply(raw: Uint8Array): void;
  /** The prefix was pressed or let go. */
  prefixChanged(): void;
}

/**
 * How long the rest of a sequence that nobody types is waited for: long enough for a line that stalls, short enough
 * that what follows a broken one is not held for ever.
 */
const SEQUENCE_MS = 1000;
/**
 * A paste that brings nothing for this long has lost its end (a terminal that died, a line cut off): else every key
 * would be its text, and nobody could get out. Longer than a line stalls, for what comes after it is typed.
 */
const PASTE_SILENCE_MS = 5000;

export class ClientInput implements Disposable {
  readonly #clock: Clock;
  readonly #sink: InputSink;
  readonly #tables: KeyTables;
  readonly #options: () => KeyOptions & { readonly escapeMs: number };
  readonly #decoder = new InputDecoder();
  #state: KeyState = startKeys();
  #escape: Disposable | undefined;
  #repeat: Disposable | undefined;

  constructor(
    clock: Clock,
    sink: InputSink,
    tables: KeyTables,
    options: () => KeyOptions & { readonly escapeMs: number },
  ) {
    this.#clock = clock;
    this.#sink = sink;
    this.#tables = tables;
    this.#options = options;
  }

  get isPrefixHeld(): boolean {
    return isPrefixHeld(this.#state, this.#clock.now());
  }

  /** Bytes as the terminal sent them, in any chunking. */
  bytes(bytes: Uint8Array): void {
    this.#escape?.dispose();
    this.#escape = undefined;
    for (const event of this.#decoder.feed(bytes)) this.#handle(event);
    if (this.#decoder.inPaste) this.#wait(PASTE_SILENCE_MS, () => this.#decoder.endPaste());
    else if (this.#decoder.pending) this.#wait(this.#options().escapeMs, () => this.#flush());
  }

  /** A lone ESC may be the key or the beginning of a sequence: only time tells. */
  #flush(): readonly InputEvent[] {
    const events = this.#decoder.flush();
    if (this.#decoder.pending) this.#wait(SEQUENCE_MS, () => this.#decoder.flush());
    return events;
  }

  #wait(ms: number, then: () => readonly InputEvent[]): void {
    this.#escape = this.#clock.after(ms, () => {
      for (const event of then()) this.#handle(event);
    });
  }

  dispose(): void {
    this.#escape?.dispose();
    this.#repeat?.dispose();
  }

  #handle(event: InputEvent): void {
    switch (event.type) {
      case 'key':
        return this.#key(event.key, event.raw);
      case 'mouse':
        return this.#sink.mouse(event.mouse);
      case 'paste':
        return this.#sink.paste(event.data, event.first, event.last);
      case 'focus':
        return this.#sink.focus(event.focused);
      case 'key-report':
        return this.#sink.keyReport(event.raw);
      case 'reply':
        // Answers to what mux itself asked; no program gets them, however late they come.
        return this.#sink.reply(event.raw);
      case 'unknown':
        return this.#sink.unknown(event.raw);
    }
  }

  #key(key: Key, raw: Uint8Array): void {
    const before = this.isPrefixHeld;
    const options = this.#options();
    const result = press(
      withBase(this.#state, this.#sink.baseTable()),
      key,
      this.#clock.now(),
      this.#tables,
      options,
    );
    this.#state = result.state;
    if (this.isPrefixHeld !== before) this.#sink.prefixChanged();
    this.#watchRepeat();
    if (result.command !== undefined) this.#sink.command(result.command);
    else if (result.unbound) this.#sink.unbound(result.unbound);
    else if (result.passthrough) this.#sink.key(key, raw);
  }

  /** The screen shows that keys repeat; when that is over it must change by itself. */
  #watchRepeat(): void {
    this.#repeat?.dispose();
    this.#repeat = undefined;
    const left = this.#state.repeatUntil - this.#clock.now();
    if (left > 0) this.#repeat = this.#clock.after(left, () => this.#sink.prefixChanged());
  }
}
