/**
 * What agents' hooks report, as claims. Names of events are each agent's own; where several agents use a name, they mean
 * the same by it.
 */
import { withClaim, withoutClaims, withSubAgent, type Evidence } from './evidence.ts';
import type { Meaning } from './types.ts';

/** The parts of a hook's JSON that are looked at. Unknown shapes are as good as none. */
export type HookPayload = Readonly<Record<string, unknown>>;

/** Work is believed this long: a tool that runs longer shows itself on the screen. */
const WORK_MS = 30_000;
/** A question or an idle agent is believed this long: people go to lunch. */
const WAIT_MS = 30 * 60_000;
/** Longest text kept of what an agent says. */
const TEXT_MAX = 200;

type Row = (payload: HookPayload, event: string) => Meaning | undefined;

const working: Row = () => ({ status: 'working', reason: '' });
const ready: Row = () => ({ status: 'ready', reason: '' });
const asks =
  (need: 'permission' | 'question' | 'error', fallback: string): Row =>
  payload => ({ status: 'needs-you', need, reason: textOf(payload) || fallback });

/** Tools of Claude Code that are a question to the person, by name. */
const ASKING_TOOLS: Readonly<Record<string, Row>> = {
  AskUserQuestion: asks('question', 'it has a question'),
  ExitPlanMode: asks('permission', 'its plan wants approval'),
};

const toolBegins: Row = (payload, event) => {
  const tool = clean(word(payload, 'tool_name'));
  const asking = Object.hasOwn(ASKING_TOOLS, tool) ? ASKING_TOOLS[tool] : undefined;
  return asking ? asking({}, event) : { status: 'working', reason: tool ? `using ${tool}` : '' };
};

const wantsPermission: Row = payload => ({
  status: 'needs-you',
  need: 'permission',
  reason: toolText(payload) || 'it wants permission',
});

/** Kinds of Claude Code's notifications that say something about its state. */
const NOTICES: readonly (readonly [RegExp, Row])[] = [
  [/permission|ToolPermission/i, asks('permission', 'it wants permission')],
  [/elicitation|agent_needs_input/i, asks('question', 'it has a question')],
  [/idle_prompt|waiting for your input/i, ready],
];

const notice: Row = (payload, event) => {
  const kind = word(payload, 'notification_type') || word(payload, 'message');
  return NOTICES.find(([pattern]) => pattern.test(kind))?.[1](payload, event);
};

/** Codex tells by its `notify` program. */
const codexNotice: Row = (payload, event) => {
  const type = word(payload, 'type');
  if (type === 'agent-turn-complete') return ready(payload, event);
  return type === 'approval-requested' ? wantsPermission(payload, event) : undefined;
};

/** Event → what it means. Undefined: nothing about the state. */
const EVENTS: Readonly<Record<string, Row>> = {
  // Claude Code, and Codex where its hooks are used.
  UserPromptSubmit: working,
  PreToolUse: toolBegins,
  PostToolUse: working,
  PostToolUseFailure: working,
  PermissionRequest: wantsPermission,
  Notification: notice,
  Stop: ready,
  StopFailure: asks('error', 'its turn ended in an error'),
  PreCompact: () => ({ status: 'working', reason: 'compacting' }),
  PostCompact: working,
  notify: codexNotice,
  // Gemini CLI.
  BeforeAgent: working,
  AfterAgent: ready,
  BeforeTool: toolBegins,
  AfterTool: working,
  // Cursor.
  beforeSubmitPrompt: working,
  beforeShellExecution: working,
  stop: ready,
  // For hooks that people write themselves.
  working,
  ready,
  permission: asks('permission', 'it wants permission'),
  question: asks('question', 'it has a question'),
  error: asks('error', 'it has failed'),
};

/** Reports of several events may overtake each other: a late notice of a question that is known adds nothing. */
const LATE_NOTICE = new Set(['Notification', 'notify']);

/** Reasons of an end that a person has asked for: `/quit`, a key, `/logout`. After others, as `clear`, it goes on. */
const QUITS = new Set(['prompt_input_exit', 'logout', 'exit', 'quit']);

/** What events mean besides a state. */
const LIFE: Readonly<Record<string, (evidence: Evidence, payload: HookPayload) => Evidence>> = {
  SessionStart: evidence => ({ ...withoutClaims(evidence, ['hook']), subAgents: [], isQuit: false }),
  SessionEnd: (evidence, payload) => ({
    ...withoutClaims(evidence, ['hook']),
    subAgents: [],
    isQuit: QUITS.has(word(payload, 'reason')),
  }),
  SubagentStart: (evidence, payload) => withSubAgent(evidence, agentId(payload), true),
  SubagentStop: (evidence, payload) => withSubAgent(evidence, agentId(payload), false),
};

/** `evidence` after a hook's report. */
export function afterHook(evidence: Evidence, event: string, payload: HookPayload, now: number): Evidence {
  const life = Object.hasOwn(LIFE, event) ? LIFE[event]!(evidence, payload) : evidence;
  const meaning = Object.hasOwn(EVENTS, event) ? EVENTS[event]!(payload, event) : undefined;
  if (!meaning) return life;
  const old = life.claims.hook;
  if (LATE_NOTICE.has(event) && old?.status === meaning.status && now < old.until) return life;
  const until = now + (meaning.status === 'working' ? WORK_MS : WAIT_MS);
  const activity = meaning.status === 'working' ? meaning.reason || life.activity : '';
  return { ...withClaim(life, 'hook', { ...meaning, evidence: event, until }, now), activity };
}

/** The agent's own id of its conversation, '' where the payload has none that is safe in an argument. */
export function conversationOf(payload: HookPayload): string {
  for (const key of ['session_id', 'conversation_id', 'thread-id', 'sessionID']) {
    const id = word(payload, key);
    // It becomes an argument: nothing that could be taken for a flag.
    if (/^[A-Za-z0-9][\w.:-]{0,127}$/.test(id)) return id;
  }
  return '';
}

/** Hook JSON as a payload; anything else as an empty one. */
export function parsePayload(text: string): HookPayload {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as HookPayload) : {};
  } catch {
    // SyntaxError: an event is one without its details too.
    return {};
  }
}

function agentId(payload: HookPayload): string {
  return word(payload, 'agent_id').slice(0, TEXT_MAX) || 'agent';
}

/** The command or file of a tool call, after the tool's name. */
function toolText(payload: HookPayload): string {
  const tool = word(payload, 'tool_name');
  const input = payload['tool_input'];
  const facts = typeof input === 'object' && input !== null ? (input as HookPayload) : {};
  const what = ['command', 'file_path', 'url', 'query'].map(key => word(facts, key)).find(Boolean) ?? '';
  return clean([tool, what].filter(Boolean).join(': '));
}

function textOf(payload: HookPayload): string {
  return clean(word(payload, 'message') || word(payload, 'error') || toolText(payload));
}

function word(payload: HookPayload, key: string): string {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** One line without control characters. */
function clean(text: string): string {
  return text
    .slice(0, 4 * TEXT_MAX)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .replace(/[\ud800-\udbff]$/, '');
}
