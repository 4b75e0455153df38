/**
 * A PTY host as a process of its own, as servers use it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.ts';
import { RemotePtyHost } from '../../lib/pty/remote-host.ts';
import { until } from './until.ts';

const MAIN = join(import.meta.dirname, '../../lib/app/host-main.js');

export class HostProcess {
  readonly socket: string;
  /** Folder of the logs. */
  readonly logs: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.socket = join(folder, 'socket');
    this.logs = join(folder, 'logs');
    this.#child = child;
  }

  /** Starts one with its files in `folder`, and waits until it listens. */
  static async start(folder: string): Promise<HostProcess> {
    mkdirSync(folder, { recursive: true });
    const args = [MAIN, join(folder, 'socket'), join(folder, 'logs')];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    await new Promise(resolve => child.stdout.once('data', resolve));
    return new HostProcess(folder, child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** A server's side of it, not opened yet. */
  connect(): RemotePtyHost {
    return new RemotePtyHost({
      clock: systemClock,
      connect: () => connect(this.socket),
      logger: { log: () => undefined },
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends it, and what it runs, and waits until it is gone. */
  async end(): Promise<void> {
    if (!this.hasEnded) this.#child.kill('SIGTERM');
    await until('the host has ended', () => this.hasEnded);
  }
}

function connect(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
