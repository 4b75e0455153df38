/**
 * A program that the PTY host runs, as the server sees it.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import { Emitter, type Disposable } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { HostRequest } from '../wire/host-messages.ts';
import { MAX_PENDING_INPUT, type Exit, type PtyProcess } from './host.ts';
import { CREDIT } from './hosted-pty.ts';

/** Output taken in is told in steps: several fit into the credit, so the host seldom waits for one. */
const ACK_STEP = CREDIT / 8;
/** Status of a program that could not be run (POSIX, sh: command not found). */
const NOT_STARTED = 127;

/** A host that does not say in this time whether it could start a program hangs. */
const START_MS = 10_000;

/** What a process needs of the connection to its host. */
export interface ProcessLink {
  readonly clock: Clock;
  send(message: HostRequest): void;
  sendInput(pty: number, bytes: Uint8Array): void;
}

export class RemoteProcess implements PtyProcess {
  readonly #pty: number;
  readonly #link: ProcessLink;
  readonly #late: Disposable | undefined;
  readonly #data = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<Exit>();
  #pid: number;
  #offset: number;
  #acknowledged: number;
  #sent = 0;
  #taken = 0;
  #isGone = false;
  #settle: { resolve: () => void; reject: (error: CodedError) => void } | undefined;

  readonly started: Promise<void>;
  readonly onData = this.#data.event;
  readonly onExit = this.#exit.event;

  /** `running`: one that runs already, whose output comes once `follow` was called. */
  constructor(pty: number, link: ProcessLink, running?: { readonly pid: number }) {
    this.#pty = pty;
    this.#link = link;
    this.#pid = running?.pid ?? 0;
    this.#offset = this.#acknowledged = 0;
    this.started = running
      ? Promise.resolve()
      : new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#late = running
      ? undefined
      : link.clock.after(START_MS, () =>
          this.failed(new CodedError('failed', 'pty host: it does not answer')),
        );
    // Who does not wait for the start sees its failure on the screen.
    this.started.catch(() => undefined);
  }

  get pid(): number {
    return this.#pid;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Asks for the output from offset `from` on. */
  follow(from: number): void {
    this.#offset = this.#acknowledged = from;
    this.#link.send({ type: 'follow', payload: { pty: this.#pty, from } });
  }

  write(bytes: Uint8Array): boolean {
    if (this.#isGone || this.#sent - this.#taken + bytes.length > MAX_PENDING_INPUT) return false;
    this.#sent += bytes.length;
    this.#link.sendInput(this.#pty, bytes);
    return true;
  }

  resize({ cols, rows }: Size): void {
    if (!this.#isGone) this.#link.send({ type: 'resize', payload: { pty: this.#pty, size: [cols, rows] } });
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.#isGone) this.#link.send({ type: 'signal', payload: { pty: this.#pty, name: signal } });
  }

  /** The host has started it; its output begins at offset `start`. */
  spawned(pid: number, start: number): void {
    this.#late?.dispose();
    this.#pid = pid;
    this.#offset = this.#acknowledged = start;
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  failed(error: CodedError): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
    this.#data.fire(Buffer.from(`mux: ${error.message}\r\n`));
    this.ended({ code: NOT_STARTED, signal: 0 });
  }

  received(offset: number, bytes: Uint8Array): void {
    this.#offset = offset + bytes.length;
    this.#data.fire(bytes);
    // After it has been parsed: that is what the credit is for.
    if (this.#offset - this.#acknowledged < ACK_STEP) return;
    this.#acknowledged = this.#offset;
    this.#link.send({ type: 'ack', payload: { pty: this.#pty, offset: this.#offset } });
  }

  taken(bytes: number): void {
    this.#taken = bytes;
  }

  ended(exit: Exit): void {
    if (this.#isGone) return;
    this.#late?.dispose();
    this.#isGone = true;
    this.#settle?.reject(new CodedError('failed', 'pty host: it ended before the program had started'));
    this.#exit.fire(exit);
    this.#data.dispose();
    this.#exit.dispose();
  }
}
