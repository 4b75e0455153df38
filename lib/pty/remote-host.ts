/**
 * The server's side of its PTY host: programs are asked for here, and run there. Where the host dies its programs are
 * lost, with everything they wrote in their logs, and the next program gets a new host.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import { Emitter, type Disposable } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { Logger } from '../base/log.ts';
import {
  encodePtyBytes,
  HOST_PROTOCOL_VERSION,
  MAX_PTY_BYTES,
  parseHostReport,
  parsePtyBytes,
  type HostReport,
  type HostRequest,
} from '../wire/host-messages.ts';
import { Peer, type ByteStream } from '../wire/peer.ts';
import { checkSpawn } from './check.ts';
import type { PtyHost, PtyProcess, SessionSpawnSpec } from './host.ts';
import { RemoteProcess } from './remote-process.ts';

/** A program that a host runs for a session since before this server started. */
export interface RunningPty {
  readonly session: string;
  readonly process: RemoteProcess;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly size: Size;
  /** Offset of its first byte in the log of its session. */
  readonly start: number;
}

export interface RemoteHostParts {
  /** A connection to the host of this server, which is started where none runs. Rejects with CodedError. */
  readonly connect: () => Promise<ByteStream>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A program whose terminal is gone was hung up on (POSIX: the controlling process gets SIGHUP). */
const HUNG_UP = { code: 0, signal: 1, isLost: true } as const;

/** A host kills what does not end by itself long before this; one that is still there hangs. */
const SHUTDOWN_MS = 5000;

type HostPeer = Peer<HostReport, HostRequest>;

export class RemotePtyHost implements PtyHost, Disposable {
  readonly #parts: RemoteHostParts;
  readonly #processes = new Map<number, RemoteProcess>();
  readonly #sessions = new Map<number, string>();
  readonly #lost = new Emitter<void>();
  readonly #logTrouble = new Emitter<{ readonly session: string; readonly problem: string }>();
  #peer: HostPeer | undefined;
  #opening: Promise<readonly RunningPty[]> | undefined;
  /** What was asked for while there is no connection yet. */
  #waiting: ((peer: HostPeer) => void)[] = [];
  #pid = 0;
  #version = '';
  #next = 1;
  #isDisposed = false;

  /** The host died, and its programs with it. */
  readonly onLost = this.#lost.event;
  /** The output of a session cannot be kept (`problem`), or can be again (''). */
  readonly onLogTrouble = this.#logTrouble.event;

  constructor(parts: RemoteHostParts) {
    this.#parts = parts;
  }

  /** The host's pid, 0 while there is none. */
  get pid(): number {
    return this.#pid;
  }

  /** The protocol that the host speaks, '' while there is none. */
  get version(): string {
    return this.#version;
  }

  /** Connects to the host and resolves with what it runs already. Rejects with CodedError where there is none to have. */
  open(): Promise<readonly RunningPty[]> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  spawn(spec: SessionSpawnSpec): PtyProcess {
    checkSpawn(spec);
    const pty = this.#next++;
    const process = this.#add(pty, spec.session);
    const { session, argv, cwd, env, size, logLimit } = spec;
    const payload = {
      pty,
      session,
      argv,
      cwd,
      env,
      size: [size.cols, size.rows] as const,
      log_limit: logLimit,
    };
    this.#send({ type: 'spawn', payload });
    this.open().catch((error: unknown) => process.failed(error as CodedError));
    return process;
  }

  /** Ends every program and the host itself. Resolves when it is gone. */
  async shutdown(): Promise<void> {
    const peer = this.#peer;
    if (!peer || peer.isClosed) return;
    this.#isDisposed = true;
    await new Promise<void>(done => {
      const late = this.#parts.clock.after(SHUTDOWN_MS, done);
      peer.onClose(() => {
        late.dispose();
        done();
      });
      peer.send({ type: 'shutdown', payload: {} });
    });
  }

  /** Leaves the host and its programs to the next server. */
  dispose(): void {
    this.#isDisposed = true;
    this.#peer?.end();
    this.#peer = undefined;
  }

  async #open(): Promise<readonly RunningPty[]> {
    try {
      const peer: HostPeer = new Peer(await this.#parts.connect(), parseHostReport);
      const { pid, ptys, version } = await welcome(peer);
      this.#peer = peer;
      this.#pid = pid;
      this.#version = version;
      peer.onMessage(message => this.#receive(message));
      peer.onBytes(payload => {
        const output = parsePtyBytes(payload);
        if (output) this.#processes.get(output.pty)?.received(output.offset, output.bytes);
      });
      peer.onClose(({ error }) => this.#closed(error));
      const running = ptys.map(({ pty, session, start, argv, cwd, size: [cols, rows], pid: program }) => {
        this.#next = Math.max(this.#next, pty + 1);
        const process = this.#add(pty, session, { pid: program });
        return { session, start, argv, cwd, size: { cols, rows }, process };
      });
      for (const send of this.#waiting.splice(0)) send(peer);
      return running;
    } catch (error) {
      this.#opening = undefined;
      this.#waiting = [];
      throw error;
    }
  }

  #add(pty: number, session: string, running?: { readonly pid: number }): RemoteProcess {
    const link = {
      clock: this.#parts.clock,
      send: (message: HostRequest) => this.#send(message),
      sendInput: (to: number, bytes: Uint8Array) => this.#sendInput(to, bytes),
    };
    const process = new RemoteProcess(pty, link, running);
    this.#processes.set(pty, process);
    this.#sessions.set(pty, session);
    return process;
  }

  #receive(message: HostReport): void {
    if (message.type === 'welcome' || message.type === 'refused') return;
    const { payload } = message;
    const process = this.#processes.get(payload.pty);
    if (!process) return;
    switch (message.type) {
      case 'spawned':
        return process.spawned(message.payload.pid, message.payload.start);
      case 'spawn_failed': {
        const { code, message: text, hint } = message.payload;
        this.#forget(payload.pty);
        return process.failed(new CodedError(code as ErrorCode, text, hint || undefined));
      }
      case 'taken':
        return process.taken(message.payload.bytes);
      case 'exit':
        this.#forget(payload.pty);
        return process.ended(message.payload);
      case 'log':
        return this.#logTrouble.fire({
          session: this.#sessions.get(payload.pty) ?? '',
          problem: message.payload.problem,
        });
    }
  }

  #forget(pty: number): void {
    this.#processes.delete(pty);
    this.#sessions.delete(pty);
    this.#send({ type: 'forget', payload: { pty } });
  }

  #send(message: HostRequest): void {
    if (this.#peer) this.#peer.send(message);
    else this.#waiting.push(peer => peer.send(message));
  }

  #sendInput(pty: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MAX_PTY_BYTES) {
      const payload = encodePtyBytes({ pty, offset: 0, bytes: bytes.subarray(at, at + MAX_PTY_BYTES) });
      if (this.#peer) this.#peer.sendBytes(payload);
      else this.#waiting.push(peer => peer.sendBytes(payload));
    }
  }

  #closed(error: Error | undefined): void {
    this.#peer = undefined;
    this.#opening = undefined;
    this.#pid = 0;
    this.#version = '';
    if (this.#isDisposed) return;
    this.#parts.logger.log('error', 'the pty host is gone', error ? { error } : {});
    const lost = [...this.#processes.values()];
    this.#processes.clear();
    this.#sessions.clear();
    for (const process of lost) process.ended(HUNG_UP);
    this.#lost.fire();
  }
}

/** A host that does not answer in this time hangs: it has nothing slow to do. */
const WELCOME_MS = 10_000;

/** Shakes hands. Rejects with CodedError where the host refuses or ends. */
function welcome(peer: HostPeer): Promise<Extract<HostReport, { type: 'welcome' }>['payload']> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, hint?: string): void => {
      clearTimeout(timer);
      peer.dispose();
      reject(new CodedError('failed', `pty host: ${why}`, hint));
    };
    const timer = setTimeout(() => fail('it does not answer'), WELCOME_MS);
    peer.onMessage(message => {
      if (message.type === 'refused')
        fail(message.payload.reason, "end it with its programs by 'mux server restart --force'");
      if (message.type !== 'welcome') return;
      clearTimeout(timer);
      resolve(message.payload);
    });
    peer.onClose(() => fail('it ended before it answered'));
    peer.send({ type: 'hello', payload: { version: HOST_PROTOCOL_VERSION } });
  });
}

/** Ends the host behind `socket` and everything that it runs. Resolves when it is gone, whatever it speaks. */
export async function endHost(socket: ByteStream): Promise<void> {
  const peer: HostPeer = new Peer(socket, parseHostReport);
  await new Promise<void>(done => {
    peer.onClose(() => done());
    peer.send({ type: 'shutdown', payload: {} });
  });
}
