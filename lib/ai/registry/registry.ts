/** All models: the known ones, those that the settings name, and how a name finds one. */
import { CodedError, nearest } from '../../base/errors.ts';
import { providerEntries, type AiSettings, type ProviderSettings } from '../settings.ts';
import type { Model, ModelRegistry, Prices } from '../model.ts';
import { MODEL_ROWS, ROUTES, type ModelRow } from './table.ts';

/** What a model that nobody described takes, in tokens: what nearly all of today's do. */
const CONTEXT_USUAL = 32_768;
const OUTPUT_USUAL = 4_096;
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
  for (const row of MODEL_ROWS) if (entries.has(row.provider)) add(fromRow(row));
  for (const { name, models: own } of entries.values()) for (const id of own) add(plain(name, id));
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
  const exact = list.find(model => model.name === name) ?? list.find(model => model.alias === name);
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
  const open = openModel(name, entries);
  if (open) return open;
  throw unknown(name, list);
}

/** A model that its provider may well have: one of this machine, or of a server that the settings name. */
function openModel(name: string, entries: ReadonlyMap<string, ProviderSettings>): Model | undefined {
  const [, provider = '', id = ''] =
    /^providers\/([^/]+)\/models\/(\S+)$/.exec(name) ?? /^([^/\s]+)\/(\S+)$/.exec(name) ?? [];
  const entry = entries.get(provider);
  const isOpen = entry && (entry.kind === 'ollama' || (entry.kind === 'openai' && !entry.isOfficial));
  return isOpen ? plain(provider, id) : undefined;
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

function fromRow({ provider, id, alias, description, context, output, prices, ...more }: ModelRow): Model {
  const { reasoning = true, temperature = true, imageInput = true } = more;
  return {
    ...plain(provider, id),
    alias,
    description,
    contextTokenLimit: context,
    outputTokenLimit: output,
    reasoning,
    temperature,
    imageInput,
    prices,
  };
}

/** A model of which nothing but the name is known. */
function plain(provider: string, id: string): Model {
  return {
    name: `providers/${provider}/models/${id.replaceAll('/', '-')}`,
    alias: '',
    provider,
    providerModelId: id,
    description: '',
    contextTokenLimit: CONTEXT_USUAL,
    outputTokenLimit: OUTPUT_USUAL,
    reasoning: false,
    toolCall: true,
    temperature: true,
    imageInput: true,
    imageOutput: false,
  };
}

function base(name: string, models: ReadonlyMap<string, Model>): Model {
  const [, provider = '', id = ''] = /^providers\/([^/]+)\/models\/(.+)$/.exec(name) ?? [];
  return models.get(name) ?? plain(provider, id);
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
