/**
 * Which sessions run in a sandbox, and in what: from the settings, from what was asked for with the session, and from
 * where it was started. What is started from inside a sandbox is never given more than that has.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { Config } from '../../config/load.ts';
import { projectStore, sharedStore } from '../../documents/places.ts';
import { hasStore, makeStore } from '../../documents/repository.ts';
import type { Bounds, Confined, Place, SessionRecord } from '../../model/types.ts';
import type { Machine } from '../../sandbox/backends/backend.ts';
import { remembering, thisMachine } from '../../sandbox/machine.ts';
import { isWithin } from '../../sandbox/paths.ts';
import { buildPolicy, type Surroundings } from '../../sandbox/policy.ts';
import { mergeRules } from '../../sandbox/rules.ts';
import { refuseTrouble } from '../../sandbox/settings.ts';
import { inSandbox, type Started } from '../../sandbox/start.ts';
import { ownPrograms, programFolders, realOf, repositoryAround } from '../../sandbox/surroundings.ts';
import type { SandboxRules } from '../../sandbox/types.ts';
import { gateOf } from '../gate.ts';
import type { ServerParts } from '../parts.ts';

/** What a session is told that says nothing of a sandbox. */
const UNSAID: Confined = { wish: '', on: false, within: undefined };

/** Where a session works, as far as its sandbox is concerned. */
type Ground = Pick<Surroundings, 'work' | 'gitDirs'>;

export type Told = Pick<SessionRecord, 'id' | 'agent' | 'isAi' | 'role' | 'launch' | 'place' | 'parentId'>;

export class Confinement {
  readonly #parts: Pick<
    ServerParts,
    'settings' | 'dataDir' | 'journalDir' | 'socket' | 'env' | 'self' | 'logger'
  >;
  readonly #find: (id: string) => Told | undefined;
  readonly #machine: Machine;

  /** `find`: a session by its id, for those that others have started. */
  constructor(parts: ServerParts, find: (id: string) => Told | undefined) {
    this.#parts = parts;
    this.#find = find;
    this.#machine = remembering(thisMachine(parts.env.PATH ?? '/usr/bin:/bin'));
  }

  /**
   * What is known of a session's sandbox right before a start. Asked for again at each: settings may have changed, and
   * what it was started by may be gone since the first.
   * @throws CodedError `refused` where it was started from inside a sandbox and is to work outside of that
   */
  look(session: Told): Confined {
    const said = session.launch.sandbox ?? UNSAID;
    const parent = session.parentId === '' ? undefined : this.#find(session.parentId);
    const isInside = parent?.launch.sandbox?.on === true;
    const within = said.within ?? (isInside ? this.#boundsOf(parent) : undefined);
    // A shell of the person's own starts all the same: they may need one to put it right.
    if (within || said.wish === 'on' || (said.wish === '' && session.isAi))
      refuseTrouble(this.#parts.settings.sandboxTrouble);
    if (within) checkInside(groundOf(session), within, session.place);
    return { ...said, within, on: within !== undefined || this.#isWanted(session, said.wish) };
  }

  /** What is started instead of `argv`. @throws CodedError `refused` where no sandbox can be used */
  start(
    session: Told,
    confined: Confined,
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Started {
    const { dataDir, logger, self } = this.#parts;
    const folder = join(dataDir, 'sandbox', session.id);
    const rules = this.#rulesOf(session, confined);
    const around = this.#around(session, folder, argv, env);
    closeHooks([...around.gitDirs, ...around.stores]);
    const { policy, warnings } = buildPolicy(rules, around, realOf);
    const beside = (script: string): string[] => [self[0] ?? 'node', join(dirname(self[1] ?? '.'), script)];
    const { settings } = this.#parts;
    const entry = Object.hasOwn(settings.config.agents, session.agent)
      ? settings.config.agents[session.agent]
      : undefined;
    const started = inSandbox({
      policy,
      backend: rules.backend,
      argv,
      cwd: realOf(session.launch.cwd) ?? session.launch.cwd,
      env,
      given: Object.keys({ ...entry?.env, ...session.launch.given }),
      folder,
      helper: beside('sandbox-main.js'),
      bridge: beside('bridge-main.js'),
      machine: this.#machine,
    });
    for (const warning of [...warnings, ...started.notes])
      logger.log('warn', warning, { session: session.id });
    return started;
  }

  /** Removes what was kept for a session's sandbox. */
  remove({ id }: Pick<SessionRecord, 'id'>): void {
    try {
      rmSync(join(this.#parts.dataDir, 'sandbox', id), { recursive: true, force: true });
    } catch (error) {
      this.#parts.logger.log('warn', 'sandbox could not be removed', { session: id, error });
    }
  }

  #isWanted(session: Told, wish: Confined['wish']): boolean {
    if (wish !== '') return wish === 'on';
    const { sandbox, agents } = this.#parts.settings.config;
    const agent = Object.hasOwn(agents, session.agent) ? agents[session.agent] : undefined;
    const own = mergeRules(
      [agent?.sandbox, roleLayer(sandbox, session.role)].filter(one => one?.enabled !== undefined),
    );
    const isSaid =
      agent?.sandbox.enabled !== undefined || roleLayer(sandbox, session.role)?.enabled !== undefined;
    // Of the person's own shells nothing is said by a rule for all agents.
    return isSaid ? own.enabled : sandbox.enabled && session.isAi;
  }

  #rulesOf(session: Told, { within }: Confined): SandboxRules {
    if (within) {
      const { hosts, ...rest } = within;
      return {
        ...rest,
        enabled: true,
        network: hosts === undefined ? 'open' : hosts.length === 0 ? 'none' : { allow: hosts },
      };
    }
    const { sandbox, agents } = this.#parts.settings.config;
    const agent = Object.hasOwn(agents, session.agent) ? agents[session.agent] : undefined;
    return mergeRules([sandbox, agent?.sandbox, roleLayer(sandbox, session.role)]);
  }

  /** What a session inside may hand on: what it was granted, and where it works. */
  #boundsOf(parent: Told): Bounds {
    const { backend, read, write, env, network } = this.#rulesOf(parent, parent.launch.sandbox ?? UNSAID);
    const { work, gitDirs } = groundOf(parent);
    return {
      backend,
      read,
      write: [...new Set([...write, ...work, ...gitDirs])],
      env,
      hosts: network === 'open' ? undefined : network === 'none' ? [] : network.allow,
    };
  }

  #around(
    session: Told,
    folder: string,
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Surroundings {
    const { dataDir, journalDir, socket, settings, env: own, self } = this.#parts;
    const { agent, launch } = session;
    const path = env.PATH ?? '';
    const entry = settings.config.agents[agent];
    return {
      home: realOf(own.HOME ?? '/') ?? '/',
      agent: launch.ofAgent ? agent : '',
      ...groundOf(session),
      programs: [
        ...programFolders(argv[0] ?? '', path),
        ...programFolders(env.SHELL ?? '', path),
        ...(entry?.command ? programFolders(entry.command, path) : []),
        ...ownPrograms(self),
      ],
      stores: storesFor(dataDir, launch.cwd),
      files: [join(dataDir, 'hooks', session.id), ...(launch.roleFile ? [launch.roleFile] : [])],
      private: [dirname(dataDir), dirname(dirname(journalDir)), dirname(socket)],
      settings: settings.configFile,
      temp: join(folder, 'tmp'),
      server: { socket, folder: gateOf(socket).folder },
    };
  }
}

function roleLayer(sandbox: Config['sandbox'], role: string): Config['sandbox']['roles'][string] | undefined {
  return Object.hasOwn(sandbox.roles, role) ? sandbox.roles[role] : undefined;
}

/** The stores that a session may write: made where they are not there, so that there is something to grant. */
function storesFor(dataDir: string, cwd: string): readonly string[] {
  const all: string[] = [];
  for (const find of [() => projectStore(dataDir, cwd), () => sharedStore(dataDir)])
    try {
      const place = find();
      if (!hasStore(place)) makeStore(place);
      all.push(place.dir);
    } catch {
      // A folder that is gone, a full disk: documents cannot be kept then, which is told whoever tries.
    }
  return all;
}

/** A folder of hooks that is not there could be made from inside, and one that is there is only read. */
function closeHooks(gitDirs: readonly string[]): void {
  for (const dir of gitDirs)
    try {
      mkdirSync(join(dir, 'hooks'), { recursive: true });
    } catch {
      // EACCES, EROFS: where we cannot make it nobody inside can either; EEXIST: a file, which git passes over.
    }
}

/** Where a session works. Of a worktree that mux made it is known; else it is what lies around its folder. */
function groundOf({ place, launch }: Pick<SessionRecord, 'place' | 'launch'>): Ground {
  const folders =
    place.kind === 'worktree'
      ? [place.main, ...place.includes].map(({ worktree }) => worktree)
      : [launch.cwd];
  const around = folders.map(repositoryAround);
  return { work: around.map(({ top }) => top), gitDirs: around.flatMap(({ gitDirs }) => gitDirs) };
}

/** Throws CodedError where a session from inside would work in what that cannot write. A worktree is made for it. */
function checkInside({ work, gitDirs }: Ground, { write }: Bounds, { kind }: Place): void {
  const wanted = [...(kind === 'worktree' ? [] : work), ...gitDirs];
  const outside = wanted.find(path => !write.some(root => isWithin(root, realOf(path) ?? path)));
  if (outside === undefined) return;
  throw new CodedError(
    'refused',
    `sandbox: ${outside} is not what the session that asks may write`,
    'start it in the folder you work in, or ask the person to start it',
  );
}
