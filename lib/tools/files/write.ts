/**
 * Writing files so that at every moment there is the old one or the new one, whole, and nothing that came meanwhile is lost.
 */
import { randomBytes } from 'node:crypto';
import { chmod, chown, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { isFull, systemCode, systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';

/** Mode of new files before the umask. */
const NEW_MODE = 0o666;

/** What is to be there afterwards. */
export interface Writing {
  /** Absolute, links followed. */
  readonly path: string;
  readonly shown: string;
  readonly bytes: Uint8Array;
  /** Of the file that is replaced, or was renamed; absent: that of any new file. */
  readonly mode?: number | undefined;
  /** Whether a file is there that is replaced; otherwise there must be none. */
  readonly replaces: boolean;
  /** Called when all but the last step is done; throws where the file is no longer what it was. */
  readonly check: () => Promise<void>;
}

/** Writes it. Throws CodedError; then nothing was changed. */
export async function writeWhole({ path, shown, bytes, mode, replaces, check }: Writing): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.mux`,
  );
  try {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(temporary, 'wx', mode === undefined ? NEW_MODE : 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (replaces) await ownedAs(temporary, path);
    // After chown, which takes set-id bits away.
    if (mode !== undefined) await chmod(temporary, mode);
    await check();
    await putInPlace(temporary, path, replaces);
  } catch (error) {
    throw writeError(shown, error);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** An owner that cannot be given stays ours, as with every editor. */
async function ownedAs(temporary: string, path: string): Promise<void> {
  const { uid, gid } = await stat(path);
  await chown(temporary, uid, gid).catch(() => undefined);
}

/** A link fails where there is a file by now; a rename would replace it. */
async function putInPlace(temporary: string, path: string, replaces: boolean): Promise<void> {
  if (replaces) return rename(temporary, path);
  try {
    await link(temporary, path);
  } catch (error) {
    // File systems without hard links, as FAT.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error))) throw error;
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw new CodedError('failed', `${visible(path)}: there is a file of that name`, undefined, {
        cause: error,
      });
    await rename(temporary, path);
  }
}

function writeError(shown: string, error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const code = isFull(error) ? 'no_space' : 'failed';
  return new CodedError(code, `${visible(shown)}: ${systemReason(error)}`, undefined, { cause: error });
}
