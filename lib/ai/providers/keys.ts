/** Keys of providers: from a variable, or from a command that prints one. Kept in memory alone, and never shown. */
import { execFile } from 'node:child_process';
import { ProviderFailure } from '../failure.ts';
import type { ProviderSettings } from '../settings.ts';

/** A command that asks a person something has to be answered in this time, in ms. */
const COMMAND_MS = 30_000;
/** Bytes of what a command may print. */
const OUTPUT_MAX = 64 * 1024;
/** What may stand in a header; a library would tell what does not, and with it the key. */
const KEY = /^[\x21-\x7e]+$/;

/** Where one key comes from. */
export type KeySource = Pick<ProviderSettings, 'name' | 'kind' | 'keyVariable' | 'keyCommand' | 'isOfficial'>;

export class Keys {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #known = new Map<string, Promise<string>>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Whether a provider has what it needs, without running anything. */
  isReady({ keyVariable, keyCommand, isOfficial, kind }: ProviderSettings): boolean {
    if (keyCommand !== '') return true;
    return keyVariable === '' ? kind === 'ollama' || !isOfficial : Boolean(this.#env[keyVariable]?.trim());
  }

  /** The key; '' where the provider needs none. Throws ProviderFailure `key_missing`. */
  async get({ name, kind, keyVariable, keyCommand, isOfficial }: KeySource): Promise<string> {
    const given = keyVariable === '' ? undefined : this.#env[keyVariable]?.trim();
    if (given && !KEY.test(given))
      throw new ProviderFailure(
        'key_missing',
        `${name}: what stands in ${keyVariable} is no key`,
        'it holds blanks or signs that no key has',
      );
    if (given) return given;
    if (keyCommand !== '') return this.#printed(name, keyCommand);
    if (keyVariable === '' && (kind === 'ollama' || !isOfficial)) return '';
    const hint = keyVariable === '' ? `set ai.providers.${name}.api_key_env` : `set ${keyVariable}`;
    throw new ProviderFailure('key_missing', `${name}: its key is missing`, hint);
  }

  #printed(name: string, command: string): Promise<string> {
    const known = this.#known.get(name);
    if (known) return known;
    const asked = printedBy(name, command);
    this.#known.set(name, asked);
    // Asked again the next time: a locked password store may be open by then.
    asked.catch(() => this.#known.delete(name));
    return asked;
  }
}

function printedBy(name: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: COMMAND_MS, maxBuffer: OUTPUT_MAX };
    const child = execFile('/bin/sh', ['-c', command], options, (error, stdout) => {
      const key = stdout.trim();
      // Neither what it printed nor the command's own words are told: both may hold the key.
      if (error || !KEY.test(key))
        return reject(
          new ProviderFailure(
            'key_missing',
            `${name}: the command for its key ${error ? 'failed' : 'printed no key'}`,
            'try its api_key_command in a shell',
          ),
        );
      resolve(key);
    });
    // Nobody is there to answer it.
    child.stdin?.end();
  });
}
