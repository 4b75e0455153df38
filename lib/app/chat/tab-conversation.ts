/** The engine's conversation behind a tab, with the tools of its role and of this directory. */
import type { Conversation } from '../../agent/conversation.ts';
import type { ConversationEvent } from '../../agent/events.ts';
import type { AiClient } from '../../ai/client.ts';
import type { Effort, Tab } from '../../chat/state.ts';
import { InputQueue } from '../ai/input-queue.ts';
import { openConversation } from '../ai/open-conversation.ts';
import type { AiSession } from '../ai/service.ts';
import type { AppContext } from '../context.ts';
import { roleHere } from './roles.ts';

/** What a tab says of its conversation now. */
export interface TabSettings {
  effort: Effort;
}

/** A conversation that is open until it is closed. */
export interface TabConversation {
  readonly conversation: Conversation;
  readonly settings: TabSettings;
  /** Names of the tools that the model is offered. */
  readonly tools: readonly string[];
  /** Ends what the tools have started. */
  close(): Promise<void>;
}

/** Opens it, and mends what a crash has left of the chat. Throws CodedError. */
export async function openTabConversation(given: {
  readonly context: AppContext;
  readonly ai: AiSession;
  /** In place of the session's own: what goes over it is noted. */
  readonly client: AiClient;
  readonly tab: Tab;
  readonly emit: (event: ConversationEvent) => void;
  readonly signal: AbortSignal;
}): Promise<TabConversation> {
  const { context, ai, client, tab, emit, signal } = given;
  const settings: TabSettings = { effort: tab.effort };
  const role = tab.role === '' ? undefined : await roleHere(context, tab.role);
  const wanted = [role?.tools ?? [], ai.config.agent.default_tools].find(({ length }) => length > 0);
  const open = await openConversation(
    context,
    { ...ai, client },
    {
      chat: tab.chat,
      model: tab.model.name,
      mode: tab.mode,
      effort: () => (settings.effort === '' ? '' : `REASONING_EFFORT_${settings.effort.toUpperCase()}`),
      maxIterations: ai.config.agent.max_iterations,
      hasReviewer: true,
      emit,
      tools: tab.tools ?? wanted,
      role: role?.text ?? '',
      // A screen of its own: what is not trusted is told, and 'mux trust' asks.
      askTrust: async () => undefined,
      queue: new InputQueue(context, tab.chat),
    },
    signal,
  );
  for (const text of open.troubles) emit({ type: 'notice', text });
  if (tab.timeline.items.length > 0) await open.conversation.open();
  return {
    conversation: open.conversation,
    settings,
    tools: open.tools.list().flatMap(({ wire: { name } }) => name ?? []),
    close: () => open.close(),
  };
}
