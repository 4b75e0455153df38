/**
 * The attached terminal: bytes both ways, and the terminal put back as it was on every way out. A server that goes
 * without a word is looked for again: its sessions live on, and the next one takes the terminal over as it is.
 */
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Attach } from '../wire/messages.ts';
import { Answer } from './answer.ts';
import type { ServerPeer } from './connect.ts';
import { TerminalKeys } from './keys.ts';
import { Reconnection, type Connect } from './reconnection.ts';
import { CURSOR_COLOR, RESTORE, RESTORE_CURSOR_COLOR, UNSTACK } from './restore.ts';

/** The terminal, as Node has it. */
export interface Tty {
  readonly input: ReadStream;
  readonly output: WriteStream & { readonly fd: number };
}

/** How an attachment ended: text for the person (may be empty) and the status to exit with. */
export interface Ending {
  readonly message: string;
  readonly exit: number;
  /** An error nobody foresaw, for the caller to report. */
  readonly error?: unknown;
}

/** A server that has not let go of the terminal in this time hangs, and so draws nothing either. */
const LEAVE_MS = 500;
const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2, SIGQUIT: 3 } as const;

/** Status after an error in the program itself (sysexits.h: EX_SOFTWARE). */
const INTERNAL = 70;

/**
 * Attaches and resolves when it ends: detached, server gone for good, a signal, or an error anywhere in the process.
 * The terminal is restored before that. `connect` finds the next server, starting it where none runs;
 * `token` says to each who we are.
 */
export async function attachTerminal(
  peer: ServerPeer,
  tty: Tty,
  attach: Attach,
  connect: Connect,
  token: () => string | undefined,
): Promise<Ending> {
  return new Attachment(tty, attach, new Reconnection(connect), token).run(peer);
}

class Attachment {
  readonly #tty: Tty;
  readonly #attach: Attach;
  readonly #reconnection: Reconnection;
  readonly #token: () => string | undefined;
  readonly #keys: TerminalKeys;
  readonly #stop = (): void => void this.#pause();
  #peer: ServerPeer | undefined;
  #answer = new Answer();
  #isLetGo = false;
  #hasCursorColor = false;
  #isEnded = false;
  #end: (ending: Ending) => void = () => undefined;

  constructor(tty: Tty, attach: Attach, reconnection: Reconnection, token: () => string | undefined) {
    this.#tty = tty;
    this.#attach = attach;
    this.#reconnection = reconnection;
    this.#token = token;
    this.#keys = new TerminalKeys(tty.input);
  }

  async run(peer: ServerPeer): Promise<Ending> {
    const { input } = this.#tty;
    const ending = await new Promise<Ending>(resolve => {
      this.#end = resolve;
      this.#watchProcess();
      this.#watchTerminal();
      this.#serve(peer, this.#attach);
    });
    this.#isEnded = true;
    if (!this.#isLetGo && this.#peer) await letGo(this.#peer);
    // Without a terminal (it was closed) no answer comes, and nobody reads it.
    if (!input.destroyed && !input.readableEnded) await this.#answer.settled();
    restoreTerminal(this.#tty, RESTORE + (this.#hasCursorColor ? RESTORE_CURSOR_COLOR : ''));
    // A terminal that is still read keeps the process alive.
    input.pause();
    this.#peer?.dispose();
    return ending;
  }

  #watchProcess(): void {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => this.#end({ message: '', exit: INTERNAL, error }));
    for (const [name, number] of Object.entries(SIGNALS)) {
      const exit = 128 + number;
      process.once(name as NodeJS.Signals, () => this.#end({ message: `[mux: ended by ${name}]`, exit }));
    }
  }

  #watchTerminal(): void {
    const { input, output } = this.#tty;
    const resized = (): void => this.#peer?.send({ type: 'resize', payload: sizeOf(output) });
    output.on('error', () => this.#end({ message: '', exit: 1 }));
    input.on('error', () => this.#end({ message: '', exit: 1 }));
    input.on('end', () => this.#end({ message: '', exit: 0 }));
    output.on('resize', resized);
    process.on('SIGTSTP', this.#stop);
    process.on('SIGCONT', () => {
      this.#keys.release();
      // Off first: Node takes it to be raw still, whatever a shell has made of it meanwhile, and would do nothing.
      input.setRawMode(false);
      input.setRawMode(true);
      resized();
    });
    input.setRawMode(true);
    this.#keys.start();
  }

  /** Stops as it would without a handler, but not before the terminal is read by nobody who goes on running. */
  async #pause(): Promise<void> {
    await this.#keys.keep();
    process.off('SIGTSTP', this.#stop);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', this.#stop);
    // Reached when it goes on again; or at once, where nobody could continue it and the kernel does not stop it.
    this.#keys.release();
  }

  /** Hands the terminal to a server, for as long as that is there. */
  #serve(peer: ServerPeer, attach: Attach): void {
    this.#peer = peer;
    this.#answer = new Answer();
    peer.onMessage(message => {
      if (message.type !== 'detached') return;
      if (message.payload.again) return void this.#lost(peer, true);
      this.#isLetGo = true;
      this.#end(message.payload);
    });
    peer.onBytes(bytes => {
      this.#answer.sent(bytes);
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#hasCursorColor ||= text.includes(CURSOR_COLOR);
      // Written before it is acknowledged: the server sends the next frame, the latest, only after that.
      this.#tty.output.write(bytes, () => peer.send({ type: 'ack', payload: {} }));
    });
    peer.onClose(() => void this.#lost(peer, false));
    const token = this.#token();
    peer.send({ type: 'attach', payload: attach, ...(token ? { token } : {}) });
    this.#keys.serve(peer, this.#answer);
  }

  /** The server went: another one takes over, where there is one to be had. `isExpected`: as in Reconnection. */
  async #lost(peer: ServerPeer, isExpected: boolean): Promise<void> {
    if (peer !== this.#peer || this.#isEnded) return;
    this.#peer = undefined;
    this.#keys.lost();
    peer.dispose();
    const next = await this.#reconnection.next(isExpected);
    if (this.#isEnded) return next?.dispose();
    if (!next) {
      const message = `[mux: the server is gone: ${this.#reconnection.problem}]`;
      return this.#end({ message, exit: 1 });
    }
    const { output } = this.#tty;
    output.write(UNSTACK);
    // Wherever things stand: what was asked for at first has been shown long ago.
    this.#serve(next, { ...this.#attach, target: '', exclusive: false });
    next.send({ type: 'resize', payload: sizeOf(output) });
  }
}

/** Resolves once the server draws no more: it may write to the terminal itself, and not after RESTORE. */
async function letGo(peer: ServerPeer): Promise<void> {
  await new Promise<void>(resolve => {
    const late = setTimeout(resolve, LEAVE_MS);
    const done = (): void => {
      clearTimeout(late);
      resolve();
    };
    peer.onMessage(message => {
      if (message.type === 'detached') done();
    });
    peer.onClose(done);
    if (peer.isClosed) done();
    else peer.send({ type: 'leave', payload: {} });
  });
}

/** Writes `sequence` and leaves raw mode, at once and whatever state the streams are in. */
function restoreTerminal(tty: Tty, sequence: string): void {
  try {
    writeSync(tty.output.fd, sequence);
    tty.input.setRawMode(false);
  } catch {
    // EIO, EBADF: the terminal itself is gone (its window was closed); there is nothing to restore.
  }
}

function sizeOf(output: WriteStream): { cols: number; rows: number } {
  return { cols: Math.max(1, output.columns), rows: Math.max(1, output.rows) };
}
