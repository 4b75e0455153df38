/**
 * The agents mux knows by itself, and how a person's entries change them.
 *
 * Arguments may hold `{conversation_id}` and the like. Where such a value is not known, arguments that need it must not
 * be used: several agents take an empty id for "the last one in this folder", which may be somebody else's.
 */
import type { Network } from './leaf.ts';

/** A program that sessions run. */
export interface Agent {
  /** The program; '' stands for the person's shell, `{mux}` for mux itself. */
  readonly command: string;
  readonly args: readonly string[];
  /** Arguments when a session is resumed; empty: it starts afresh. */
  readonly resume_args: readonly string[];
  /** Arguments of a session that goes on from another one's conversation; empty: it starts afresh. */
  readonly fork_args: readonly string[];
  /** Arguments that give it its first prompt, added at the end; empty: the prompt is typed once it is ready. */
  readonly prompt_args: readonly string[];
  /** Arguments that choose its model, added before the prompt; empty: it has none. */
  readonly model_args: readonly string[];
  /**
   * Arguments that tell it a role, in front of those for the model; empty: the role begins its first prompt, or where it
   * takes none it cannot be told.
   */
  readonly role_args: readonly string[];
  /** Where the id of its conversation comes from: mux makes it, it tells it, or nobody knows. */
  readonly conversation: 'forced' | 'captured' | 'none';
  /** How it is made to report what it does. */
  readonly hooks: 'claude' | 'codex' | 'pi' | 'none';
  /** The key that interrupts its turn, how often, and the time between. */
  readonly interrupt_key: string;
  readonly interrupt_count: number;
  /** ms */
  readonly interrupt_delay: number;
  readonly env: Readonly<Record<string, string>>;
  /** An AI agent: its sessions get MUX_AGENT. */
  readonly ai: boolean;
  /** What it can reach, over what is said of all agents. */
  readonly sandbox: {
    readonly enabled?: boolean | undefined;
    readonly backend?: string | undefined;
    readonly read?: readonly string[] | undefined;
    readonly write?: readonly string[] | undefined;
    readonly env?: readonly string[] | undefined;
    readonly network?: Network | undefined;
  };
}

/** What a person wrote about an agent: only the keys that differ. */
export type AgentEntry = { readonly [K in keyof Agent]?: Agent[K] | undefined };

/** Between two presses of a key that must come twice: agents take them as one within some tenths of a second. */
const INTERRUPT_MS = 300;

const plain = {
  args: [],
  resume_args: [],
  fork_args: [],
  prompt_args: [],
  model_args: [],
  role_args: [],
  conversation: 'none',
  hooks: 'none',
  interrupt_key: 'C-c',
  interrupt_count: 1,
  interrupt_delay: INTERRUPT_MS,
  env: {},
  ai: true,
  sandbox: {},
} as const;

/** By name. Arguments are those of each program's own command line. */
export const BUILTIN_AGENTS = {
  claude: {
    ...plain,
    command: 'claude',
    args: ['--session-id', '{conversation_id}'],
    resume_args: ['--resume', '{conversation_id}'],
    fork_args: [
      '--resume',
      '{source_conversation_id}',
      '--fork-session',
      '--session-id',
      '{conversation_id}',
    ],
    prompt_args: ['{prompt}'],
    model_args: ['--model', '{model}'],
    role_args: ['--append-system-prompt', '{role_prompt}'],
    conversation: 'forced',
    hooks: 'claude',
    // C-c twice would end it.
    interrupt_key: 'Escape',
  },
  codex: {
    ...plain,
    command: 'codex',
    resume_args: ['resume', '{conversation_id}'],
    fork_args: ['fork', '{source_conversation_id}'],
    prompt_args: ['{prompt}'],
    model_args: ['-m', '{model}'],
    // Its values are TOML, whose basic strings JSON's are.
    role_args: ['-c', 'developer_instructions={role_json}'],
    conversation: 'captured',
    hooks: 'codex',
    interrupt_key: 'Escape',
  },
  gemini: {
    ...plain,
    command: 'gemini',
    prompt_args: ['-i', '{prompt}'],
    model_args: ['-m', '{model}'],
    interrupt_key: 'Escape',
  },
  opencode: {
    ...plain,
    command: 'opencode',
    resume_args: ['--session', '{conversation_id}'],
    prompt_args: ['--prompt', '{prompt}'],
    model_args: ['--model', '{model}'],
    // The first one asks whether it is meant.
    interrupt_key: 'Escape',
    interrupt_count: 2,
  },
  'cursor-agent': {
    ...plain,
    command: 'cursor-agent',
    resume_args: ['--resume', '{conversation_id}'],
    prompt_args: ['{prompt}'],
    model_args: ['--model', '{model}'],
  },
  // Its history is a file in the folder it runs in.
  aider: {
    ...plain,
    command: 'aider',
    resume_args: ['--restore-chat-history'],
    model_args: ['--model', '{model}'],
    role_args: ['--read', '{role_file}'],
  },
  amp: {
    ...plain,
    command: 'amp',
    resume_args: ['threads', 'continue', '{conversation_id}'],
    interrupt_key: 'Escape',
  },
  pi: {
    ...plain,
    command: 'pi',
    resume_args: ['--session', '{conversation_id}'],
    fork_args: ['--fork', '{source_conversation_id}'],
    prompt_args: ['{prompt}'],
    model_args: ['--model', '{model}'],
    role_args: ['--append-system-prompt', '{role_prompt}'],
    conversation: 'captured',
    hooks: 'pi',
    interrupt_key: 'Escape',
  },
  chat: {
    ...plain,
    command: '{mux}',
    args: ['chat'],
    resume_args: ['chat', '--resume'],
    model_args: ['-m', '{model}'],
    role_args: ['-r', '{role}'],
  },
  shell: { ...plain, command: '', ai: false },
} as const satisfies Record<string, Agent>;

/** An agent nobody described further; no `ai`, since a wrong guess would put a plain program into JSON mode. */
const BLANK: Agent = { ...plain, command: '', ai: false };

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
