/**
 * The running server, and the hosts of terminals.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { tryConnect } from '../../client/daemon-process.ts';
import { toCoded } from '../../base/errors.ts';
import { sameMajor } from '../../wire/envelope.ts';
import { HOST_PROTOCOL_VERSION } from '../../wire/host-messages.ts';
import { muxVersion, type AppContext } from '../context.ts';
import { runRemote } from '../remote.ts';
import { fine, wrong, type Check } from './check.ts';

/** The name of the program that holds terminals (lib/app/host-main.ts). */
const HOST_MAIN = 'host-main.js';

/** A server's own words. */
export interface ServerFacts {
  readonly server_pid: number;
  readonly version: string;
  readonly protocol: string;
  readonly uptime_seconds: number;
  readonly host_pid: number | null;
  readonly host_protocol: string | null;
}

/** A process that holds terminals. */
export interface HostProcess {
  readonly pid: number;
  readonly socket: string;
}

/** What the server says of itself; undefined where none runs, an error's text where it does not answer. */
export async function askServer(context: AppContext): Promise<ServerFacts | string | undefined> {
  try {
    const socket = await tryConnect(context.paths.socket);
    socket?.destroy();
    if (!socket) return undefined;
    let text = '';
    const write = (_: 'out' | 'err', piece: string): void => void (text += piece);
    await runRemote({ ...context, json: 'on' }, ['server-status'], { write });
    return JSON.parse(text.slice(text.indexOf('{'))) as ServerFacts;
  } catch (error) {
    return toCoded(error).message;
  }
}

/** Hosts that run with sockets in `folder` (proc(5)); none where there is no /proc. */
export function hostProcesses(folder: string): HostProcess[] {
  return processIds().flatMap(pid => {
    const words = commandOf(pid);
    const at = words.findIndex(word => basename(word) === HOST_MAIN);
    const socket = at < 0 ? undefined : words[at + 1];
    return socket?.startsWith(`${folder}/`) ? [{ pid, socket }] : [];
  });
}

export async function processChecks(
  context: AppContext,
  server: ServerFacts | string | undefined,
  hosts: readonly HostProcess[],
): Promise<Check[]> {
  return [
    serverCheck(context, server),
    ...hostChecks(context, server, hosts),
    ...(await Promise.all(hosts.map(strayCheck))).flat(),
  ];
}

function serverCheck({ serverName }: AppContext, server: ServerFacts | string | undefined): Check {
  if (server === undefined) return fine('server', `${serverName}: none runs`);
  if (typeof server === 'string')
    return wrong('server', server, "'mux server restart --force' puts another in its place, sessions go on");
  const detail = `${serverName}: pid ${server.server_pid}, version ${server.version}`;
  return server.version === muxVersion()
    ? fine('server', detail)
    : wrong(
        'server',
        `${detail}, and this is ${muxVersion()}`,
        "'mux server restart' exchanges it, sessions go on",
      );
}

function hostChecks(
  { paths, serverName }: AppContext,
  server: ServerFacts | string | undefined,
  hosts: readonly HostProcess[],
): Check[] {
  const own = hosts.find(host => host.socket === paths.hostSocket);
  if (
    typeof server === 'object' &&
    server.host_protocol &&
    !sameMajor(server.host_protocol, HOST_PROTOCOL_VERSION)
  )
    return [
      wrong(
        'host',
        `it speaks protocol ${server.host_protocol}, this version ${HOST_PROTOCOL_VERSION}`,
        "end its sessions with 'mux server restart --force', when you can do without them",
      ),
    ];
  if (server === undefined && own)
    return [
      wrong(
        'host',
        `pid ${own.pid} holds terminals of ${serverName}, and no server runs`,
        "'mux' starts one that takes them over, 'mux kill-server -y' ends them",
      ),
    ];
  if (own && isStopped(own.pid))
    return [
      wrong(
        'host',
        `pid ${own.pid} is stopped (SIGSTOP): no program gets a key or prints`,
        `kill -CONT ${own.pid}`,
      ),
    ];
  return [fine('host', own ? `pid ${own.pid}` : 'none runs')];
}

/** Whether a signal holds it, or a debugger (proc(5): the state follows the name in parentheses). */
function isStopped(pid: number): boolean {
  try {
    return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // ENOENT: it has ended, or there is no /proc.
    return false;
  }
}

/** A host whose socket is gone can be reached by nobody. */
async function strayCheck({ pid, socket }: HostProcess): Promise<Check[]> {
  const connection = await tryConnect(socket).catch(() => undefined);
  connection?.destroy();
  return connection
    ? []
    : [wrong('host', `pid ${pid} holds terminals that nobody can reach: ${socket} is gone`, `kill ${pid}`)];
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch {
    // ENOENT: a system without /proc.
    return [];
  }
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // ENOENT: it has ended; EACCES: it is somebody else's.
    return [];
  }
}
