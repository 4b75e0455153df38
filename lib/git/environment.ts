/**
 * The environment and flags that git is run with: it never asks, never pages, never speaks another language, and works
 * on the repository it is pointed at rather than on one that the caller happened to be in (git(1), ENVIRONMENT
 * VARIABLES).
 */
import { shellWord } from '../base/shell-word.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a run does to a repository. `network` may write too, and may take long. */
export type RunKind = 'read' | 'write' | 'network';

/**
 * Variables that say which repository is meant (`git rev-parse --local-env-vars`): set in hooks and aliases, from which
 * mux may have been started. Askers are left out too: nobody sits in front of the server.
 */
const DROPPED =
  /^(?:GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|INTERNAL_SUPER_PREFIX|QUARANTINE_PATH|TRACE.*|CURL_VERBOSE|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS)|SSH_ASKPASS|LANGUAGE)$/;

const FIXED: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  // Set and empty: neither core.askPass nor any other asker is started (gitcredentials(7)).
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  // Git Credential Manager opens windows otherwise.
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  // Errors are told apart by their words.
  LC_ALL: 'C',
};

/** Set and empty, it keeps git from the program that `core.gitProxy` names; the person's own variable holds. */
const NO_PROXY: Readonly<Record<string, string>> = { GIT_PROXY_COMMAND: '' };

/** The environment of a run: the caller's, made quiet, with `extra` on top. */
export function gitEnvironment(env: Env, extra: Env = {}): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !DROPPED.test(name));
  const all = Object.entries({ ...NO_PROXY, ...Object.fromEntries(kept), ...FIXED, ...extra });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Settings that hold for every run. What programs in a worktree may write into its configuration must not be run by the
 * server, which may do more than they: hooks, the file system monitor, checkers of signatures, transports that are any
 * command (trust.ts has those whose names are not known beforehand). Nor does mux sign in a person's name, or
 * start housekeeping that goes on behind it.
 */
const SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'protocol.ext.allow=never',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** The words between `git` and the command. */
export function gitFlags(kind: RunKind): string[] {
  const flags = SETTINGS.flatMap(setting => ['-c', setting]);
  // A read must not take the index's lock away from the agent that is about to commit.
  return kind === 'read' ? ['--no-pager', '--no-optional-locks', ...flags] : ['--no-pager', ...flags];
}

/**
 * GIT_SSH_COMMAND for a run over the network: what the person uses, told never to ask. Their own choice in git's order
 * (variable, then configuration, then program); undefined where it is no OpenSSH, whose options we do not know.
 * @param configured `core.sshCommand`, '' if unset
 */
export function sshCommand(env: Env, configured: string): string | undefined {
  const byText = env['GIT_SSH_COMMAND'] || configured;
  const program = byText ? programOf(byText) : (env['GIT_SSH'] ?? 'ssh');
  const variant = env['GIT_SSH_VARIANT'];
  const isOpenSsh = variant ? variant === 'ssh' : /(?:^|\/)ssh$/.test(program);
  return isOpenSsh ? `${byText || shellWord(program)} -o BatchMode=yes` : undefined;
}

/** The first word of a shell's command line, as far as it is plain. */
function programOf(command: string): string {
  const match = /^\s*(?:'([^']*)'|"([^"]*)"|(\S+))/.exec(command);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
}
