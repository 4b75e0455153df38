/**
 * Ending a server that hangs: it answers nobody, so it is found by the socket that it listens on.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tryConnect } from '../client/daemon-process.ts';
import { CodedError } from '../base/errors.ts';

/** The kernel takes a killed process away within this, in ms, unless it waits for a disk that does not answer. */
const GONE_MS = 5000;
const LOOK_MS = 20;

/**
 * Kills whoever listens on `socket`, and resolves when nobody does. What terminals run in goes on: their host is another
 * process. Throws CodedError `failed` where it is not found or does not end.
 */
export async function endSilentServer(socket: string): Promise<void> {
  const pid = listenerOf(socket);
  if (pid === undefined)
    throw new CodedError('failed', `server: which process listens on ${socket} cannot be told`);
  process.kill(pid, 'SIGKILL');
  for (const deadline = Date.now() + GONE_MS; Date.now() < deadline;) {
    const left = await tryConnect(socket);
    if (!left) return;
    left.destroy();
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
  throw new CodedError('failed', `server: pid ${pid} does not end`);
}

/**
 * The process of ours that listens on a Unix socket (proc(5): `net/unix` has its inode, `PID/fd` who has that open);
 * undefined where there is none, or no /proc.
 */
export function listenerOf(socket: string): number | undefined {
  const inode = inodeOf(socket);
  if (inode === undefined) return undefined;
  const pid = entries('/proc')
    .filter(name => /^\d+$/.test(name))
    .find(name => entries(`/proc/${name}/fd`).some(fd => isSocket(`/proc/${name}/fd/${fd}`, inode)));
  return pid === undefined ? undefined : Number(pid);
}

/** Of the socket that listens at a path; those that are connected to it have its name too, but another flag. */
function inodeOf(socket: string): string | undefined {
  try {
    // Num RefCount Protocol Flags Type St Inode Path; the flag is __SO_ACCEPTCON.
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    const fields = lines.map(line => /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (.*)$/.exec(line));
    return fields.find(found => found?.[1] === '00010000' && found[3] === socket)?.[2];
  } catch {
    // ENOENT: a system without /proc.
    return undefined;
  }
}

function isSocket(fd: string, inode: string): boolean {
  try {
    return readlinkSync(fd) === `socket:[${inode}]`;
  } catch {
    // ENOENT: closed meanwhile.
    return false;
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // ENOENT: the process has ended; EACCES: it is somebody else's.
    return [];
  }
}
