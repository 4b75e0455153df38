/** The terminal of the chat program: taken over, read, and put back as it was on every way out. */
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Size } from '../../base/geometry.ts';
import { RESTORE } from '../../client/restore.ts';
import { InputDecoder } from '../../input/decoder.ts';
import type { InputEvent } from '../../input/event.ts';
import type { TerminalCaps } from '../../render/caps.ts';
import { enterSequence, KEYBOARD_QUERY, kittyPushSequence, OTHER_KEYS_ON } from '../../render/modes.ts';

/** A lone ESC is the Escape key after this, in ms: as long as the parts of a key are under way on a slow line. */
const ESCAPE_MS = 50;
/** Keys that share a byte are told apart (kitty keyboard protocol, flag 1). */
const KITTY_FLAGS = 1;
const KITTY_REPLY = /^\x1b\[\?\d{1,3}u$/;
const FENCE_REPLY = /^\x1b\[\?[\d;]*c$/;
/** Signals that end the program, with the status that shells expect (128 + number). */
const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2, SIGQUIT: 3 } as const;

export interface TerminalPorts {
  readonly input: ReadStream;
  readonly output: WriteStream & { readonly fd: number };
  readonly caps: TerminalCaps;
  readonly mouse: boolean;
  readonly onInput: (event: InputEvent) => void;
  readonly onResize: (size: Size) => void;
  /** The terminal is ours again, in whatever state. */
  readonly onBack: () => void;
  /** What was written has left: the next frame may. */
  readonly onDrain: () => void;
  /** The terminal is gone, or a signal ends us; the status to exit with. */
  readonly onEnd: (exit: number) => void;
}

export class ChatTerminal {
  readonly #ports: TerminalPorts;
  readonly #decoder = new InputDecoder();
  readonly #data = (bytes: Buffer): void => this.#take(this.#decoder.feed(bytes));
  #escape: NodeJS.Timeout | undefined;
  #isOurs = false;
  #isKeyboardAsked = false;
  /** Written and not yet taken. */
  #isFull = false;

  constructor(ports: TerminalPorts) {
    this.#ports = ports;
  }

  get size(): Size {
    const { columns, rows } = this.#ports.output;
    return { cols: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) };
  }

  /** Nothing more should be written before onDrain. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Takes the terminal over and watches it. Once. */
  start(): void {
    const { input, output, onEnd, onResize } = this.#ports;
    for (const [name, number] of Object.entries(SIGNALS))
      process.on(name as NodeJS.Signals, () => onEnd(128 + number));
    for (const stream of [input, output]) stream.on('error', () => onEnd(1));
    input.on('end', () => onEnd(0));
    output.on('resize', () => onResize(this.size));
    process.on('SIGCONT', () => {
      if (this.#isOurs) return;
      this.take();
      this.#ports.onBack();
    });
    this.take();
  }

  /** Makes the terminal ours. */
  take(): void {
    const { input, output, caps, mouse } = this.#ports;
    this.#isOurs = true;
    // Off first: Node takes it to be raw still, whatever a shell has made of it meanwhile.
    input.setRawMode(false);
    input.setRawMode(true);
    input.on('data', this.#data);
    input.resume();
    output.write(enterSequence(caps, { mouse: mouse ? 'drag' : 'off' }));
    if (!caps.extendedKeys) return;
    this.#isKeyboardAsked = true;
    output.write(KEYBOARD_QUERY);
  }

  /** Gives it back, at once and whatever state the streams are in. */
  giveBack(): void {
    if (!this.#isOurs) return;
    const { input, output } = this.#ports;
    this.#isOurs = false;
    clearTimeout(this.#escape);
    input.off('data', this.#data);
    input.pause();
    try {
      writeSync(output.fd, RESTORE);
      input.setRawMode(false);
    } catch {
      // EIO, EBADF: the terminal itself is gone; EAGAIN: it takes nothing. There is nothing more to be done.
    }
  }

  /** Back to the shell until that continues us. */
  suspend(): void {
    this.giveBack();
    process.kill(process.pid, 'SIGTSTP');
  }

  /** Writes bytes of a frame, or others. */
  write(bytes: Uint8Array | string): void {
    if (!this.#isOurs || bytes.length === 0) return;
    const isTaken = this.#ports.output.write(bytes);
    if (isTaken || this.#isFull) return;
    this.#isFull = true;
    this.#ports.output.once('drain', () => {
      this.#isFull = false;
      this.#ports.onDrain();
    });
  }

  #take(events: readonly InputEvent[]): void {
    clearTimeout(this.#escape);
    for (const event of events) {
      if (event.type === 'reply') this.#reply(event.raw);
      else this.#ports.onInput(event);
    }
    if (this.#decoder.pending) this.#escape = setTimeout(() => this.#take(this.#decoder.flush()), ESCAPE_MS);
  }

  #reply(raw: Uint8Array): void {
    if (!this.#isKeyboardAsked) return;
    const text = Buffer.from(raw).toString('latin1');
    const isKitty = KITTY_REPLY.test(text);
    if (!isKitty && !FENCE_REPLY.test(text)) return;
    this.#isKeyboardAsked = false;
    this.write(isKitty ? kittyPushSequence(KITTY_FLAGS) : OTHER_KEYS_ON);
  }
}
