/**
 * What a session's program is started with: which command, where, in which environment.
 */
import { accessSync, constants } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { CodedError, nearest } from '../base/errors.ts';
import type { LaunchRequest } from '../cmd/spec.ts';
import { AGENT_VARIABLES, type Agent } from '../config/agents.ts';
import type { NewSession } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';

/** Settings that decide what runs. */
export interface LaunchSettings {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly defaultAgent: string;
  /** `default-command`: a shell line for panes without a command, '' for the login shell. */
  readonly defaultCommand: string;
  /** The shell of panes without a command and of shell lines. */
  readonly shell: string;
  /** A new id for an agent's conversation. */
  readonly newConversationId: () => string;
}

/** Stands in an agent's arguments for its conversation's id. */
const CONVERSATION = '{conversation_id}';

/** Of the environment that mux or an outer multiplexer set for itself; a pane must not inherit it. */
const NOT_INHERITED = [
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'WINDOWID',
  'TERMCAP',
  'COLUMNS',
  'LINES',
  'MUX_TOKEN',
  'MUX_SESSION',
  'MUX_PANE',
  'MUX_ROLE',
  'MUX_MODEL',
  // Of an agent that started mux: a shell in a pane is none.
  ...AGENT_VARIABLES,
];

/** What `request` is to run. Throws CodedError for an unknown agent or a malformed `K=V`. */
export function planLaunch(request: LaunchRequest, settings: LaunchSettings): NewSession {
  const wanted =
    request.agent || (request.durable && request.command.length === 0 ? settings.defaultAgent : '');
  const agent = wanted ? findAgent(wanted, settings) : undefined;
  const env = { ...agent?.entry.env, ...Object.fromEntries(request.env.map(parseAssignment)) };
  const conversationId = agent?.entry.args.some(arg => arg.includes(CONVERSATION))
    ? settings.newConversationId()
    : '';
  const argv = planCommand(request, agent?.entry, settings, conversationId);
  return {
    name: request.name,
    agent: agent?.name ?? programName(argv),
    isAi: agent?.entry.ai ?? false,
    durable: request.durable,
    launch: {
      argv,
      cwd: isAbsolute(request.cwd) ? request.cwd : resolve(request.callerEnv.PWD ?? '/', request.cwd),
      env: {
        ...(request.callerEnv.PATH ? { PATH: request.callerEnv.PATH } : {}),
        ...env,
        ...(request.role ? { MUX_ROLE: request.role } : {}),
        ...(request.model ? { MUX_MODEL: request.model } : {}),
      },
    },
    role: request.role,
    model: request.model,
    labels: request.labels,
    conversationId,
  };
}

/** The whole environment of a pane's program. */
export function paneEnvironment(
  session: Pick<SessionRecord, 'launch' | 'id' | 'isAi' | 'agent' | 'pane'>,
  about: {
    readonly server: string;
    readonly version: string;
    readonly term: string;
    readonly serverEnv: Readonly<Record<string, string>>;
  },
): Record<string, string> {
  const env: Record<string, string> = { ...about.serverEnv };
  for (const name of NOT_INHERITED) delete env[name];
  return {
    ...env,
    ...session.launch.env,
    TERM: about.term,
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'mux',
    TERM_PROGRAM_VERSION: about.version,
    MUX_SERVER: about.server,
    MUX_SESSION: session.id,
    ...(session.pane ? { MUX_PANE: session.pane } : {}),
    ...(session.isAi ? { MUX_AGENT: session.agent } : {}),
  };
}

/** Why $SHELL is not what panes run, in one line; undefined where it is, or is not set. */
export function shellProblem(env: Readonly<Record<string, string>>): string | undefined {
  if (!env.SHELL || loginShell(env) === env.SHELL) return undefined;
  const why = isAbsolute(env.SHELL) ? 'it cannot be run' : 'it is no absolute path';
  return `SHELL ${env.SHELL}: ${why}; panes get ${FALLBACK_SHELL} (set SHELL, or the option default-shell)`;
}

/** On every system (POSIX). */
const FALLBACK_SHELL = '/bin/sh';

/** The shell of a pane: $SHELL if it can be run, else /bin/sh. */
export function loginShell(env: Readonly<Record<string, string>>): string {
  const shell = env.SHELL ?? '';
  try {
    if (isAbsolute(shell)) {
      accessSync(shell, constants.X_OK);
      return shell;
    }
  } catch {
    // ENOENT, EACCES: it cannot be run. A pane with another shell beats no pane.
  }
  return FALLBACK_SHELL;
}

function planCommand(
  request: LaunchRequest,
  agent: Agent | undefined,
  settings: LaunchSettings,
  conversationId: string,
): readonly string[] {
  const { shell } = settings;
  // As everywhere in mux: several words are argv, a single one is a shell line.
  if (request.command.length > 1) return request.command;
  if (request.command.length === 1) return [shell, '-c', request.command[0]!];
  if (agent?.command)
    return [agent.command, ...agent.args.map(arg => arg.replaceAll(CONVERSATION, conversationId))];
  if (settings.defaultCommand) return [shell, '-c', settings.defaultCommand];
  return [shell];
}

function findAgent(name: string, { agents }: LaunchSettings): { name: string; entry: Agent } {
  const entry = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (entry) return { name, entry };
  const near = nearest(name, Object.keys(agents));
  throw new CodedError(
    'not_found',
    `agent ${name}: no such entry in agents:`,
    near ? `did you mean ${near}?` : `there are ${Object.keys(agents).join(', ')}`,
  );
}

function parseAssignment(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0 && /^[A-Za-z_]\w*$/.test(text.slice(0, at))) return [text.slice(0, at), text.slice(at + 1)];
  throw new CodedError('usage', `environment '${text}': it is not NAME=VALUE`);
}

/** A short name for what runs: the program's base name, or the first word of a shell line. */
function programName(argv: readonly string[]): string {
  const line = argv[1] === '-c' && argv[2] !== undefined ? argv[2].trim().split(/\s+/)[0]! : argv[0]!;
  const name = basename(line)
    .replace(/^-/, '')
    .replace(/[^\p{L}\p{N}._+-]/gu, '');
  return /^[\p{L}\p{N}]/u.test(name) ? name.slice(0, 40) : 'shell';
}
