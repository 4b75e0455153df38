/** All models: the known ones, those that the settings name, and how a name finds one. */
import { CodedError, nearest } from '../../base/errors.ts';
import { providerEntries, type AiSettings, type ProviderSettings } from '../settings.ts';
import type { Model, ModelRegistry, Prices } from '../model.ts';
import { describedModel, plainModel, rowModel } from './described.ts';
import { MODEL_ROWS, ROUTES } from './table.ts';

/** Of the route that means a model of this machine. */
const LOCAL = 'local';

export interface RegistryOptions {
  readonly ai: AiSettings;
  /** Whether a provider can be used as it is: it has its key. */
  readonly isReady: (provider: ProviderSettings) => boolean;
}

/** Makes the registry. Settings override the table, model by model and field by field. */
export function modelRegistry(options: RegistryOptions): ModelRegistry {
  const { ai } = options;
  const entries = providerEntries(ai);
  const models = new Map<string, Model>();
  const add = (model: Model): void => void models.set(model.name, model);
  for (const row of MODEL_ROWS) if (entries.has(row.provider)) add(rowModel(row));
  for (const { name, models: own } of entries.values())
    for (const id of own) add(describedModel(name, id) ?? plainModel(name, id));
  for (const one of ai.models) add({ ...base(one.name, models), ...overrides(one) });
  const list = [...models.values()];
  return { list: () => list, find: name => find(name, list, options, entries) };
}

function find(
  name: string,
  list: readonly Model[],
  { ai, isReady }: RegistryOptions,
  entries: ReadonlyMap<string, ProviderSettings>,
): Model {
  // An alias of the settings comes behind the built-in ones, and before them where both have it.
  const exact =
    list.find(model => model.name === name) ??
    list.findLast(model => model.alias !== '' && model.alias === name);
  if (exact) return exact;
  const isLocal = (model: Model): boolean => entries.get(model.provider)?.kind === 'ollama';
  const local = list.find(isLocal);
  if (name === LOCAL) {
    if (local) return local;
    throw new CodedError(
      'not_found',
      'model local: no model of this machine is known',
      "name one in ai.providers.ollama.models; 'mux models pull NAME' fetches it",
    );
  }
  if (Object.hasOwn(ROUTES, name)) {
    if (ai.prefer_local && local) return local;
    const ways = ROUTES[name]!.flatMap(id => list.filter(model => model.providerModelId === id));
    const ready = ways.find(model => isReady(entries.get(model.provider)!));
    const first = ready ?? ways[0] ?? local;
    if (first) return first;
  }
  const byId = list.find(model => model.providerModelId === name);
  if (byId) return byId;
  const more = datedModel(name, entries) ?? openModel(name, entries);
  if (more) return more;
  throw unknown(name, list);
}

/** Provider and id of a name in one of its forms: `providers/P/models/M`, `P/M`. */
function partsOf(name: string): readonly [provider: string, id: string] | undefined {
  const [, provider, id] =
    /^providers\/([^/]+)\/models\/(\S+)$/.exec(name) ?? /^([^/\s]+)\/(\S+)$/.exec(name) ?? [];
  return provider !== undefined && id !== undefined ? [provider, id] : undefined;
}

/** One issue of a model that is known, as `claude-haiku-4-5-20251001`, of the provider that is named or the first that has it. */
function datedModel(name: string, entries: ReadonlyMap<string, ProviderSettings>): Model | undefined {
  const [provider, id] = partsOf(name) ?? [undefined, name];
  const providers = provider === undefined ? [...entries.keys()] : [provider].filter(one => entries.has(one));
  for (const one of providers) {
    const model = describedModel(one, id);
    if (model?.prices) return model;
  }
  return undefined;
}

/** A model that its provider may well have: one of this machine, or of a server that the settings name. */
function openModel(name: string, entries: ReadonlyMap<string, ProviderSettings>): Model | undefined {
  const [provider, id] = partsOf(name) ?? ['', ''];
  const entry = entries.get(provider);
  const isOpen = entry && (entry.kind === 'ollama' || !entry.isOfficial);
  return isOpen ? (describedModel(provider, id) ?? plainModel(provider, id)) : undefined;
}

function unknown(name: string, list: readonly Model[]): CodedError {
  const names = [
    ...list.flatMap(({ alias, providerModelId }) => [alias, providerModelId]),
    ...Object.keys(ROUTES),
  ];
  const near = nearest(name.replace(/^.*\//, ''), names.filter(Boolean));
  return new CodedError(
    'not_found',
    `model ${name}: there is no such model`,
    near ? `did you mean ${near}?` : "'mux models' lists them",
  );
}

function base(name: string, models: ReadonlyMap<string, Model>): Model {
  const [provider, id] = partsOf(name) ?? ['', name];
  return models.get(name) ?? describedModel(provider, id) ?? plainModel(provider, id);
}

function overrides(one: AiSettings['models'][number]): Partial<Model> {
  const {
    alias,
    context_token_limit: context,
    output_token_limit: output,
    reasoning,
    tool_call: toolCall,
  } = one;
  const given = {
    alias,
    contextTokenLimit: context,
    outputTokenLimit: output,
    reasoning,
    toolCall,
    prices: one.prices && pricesOf(one.prices),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function pricesOf(given: NonNullable<AiSettings['models'][number]['prices']>): Prices {
  const named = {
    input: given.input_token_price_per_million,
    output: given.output_token_price_per_million,
    outputReasoning: given.output_reasoning_token_price_per_million,
    cacheRead: given.input_token_cache_read_price_per_million,
    cacheWrite: given.input_token_cache_write_price_per_million,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
