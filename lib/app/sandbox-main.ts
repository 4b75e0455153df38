/**
 * Runs beside a sandbox, outside: `sandbox-main HOSTS ARGV…` listens as the proxy to HOSTS (a list in JSON) for as long as
 * ARGV runs. A process of its own, so that it outlives the server and what it carries holds up no screen.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROXY_FOLDER } from '../sandbox/backends/backend.ts';
import { startProxy } from '../sandbox/proxy.ts';

/** What a terminal sends to everything in front: it is meant for the program alone, and we end when that does. */
const NOT_OURS = ['SIGINT', 'SIGQUIT', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'] as const;
/** What is sent to end the program. */
const HANDED_ON = ['SIGTERM', 'SIGHUP'] as const;

const [hosts = '[]', ...argv] = process.argv.slice(2);
// Of a length that a socket's path may have (unix(7)), for the owner alone.
const folder = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'mux-proxy-'));
await startProxy(join(folder, 'p'), {
  network: { allow: JSON.parse(hosts) as string[] },
  refused: () => undefined,
});
const [program = '', ...args] = argv.map(word => (word === PROXY_FOLDER ? folder : word));
const child = spawn(program, args, { stdio: 'inherit' });
for (const signal of NOT_OURS) process.on(signal, () => undefined);
for (const signal of HANDED_ON) process.on(signal, () => child.kill(signal));

function end(status: number): never {
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}
child.on('error', error => {
  process.stderr.write(`mux: sandbox: ${error.message}\n`);
  end(127);
});
child.on('exit', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
