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

export class DirectTty {
  #fd: number | undefined;

  /**
   * @param path the terminal as the client names it
   * @param id what the client sees there (see `terminalId`): in another mount namespace, or by the time this runs,
   * the same path may be another terminal, which is then left alone
   */
  constructor(path: string, id: string) {
    if (!path || !id) return;
    try {
      // Non-blocking for this descriptor alone: a terminal that is not read must never hold the server.
      const fd = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
      if (isatty(fd) && terminalId(fstatSync(fd, { bigint: true })) === id) this.#fd = fd;
      else closeSync(fd);
    } catch {
      // ENOENT, EACCES, EIO: not ours to open; the client writes everything.
    }
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
