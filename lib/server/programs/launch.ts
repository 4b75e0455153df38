/**
 * What a session's program is started with: which command, where, in which environment.
 */
import { accessSync, constants } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { CodedError, nearest } from '../../base/errors.ts';
import { PANE_VARIABLES } from '../../base/pane-variables.ts';
import type { LaunchRequest } from '../../cmd/spec.ts';
import {
  agentArguments,
  agentsOnPath,
  findProgram,
  takesRole,
  type ArgumentValues,
  type StartKind,
} from '../../config/agent-arguments.ts';
import { AGENT_VARIABLES, type Agent } from '../../config/agents.ts';
import type { NewSession } from '../../model/sessions.ts';
import type { Launch, SessionRecord } from '../../model/types.ts';

/** Settings that decide what runs. */
export interface LaunchSettings {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly defaultAgent: string;
  /** `default-command`: a shell line for panes without a command, '' for the login shell. */
  readonly defaultCommand: string;
  /** The shell of panes without a command and of shell lines. */
  readonly shell: string;
  /** argv that runs mux itself. */
  readonly self: readonly string[];
  /** A new id for an agent's conversation. */
  readonly newConversationId: () => string;
}

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
  ...PANE_VARIABLES,
  // Of an agent that started mux: a shell in a pane is none.
  ...AGENT_VARIABLES,
];

/** What `request` is to run. Throws CodedError for an unknown agent or a malformed `K=V`. */
export function planLaunch(request: LaunchRequest, settings: LaunchSettings): NewSession {
  const wanted =
    request.agent || (request.durable && request.command.length === 0 ? settings.defaultAgent : '');
  const agent = wanted ? findAgent(wanted, settings) : undefined;
  const given = Object.fromEntries(request.env.map(parseAssignment));
  const isOwn = request.command.length === 0;
  const conversationId = isOwn && agent?.entry.conversation === 'forced' ? settings.newConversationId() : '';
  const argv = planCommand(request, agent?.entry, settings, conversationId);
  const roleFile = request.roleText?.file ?? '';
  const path = request.callerEnv.PATH ?? '';
  const env = launchEnvironment({ ...request, roleFile }, agent?.entry, { path, given });
  return {
    name: request.name,
    agent: agent?.name ?? programName(argv),
    isAi: agent?.entry.ai ?? false,
    durable: request.durable,
    launch: {
      argv,
      cwd: isAbsolute(request.cwd) ? request.cwd : resolve(request.callerEnv.PWD ?? '/', request.cwd),
      env,
      given,
      ofAgent: isOwn && Boolean(agent?.entry.command),
      ...(roleFile && { roleFile }),
      ...(request.sandbox && { sandbox: { wish: request.sandbox, on: false, within: undefined } }),
    },
    role: request.role,
    model: request.model,
    labels: request.labels,
    conversationId,
  };
}

/** What of a program's environment belongs to its session. */
function launchEnvironment(
  { role, model, roleFile = '' }: Pick<SessionRecord, 'role' | 'model'> & Pick<Launch, 'roleFile'>,
  entry: Agent | undefined,
  { path, given }: { readonly path: string; readonly given: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  return {
    ...(path ? { PATH: path } : {}),
    ...entry?.env,
    ...given,
    ...(role ? { MUX_ROLE: role } : {}),
    ...(roleFile ? { MUX_ROLE_FILE: roleFile } : {}),
    ...(model ? { MUX_MODEL: model } : {}),
  };
}

/** What a session goes on with. */
export interface NextFrom {
  readonly source?: string;
  readonly prompt?: string;
  readonly roleText?: string;
}

/** How a session goes on. */
export interface NextRun {
  readonly launch: Launch;
  readonly conversationId: string;
  /** `fresh` where what it needs to go on from is not known, or its agent cannot. */
  readonly kind: StartKind;
}

/**
 * What a session runs next, by the settings as they are now. A program that is not of its agent's entry is started as
 * before.
 * @param kind how it is meant to start; `fork` goes on from the conversation `source`
 * @param roleText of its role, '' where it has none, or it is not known
 */
export function planNext(
  session: Pick<SessionRecord, 'agent' | 'name' | 'model' | 'role' | 'launch' | 'conversationId'>,
  kind: StartKind,
  settings: Pick<LaunchSettings, 'agents' | 'self' | 'newConversationId'>,
  { source = '', prompt = '', roleText = '' }: NextFrom = {},
): NextRun {
  const { launch, agent: name, model, role, conversationId: known } = session;
  const entry = launch.ofAgent && Object.hasOwn(settings.agents, name) ? settings.agents[name] : undefined;
  if (!entry?.command) return { launch, conversationId: known, kind: 'fresh' };
  const isForced = entry.conversation === 'forced';
  const values = {
    session_name: session.name,
    cwd: launch.cwd,
    model,
    prompt,
    ...roleValues(role, { text: roleText, file: launch.roleFile ?? '' }),
  };
  // An id that an agent was once given is never given to it as a new one.
  const fresh = isForced ? settings.newConversationId() : '';
  const own = kind === 'resume' ? known : fresh;
  const wanted = agentArguments(entry, kind, {
    ...values,
    conversation_id: own,
    source_conversation_id: source,
  });
  const started =
    wanted.kind === kind ? wanted : agentArguments(entry, 'fresh', { ...values, conversation_id: fresh });
  const program = entry.command === '{mux}' ? settings.self : [entry.command];
  return {
    launch: {
      ...launch,
      argv: [...program, ...started.args],
      env: launchEnvironment({ ...session, roleFile: launch.roleFile ?? '' }, entry, {
        path: launch.env.PATH ?? '',
        given: launch.given ?? {},
      }),
    },
    conversationId: started.kind === 'resume' ? known : fresh,
    kind: started.kind,
  };
}

/** The whole environment of a pane's program. */
export function paneEnvironment(
  session: Pick<SessionRecord, 'launch' | 'id' | 'isAi' | 'agent' | 'pane'>,
  about: {
    readonly server: string;
    readonly socket: string;
    readonly token: string;
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
    // Where its hooks report: an agent may have another HOME than we do.
    MUX_SOCKET: about.socket,
    MUX_TOKEN: about.token,
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
  if (agent?.command) return agentCommand(request, agent, settings, conversationId);
  if (settings.defaultCommand) return [shell, '-c', settings.defaultCommand];
  return [shell];
}

/** An agent as its entry says. Throws CodedError where it takes no prompt. */
function agentCommand(
  request: LaunchRequest,
  agent: Agent,
  { self }: LaunchSettings,
  conversationId: string,
): readonly string[] {
  const { prompt = '', name, model, cwd, agent: wanted } = request;
  if (prompt !== '' && agent.prompt_args.length === 0)
    throw new CodedError('usage', `agent ${wanted}: it takes no prompt by its arguments`, 'type it to it');
  if (request.role !== '' && agent.ai && !takesRole(agent))
    throw new CodedError(
      'usage',
      `agent ${wanted}: it cannot be told a role by its arguments`,
      `agents.${wanted}.role_args in config.yaml may name some`,
    );
  const values = {
    conversation_id: conversationId,
    session_name: name,
    model,
    prompt,
    cwd,
    ...roleValues(request.role, request.roleText ?? { text: '', file: '' }),
  };
  const { args } = agentArguments(agent, 'fresh', values);
  checkLength(args, wanted);
  if (agent.command === '{mux}') return [...self, ...args];
  return [agent.command, ...args];
}

/** What arguments may hold of a role. */
function roleValues(role: string, { text, file }: { text: string; file: string }): ArgumentValues {
  if (role === '' || text === '') return {};
  // DEL is the one character that a JSON string may hold as it is and a TOML string may not.
  const json = JSON.stringify(text).replaceAll('\x7f', '\\u007f');
  return { role, role_prompt: text, role_json: json, role_file: file };
}

/** Linux takes 128 KiB for one argument (MAX_ARG_STRLEN, with its NUL). */
const MAX_ARGUMENT = 131_071;

function checkLength(args: readonly string[], agent: string): void {
  const longest = Math.max(0, ...args.map(arg => Buffer.byteLength(arg)));
  if (longest > MAX_ARGUMENT)
    throw new CodedError(
      'usage',
      `agent ${agent}: its role and prompt have ${Math.ceil(longest / 1024)} KiB, and an argument takes 128`,
      'put what is long into files that the role names with @file',
    );
}

/** Fails where an agent's program is not on PATH, and says which agents are. Throws CodedError. */
export function checkProgram({ agent, launch }: NewSession, agents: LaunchSettings['agents']): void {
  const { PATH } = launch.env;
  const command = Object.hasOwn(agents, agent) ? agents[agent]!.command : '';
  if (PATH === undefined || command === '' || command !== launch.argv[0] || findProgram(command, PATH))
    return;
  throw new CodedError(
    'failed',
    `agent ${agent}: there is no program ${command} on PATH`,
    `found there: ${agentsOnPath(agents, { PATH }).join(', ')}`,
  );
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

/** Words that begin a shell line and name no program. */
const SHELL_WORDS: ReadonlySet<string> = new Set([
  'while',
  'until',
  'for',
  'if',
  'case',
  'function',
  'then',
  'do',
]);

/** A short name for what runs: the program's base name, or the first program of a shell line. */
function programName(argv: readonly string[]): string {
  const line = argv[1] === '-c' ? argv[2] : undefined;
  const name = basename((line && firstProgram(line)) || argv[0]!)
    .replace(/^-/, '')
    .replace(/[^\p{L}\p{N}._+-]/gu, '');
  return /^[\p{L}\p{N}]/u.test(name) ? name.slice(0, 40) : 'shell';
}

/** The first word of a shell line behind assignments (`A=1 make`), up to what means something to the shell; '' for none. */
function firstProgram(line: string): string {
  const word = line.split(/\s+/).find(part => part !== '' && !/^\w+=[^;&|]*$/.test(part)) ?? '';
  const name = /^[^;&|<>()'"`$=\\]*/.exec(word)![0];
  return word[name.length] === '=' || SHELL_WORDS.has(name) ? '' : name;
}
