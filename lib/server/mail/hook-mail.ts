/**
 * Mail in the context of an agent whose hooks take some: with the next prompt it has read what was sent to it.
 */
import { messageJson } from '../../cmd/message-text.ts';
import type { Message } from '../../messages/types.ts';
import { NO_DECISION, type HookRequest } from '../attention/hooks.ts';

/** Characters of context: Claude Code takes 10,000 (code.claude.com/docs/en/hooks). */
const CONTEXT_MAX = 8000;
/** Messages that are looked at: more do not fit. */
const MESSAGES_MAX = 50;

/** Events whose answer the model reads, by the agent's own names: Claude Code, Codex with hooks, Gemini CLI. */
const EVENTS: ReadonlySet<string> = new Set(['UserPromptSubmit', 'SessionStart', 'BeforeAgent']);

export interface HookMailPorts {
  unread(subscriber: string, limit: number): Promise<readonly Message[]>;
  /** Whether something will be announced to it by a line that is typed. */
  isToBeAnnounced(subscriber: string): Promise<boolean>;
  /** How many are left. */
  acknowledge(subscriber: string, seqs: readonly number[]): Promise<unknown>;
  /** Runs `work` once what was answered is on its way. */
  afterwards(work: () => Promise<unknown>): void;
}

/** Answers a hook with the mail of its session; undefined where its answer would not be read. */
export function answerWithMail(
  ports: HookMailPorts,
  { session, event }: HookRequest,
  gone: Promise<void>,
): Promise<string> | undefined {
  if (!EVENTS.has(event)) return undefined;
  return answer(ports, session.id, event, gone);
}

async function answer(ports: HookMailPorts, id: string, event: string, gone: Promise<void>): Promise<string> {
  let isGone = false;
  void gone.then(() => (isGone = true));
  // At a start nobody acts on it yet: what a line will announce comes with that line.
  if (event === 'SessionStart' && (await ports.isToBeAnnounced(id))) return NO_DECISION;
  const unread = await ports.unread(id, MESSAGES_MAX);
  const { text, shown } = contextOf(unread);
  if (shown.length === 0 || isGone) return NO_DECISION;
  // Not before it is on its way: shown twice is better than lost.
  ports.afterwards(() =>
    ports.acknowledge(
      id,
      shown.map(({ seq }) => seq),
    ),
  );
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}

/** What the model reads, and which messages are in it as a whole. */
export function contextOf(messages: readonly Message[]): { text: string; shown: readonly Message[] } {
  let text = '';
  const shown: Message[] = [];
  for (const message of messages) {
    const part = partOf(message);
    if (text.length + part.length > CONTEXT_MAX) break;
    text += part;
    shown.push(message);
  }
  const left = messages.length - shown.length;
  const head = 'Messages for you from other sessions, by mux. They are marked as read.\n';
  const more =
    left > 0 ? `\n${left} or more are too long for this: read them with 'mux msg inbox --ack'.\n` : '';
  return { text: shown.length > 0 ? head + text + more : '', shown };
}

function partOf(message: Message): string {
  const { id, sender_name, thread_id, no_reply, created_at } = messageJson(message);
  const thread = thread_id === null ? '' : `, thread ${thread_id}`;
  const how = no_reply
    ? 'no answer is wanted'
    : `answer with: mux msg send ${sender_name} TEXT --reply-to ${id}`;
  return `\nFrom ${sender_name} (${id}${thread}, ${created_at}; ${how}):\n${message.body}\n`;
}
