/**
 * Makes agents report what they do: a file of hooks in the session's own folder, and the arguments that name it. Written
 * anew at each start, so that it fits the mux that runs; gone with the session.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/log.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Agent } from '../../config/agents.ts';
import type { SessionRecord } from '../../model/types.ts';
import { piExtension } from './pi-extension.ts';

/** Time that an agent gives a hook, in seconds: many times what one takes on a busy machine. */
const HOOK_S = 10;
/** The same where a person may have to answer: longer than they are waited for (VERDICT_MS in app/hook.ts). */
const HOOK_WAIT_S = 400;

/** Events of Claude Code that tell something; of those with tools all tools are meant. */
const CLAUDE_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
] as const;
const WAITING = new Set<string>(['PermissionRequest']);

export interface AgentFilesPorts {
  /** Folder of the server's data. */
  readonly dataDir: string;
  /** argv that runs mux itself. */
  readonly self: readonly string[];
  readonly logger: Logger;
}

/** Writes what one kind of agent needs and gives the arguments for it. */
type Install = (at: {
  readonly folder: string;
  readonly hook: readonly string[];
  readonly session: SessionRecord;
  readonly env: Readonly<Record<string, string>>;
}) => readonly string[];

const INSTALL: Readonly<Record<Exclude<Agent['hooks'], 'none'>, Install>> = {
  claude({ folder, hook, session }) {
    // The person's own file wins: the program takes only one.
    if (session.launch.argv.some(arg => arg === '--settings' || arg.startsWith('--settings='))) return [];
    const entry = (event: string): object => ({
      type: 'command',
      command: [...hook, 'claude', event].map(shellWord).join(' '),
      timeout: WAITING.has(event) ? HOOK_WAIT_S : HOOK_S,
    });
    const hooks = Object.fromEntries(CLAUDE_EVENTS.map(event => [event, [{ hooks: [entry(event)] }]]));
    return ['--settings', writeNew(folder, 'claude-settings.json', JSON.stringify({ hooks }, undefined, 2))];
  },
  codex({ hook, env }) {
    // It knows one program only, and a person's own is not taken away from them.
    if (hasOwnNotify(join(env.CODEX_HOME || join(env.HOME ?? '/', '.codex'), 'config.toml'))) return [];
    const words = [...hook, 'codex', 'notify'].map(word => JSON.stringify(word));
    return ['-c', `notify=[${words.join(',')}]`];
  },
  pi({ folder, hook }) {
    return ['--extension', writeNew(folder, 'pi-extension.js', piExtension([...hook, 'pi']))];
  },
};

/** Writes a file of the session's, for its person alone; gives its path. Throws the system's error. */
function writeNew(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  // Anew and not over the old one, which may have got other rights or lead elsewhere.
  rmSync(path, { force: true });
  writeFileSync(path, text + '\n', { mode: 0o600, flag: 'wx' });
  return path;
}

/** The files of all sessions' agents. */
export class AgentFiles {
  readonly #ports: AgentFilesPorts;

  constructor(ports: AgentFilesPorts) {
    this.#ports = ports;
  }

  /** What a session's program is started with: its own argv, with hooks where its agent has some. */
  prepare(
    session: SessionRecord,
    agent: Agent | undefined,
    env: Readonly<Record<string, string>>,
  ): readonly string[] {
    const { argv } = session.launch;
    const [program = '', ...args] = argv;
    // A command line of the person's own is run as they wrote it.
    if (!agent || agent.hooks === 'none' || !session.isAi || program !== agent.command) return argv;
    const { self, logger } = this.#ports;
    const hook = [self[0] ?? 'node', join(dirname(self[1] ?? '.'), 'hook-main.js')];
    try {
      const own = INSTALL[agent.hooks]({ folder: this.#folder(session), hook, session, env });
      return [program, ...own, ...args];
    } catch (error) {
      // A full or read-only disk: an agent that tells less is better than none.
      logger.log('warn', 'hooks could not be written', { session: session.id, error });
      return argv;
    }
  }

  /** Removes what was written for a session. */
  remove(session: SessionRecord): void {
    try {
      rmSync(this.#folder(session), { recursive: true, force: true });
    } catch (error) {
      this.#ports.logger.log('warn', 'hooks could not be removed', { session: session.id, error });
    }
  }

  #folder(session: SessionRecord): string {
    return join(this.#ports.dataDir, 'hooks', session.id);
  }
}

/** Whether a person's Codex has a program for notices already. */
function hasOwnNotify(path: string): boolean {
  try {
    return /^\s*notify\s*=/m.test(readFileSync(path, 'utf8'));
  } catch {
    // ENOENT: no settings; EACCES: none that it can read either.
    return false;
  }
}
