/**
 * config.yaml as one schema: every key with its kind, its default as a person would write it, and one line that says
 * what it is for. Validation, `config show` and the manual all read it.
 */
import { z } from 'zod';
import {
  bool,
  cells,
  choice,
  count,
  duration,
  envValue,
  flag,
  hours,
  name,
  network,
  pattern,
  size,
  template,
  text,
  variableName,
} from './leaf.ts';
import { ai, grpcClients } from './schema-ai.ts';
import { hooks } from './schema-hooks.ts';

/** A whole number that is only bounded so that arithmetic on it stays exact. */
const MANY = 1_000_000_000;
const strings = () => z.array(text());
/** Selectors of things in the graph. */
export const selectors = strings;
const templates = () => z.array(template());
const env = () => z.record(z.string(), envValue());

const server = z.strictObject({
  default_size: cells().prefault('80x24').describe('size in cells of windows nobody looks at'),
  window_size: choice(['latest', 'smallest', 'largest'])
    .prefault('latest')
    .describe('whose size a window takes when several clients look at it'),
  remain_on_exit: choice(['on', 'off', 'failed'])
    .prefault('on')
    .describe('whether a pane stays when its program has ended; failed: only after a failure'),
  // At 200 columns a hundred thousand lines take a quarter of a gigabyte: the most that an emulator holds.
  history_lines: count(0, 100_000).prefault(10_000).describe('lines of scrollback a pane keeps'),
  log_limit: size().prefault('256MB').describe('output kept on disk per session, the newest'),
});

const screen = z.strictObject({
  prefix: name().prefault('C-b').describe('the key that starts a command'),
  theme: name().prefault('dark').describe('a name in themes/, or the path of a theme file'),
  sidebar: choice(['auto', 'on', 'off'])
    .prefault('auto')
    .describe('the sidebar; auto: while the screen is wide enough'),
  // Narrower shows nothing, wider takes the room from the panes (SCREEN: 22–32 is the comfortable range).
  sidebar_width: count(10, 80).prefault(28).describe('width of the sidebar in cells'),
  hints: flag().prefault('on').describe('the bottom row with what the keys do now'),
  mouse: flag().prefault('on').describe('whether mux takes mouse events'),
  clipboard: choice(['off', 'write', 'ask'])
    .prefault('write')
    .describe('what a program may do with the clipboard by OSC 52; reading it is never allowed'),
});

/** `Escape`, `C-c`: what it means is known to the key tables alone. */
const keyName = () => pattern(/^[!-~]{1,20}$/, 'C-c');

/** What may be said of the sandbox of one agent or role, over what is said of all. */
const sandboxLayer = () =>
  z.strictObject({
    enabled: bool().optional().describe('whether it runs in a sandbox, whatever is said of all'),
    backend: text().optional().describe('which sandbox'),
    read: strings().optional().describe('further paths that may be read'),
    write: strings().optional().describe('further paths that may be written'),
    env: strings().optional().describe('further variables that are handed on; NAME* for all that begin so'),
    network: network().optional().describe('instead of what is said of all: none, open, or allow: [hosts]'),
  });

const agentEntry = z.strictObject({
  command: text().optional().describe('the program; empty: your shell; {mux}: mux itself'),
  args: templates().optional().describe('its arguments when a session starts'),
  resume_args: templates()
    .optional()
    .describe('its arguments when a session is resumed; none: it starts afresh'),
  fork_args: templates()
    .optional()
    .describe("its arguments when it goes on from another session's conversation"),
  prompt_args: templates()
    .optional()
    .describe('arguments that give it its first prompt; none: the prompt is typed'),
  model_args: templates().optional().describe('arguments that choose its model'),
  role_args: templates()
    .optional()
    .describe('arguments that tell it its role; none: the role begins its first prompt'),
  conversation: choice(['forced', 'captured', 'none'])
    .optional()
    .describe("whose its conversation's id is: made by mux, told by the agent, or not known"),
  hooks: choice(['claude', 'codex', 'pi', 'none'])
    .optional()
    .describe('how it is made to report what it does: as Claude Code, as Codex, as pi, or not'),
  interrupt_key: keyName().optional().describe('the key that interrupts it'),
  interrupt_count: count(1, 5).optional().describe('how often that key must come'),
  interrupt_delay: duration().optional().describe('the time between'),
  env: env().optional().describe('variables added to its environment'),
  ai: bool().optional().describe('whether it is an AI agent: sets MUX_AGENT in its sessions'),
  sandbox: sandboxLayer().optional().describe('what it can reach, over what is said of all'),
});

const git = z.strictObject({
  worktree_root: text().prefault('').describe("folder of new worktrees; empty: below mux's own data"),
  branch_prefix: text().prefault('{user}/mux').describe('what the branches of new worktrees start with'),
  fetch_on_create: bool().prefault(true).describe('fetch the base branch before a worktree is made'),
  pull: choice(['off', 'on']).prefault('off').describe('keep base branches of idle repositories up to date'),
});

const lifecycle = z.strictObject({
  delete_retention: duration().prefault('24h').describe('how long a deleted session can be restored'),
  idle_stop: duration().prefault(0).describe('stop a session that is ready and unseen for so long; 0: never'),
  kill_grace: duration().prefault('5s').describe('time between asking a program to end and killing it'),
  launch_max: count(1, 100).prefault(3).describe('sessions that may be starting at the same time'),
});

const notifications = z.strictObject({
  command: text()
    .prefault('')
    .describe('shell line run when a session needs you ($1 title, $2 text); empty: the terminal tells'),
  quiet: hours().prefault('').describe('hours without notifications, like 22:00-07:00'),
});

const messages = z.strictObject({
  max_age: duration().prefault(0).describe('messages older than this are dropped; 0: kept'),
  max_per_stream: count(0, MANY).prefault(0).describe('messages kept per stream, the newest; 0: all'),
  wake: choice(['all', 'idle', 'off'])
    .prefault('all')
    .describe('stopped agents that mail starts again: all, those that were stopped for being idle, or none'),
});

const agent = z.strictObject({
  mode: choice(['manual', 'auto', 'plan'])
    .prefault('manual')
    .describe('how mux chat and mux ask treat tool calls'),
  max_iterations: count(1, 10_000).prefault(25).describe('model calls in one turn before it stops and asks'),
  default_role: text().prefault('').describe('selector of the role a chat starts with'),
  default_tools: strings().prefault([]).describe('selectors of tools a chat starts with'),
  default_lores: strings().prefault([]).describe('selectors of lores a chat starts with'),
  fetch_url: bool()
    .prefault(false)
    .describe('whether models may fetch pages of the web; never from private addresses'),
  sub_agents: z
    .strictObject({
      max_concurrent: count(0, 100).prefault(4).describe('sub-agents at work at the same time'),
      max_depth: count(0, 10).prefault(2).describe('how deep sub-agents may start sub-agents'),
    })
    .prefault({})
    .describe('limits of sub-agents'),
});

const chat = z.strictObject({
  send_key: choice(['enter', 'ctrl-j'])
    .prefault('enter')
    .describe('the key that sends; the other one begins a line'),
  motion: choice(['full', 'reduced'])
    .prefault('full')
    .describe('reduced: nothing on the screen of mux chat moves by itself'),
  plain: bool()
    .prefault(false)
    .describe('mux chat writes line by line, for screen readers, instead of drawing a screen'),
});

/** One rule. */
export const permission = z.strictObject({
  tool: name().describe('the tool the rule is about'),
  argv: strings().optional().describe('the words a simple command must start with'),
  mode: choice(['allow', 'ask', 'deny']).describe('what happens then'),
});

const mcpServer = z
  .strictObject({
    name: pattern(/^[A-Za-z0-9_-]{1,64}$/, 'my-server').describe('what its tools are prefixed with'),
    command: name().optional().describe('the program of a local server'),
    args: strings().optional().describe('its arguments'),
    env: env().optional().describe('variables added to its environment'),
    env_vars: z.array(variableName()).optional().describe('variables handed on to it; it gets few others'),
    url: name().optional().describe('address of a remote server'),
    headers_env: z
      .record(z.string(), variableName())
      .optional()
      .describe('header: variable that holds its value'),
    timeout: duration().prefault('2m').describe('a call without progress ends after this'),
  })
  .superRefine((value, ctx) => {
    if ((value.command === undefined) === (value.url === undefined))
      ctx.addIssue({ code: 'custom', message: 'expected either command or url' });
    const foreign =
      value.url === undefined ? (['headers_env'] as const) : (['args', 'env', 'env_vars'] as const);
    for (const key of foreign)
      if (value[key] !== undefined)
        ctx.addIssue({
          code: 'custom',
          path: [key],
          message: `goes with ${value.url === undefined ? 'url' : 'command'}`,
        });
  });

/** Tools are called by the names of their servers. */
export const mcpServers = z.array(mcpServer).superRefine((servers, ctx) => {
  for (const [at, { name: own }] of servers.entries())
    if (servers.findIndex(one => one.name === own) < at)
      ctx.addIssue({ code: 'custom', path: [at, 'name'], message: `${own} stands twice` });
});

const sandbox = z.strictObject({
  enabled: bool().prefault(false).describe('whether agents run in a sandbox'),
  backend: text().prefault('').describe('which sandbox; empty: the first that works here'),
  read: strings().prefault([]).describe('paths that may be read beside the worktree'),
  write: strings().prefault([]).describe('paths that may be written beside the worktree'),
  env: strings()
    .prefault([])
    .describe('variables handed on beside the plain ones; NAME* for all that begin so'),
  network: network().prefault('open').describe('none, open, or allow: [hosts]'),
  roles: z
    .record(z.string(), sandboxLayer())
    .prefault({})
    .describe('what sessions in a role can reach, by its selector, over all else'),
});

/** The whole file. Parsing `{}` gives every default. */
export const configSchema = z.strictObject({
  server: server.prefault({}).describe('windows, history and logs'),
  screen: screen.prefault({}).describe('what you see'),
  keys: z
    .record(z.string(), z.record(z.string(), text()))
    .prefault({})
    .describe('key table: key: command text, added to the built-in ones'),
  agents: z
    .record(pattern(/^[A-Za-z0-9._-]{1,64}$/, 'my-agent'), agentEntry)
    .prefault({})
    .describe('programs by name, over the built-in ones key by key'),
  default_agent: name().prefault('shell').describe('the entry of agents that a new session runs'),
  git: git.prefault({}).describe('worktrees and branches'),
  lifecycle: lifecycle.prefault({}).describe('how sessions start, stop and go'),
  notifications: notifications.prefault({}).describe('telling you that you are needed'),
  messages: messages.prefault({}).describe('how long messages are kept'),
  ai: ai.prefault({}).describe('models and who serves them'),
  grpc_clients: grpcClients.prefault([]).describe('AiService and tool servers elsewhere'),
  agent: agent.prefault({}).describe('mux chat and mux ask'),
  chat: chat.prefault({}).describe('the screen of mux chat'),
  permissions: z.array(permission).prefault([]).describe('rules, the first match wins per simple command'),
  mcp_servers: mcpServers.prefault([]).describe('MCP servers whose tools are offered'),
  hooks: hooks.prefault([]).describe('commands run before and after tools and turns of mux chat and mux ask'),
  sandbox: sandbox.prefault({}).describe('what agents can reach'),
});
