/**
 * The PTY host as a process: `node host-main.js SOCKET LOGS`. Prints a line once it listens, and ends with status 0
 * where another one does.
 */
import { unlinkSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { errorLine, toCoded } from '../base/errors.ts';
import { HostServer } from '../pty/host-server.ts';
import { NodePtyHost } from '../pty/node-pty-host.ts';
import { listenOnce } from '../server/listen.ts';

/** Lines of its log at most: what it reports, it reports of failures. */
const MAX_LOG_LINES = 1000;

async function run(socket: string, logs: string): Promise<void> {
  const terminals = new NodePtyHost(systemClock);
  const listening = await listenOnce(socket);
  if (!listening) process.exit(0);
  let lines = 0;
  const log = (message: string): void => {
    if (lines++ < MAX_LOG_LINES) process.stderr.write(`${new Date().toISOString()} ${message}\n`);
  };
  const ended = (): void => {
    try {
      unlinkSync(socket);
    } catch {
      // ENOENT: it was removed already.
    }
    process.exit(0);
  };
  const host = new HostServer({ clock: systemClock, terminals, logs, pid: process.pid, log, ended });
  listening.serve(connection => host.serve(connection));
  listening.server.on('error', error => log(String(error)));
  process.on('SIGTERM', () => host.shutdown());
  // The terminal it was started from may go, and Ctrl-C there is not meant for it.
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) =>
      log(`internal error: ${error instanceof Error ? error.stack : error}`),
    );
  process.stdout.on('error', () => undefined);
  process.stdout.write('listening\n');
}

const [socket = '', logs = ''] = process.argv.slice(2);
try {
  await run(socket, logs);
} catch (error) {
  process.stderr.write(errorLine(toCoded(error)) + '\n');
  process.exit(1);
}
