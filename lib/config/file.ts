/**
 * Reading config.yaml from disk, for the server and for `mux config`.
 */
import { readFileSync } from 'node:fs';
import { CodedError } from '../base/errors.ts';
import { systemCode, systemReason } from '../base/system-reasons.ts';
import { loadConfig, type LoadedConfig } from './load.ts';

/** The settings in the file at `path`; the defaults where there is none. Throws CodedError where it cannot be read. */
export function readConfig(path: string): LoadedConfig {
  return loadConfig({ path, text: readIfThere(path) });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ENOENT, ENOTDIR: no settings file is fine, everything has a default.
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CodedError(
      'failed',
      `config ${path}: ${systemReason(error)}`,
      'make it a file that you can read',
      {
        cause: error,
      },
    );
  }
}
