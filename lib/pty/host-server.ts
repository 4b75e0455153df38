/**
 * The PTY host: it owns the terminals and the logs of one server's sessions and does nothing else, so that there is
 * little in it that could fail. It serves one server at a time and outlives it.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { toCoded } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import { sameMajor } from '../wire/envelope.ts';
import {
  encodePtyBytes,
  HOST_PROTOCOL_VERSION,
  parseHostRequest,
  parsePtyBytes,
  type HostReport,
  type HostRequest,
  type HostSpawn,
} from '../wire/host-messages.ts';
import { Peer, type ByteStream } from '../wire/peer.ts';
import { HostedPty, type PtyAudience } from './hosted-pty.ts';
import type { NodePtyHost } from './node-pty-host.ts';
import { OutputLog } from './log/output-log.ts';
import { appendRunEvent, type RunEvent } from './log/run-events.ts';

/** A host without programs and without a server ends after this: a server that restarts is back long before. */
const LONELY_MS = 60_000;
/** Programs get this long to end by themselves when the host is told to end. */
const SHUTDOWN_MS = 1500;

export interface HostServerParts {
  readonly clock: Clock;
  readonly terminals: NodePtyHost;
  /** Folder that holds the log folders of sessions. */
  readonly logs: string;
  readonly pid: number;
  readonly log: (message: string) => void;
  /** Called when nothing is left to do. */
  readonly ended: () => void;
}

type HostPeer = Peer<HostRequest, HostReport>;

export class HostServer {
  readonly #parts: HostServerParts;
  readonly #ptys = new Map<number, HostedPty>();
  #server: HostPeer | undefined;
  #lonely: Disposable | undefined;
  #isEnding = false;

  constructor(parts: HostServerParts) {
    this.#parts = parts;
    this.#endIfLonely();
  }

  /** Serves a connection until it ends. */
  serve(socket: ByteStream): void {
    const peer: HostPeer = new Peer(socket, parseHostRequest);
    peer.onMessage(message => this.#alone(message.type, () => this.#receive(peer, message)));
    peer.onBytes(payload => this.#alone('input', () => this.#input(peer, payload)));
    peer.onClose(() => this.#closed(peer));
  }

  /** Ends every program, by force if it must be, then the host. */
  shutdown(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // A server that is there takes what happens now for the end of the host, not for that of its programs.
    for (const pty of this.#ptys.values()) pty.unfollow();
    const timers = new DisposableStore();
    for (const pty of this.#ptys.values())
      for (const signal of ['SIGTERM', 'SIGHUP', 'SIGCONT'] as const) pty.kill(signal);
    const end = (): void => {
      timers.dispose();
      this.#parts.ended();
    };
    timers.add(
      this.#parts.clock.after(SHUTDOWN_MS, () => [...this.#ptys.values()].map(p => p.kill('SIGKILL'))),
    );
    // What cannot be killed hangs in the kernel: nobody can wait for it.
    timers.add(this.#parts.clock.after(2 * SHUTDOWN_MS, end));
    timers.add(
      this.#parts.clock.every(10, () => {
        if (this.#running === 0) end();
      }),
    );
  }

  get #running(): number {
    return [...this.#ptys.values()].filter(({ exit }) => !exit).length;
  }

  /** What one frame asks for. Where it fails the others of its chunk, of other programs perhaps, are not lost. */
  #alone(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#parts.log(`${what}: ${String(error)}`);
    }
  }

  #input(peer: HostPeer, payload: Buffer): void {
    const input = parsePtyBytes(payload);
    if (input && peer === this.#server) this.#ptys.get(input.pty)?.write(input.bytes);
  }

  #receive(peer: HostPeer, message: HostRequest): void {
    if (message.type === 'hello') return this.#hello(peer, message.payload.version);
    // From anyone who may connect: it must work where no version understands another.
    if (message.type === 'shutdown') return this.shutdown();
    if (peer !== this.#server) return peer.dispose();
    if (message.type === 'spawn') return this.#spawn(peer, message.payload);
    this.#forOne(peer, message);
  }

  #forOne(peer: HostPeer, message: Exclude<HostRequest, { type: 'hello' | 'spawn' | 'shutdown' }>): void {
    const { pty: id } = message.payload;
    const pty = this.#ptys.get(id);
    // Of a program that ended meanwhile: harmless.
    if (!pty) return;
    switch (message.type) {
      case 'resize':
        return pty.resize(sizeOf(message.payload.size));
      case 'signal':
        return pty.kill(message.payload.name as NodeJS.Signals);
      case 'follow':
        return pty.follow(audience(peer, id), message.payload.from);
      case 'ack':
        return pty.acknowledge(message.payload.offset);
      case 'forget':
        return void (pty.exit && this.#ptys.delete(id));
    }
  }

  #hello(peer: HostPeer, version: string): void {
    const refuse = (reason: string): void => {
      peer.send({ type: 'refused', payload: { reason } });
      peer.end();
    };
    if (!sameMajor(version, HOST_PROTOCOL_VERSION))
      return refuse(`it speaks protocol ${HOST_PROTOCOL_VERSION}, the server ${version.slice(0, 20)}`);
    if (this.#server || this.#isEnding) return refuse('another server is being served');
    this.#server = peer;
    this.#lonely?.dispose();
    const ptys = [...this.#ptys.values()].map(pty => pty.describe());
    peer.send({ type: 'welcome', payload: { version: HOST_PROTOCOL_VERSION, pid: this.#parts.pid, ptys } });
  }

  #spawn(peer: HostPeer, spec: HostSpawn): void {
    const { pty: id, session } = spec;
    const folder = join(this.#parts.logs, session);
    try {
      const { cols, rows } = sizeOf(spec.size);
      // The first look at the log's end comes before the program can write.
      const log = new OutputLog({
        folder,
        limit: spec.log_limit,
        now: () => this.#parts.clock.now(),
        trouble: error => this.#trouble(id, session, error),
      });
      const process = this.#parts.terminals.spawn({ ...spec, size: { cols, rows } });
      const record = (event: RunEvent): void => this.#record(folder, event);
      const { now } = this.#parts.clock;
      record({ type: 'start', offset: log.end, at: now(), pid: process.pid, cols, rows });
      const isEnding = (): boolean => this.#isEnding;
      const parts = { spec, folder, process, log, record, now, isEnding, ended: () => this.#endIfLonely() };
      const hosted = new HostedPty(parts, audience(peer, id));
      this.#ptys.set(id, hosted);
      peer.send({ type: 'spawned', payload: { pty: id, pid: process.pid, start: hosted.start } });
    } catch (error) {
      const { code, message, hint = '' } = toCoded(error);
      peer.send({ type: 'spawn_failed', payload: { pty: id, code, message, hint } });
    }
  }

  /** An event that cannot be written is missed at the next adoption; the program goes on. */
  #record(folder: string, event: RunEvent): void {
    try {
      appendRunEvent(folder, event);
    } catch (error) {
      this.#parts.log(`events of ${folder}: ${String(error)}`);
    }
  }

  #trouble(pty: number, session: string, error: Error | undefined): void {
    const problem = error ? ((error as NodeJS.ErrnoException).code ?? error.message) : '';
    this.#parts.log(`output of ${session}: ${problem || 'kept again'}`);
    this.#server?.send({ type: 'log', payload: { pty, problem } });
  }

  #closed(peer: HostPeer): void {
    if (peer !== this.#server) return;
    this.#server = undefined;
    for (const pty of this.#ptys.values()) pty.unfollow();
    this.#endIfLonely();
  }

  #endIfLonely(): void {
    this.#lonely?.dispose();
    if (this.#server || this.#running > 0) return;
    this.#lonely = this.#parts.clock.after(LONELY_MS, () => this.#parts.ended());
  }
}

/** At least a cell: with no columns or rows the kernel tells programs that the size is unknown, and node-pty throws. */
function sizeOf([cols, rows]: HostSpawn['size']): Size {
  return { cols: Math.max(1, cols), rows: Math.max(1, rows) };
}

function audience(peer: HostPeer, pty: number): PtyAudience {
  return {
    bytes: (offset, bytes) => peer.sendBytes(encodePtyBytes({ pty, offset, bytes })),
    taken: bytes => peer.send({ type: 'taken', payload: { pty, bytes } }),
    exit: ({ code, signal }) => peer.send({ type: 'exit', payload: { pty, code, signal } }),
  };
}
