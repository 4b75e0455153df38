/** The engine's conversation behind a tab, with the tools of this directory. */
import { randomUUID } from 'node:crypto';
import { Conversation } from '../../agent/conversation.ts';
import type { ConversationEvent } from '../../agent/events.ts';
import type { ToolBox } from '../../agent/tool.ts';
import type { AiClient } from '../../ai/client.ts';
import type { ModelRegistry } from '../../ai/model.ts';
import type { Effort, Tab } from '../../chat/state.ts';
import type { AppContext } from '../context.ts';
import { chatService } from '../ai/chat-service.ts';
import type { AiSession } from '../ai/service.ts';
import { openTools } from '../tools/open-tools.ts';

/** What a tab says of its conversation now. */
export interface TabSettings {
  effort: Effort;
}

/** A conversation that is open until it is closed. */
export interface TabConversation {
  readonly conversation: Conversation;
  readonly settings: TabSettings;
  /** Ends what the tools have started. */
  close(): Promise<void>;
}

const NO_TOOLS: ToolBox = { list: () => [], find: () => undefined };

/** Opens it, and mends what a crash has left of the chat. Throws CodedError. */
export async function openTabConversation(given: {
  readonly context: AppContext;
  readonly ai: AiSession;
  readonly client: AiClient;
  readonly registry: ModelRegistry;
  readonly tab: Tab;
  readonly emit: (event: ConversationEvent) => void;
}): Promise<TabConversation> {
  const { context, ai, client, registry, tab, emit } = given;
  const { config, contract } = ai;
  // A model that only a service elsewhere knows is taken for one that can.
  const isAble = registry.list().find(({ name }) => name === tab.model.name)?.toolCall ?? true;
  const opened = isAble ? await openTools(context, config) : undefined;
  const settings: TabSettings = { effort: tab.effort };
  const conversation = new Conversation({
    service: chatService(client, contract),
    chat: tab.chat,
    model: tab.model.name,
    // Read for each request: it may be changed in the middle of a chat.
    get effort() {
      return settings.effort === '' ? '' : `REASONING_EFFORT_${settings.effort.toUpperCase()}`;
    },
    tools: opened?.registry ?? NO_TOOLS,
    layers: [{ name: 'user', mayAllow: true, rules: config.permissions }],
    mode: tab.mode,
    maxIterations: config.agent.max_iterations,
    hasReviewer: true,
    newRequestId: randomUUID,
    emit,
  });
  if (tab.timeline.items.length > 0) await conversation.open();
  return { conversation, settings, close: async () => opened?.builtIn.dispose() };
}
