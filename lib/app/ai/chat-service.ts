/** AiService as the engine asks for it. */
import { setTimeout as pause } from 'node:timers/promises';
import { CallFailure, type AiClient } from '../../ai/client.ts';
import type { Contract } from '../../ai/contract.ts';
import { SUPERSEDED } from '../../ai/store/messages.ts';
import type { Any, Block, Message } from '../../ai/wire.ts';
import { REQUEST, type ChatService } from '../../agent/service.ts';
import { CodedError } from '../../base/errors.ts';

/** Type of the detail that a model can learn from. */
const RECOVERABLE = 'malonaz.ai.v1.ToolCallRecoverableError';

/** A generation that was cancelled has ended by then. */
const SETTLED_MS = 5000;
const LOOK_MS = 20;

/** Messages of one request. */
async function requested(client: AiClient, chat: string, id: string): Promise<readonly Message[]> {
  const request = { parent: chat, page_size: 100, filter: `labels."${REQUEST}" = "${id}"` };
  try {
    const { messages = [] } = await client.call<{ messages?: Message[] }>('ListMessages', request);
    return messages;
  } catch (error) {
    if (error instanceof CallFailure && error.code === 'not_found') return [];
    throw error;
  }
}

/** The chats of one client. */
export function chatService(client: AiClient, { codecs }: Contract): ChatService {
  return {
    generate: (request, signal) => client.generate(request, signal),
    async updateBlocks({ name, blocks }) {
      await client.call('UpdateMessage', { message: { name, blocks }, update_mask: { paths: ['blocks'] } });
    },
    async createMessage(chat, message) {
      await client.call('CreateMessage', { parent: chat, message });
    },
    async newest(chat, count) {
      const request = {
        parent: chat,
        page_size: count,
        order_by: 'create_time desc',
        filter: `NOT labels:${SUPERSEDED}`,
      };
      try {
        const { messages = [] } = await client.call<{ messages?: Message[] }>('ListMessages', request);
        return messages.filter(({ status }) => !status);
      } catch (error) {
        // A chat begins with its first answer.
        if (error instanceof CallFailure && error.code === 'not_found') return [];
        throw error;
      }
    },
    async wasKept(chat, requestId) {
      for (const end = Date.now() + SETTLED_MS; ;) {
        const found = await requested(client, chat, requestId);
        const isKept = found.some(({ role, status }) => role === 'ROLE_ASSISTANT' && !status);
        if (isKept || found.length === 0 || found.some(({ status }) => status)) return isKept;
        if (Date.now() > end)
          throw new CodedError('timeout', 'the service still works at the last answer', 'try again');
        await pause(LOOK_MS);
      }
    },
    recoverable(error) {
      if (!(error instanceof CallFailure) || !error.detail) return undefined;
      const { details = [] } = codecs.status.decode(error.detail) as { details?: readonly Any[] };
      const detail = details.find(({ type_url: url }) => url.endsWith(`/${RECOVERABLE}`));
      if (!detail) return undefined;
      const found = codecs.recoverable.decode(Buffer.from(detail.value)) as {
        tool_call_block?: Block;
        tool_result_block?: Block;
      };
      const call = found.tool_call_block?.tool_call;
      const result = found.tool_result_block?.tool_result;
      return call && result ? { call, result } : undefined;
    },
  };
}
