/** The calls about models. */
import type { Model } from '../model.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { pageSize, pageToken, tokenValues } from '../store/page.ts';
import { toTimestamp } from '../values.ts';
import type { ListRequest } from '../wire.ts';
import type { NameRequest } from './chat-calls.ts';
import type { ServiceContext } from './context.ts';

const PAGE_USUAL = 500;
const PAGE_MAX = 1000;
const PARENT = /^providers\/([^/\s]+)$/;
const NAME = /^providers\/[^/\s]+\/models\/[^/\s]+$/;

export function getModel({ registry }: ServiceContext, { name = '' }: NameRequest): object {
  if (!NAME.test(name)) throw invalid([{ field: 'name', description: `'${name}' names no model` }]);
  const model = registry.list().find(one => one.name === name);
  if (!model) throw new ServiceError('NOT_FOUND', `${name}: no such model`);
  return wireModel(model);
}

export function listModels({ registry }: ServiceContext, request: ListRequest): object {
  const [, provider] = PARENT.exec(request.parent ?? '') ?? [];
  if (!provider)
    throw invalid([{ field: 'parent', description: `'${request.parent ?? ''}' is no providers/PROVIDER` }]);
  const size = pageSize(request.page_size, PAGE_USUAL, PAGE_MAX);
  const [after = ''] = tokenValues(request, 1) ?? [];
  const all = registry
    .list()
    .filter(model => provider === '-' || model.provider === provider)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => name > String(after));
  const models = all.slice(0, size);
  const next_page_token = all.length > size ? pageToken(request, [models.at(-1)!.name]) : '';
  return { models: models.map(wireModel), next_page_token };
}

function wireModel(model: Model): object {
  const { prices = {} } = model;
  const pricing = {
    input_token_price_per_million: prices.input ?? 0,
    output_token_price_per_million: prices.output ?? 0,
    output_reasoning_token_price_per_million: prices.outputReasoning ?? prices.output ?? 0,
    input_token_cache_read_price_per_million: prices.cacheRead ?? 0,
    input_token_cache_write_price_per_million: prices.cacheWrite ?? 0,
    input_image_token_price_per_million: prices.inputImage ?? 0,
    output_image_token_price_per_million: prices.outputImage ?? 0,
  };
  return {
    name: model.name,
    provider_model_id: model.providerModelId,
    description: model.description,
    ...(model.deprecateTime ? { deprecate_time: toTimestamp(Date.parse(model.deprecateTime)) } : {}),
    ttt: {
      reasoning: model.reasoning,
      tool_call: model.toolCall,
      context_token_limit: model.contextTokenLimit,
      output_token_limit: model.outputTokenLimit,
      ...(model.prices ? { pricing } : {}),
    },
  };
}
