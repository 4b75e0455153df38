/** A model as the chat program shows it. */
import type { Model } from '../../ai/model.ts';
import type { ModelFacts } from '../../chat/state.ts';

export function modelFacts({
  name,
  alias,
  provider,
  providerModelId,
  contextTokenLimit: limit,
  prices,
}: Model): ModelFacts {
  const label = alias || `${provider}/${providerModelId}`;
  return {
    name,
    label,
    limit,
    ...(prices ? { prices: { input: prices.input, output: prices.output } } : {}),
  };
}

/** No model: one has to be chosen. */
export const NO_MODEL: ModelFacts = { name: '', label: '', limit: 0 };
