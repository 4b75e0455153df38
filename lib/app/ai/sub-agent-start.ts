/** An agent that another one has started: a conversation of its own, with a chat that stays, that ends with its first turn. */
import { randomUUID } from 'node:crypto';
import { Conversation } from '../../agent/conversation.ts';
import type { ConversationEvent, TurnEnd } from '../../agent/events.ts';
import type { Mode } from '../../agent/review.ts';
import type { Child, Report } from '../../agent/sub-agents.ts';
import type { Message } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import type { ToolSource } from '../../tools/registry.ts';
import { narrowed } from '../../tools/registry.ts';
import type { AppContext } from '../context.ts';
import type { CallGuards } from '../project/project-here.ts';
import { openTools } from '../tools/open-tools.ts';
import { fileMessage } from './ask-input.ts';
import { newChat } from './chat-names.ts';
import { chatService } from './chat-service.ts';
import { promptHere } from './prompt-facts.ts';
import { registryOf, type AiSession } from './service.ts';

/** What agents have from the conversation that a person began. */
export interface Family {
  readonly model: string;
  /** What its role says. */
  readonly role: string;
  readonly mode: () => Mode;
  readonly maxIterations: number;
  readonly hooks: CallGuards['hooks'];
  /** Tools of others: the connections are shared. */
  readonly sources: readonly ToolSource[];
}

/** Label of chats that are no person's own, as other clients of the service write it. */
const CATEGORY = { 'sgpt.com/category': 'agent' };

/** Runs one to the end of its turn. Throws CodedError. */
export async function startSubAgent(
  context: AppContext,
  ai: AiSession,
  family: Family,
  child: Child,
): Promise<Report> {
  const { task, signal } = child;
  const model = task.model === '' ? family.model : registryOf(context, ai.config).find(task.model).name;
  const chat = newChat(ai.user);
  const id = chat.slice(chat.lastIndexOf('/') + 1);
  await ai.client.call('CreateChat', {
    parent: ai.user,
    chat_id: id,
    chat: { title: task.title, labels: CATEGORY },
  });
  const { registry, builtIn } = await openTools(context, ai.config, {
    agents: child.agents,
    sources: family.sources,
  });
  try {
    const tools = narrowed(registry, name => child.tools.includes(name));
    const conversation = new Conversation({
      service: chatService(ai.client, ai.contract),
      chat,
      model,
      tools,
      layers: child.layers,
      mode: family.mode(),
      maxIterations: family.maxIterations,
      // Its starter waits, and who sits before it sees its calls as one.
      hasReviewer: false,
      hooks: hookPorts(family.hooks),
      newRequestId: randomUUID,
      emit: event => tell(child, event),
    });
    const cancel = (): void => conversation.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const messages = await messagesOf(context, family, child);
    // A conversation can be cancelled from its first turn on.
    if (signal.aborted) throw new CodedError('cancelled', 'cancelled');
    return { response: responseOf((await conversation.send(...messages))!), chat };
  } finally {
    await builtIn.dispose();
  }
}

/** What calls ask of hooks. */
export function hookPorts(hooks: CallGuards['hooks']): Pick<CallGuards['hooks'], 'before' | 'after'> {
  return { before: hooks.before.bind(hooks), after: hooks.after.bind(hooks) };
}

async function messagesOf(context: AppContext, { role }: Family, { task, tools }: Child): Promise<Message[]> {
  const { text } = await promptHere(context, { tools, toolSets: [], role, subAgent: { briefing: '' } });
  return [
    { role: 'ROLE_SYSTEM', blocks: [{ text }] },
    ...task.files.map(file => fileMessage(file, context.cwd)),
    { role: 'ROLE_USER', blocks: [{ text: task.query }] },
  ];
}

/** What it does, a line each. */
function tell({ progress }: Child, event: ConversationEvent): void {
  if (event.type === 'call' && event.call.state === 'running')
    progress(`${event.call.name}: ${event.call.preview?.header ?? ''}\n`);
  else if (event.type === 'notice') progress(`${event.text}\n`);
}

/** Words added to an answer that is not what was asked for. */
const ENDINGS: Partial<Record<TurnEnd['reason'], string>> = {
  cut: '(The answer is cut: the model may write no more at once.)',
  refused: '(The model declined to go on.)',
  paused: '(The model paused in the middle of its answer.)',
};

/** Its last words. Throws CodedError where there are none to be had. */
function responseOf({ reason, error, text, unanswered }: TurnEnd): string {
  if (reason === 'failed') throw error ?? new CodedError('failed', 'it failed');
  if (reason === 'cancelled') throw new CodedError('cancelled', 'cancelled');
  if (reason === 'limit')
    throw new CodedError('failed', `it was not done after its last turn: ${text.slice(0, 2000)}`);
  const calls = unanswered === 1 ? 'One of its calls' : `${unanswered} of its calls`;
  const refused = unanswered > 0 ? `(${calls} needed a person's yes and did not run.)` : undefined;
  return [text, ENDINGS[reason], refused].filter(Boolean).join('\n\n');
}
