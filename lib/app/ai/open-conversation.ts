/** A conversation of the engine with everything that it works on: the service, the tools, the rules. */
import { randomUUID } from 'node:crypto';
import { CallFailure } from '../../ai/client.ts';
import { Conversation, type ConversationOptions } from '../../agent/conversation.ts';
import type { Outbox } from '../../agent/requests.ts';
import type { ToolBox } from '../../agent/tool.ts';
import { systemClock } from '../../base/clock.ts';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import type { Hooks } from '../../agent/hooks.ts';
import { SubAgents, type Starter, type SubAgentPorts } from '../../agent/sub-agents.ts';
import { WorkSlots } from '../../agent/work-slots.ts';
import type { Config } from '../../config/load.ts';
import type { Layer } from '../../permissions/policy.ts';
import { narrowed } from '../../tools/registry.ts';
import type { AppContext } from '../context.ts';
import { callGuards } from '../project/project-here.ts';
import { projectSettings, type AskTrust, type ProjectSettings } from '../project/project-settings.ts';
import { hookPorts, startSubAgent, type Family } from './sub-agent-start.ts';
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
  /** What its role says, for agents that it starts. */
  readonly role: string;
  readonly queue: InputQueue;
  /** Asks whether the project's settings are trusted. */
  readonly askTrust: AskTrust;
}

/** A conversation that is open until it is closed. */
export interface OpenConversation {
  readonly conversation: Conversation;
  readonly tools: ToolBox;
  /** Whoever sends asks them before a turn, and tells them after it. */
  readonly hooks: Hooks;
  /** What is not there and why, a line each. */
  readonly troubles: readonly string[];
  /** Ends what the tools have started. */
  close(): Promise<void>;
}

/** Throws CodedError for tools that are not there, and for settings that are wrong. */
export async function openConversation(
  context: AppContext,
  ai: AiSession,
  wishes: ConversationWishes,
  signal: AbortSignal,
): Promise<OpenConversation> {
  const { client, contract } = ai;
  const project = await projectSettings(context, wishes.askTrust);
  const notice = (text: string): void => wishes.emit({ type: 'notice', text });
  const { layers, hooks } = callGuards(context, ai.config, project, { chat: wishes.chat, tell: notice });
  // What tools ask of the conversation is asked once it is there.
  const made: { conversation?: Conversation } = {};
  const starter = {
    tools: (): readonly string[] => opened.tools.list().map(({ wire }) => wire.name ?? ''),
    layers: (): readonly Layer[] => made.conversation?.layers ?? layers,
  };
  const family = { ...wishes, hooks, mode: () => made.conversation?.mode ?? wishes.mode };
  const opened = callsTools(context, ai, wishes.model)
    ? await toolsOf(context, ai, { wanted: wishes.tools, project, starter, family }, signal)
    : NO_TOOLS;
  const conversation = new Conversation({
    ...wishes,
    service: chatService(client, contract),
    tools: opened.tools,
    layers,
    hooks: hookPorts(hooks),
    newRequestId: randomUUID,
    outbox: outboxOf(wishes.queue),
  });
  made.conversation = conversation;
  return { conversation, hooks, ...opened, troubles: [...project.notices, ...opened.troubles] };
}

type OpenedTools = Omit<OpenConversation, 'conversation' | 'hooks'>;

const NO_TOOLS: OpenedTools = {
  tools: { list: () => [], find: () => undefined },
  troubles: [],
  close: async () => undefined,
};

/** A model that only a service elsewhere knows is taken for one that can. */
export function callsTools(context: AppContext, { config }: AiSession, model: string): boolean {
  return (
    registryOf(context, config)
      .list()
      .find(({ name }) => name === model)?.toolCall ?? true
  );
}

/** What tools of a conversation are made of. */
interface ToolPlan {
  readonly wanted: readonly string[] | undefined;
  readonly project: ProjectSettings;
  readonly starter: Starter;
  readonly family: Omit<Family, 'sources'>;
}

async function toolsOf(
  context: AppContext,
  ai: AiSession,
  { wanted, project, starter, family }: ToolPlan,
  signal: AbortSignal,
): Promise<OpenedTools> {
  const { config, contract } = ai;
  const names = new Set(wanted?.filter(name => BUILTIN_TOOLS.has(name)) ?? BUILTIN_TOOLS);
  const selectors = wanted?.filter(name => !names.has(name)) ?? [];
  const sets =
    selectors.length > 0 ? await wantedSets((await openGraph(context, 'ask')).resolver, selectors) : [];
  const foreign = foreignTools(context, config, sets, {
    log: { log: () => undefined },
    contract: () => contract,
    projectEntries: project.mcpServers,
  });
  const { sources } = foreign;
  const agents = subAgents(config, starter, child =>
    startSubAgent(context, ai, { ...family, sources }, child),
  );
  const { registry, builtIn } = await openTools(context, config, { sources, agents });
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

function subAgents(config: Config, starter: Starter, start: SubAgentPorts['start']): SubAgents {
  const { max_concurrent: maxConcurrent, max_depth: maxDepth } = config.agent.sub_agents;
  const slots = new WorkSlots(maxConcurrent);
  return new SubAgents({ slots, maxConcurrent, maxDepth, clock: systemClock, start }, starter);
}

function outboxOf(queue: InputQueue): Outbox {
  return {
    add: request => queue.add(request, systemClock.now()),
    remove: request => queue.remove(request),
    isAway: error => error instanceof CallFailure && error.isAway,
  };
}
