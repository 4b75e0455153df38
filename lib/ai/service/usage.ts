/** What was used, with what it cost. */
import type { Model, Prices } from '../model.ts';
import type { TokenUsage } from '../provider.ts';
import type { ModelUsage, ResourceConsumption } from '../wire.ts';

/** Field of ModelUsage, count of TokenUsage, price of Prices. */
const CLASSES = [
  ['input_token', 'input', 'input'],
  ['output_token', 'output', 'output'],
  ['output_reasoning_token', 'outputReasoning', 'outputReasoning'],
  ['input_token_cache_read', 'cacheRead', 'cacheRead'],
  ['input_token_cache_write', 'cacheWrite', 'cacheWrite'],
  ['input_image_token', 'inputImage', 'inputImage'],
  ['output_image_token', 'outputImage', 'outputImage'],
] as const satisfies readonly (readonly [keyof ModelUsage, keyof TokenUsage, keyof Prices])[];

/** Thinking is paid as what is written, where nothing else is said. */
const SAME_AS: Partial<Record<keyof Prices, keyof Prices>> = {
  outputReasoning: 'output',
  inputImage: 'input',
  outputImage: 'output',
};

/** Classes of which nothing was used are left out. */
export function pricedUsage(model: Model, usage: TokenUsage): ModelUsage {
  const entries = CLASSES.filter(([, count]) => usage[count] > 0).map(([field, count, price]) => {
    const perMillion = model.prices?.[price] ?? model.prices?.[SAME_AS[price] ?? price] ?? 0;
    const consumption: ResourceConsumption = {
      quantity: usage[count],
      price: (usage[count] * perMillion) / 1e6,
    };
    return [field, consumption] as const;
  });
  return { model: model.name, ...Object.fromEntries(entries) };
}

/** Dollars. */
export function totalPrice(usage: ModelUsage | undefined): number {
  return CLASSES.reduce((sum, [field]) => sum + (usage?.[field]?.price ?? 0), 0);
}
