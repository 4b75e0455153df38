/**
 * The agents mux knows by itself, and how a person's entries change them.
 *
 * `{conversation_id}` in arguments stands for the agent's own name of its conversation. Where it is not known,
 * arguments that need it must not be used: several agents take an empty id for "the last one in this folder", which
 * may be somebody else's.
 */

/** A program that sessions run. */
export interface Agent {
  /** The program; '' stands for the person's shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Arguments when a session is resumed; empty: it starts afresh. */
  readonly resume_args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An AI agent: its sessions get MUX_AGENT. */
  readonly ai: boolean;
}

/** What a person wrote about an agent: only the keys that differ. */
export type AgentEntry = { readonly [K in keyof Agent]?: Agent[K] | undefined };

const plain = { args: [], resume_args: [], env: {}, ai: true } as const;

/** By name. Arguments are those of each program's own command line. */
export const BUILTIN_AGENTS = {
  claude: {
    ...plain,
    command: 'claude',
    args: ['--session-id', '{conversation_id}'],
    resume_args: ['--resume', '{conversation_id}'],
  },
  codex: { ...plain, command: 'codex', resume_args: ['resume', '{conversation_id}'] },
  gemini: { ...plain, command: 'gemini' },
  opencode: { ...plain, command: 'opencode', resume_args: ['--session', '{conversation_id}'] },
  'cursor-agent': { ...plain, command: 'cursor-agent', resume_args: ['--resume', '{conversation_id}'] },
  // Its history is a file in the folder it runs in.
  aider: { ...plain, command: 'aider', resume_args: ['--restore-chat-history'] },
  amp: { ...plain, command: 'amp', resume_args: ['threads', 'continue', '{conversation_id}'] },
  shell: { ...plain, command: '', ai: false },
} as const satisfies Record<string, Agent>;

/** An agent nobody described further; no `ai`, since a wrong guess would put a plain program into JSON mode. */
const BLANK: Agent = { command: '', args: [], resume_args: [], env: {}, ai: false };

/** The built-in agents with `entries` over them, key by key; `env` is replaced as one key. */
export function mergeAgents(entries: Readonly<Record<string, AgentEntry>>): Readonly<Record<string, Agent>> {
  return mergeEntries<Agent>(BUILTIN_AGENTS, entries, BLANK);
}

/** `base` with `entries` over it, key by key; a name that is not in `base` starts from `blank`. */
export function mergeEntries<T extends object>(
  base: Readonly<Record<string, T>>,
  entries: Readonly<Record<string, { readonly [K in keyof T]?: T[K] | undefined }>>,
  blank: T,
): Readonly<Record<string, T>> {
  const merged = new Map(Object.entries(base));
  for (const [name, entry] of Object.entries(entries)) {
    const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    merged.set(name, { ...(merged.get(name) ?? blank), ...given });
  }
  return Object.fromEntries(merged);
}

/** Environment that tells of an AI agent as the caller. */
export const AGENT_VARIABLES: readonly string[] = [
  'MUX_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE',
  'CURSOR_AGENT',
  'GITHUB_COPILOT',
  'AMAZON_Q',
  'OPENCODE',
  'GRAITH_SESSION_ID',
];
