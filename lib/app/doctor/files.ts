/**
 * What lies on the disk: folders, sockets, settings, state, logs.
 */
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toCoded } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Config } from '../../config/load.ts';
import type { MuxPaths } from '../../config/paths.ts';
import { formatProblem } from '../../config/problems.ts';
import { readConfig } from '../../config/file.ts';
import { removeRunEntry, type RunEntry } from '../../server/run-folder.ts';
import { unusable } from '../../server/settings.ts';
import { MESSAGES, MESSAGES_NAME } from '../../messages/schema.ts';
import { formOf, keptAside as databasesKept } from '../../sqlite/open.ts';
import { backups, keptAside, restoreText, STATE_NAME } from '../../store/backups.ts';
import { STATE_VERSION } from '../../store/migrations.ts';
import { fine, wrong, type Check } from './check.ts';
import { megabytes } from './machine.ts';

/** Logs beyond this are worth a word. */
const LOGS_MANY = 10 * 1024 ** 3;

/** Whether the folders are ours alone. Missing ones are made by the first server. */
export function folderChecks(paths: MuxPaths): Check[] {
  const uid = process.getuid?.() ?? 0;
  const checks = [paths.data, paths.state, paths.run].flatMap(path => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return [];
    if (stats.uid !== uid)
      return [
        wrong('folders', `${path} belongs to user ${stats.uid}`, 'set MUX_HOME to a folder of your own'),
      ];
    const mode = stats.mode & 0o777;
    const fix = (): void => chmodSync(path, 0o700);
    return mode & 0o077
      ? [wrong('folders', `${path} has mode ${mode.toString(8)}`, `chmod 700 ${shellWord(path)}`, fix)]
      : [];
  });
  return checks.length > 0 ? checks : [fine('folders', `${paths.data}, ${paths.state}, ${paths.run}`)];
}

/** Sockets and locks that nobody stands behind any more. */
export function socketChecks(entries: readonly RunEntry[]): Check[] {
  const dead = entries.filter(entry => !entry.isAlive);
  if (dead.length === 0)
    return [fine('sockets', `${entries.filter(e => e.kind === 'socket').length} in use`)];
  return dead.map(entry => {
    const what = entry.kind === 'lock' ? 'nobody holds it' : 'nobody listens';
    const remedy = `rm -r ${shellWord(entry.path)}, or 'mux doctor --fix'`;
    return wrong('sockets', `${entry.path}: ${what}`, remedy, () => removeRunEntry(entry, Date.now()));
  });
}

/** The settings in force, and what is wrong with them. */
export function configCheck(file: string, themesDir: string): { config: Config | undefined; check: Check } {
  try {
    const { config, problems } = readConfig(file);
    const all = [...problems.map(formatProblem), ...unusable(config, themesDir)];
    const more = all.length > 1 ? ` and ${all.length - 1} more` : '';
    const check =
      all.length === 0
        ? fine('config', statSync(file, { throwIfNoEntry: false }) ? file : `${file}: none, defaults hold`)
        : wrong('config', `${all[0]}${more}`, "'mux config check' lists them");
    return { config, check };
  } catch (error) {
    const { message, hint = '' } = toCoded(error);
    return { config: undefined, check: wrong('config', message, hint) };
  }
}

/** The state, what could not be read of earlier ones, and how to go back to a backup. */
export function stateChecks(stateDir: string): Check[] {
  const path = join(stateDir, STATE_NAME);
  const kept = keptAside(stateDir).map(aside =>
    wrong(
      'state',
      `${aside} could not be read and was kept`,
      `look at it, then remove it: rm ${shellWord(aside)}`,
    ),
  );
  const saved = backups(stateDir).map(backup =>
    fine('backups', `${backup.path} (version ${backup.version}); to restore it ${restoreText(backup)}`),
  );
  return [stateCheck(path), ...kept, ...saved];
}

function stateCheck(path: string): Check {
  try {
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown };
    const detail = `${path}, version ${String(version)}`;
    if (typeof version !== 'number') return wrong('state', `${path} has no version`, repaired);
    return version <= STATE_VERSION
      ? fine('state', detail)
      : wrong('state', `${detail}: newer than this mux reads`, 'use the newer mux, or restore a backup');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fine('state', `${path}: none yet`);
    return code
      ? wrong('state', `${path}: ${code}`, `make it readable: chmod 600 ${shellWord(path)}`)
      : wrong('state', `${path}: ${message}`, repaired);
  }
}

const repaired = 'the next server keeps it aside and uses its copy, or what the logs tell';

/** The messages: whether they can be read, and what could not be read of earlier ones. */
export function messagesChecks(dataDir: string): Check[] {
  const path = join(dataDir, MESSAGES_NAME);
  const kept = databasesKept(path).map(aside =>
    wrong('messages', `${aside} was damaged and is kept`, `look at it, then remove it: rm ${aside}*`),
  );
  return [messagesCheck(path), ...kept];
}

function messagesCheck(path: string): Check {
  try {
    const form = formOf(path, MESSAGES);
    if (form === 0) return fine('messages', `${path}: none yet`);
    return form <= MESSAGES.steps.length
      ? fine('messages', `${path}, form ${form}`)
      : wrong(
          'messages',
          `${path}, form ${form}: newer than this mux reads`,
          'use the newer mux, or move it away',
        );
  } catch (error) {
    const { message, hint } = toCoded(error);
    return wrong('messages', message, hint ?? 'the next server keeps it aside and begins anew');
  }
}

/** How much the logs take. */
export function logCheck(dataDir: string): Check {
  const root = join(dataDir, 'logs');
  const sizes = namesIn(root).map(name => ({ name, bytes: sizeOf(join(root, name)) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  const most = largest ? `, the largest ${megabytes(largest.bytes)} (${largest.name})` : '';
  const detail = `${sizes.length} logs, ${megabytes(total)}${most}`;
  return total < LOGS_MANY
    ? fine('logs', detail)
    : wrong('logs', detail, 'purge sessions, or set server.log_limit lower');
}

function sizeOf(folder: string): number {
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // ENOENT: nothing was ever written; ENOTDIR: it is a file.
    return [];
  }
}
