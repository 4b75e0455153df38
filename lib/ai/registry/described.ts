/** Models out of the table's rows, and out of nothing but a name. */
import type { Model } from '../model.ts';
import { MODEL_ROWS, type ModelRow } from './table.ts';

/** What a model that nobody described takes, in tokens: what nearly all of today's do. */
const CONTEXT_USUAL = 32_768;
const OUTPUT_USUAL = 4_096;
/** What vendors put behind a model's name for one issue of it; anything else is another model, at another price. */
const ISSUE = /^[-@:](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/** The model of a row. */
export function rowModel(row: ModelRow): Model {
  const { provider, id, alias, description, context, output, prices, ...more } = row;
  const { reasoning = true, temperature = true, imageInput = true } = more;
  return {
    ...plainModel(provider, id),
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

/**
 * The model `id` by the row that fits best: its own, or the one of which it is an issue. What another provider passes on
 * (`openrouter` with `anthropic/claude-sonnet-4.6`) is the same model without a price: that is theirs. Undefined where no
 * row fits.
 */
export function describedModel(provider: string, id: string): Model | undefined {
  // Some write versions with a dot where the vendor has none.
  const own = id.replace(/^[\w.-]+\//, '');
  const row = bestRow(own) ?? bestRow(own.replaceAll('.', '-'));
  if (row === undefined) return undefined;
  const isOwn = row.provider === provider && own === id;
  const { prices, ...model } = { ...rowModel(row), ...nameOf(provider, id) };
  // The alias is of the model that is always the newest.
  const alias = isOwn && row.id === id ? row.alias : '';
  return { ...model, alias, ...(isOwn && prices ? { prices } : {}) };
}

/** The longest id that fits: `gpt-5-mini-2025-08-07` is no `gpt-5`. */
function bestRow(id: string): ModelRow | undefined {
  const fits = MODEL_ROWS.filter(
    row => id === row.id || (id.startsWith(row.id) && ISSUE.test(id.slice(row.id.length))),
  );
  return fits.sort((a, b) => b.id.length - a.id.length)[0];
}

function nameOf(provider: string, id: string): Pick<Model, 'name' | 'provider' | 'providerModelId'> {
  return { name: `providers/${provider}/models/${id.replaceAll('/', '-')}`, provider, providerModelId: id };
}

/** A model of which nothing but the name is known. */
export function plainModel(provider: string, id: string): Model {
  return {
    ...nameOf(provider, id),
    alias: '',
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
