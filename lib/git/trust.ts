/**
 * Which of a repository's own settings the server leaves alone. Whoever may write to a repository may write its
 * configuration, an agent in a sandbox among them, and git takes programs from there: filters of files, what speaks to
 * remotes, what knows passwords (gitattributes(5), git-config(1)). The server runs outside every sandbox, so of these
 * it takes the person's (system, global, the environment) alone.
 *
 * The names are read a moment before they are overruled. What has a fixed name is overruled in any case
 * (environment.ts); a name that appears in that moment is what remains.
 */
import type { Env } from './environment.ts';

/** A setting with where it was found: `system`, `global`, `local`, `worktree`, `command`. Keys are in git's spelling. */
export interface Setting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** What `readSettings` reads. */
export const LIST_SETTINGS: readonly string[] = ['config', '--list', '--show-scope', '-z'];

/** Reads `git config --list --show-scope -z`: scope, NUL, key, newline, value, NUL. */
export function readSettings(output: string): Setting[] {
  const words = output.split('\0');
  const settings: Setting[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [key = '', ...value] = words[i + 1]!.split('\n');
    settings.push({ scope: words[i]!, key, value: value.join('\n') });
  }
  return settings;
}

/** Commands that may run programs which a repository's configuration names. */
const GUARDED = new Set([
  'add',
  'diff',
  'fetch',
  'merge',
  'read-tree',
  'reset',
  'stash',
  'status',
  'update-index',
  'worktree',
]);

/** Whether a run of `git ARGS…` could start programs of the repository's choice. */
export function isGuarded(args: readonly string[]): boolean {
  return GUARDED.has(args[0] ?? '');
}

/** What `git lfs install --local` writes: known to do nothing else. */
const KNOWN = new Set([
  'git-lfs clean -- %f',
  'git-lfs smudge -- %f',
  'git-lfs smudge --skip -- %f',
  'git-lfs filter-process',
  'git-lfs filter-process --skip',
]);

const FILTER = /^(filter\..*\.)(?:clean|smudge|process)$/s;
const UPLOAD_PACK = /^remote\..*\.uploadpack$/s;
const HELPER = /^credential\.(?:.*\.)?helper$/s;

/** What holds where the person has set nothing; a setting of any other name runs no program. */
const NEUTRAL: readonly (readonly [key: RegExp, value: string])[] = [
  [FILTER, ''],
  [/^core\.sshcommand$/, 'ssh'],
];

/** Whether it is the repository that says it, by files that it includes too. */
function isOwn(scope: string): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Settings that overrule what the repository says, in the order in which git must read them. */
export function overrulings(all: readonly Setting[]): readonly (readonly [key: string, value: string])[] {
  const own = all.filter(({ scope, value }) => isOwn(scope) && !KNOWN.has(value));
  const trusted = all.filter(({ scope }) => !isOwn(scope));
  const result = new Map<string, string>();
  for (const { key } of own) {
    const neutral = NEUTRAL.find(([pattern]) => pattern.test(key));
    if (neutral) result.set(key, valueOf(trusted, key) ?? neutral[1]);
    const filter = FILTER.exec(key)?.[1];
    // A file whose filter must work and is not there could not be read at all.
    if (filter !== undefined)
      result.set(`${filter}required`, valueOf(trusted, `${filter}required`) ?? 'false');
  }
  if (!own.some(({ key }) => HELPER.test(key))) return [...result];
  // An empty one drops all before it (gitcredentials(7)); the person's follow in their order.
  const helpers = trusted
    .filter(({ key }) => HELPER.test(key))
    .map(({ key, value }) => [key, value] as const);
  return [...result, ['credential.helper', ''], ...helpers];
}

/** The value that the person has given `key`, undefined for none. */
export function trustedValue(all: readonly Setting[], key: string): string | undefined {
  const trusted = all.filter(({ scope }) => !isOwn(scope));
  return valueOf(trusted, key);
}

function valueOf(settings: readonly Setting[], key: string): string | undefined {
  return settings.findLast(setting => setting.key === key)?.value;
}

/** Variables that give git what overrules `all`, on top of what `env` gives it (git-config(1), GIT_CONFIG_COUNT). */
export function guardEnvironment(env: Env, all: readonly Setting[]): Record<string, string> {
  const settings = overrulings(all);
  // Of several values git takes the first, the repository's: it cannot be overruled, so nothing is fetched by it.
  const lazy = all.some(({ scope, key }) => isOwn(scope) && UPLOAD_PACK.test(key))
    ? { GIT_NO_LAZY_FETCH: '1' }
    : {};
  if (settings.length === 0) return lazy;
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const pairs = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${first + i}`, key],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ]);
  return { ...lazy, ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: `${first + settings.length}` };
}
