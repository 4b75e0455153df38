/**
 * The folders of sessions' output logs, as the server uses them: the checkpoints of screens that stand in them, and
 * their end.
 */
import { closeSync, mkdirSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A screen as it was before the output from `offset` on. */
export interface ScreenCheckpoint {
  readonly offset: number;
  /** Of Emulator.checkpoint. */
  readonly bytes: Uint8Array;
}

/** Offsets stand before the bytes, as 64 bits. */
const OFFSET_BYTES = 8;

export class SessionLogs {
  readonly #root: string;

  /** `root`: the folder with a folder for each session. */
  constructor(root: string) {
    this.#root = root;
  }

  folder(session: string): string {
    return join(this.#root, session);
  }

  /** The last checkpoint of a session's screen; undefined where there is none. Its bytes may be damaged. */
  checkpoint(session: string): ScreenCheckpoint | undefined {
    try {
      const all = readFileSync(this.#checkpointPath(session));
      if (all.length < OFFSET_BYTES) return undefined;
      return { offset: Number(all.readBigUInt64BE(0)), bytes: all.subarray(OFFSET_BYTES) };
    } catch {
      // ENOENT: none was made yet. Any other: the log itself is there to make the screen from.
      return undefined;
    }
  }

  /** Offset of the last checkpoint, 0 where there is none. */
  checkpointOffset(session: string): number {
    let fd: number | undefined;
    try {
      fd = openSync(this.#checkpointPath(session), 'r');
      const head = Buffer.alloc(OFFSET_BYTES);
      return readSync(fd, head, 0, OFFSET_BYTES, 0) < OFFSET_BYTES ? 0 : Number(head.readBigUInt64BE(0));
    } catch {
      // ENOENT: none was made yet.
      return 0;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Replaces a session's checkpoint as one step. Throws what the file system throws. */
  saveCheckpoint(session: string, { offset, bytes }: ScreenCheckpoint): void {
    const path = this.#checkpointPath(session);
    const head = Buffer.alloc(OFFSET_BYTES);
    head.writeBigUInt64BE(BigInt(offset));
    mkdirSync(this.folder(session), { recursive: true, mode: 0o700 });
    // Not forced to the disk: it is for the death of this process, and a machine that went down has no programs left.
    writeFileSync(`${path}.new`, Buffer.concat([head, bytes]), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Forgets everything that a session wrote. Rejects with what the file system says. */
  async remove(session: string): Promise<void> {
    await rm(this.folder(session), { recursive: true, force: true });
  }

  #checkpointPath(session: string): string {
    return join(this.folder(session), 'checkpoint');
  }
}
