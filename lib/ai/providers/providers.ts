/** The providers that the settings name, each made when it is first asked. */
import type { Clock } from '../../base/clock.ts';
import { ProviderFailure } from '../failure.ts';
import type { Model } from '../model.ts';
import type { Provider } from '../provider.ts';
import { providerEntries, type AiSettings, type ProviderKind, type ProviderSettings } from '../settings.ts';
import { anthropicWire } from './anthropic.ts';
import { guarded, type VendorWire } from './attempts.ts';
import { Keys } from './keys.ts';
import { ollamaWire } from './ollama.ts';
import { openaiWire } from './openai.ts';

const WIRES: Readonly<Record<ProviderKind, (settings: ProviderSettings, keys: Keys) => VendorWire>> = {
  anthropic: anthropicWire,
  openai: openaiWire,
  ollama: ollamaWire,
};

export interface ProviderOptions {
  readonly ai: AiSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Gives the provider of a model. Throws ProviderFailure where the settings have none. */
export function providerSource(options: ProviderOptions): (model: Model) => Provider {
  const entries = providerEntries(options.ai);
  const keys = new Keys(options.env);
  const made = new Map<string, Provider>();
  return ({ provider: name }) => {
    const known = made.get(name);
    if (known) return known;
    const settings = entries.get(name);
    if (!settings)
      throw new ProviderFailure(
        'model_unknown',
        `provider ${name}: there is no such provider`,
        'add it to ai.providers',
      );
    const provider = guarded(WIRES[settings.kind](settings, keys), options);
    made.set(name, provider);
    return provider;
  };
}
