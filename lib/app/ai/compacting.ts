/** How commands compact chats: by which model, within which budget, and what people are told. */
import type { Compacted, CompactOptions } from '../../ai/compact.ts';
import { CodedError } from '../../base/errors.ts';
import type { AppContext } from '../context.ts';
import { registryOf, type AiSession } from './service.ts';

/** `otherwise` is a model for settings that name none. Throws CodedError where no model is set that could summarise. */
export function compactOptions(
  context: AppContext,
  { client, config }: AiSession,
  chat: string,
  otherwise = '',
): CompactOptions {
  const { summary_model, default_model, compaction_budget: budget } = config.ai;
  const given = summary_model || default_model || otherwise;
  if (!given)
    throw new CodedError(
      'refused',
      'compact: no model is chosen',
      'set ai.summary_model or ai.default_model',
    );
  return { client, chat, budget, model: registryOf(context, config).find(given).name };
}

export function compactedText({ messages, before, after }: Compacted): string {
  return `${messages} messages are told in a summary now, about ${after} tokens instead of ${before} ('mux chats rebuild' takes it back)`;
}
