/** A conversation of the engine with everything that it works on: the service, the tools, the rules. */
import { randomUUID } from 'node:crypto';
import { CallFailure } from '../../ai/client.ts';
import { Conversation, type ConversationOptions } from '../../agent/conversation.ts';
import type { Outbox } from '../../agent/requests.ts';
import type { ToolBox } from '../../agent/tool.ts';
import { systemClock } from '../../base/clock.ts';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import { narrowed } from '../../tools/registry.ts';
import type { AppContext } from '../context.ts';
import { openGraph } from '../graph-context.ts';
import { foreignTools, wantedSets } from '../tools/foreign.ts';
import { openTools } from '../tools/open-tools.ts';
import { chatService } from './chat-service.ts';
import type { InputQueue } from './input-queue.ts';
import { registryOf, type AiSession } from './service.ts';

/** What is said of a conversation before it begins. */
export interface ConversationWishes extends Pick<
  ConversationOptions,
  'chat' | 'model' | 'mode' | 'effort' | 'maxIterations' | 'hasReviewer' | 'emit'
> {
  /** Built-in tools by name and tool sets by selector; undefined: all that are built in. */
  readonly tools: readonly string[] | undefined;
  readonly queue: InputQueue;
}

/** A conversation that is open until it is closed. */
export interface OpenConversation {
  readonly conversation: Conversation;
  readonly tools: ToolBox;
  /** What is not there and why, a line each. */
  readonly troubles: readonly string[];
  /** Ends what the tools have started. */
  close(): Promise<void>;
}

/** Throws CodedError for tools that are not there. */
export async function openConversation(
  context: AppContext,
  ai: AiSession,
  wishes: ConversationWishes,
  signal: AbortSignal,
): Promise<OpenConversation> {
  const { config, client, contract } = ai;
  const opened = callsTools(context, ai, wishes.model)
    ? await toolsOf(context, ai, wishes.tools, signal)
    : NO_TOOLS;
  const conversation = new Conversation({
    ...wishes,
    service: chatService(client, contract),
    tools: opened.tools,
    layers: [{ name: 'user', mayAllow: true, rules: config.permissions }],
    newRequestId: randomUUID,
    outbox: outboxOf(wishes.queue),
  });
  return { conversation, ...opened };
}

type OpenedTools = Omit<OpenConversation, 'conversation'>;

const NO_TOOLS: OpenedTools = {
  tools: { list: () => [], find: () => undefined },
  troubles: [],
  close: async () => undefined,
};

/** A model that only a service elsewhere knows is taken for one that can. */
function callsTools(context: AppContext, { config }: AiSession, model: string): boolean {
  return (
    registryOf(context, config)
      .list()
      .find(({ name }) => name === model)?.toolCall ?? true
  );
}

async function toolsOf(
  context: AppContext,
  { config, contract }: AiSession,
  wanted: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<OpenedTools> {
  const names = new Set(wanted?.filter(name => BUILTIN_TOOLS.has(name)) ?? BUILTIN_TOOLS);
  const selectors = wanted?.filter(name => !names.has(name)) ?? [];
  const sets =
    selectors.length > 0 ? await wantedSets((await openGraph(context, 'ask')).resolver, selectors) : [];
  const log = { log: () => undefined };
  const foreign = foreignTools(context, config, sets, { log, contract: () => contract });
  const { registry, builtIn } = await openTools(context, config, { sources: foreign.sources });
  await foreign.start(signal);
  return {
    tools: narrowed(registry, name => names.has(name) || !BUILTIN_TOOLS.has(name)),
    troubles: foreign.troubles(),
    close: async () => {
      await builtIn.dispose();
      await foreign.close();
    },
  };
}

function outboxOf(queue: InputQueue): Outbox {
  return {
    add: request => queue.add(request, systemClock.now()),
    remove: request => queue.remove(request),
    isAway: error => error instanceof CallFailure && error.isAway,
  };
}
