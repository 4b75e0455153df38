/**
 * The short way for a key: while a person types, the server reads the client's terminal itself. It begins when the
 * client has stopped, and reads only as long as the client itself might: another program that comes to the foreground
 * must find what is typed for it. The kernel tells nobody that a client was stopped, so that is looked up while the
 * server reads, and it gives the terminal back as soon as nothing is typed.
 */
import { closeSync, constants, readFileSync } from 'node:fs';
import type { OnReadOpts, SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import { quickRead } from '../../client/quick-socket.ts';
import { isTerminal, openTerminal } from './direct-tty.ts';

/** Between looks at the client: shorter than a person needs to see a shell's prompt come and type. */
const LOOK_MS = 200;
/** Silence after which the client reads again: nothing is looked up for a terminal that nobody types at. */
const SILENCE_MS = 3000;

/** Fields of /proc/PID/stat behind the name (proc(5)). */
const STATE = 0;
const PGRP = 2;
const TTY_NR = 4;
const TPGID = 5;
/** States in which a process runs or could: stopped, traced, ended ones are not among them. */
const ALIVE = /^[RSDI]$/;

/** A terminal's stream is a socket inside, and takes its options; the typings leave this one out. */
type ReadOptions = SocketConstructorOpts & { readonly onread: OnReadOpts };

export interface DirectInputPorts {
  readonly clock: Clock;
  /** Bytes that the terminal sent. */
  received(bytes: Uint8Array): void;
  /** The client has to read again: this side has stopped. It may hand over again, or had better not. */
  stopped(mayHandOver: boolean): void;
}

/** The terminal of a client, as it names it: see openTerminal. */
export interface ClientTerminal {
  readonly path: string;
  readonly id: string;
  readonly pid: number;
}

export class DirectInput implements Disposable {
  readonly #terminal: ClientTerminal;
  readonly #ports: DirectInputPorts;
  #stream: { readonly reader: ReadStream; readonly fd: number } | undefined;
  #timer: Disposable | undefined;
  #lastAt = 0;
  #disposed = false;

  constructor(terminal: ClientTerminal, ports: DirectInputPorts) {
    this.#terminal = terminal;
    this.#ports = ports;
  }

  /** Whether the client may be asked to hand over: its terminal can be opened, and the system tells who may read. */
  get isPossible(): boolean {
    const fd = this.#open();
    if (fd !== undefined) closeSync(fd);
    return fd !== undefined;
  }

  /** Reads from now on, until `stop`; `stopped` is called once for each call that finds it not reading. */
  start(): void {
    if (this.#disposed || this.#stream) return;
    const stream = this.#openStream();
    if (!stream) return this.#ports.stopped(false);
    const { clock } = this.#ports;
    this.#stream = stream;
    this.#lastAt = clock.now();
    const { reader } = stream;
    // Where Node takes no notice of `onread` here, which it does not promise.
    reader.on('data', bytes => this.#received(bytes));
    // EIO, the end: it was hung up, which the client has to see.
    reader.on('error', () => this.#end(false));
    reader.on('end', () => this.#end(false));
    this.#timer = clock.after(LOOK_MS, () => this.#look());
  }

  /** The client takes its terminal back; nothing where it has it already. */
  stop(): void {
    this.#end(true);
  }

  /** Stops for good, and tells nobody. */
  dispose(): void {
    this.#disposed = true;
    this.#close();
  }

  #received(bytes: Uint8Array): void {
    this.#lastAt = this.#ports.clock.now();
    this.#ports.received(bytes);
  }

  #look(): void {
    const { clock } = this.#ports;
    const isSilent = clock.now() - this.#lastAt >= SILENCE_MS;
    if (isSilent || !isForeground(this.#terminal)) return this.#end(true);
    this.#timer = clock.after(LOOK_MS, () => this.#look());
  }

  #end(mayHandOver: boolean): void {
    if (!this.#stream) return;
    this.#close();
    this.#ports.stopped(mayHandOver);
  }

  #close(): void {
    this.#timer?.dispose();
    const stream = this.#stream;
    if (!stream) return;
    this.#stream = undefined;
    // Closes at once: a paused stream would read on until its buffer is full.
    stream.reader.destroy();
    // libuv opens a terminal anew and leaves the descriptor that it was given open; it may also have used that one.
    if (isTerminal(stream.fd, this.#terminal.id)) closeSync(stream.fd);
  }

  #open(): number | undefined {
    const { path, id } = this.#terminal;
    return isForeground(this.#terminal) ? openTerminal(path, id, constants.O_RDONLY) : undefined;
  }

  #openStream(): { reader: ReadStream; fd: number } | undefined {
    const fd = this.#open();
    if (fd === undefined) return undefined;
    try {
      const options: ReadOptions = { onread: quickRead(bytes => this.#received(bytes)) };
      return { reader: new ReadStream(fd, options), fd };
    } catch {
      // ERR_TTY_INIT_FAILED: it was hung up in between.
      closeSync(fd);
      return undefined;
    }
  }
}

/** Whether a process runs and is in the foreground of its terminal, and that is this one: it might read from it now. */
function isForeground({ pid, id }: ClientTerminal): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The number of the device is the last part of a terminalId, and tty_nr has the same form.
    return ALIVE.test(fields[STATE]!) && fields[PGRP] === fields[TPGID] && id.endsWith(`:${fields[TTY_NR]}`);
  } catch {
    // ENOENT: it has ended, or there is no /proc.
    return false;
  }
}
