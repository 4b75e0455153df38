/**
 * The roles that sessions are started in. What a role comes to is written to a file of the session's own: it goes on
 * with that where the graph is gone or no longer has the role, and a program can be told of the file.
 */
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Logger } from '../base/log.ts';
import { CodedError, toCoded } from '../base/errors.ts';
import type { LaunchRequest } from '../cmd/spec.ts';
import type { Launch, SessionRecord } from '../model/types.ts';
import type { RoleText } from '../watch/role-text.ts';

export interface RolesPorts {
  /** Folder of the server's data. */
  readonly dataDir: string;
  readonly newId: () => string;
  /** What a role comes to in the graph of a directory. Throws CodedError. */
  readonly expand: (dir: string, selector: string) => Promise<RoleText>;
}

/** A role that has been looked up, of which nothing is on the disk yet. */
export interface LookedUp {
  readonly launch: LaunchRequest;
  readonly warnings: readonly string[];
  /** Throws CodedError. */
  write(): Promise<void>;
}

export class Roles {
  readonly #ports: RolesPorts;

  constructor(ports: RolesPorts) {
    this.#ports = ports;
  }

  /** Looks up the role of what is to be started. @throws CodedError with what may have been meant */
  async look(launch: LaunchRequest): Promise<LookedUp> {
    const { expand } = this.#ports;
    const { cwd, callerEnv } = launch;
    const dir = isAbsolute(cwd) ? cwd : resolve(callerEnv.PWD ?? '/', cwd);
    const { selector, text, warnings } = await expand(dir, launch.role);
    if (text === '')
      throw new CodedError(
        'usage',
        `role ${selector}: it says nothing`,
        'write a prompt below its directives, or include a role that has one',
      );
    const file = this.#newFile();
    return {
      launch: { ...launch, role: selector, roleText: { text, file } },
      warnings,
      write: () => write(file, text),
    };
  }

  /** The role of a session for another one that goes on from it. */
  copy({ launch }: Pick<SessionRecord, 'launch'>): {
    readonly launch: Launch;
    readonly text: string;
    write(): Promise<void>;
  } {
    const text = readRole(launch);
    if (text === '') return { launch, text, write: () => Promise.resolve() };
    const file = this.#newFile();
    const env = { ...launch.env, MUX_ROLE_FILE: file };
    return { launch: { ...launch, env, roleFile: file }, text, write: () => write(file, text) };
  }

  /** The role of a session as it is now, before it starts again. Resolves with why it stays as it was, '' if it does not. */
  async renew({ role, launch }: Pick<SessionRecord, 'role' | 'launch'>): Promise<string> {
    const { expand, dataDir } = this.#ports;
    if (!isOurs(launch.roleFile, dataDir)) return '';
    // Whoever is confined could write a role that takes in any file, and start again.
    if (launch.sandbox?.on) return '';
    try {
      const { text } = await expand(launch.cwd, role);
      if (text !== '') await write(launch.roleFile, text);
      return text === '' ? 'it says nothing any more' : '';
    } catch (error) {
      return toCoded(error).message;
    }
  }

  #newFile(): string {
    return join(folderOf(this.#ports.dataDir), `${this.#ports.newId()}.md`);
  }
}

/** The text of a session's role, '' where it has none or it cannot be read: it is a few pages, and in the cache. */
export function readRole({ roleFile }: Pick<Launch, 'roleFile'>): string {
  if (!roleFile) return '';
  try {
    return readFileSync(roleFile, 'utf8').trimEnd();
  } catch {
    // ENOENT, EACCES: somebody has tidied up. The agent starts without it rather than not at all.
    return '';
  }
}

/** Removes what was written of a session's role. */
export function removeRole(
  { launch, id }: Pick<SessionRecord, 'launch' | 'id'>,
  { dataDir, logger }: { readonly dataDir: string; readonly logger: Logger },
): void {
  if (!isOurs(launch.roleFile, dataDir)) return;
  try {
    rmSync(launch.roleFile, { force: true });
  } catch (error) {
    logger.log('warn', 'role could not be removed', { session: id, error });
  }
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'roles');
}

/** The path comes from the state: nothing elsewhere is written or removed. */
function isOurs(file: string | undefined, dataDir: string): file is string {
  return Boolean(file) && dirname(resolve(file!)) === resolve(folderOf(dataDir));
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw new CodedError('failed', `role: ${(error as Error).message}`, 'is there room on the disk?');
  }
}
