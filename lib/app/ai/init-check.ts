/** Whether a model answers: one short question, really asked. */
import { providerSource } from '../../ai/providers/providers.ts';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../config/load.ts';
import type { AppContext } from '../context.ts';
import { registryOf } from './service.ts';

/** A model of this machine may have to be loaded first, in ms. */
const DEADLINE_MS = 60_000;
/** Tokens of the answer: one word, with room for what some models think before it. */
const ANSWER_TOKENS = 256;

/** Resolves with how long the first sign of an answer took, in ms. Throws CodedError, ProviderFailure among them. */
export async function checkModel(context: AppContext, config: Config, signal: AbortSignal): Promise<number> {
  const model = registryOf(context, config).find(config.ai.default_model);
  const source = providerSource({ ai: config.ai, env: context.env, clock: systemClock, random: Math.random });
  const request = {
    model,
    system: '',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Reply with one word: ready' }] }],
    tools: [],
    toolChoice: 'auto',
    maxTokens: model.outputTokenLimit > 0 ? Math.min(ANSWER_TOKENS, model.outputTokenLimit) : ANSWER_TOKENS,
  } as const;
  const start = systemClock.now();
  let first: number | undefined;
  const until = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  for await (const _ of source(model).generate(request, until)) first ??= systemClock.now() - start;
  return first ?? systemClock.now() - start;
}
