/** Tokens and dollars of a chat, as its messages tell. */
import type { Message, ModelUsage } from '../ai/wire.ts';
import type { Usage } from './state.ts';

/** Tokens of an answer, by class of the wire. */
export function tokensOf(usage: ModelUsage): {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
} {
  const of = (name: Exclude<keyof ModelUsage, 'model'>): number => usage[name]?.quantity ?? 0;
  const cached = of('input_token_cache_read');
  return {
    input: of('input_token') + cached + of('input_token_cache_write') + of('input_image_token'),
    output: of('output_token') + of('output_reasoning_token') + of('output_image_token'),
    cached,
  };
}

/** Dollars of one answer, where its classes tell. */
export function priceOf(usage: ModelUsage): number {
  return Object.values(usage).reduce<number>(
    (sum, one) => sum + (typeof one === 'object' ? ((one as { price?: number }).price ?? 0) : 0),
    0,
  );
}

/** What was used, with a message more. */
export function usageAfter(usage: Usage, message: Message): Usage {
  const { model_usage: used, price } = message;
  if (!used) return usage;
  const { input, output, cached } = tokensOf(used);
  return {
    input: usage.input + input,
    output: usage.output + output,
    cached: usage.cached + cached,
    price: usage.price + (price ?? priceOf(used)),
    context: input + output,
  };
}

/** `950`, `12.3k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [unit, size] = count < 999_500 ? ['k', 1000] : ['M', 1_000_000];
  const value = count / Number(size);
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}

/** `$0.0042`, `$1.20`. */
export function dollars(price: number): string {
  return price === 0 ? '$0' : `$${price.toFixed(price < 0.1 ? 4 : 2)}`;
}
