/** What `mux init` is told, and the settings that come of it. */
import { CodedError } from '../../base/errors.ts';
import type { Setting } from '../../config/change.ts';
import type { Config } from '../../config/load.ts';
import { providerEntries, type ProviderSettings } from '../../ai/settings.ts';

/** All answers; '' for what is not to be set. */
export interface Answers {
  readonly provider: string;
  readonly baseUrl: string;
  readonly keyVariable: string;
  /** As a person writes it: an alias, the provider's own name, or `providers/P/models/M`. */
  readonly model: string;
  /** The agent that new sessions run. */
  readonly agent: string;
}

/** What the answers look like. */
export const NAME = /^[\w.-]+$/;
/** '' for a provider that needs no key. */
export const VARIABLE = /^(?:[A-Za-z_]\w*)?$/;
export const ADDRESS = /^https?:\/\/\S+$/;

/** A provider that is set already, or a new one that speaks as OpenAI does. */
export function providerOf(config: Config, name: string): ProviderSettings {
  const known = providerEntries(config.ai).get(name);
  const blank = { kind: 'openai', keyVariable: '', keyCommand: '', baseUrl: '', models: [] } as const;
  return known ?? { ...blank, name, isOfficial: false };
}

/** What differs from the settings in force. `isKnown` tells whether the provider has a model of that name without them. */
export function settingsOf(config: Config, answers: Answers, isKnown: (model: string) => boolean): Setting[] {
  const { provider, baseUrl, keyVariable, model, agent } = answers;
  const now = providerOf(config, provider);
  const isNew = !providerEntries(config.ai).has(provider);
  const own = ['ai', 'providers', provider];
  const name = model.replace(`providers/${provider}/models/`, '').replace(`${provider}/`, '');
  // A model of another provider may have the same alias.
  const full = isKnown(model) ? model : `providers/${provider}/models/${name}`;
  const isListed = isKnown(model) || isKnown(full) || now.models.includes(name) || now.kind === 'ollama';
  // A list that the person wrote gets one more, so that what is said beside its models stays.
  const isOwnList = now.models.length > 0;
  const all: (Setting & { readonly now: unknown })[] = [
    { path: ['ai', 'default_model'], value: full, now: config.ai.default_model },
    { path: ['ai', 'prefer_local'], value: now.kind === 'ollama', now: config.ai.prefer_local },
    ...(isNew ? [{ path: [...own, 'kind'], value: 'openai', now: '' }] : []),
    ...(baseUrl === '' ? [] : [{ path: [...own, 'base_url'], value: baseUrl, now: now.baseUrl }]),
    ...(keyVariable === ''
      ? []
      : [{ path: [...own, 'api_key_env'], value: keyVariable, now: now.keyVariable }]),
    ...(isListed
      ? []
      : [
          isOwnList
            ? { path: [...own, 'models', now.models.length], value: name, now: '' }
            : { path: [...own, 'models'], value: [name], now: '' },
        ]),
    ...(agent === '' ? [] : [{ path: ['default_agent'], value: agent, now: config.default_agent }]),
  ];
  return all.filter(({ value, now: old }) => value !== old);
}

/** Throws CodedError `usage` for what cannot stand in the settings. */
export function checkAnswers(
  config: Config,
  { provider, baseUrl, keyVariable, model, agent }: Answers,
): void {
  const wrong = (what: string, hint: string): CodedError => new CodedError('usage', `init: ${what}`, hint);
  if (!NAME.test(provider))
    throw wrong(provider ? `'${provider}' is no provider` : 'no provider is chosen', 'say --provider NAME');
  if (model === '' || /\s/.test(model)) throw wrong('no model is chosen', 'say --model NAME');
  if (!VARIABLE.test(keyVariable))
    // What was typed may be the key itself: it is not repeated.
    throw wrong('--key-env takes the name of a variable', 'put the key into that variable, not here');
  if (baseUrl !== '' && !ADDRESS.test(baseUrl))
    throw wrong(`'${baseUrl}' is no address`, 'say --base-url https://HOST/v1');
  if (baseUrl === '' && !providerEntries(config.ai).has(provider))
    throw wrong(`provider ${provider} is not known`, 'say where it is: --base-url https://HOST/v1');
  if (agent !== '' && !Object.hasOwn(config.agents, agent))
    throw wrong(`'${agent}' is no agent`, `one of ${Object.keys(config.agents).join(', ')}`);
}
