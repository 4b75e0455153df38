/**
 * Reading config.yaml from disk, for the server and for `mux config`.
 */
import { readFileSync } from 'node:fs';
import { CodedError } from '../base/errors.ts';
import { loadConfig, type LoadedConfig } from './load.ts';

/** Why a settings file that is there cannot be read. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

/** The settings in the file at `path`; the defaults where there is none. Throws CodedError where it cannot be read. */
export function readConfig(path: string): LoadedConfig {
  return loadConfig({ path, text: readIfThere(path) });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ENOENT, ENOTDIR: no settings file is fine, everything has a default.
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const why = REASONS[code] ?? code;
    throw new CodedError('failed', `config ${path}: ${why}`, 'make it a file that you can read', {
      cause: error,
    });
  }
}
