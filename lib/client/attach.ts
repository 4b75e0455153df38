/**
 * The attached terminal: bytes both ways, and the terminal put back as it was on every way out.
 */
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Attach } from '../wire/messages.ts';
import { Answer } from './answer.ts';
import type { ServerPeer } from './connect.ts';
import { TerminalKeys } from './keys.ts';
import { RESTORE } from './restore.ts';

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
 * Attaches and resolves when it ends: detached, server gone, a signal, or an error anywhere in the process. The
 * terminal is restored before that.
 */
export async function attachTerminal(peer: ServerPeer, tty: Tty, attach: Attach): Promise<Ending> {
  const { input, output } = tty;
  let isLetGo = false;
  const answer = new Answer();
  const keys = new TerminalKeys(input, peer, answer);
  // Stops as it would without a handler, but not before the terminal is read by nobody who goes on running.
  const stop = (): void => {
    void keys.keep().then(() => {
      process.off('SIGTSTP', stop);
      process.kill(process.pid, 'SIGTSTP');
      process.on('SIGTSTP', stop);
      // Reached when it goes on again; or at once, where nobody could continue it and the kernel does not stop it.
      keys.release();
    });
  };
  const ending = await new Promise<Ending>(resolve => {
    const end = (message: string, exit: number): void => resolve({ message, exit });
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => resolve({ message: '', exit: INTERNAL, error }));
    peer.onMessage(message => {
      if (message.type !== 'detached') return;
      isLetGo = true;
      end(message.payload.message, message.payload.exit);
    });
    peer.onBytes(bytes => {
      answer.sent(bytes);
      // Written before it is acknowledged: the server sends the next frame, the latest, only after that.
      output.write(bytes, () => peer.send({ type: 'ack', payload: {} }));
    });
    peer.onClose(() => end('[mux: the server is gone; your terminal is as it was]', 1));
    for (const [name, number] of Object.entries(SIGNALS)) {
      process.once(name as NodeJS.Signals, () => end(`[mux: ended by ${name}]`, 128 + number));
    }
    output.on('error', () => end('', 1));
    input.on('error', () => end('', 1));
    input.on('end', () => end('', 0));
    output.on('resize', () => peer.send({ type: 'resize', payload: sizeOf(output) }));
    process.on('SIGTSTP', stop);
    process.on('SIGCONT', () => {
      keys.release();
      // Off first: Node takes it to be raw still, whatever a shell has made of it meanwhile, and would do nothing.
      input.setRawMode(false);
      input.setRawMode(true);
      peer.send({ type: 'resize', payload: sizeOf(output) });
    });
    input.setRawMode(true);
    keys.start();
    peer.send({ type: 'attach', payload: attach });
  });
  if (!isLetGo) await letGo(peer);
  // Without a terminal (it was closed) no answer comes, and nobody reads it.
  if (!input.destroyed && !input.readableEnded) await answer.settled();
  restoreTerminal(tty);
  // A terminal that is still read keeps the process alive.
  input.pause();
  peer.dispose();
  return ending;
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

/** Writes RESTORE and leaves raw mode, at once and whatever state the streams are in. */
function restoreTerminal(tty: Tty): void {
  try {
    writeSync(tty.output.fd, RESTORE);
    tty.input.setRawMode(false);
  } catch {
    // EIO, EBADF: the terminal itself is gone (its window was closed); there is nothing to restore.
  }
}

function sizeOf(output: WriteStream): { cols: number; rows: number } {
  return { cols: Math.max(1, output.columns), rows: Math.max(1, output.rows) };
}
