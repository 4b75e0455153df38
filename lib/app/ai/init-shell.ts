/** Completion of a person's shell: the line that turns it on, and where it belongs. */
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import type { AppContext } from '../context.ts';

interface Place {
  /** Below home. */
  readonly file: string;
  readonly line: string;
}

const SHELLS: Readonly<Record<string, Place>> = {
  bash: { file: '.bashrc', line: 'source <(mux completion bash)' },
  zsh: { file: '.zshrc', line: 'source <(mux completion zsh)' },
  fish: { file: '.config/fish/config.fish', line: 'mux completion fish | source' },
};

export interface Completion {
  readonly path: string;
  readonly line: string;
  /** It stands there already. */
  readonly isThere: boolean;
}

/** For the shell of that name, '' for the person's own; undefined for one that has none. */
export function completionFor({ env }: AppContext, given: string): Completion | undefined {
  const shell = given || basename(env.SHELL ?? '');
  if (!Object.hasOwn(SHELLS, shell) || !env.HOME) return undefined;
  const { file, line } = SHELLS[shell]!;
  const path = join(env.HOME, file);
  return { path, line, isThere: textOf(path).includes(`mux completion ${shell}`) };
}

/** Adds the line at the end. Throws CodedError. */
export function addCompletion({ path, line }: Completion): void {
  const before = textOf(path);
  try {
    appendFileSync(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`);
  } catch (error) {
    throw new CodedError('failed', `${path}: ${systemReason(error)}`, `add this line yourself: ${line}`, {
      cause: error,
    });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // ENOENT: it is made; any other is met when it is written.
    return '';
  }
}
