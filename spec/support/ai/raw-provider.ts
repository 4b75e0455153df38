/** Providers as they are, asked one plain question at a loopback server. */
import { providersWith } from './settings.ts';
import { ProviderFailure } from '../../../lib/ai/failure.ts';
import type { ProviderEvent, ProviderRequest } from '../../../lib/ai/provider.ts';
import { providerSource } from '../../../lib/ai/providers/providers.ts';
import { modelRegistry } from '../../../lib/ai/registry/registry.ts';
import type { AiSettings } from '../../../lib/ai/settings.ts';
import { systemClock } from '../../../lib/base/clock.ts';

/** What no text may hold. */
export const SECRET = 'sk-proj-aVerySecretKey_0123456789';

/** Tries that wait wait for nothing; `haiku`, `opus`, `gpt-test` and `llama3` are there. */
export function stream(
  url: string,
  model: string,
  more: Partial<ProviderRequest> = {},
): AsyncIterable<ProviderEvent> {
  const providers = {
    anthropic: { base_url: url },
    openai: { base_url: `${url}/v1`, models: ['gpt-test'] },
    ollama: { base_url: url, models: ['llama3'] },
  };
  const ai: AiSettings = { prefer_local: false, providers: providersWith(providers), models: [] };
  const env = { ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: SECRET };
  const found = modelRegistry({ ai, isReady: () => true }).find(model);
  const provider = providerSource({ ai, env, clock: systemClock, random: () => 0 })(found);
  const request: ProviderRequest = {
    model: found,
    system: '',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }],
    tools: [],
    toolChoice: 'auto',
    maxTokens: 4000,
    ...more,
  };
  return provider.generate(request, new AbortController().signal);
}

export async function collect(events: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const found: ProviderEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** How it failed. Throws where it did not, or by something else. */
export async function errorOf(events: AsyncIterable<ProviderEvent>): Promise<ProviderFailure> {
  const error = await collect(events).then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderFailure) return error;
  throw error;
}
