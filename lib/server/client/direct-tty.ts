/**
 * The short way for an echoed key: the server writes to the client's terminal itself, which spares two processes a
 * wake-up. It is taken only for small writes, right after a key, and while nothing is on its way by the client, so
 * that order holds; the client asks the server to let go before it restores its terminal.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { CURSOR_COLOR } from '../../client/restore.ts';
import { terminalId } from '../../wire/terminal-id.ts';

/** Bytes: what a key changes on a screen; a kernel's terminal buffer (4 KiB) takes it in one write. */
const MAX_DIRECT = 2048;

/**
 * Opens a client's terminal; undefined where that cannot or must not be done, and the client does all by itself.
 *
 * @param path the terminal as the client names it
 * @param id what the client sees there (see `terminalId`): in another mount namespace, or by the time this runs,
 * the same path may be another terminal, which is then left alone
 * @param access O_RDONLY or O_WRONLY
 */
export function openTerminal(path: string, id: string, access: number): number | undefined {
  if (!path || !id) return undefined;
  try {
    // Non-blocking for this descriptor alone: a terminal that does not go on must never hold the server.
    const fd = openSync(path, access | constants.O_NOCTTY | constants.O_NONBLOCK);
    if (isTerminal(fd, id)) return fd;
    closeSync(fd);
  } catch {
    // ENOENT, EACCES, EIO: not ours to open.
  }
  return undefined;
}

/** Whether a descriptor is open on the terminal that a client sees as `id`. */
export function isTerminal(fd: number, id: string): boolean {
  try {
    return isatty(fd) && terminalId(fstatSync(fd, { bigint: true })) === id;
  } catch {
    // EBADF: it is not open.
    return false;
  }
}

export class DirectTty {
  #fd: number | undefined;

  /** @param path, id see openTerminal */
  constructor(path: string, id: string) {
    this.#fd = openTerminal(path, id, constants.O_WRONLY);
  }

  /** Bytes of `bytes` that the terminal has taken at once, 0 where the client must write them. */
  write(bytes: Uint8Array): number {
    if (this.#fd === undefined || bytes.length > MAX_DIRECT) return 0;
    // The client takes back what is not the person's, and has to see it.
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(CURSOR_COLOR)) return 0;
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      // EAGAIN: it is full for now. Anything else (EIO: hung up) will not change.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.dispose();
      return 0;
    }
  }

  dispose(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}
