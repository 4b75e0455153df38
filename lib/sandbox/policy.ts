/**
 * From rules to a policy: what is always granted, what never, and what a person granted beside. Pure: how paths lie on
 * the disk is told by `real`.
 */
import { CodedError } from '../base/errors.ts';
import { AGENT_NEEDS, CREDENTIALS, HOME_SETTINGS, PLAIN_VARIABLES, SYSTEM_FOLDERS } from './known.ts';
import { expandHome, isWithin } from './paths.ts';
import type { Grant, Policy, SandboxRules } from './types.ts';

/** What is granted to a program without anybody having to say so. All paths absolute, and there or not. */
export interface Surroundings {
  readonly home: string;
  /** Entry of `agents:` that runs, '' for a command of its own. */
  readonly agent: string;
  /** Where it works: its worktrees, or the folder it was started in. Written. */
  readonly work: readonly string[];
  /** git folders of those; of each, hooks and settings are only read. */
  readonly gitDirs: readonly string[];
  /** Programs: its own, mux's, node. Read. */
  readonly programs: readonly string[];
  /** Its documents. Written. */
  readonly stores: readonly string[];
  /** Its hooks, its role. Read. */
  readonly files: readonly string[];
  /** Folders of mux's own: state, tokens, other sessions. Never seen. */
  readonly private: readonly string[];
  /** Where mux's settings are: read, never written. */
  readonly settings: string;
  readonly temp: string;
  readonly server: Policy['server'];
}

/** A policy, and what of the rules was left out, a line each. */
export interface BuiltPolicy {
  readonly policy: Policy;
  readonly warnings: readonly string[];
}

/**
 * @param real the path with symlinks resolved, undefined where there is nothing
 * @throws CodedError `refused` for a rule that would give away what is never given
 */
export function buildPolicy(
  rules: SandboxRules,
  around: Surroundings,
  real: (path: string) => string | undefined,
): BuiltPolicy {
  const warnings: string[] = [];
  const needs = Object.hasOwn(AGENT_NEEDS, around.agent) ? AGENT_NEEDS[around.agent] : undefined;
  const links = new Map<string, string>();
  const at = (paths: readonly string[], why: string): Grant[] =>
    paths.flatMap(path => {
      const written = expandHome(path, around.home);
      const found = real(written);
      if (found !== undefined && found !== written) links.set(written, found);
      return found === undefined ? [] : [{ path: found, why }];
    });
  const own = around.private.flatMap(path => real(path) ?? []);
  const asked = (paths: readonly string[], key: string): Grant[] =>
    paths.flatMap(path => {
      const grants = at([path], `sandbox.${key} names ${path}`);
      // Whoever works there could have made it a link to anything.
      const leads = (root: string): boolean =>
        isWithin(root, expandHome(path, around.home)) && grants.some(one => !isWithin(root, one.path));
      if (work.some(one => leads(one.path))) {
        warnings.push(`sandbox.${key}: ${path} leads out of where the session works, so it is left out`);
        return [];
      }
      if (grants.length === 0) warnings.push(`sandbox.${key}: ${path} is not there, so it is left out`);
      for (const grant of grants) checkAsked(grant.path, path, key, own);
      return grants;
    });
  const work = at(around.work, 'the session works there');
  const wanted = { read: asked(rules.read, 'read'), write: asked(rules.write, 'write') };
  for (const { path } of work) checkWork(path, around.home);
  const policy: Policy = {
    read: unique([
      ...at(SYSTEM_FOLDERS, 'of the system'),
      ...at(HOME_SETTINGS, 'settings without secrets'),
      ...at([around.settings], 'settings of mux'),
      ...at(around.programs, 'a program that it runs'),
      ...at(around.files, 'written for this session'),
      ...at(needs?.fixed ?? [], `settings of ${around.agent}`),
      ...wanted.read,
    ]),
    write: unique([
      ...work,
      ...at(around.gitDirs, 'git keeps its work there'),
      ...at(around.stores, 'its documents'),
      ...at(needs?.write ?? [], `${around.agent} keeps its login and conversations there`),
      ...wanted.write,
    ]),
    hidden: unique([
      ...at(CREDENTIALS, 'credentials, which nobody gets unasked').filter(
        ({ path }) => ![...wanted.read, ...wanted.write].some(one => one.path === path),
      ),
      ...at(around.private, 'state, tokens and other sessions of mux'),
    ]),
    fixed: unique([
      ...at(
        [...around.gitDirs, ...around.stores].flatMap(dir => [`${dir}/hooks`, `${dir}/config`]),
        'git runs what stands there, also outside',
      ),
      ...at([around.settings], 'settings of mux'),
      ...at(needs?.fixed ?? [], `settings of ${around.agent}, which it may be run by outside`),
    ]).filter(({ path }) => !wanted.write.some(one => one.path === path)),
    links: [...links].map(([path, target]) => ({ path, target })),
    temp: around.temp,
    home: around.home,
    network: rules.network,
    env: [...PLAIN_VARIABLES, ...(needs?.env ?? []), ...rules.env],
    server: around.server,
  };
  return { policy, warnings };
}

/** Throws CodedError for what no setting gives: all there is, and what is mux's own. */
function checkAsked(path: string, written: string, key: string, own: readonly string[]): void {
  const no = (why: string): CodedError =>
    new CodedError('refused', `sandbox.${key} ${written}: ${why}`, 'name the folders that are needed');
  if (path === '/') throw no('it is everything there is');
  if (own.some(root => isWithin(root, path))) throw no('state, tokens and other sessions are never granted');
}

/** A program that is started at home, or above it, would be given all of it. */
function checkWork(path: string, home: string): void {
  if (!isWithin(path, home)) return;
  throw new CodedError(
    'refused',
    `sandbox: ${path} holds your home, and a program works in it that is not to see all of that`,
    'start it in the folder of a project (--cwd DIR), or with --worktree',
  );
}

/** Each path once, as it was first given. */
function unique(grants: readonly Grant[]): Grant[] {
  return grants.filter(({ path }, at) => grants.findIndex(one => one.path === path) === at);
}
