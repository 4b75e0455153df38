/** Models: what is known of them, and what finds them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Model } from '../../../lib/ai/model.ts';
import { modelRegistry } from '../../../lib/ai/registry/registry.ts';
import { MODEL_ROWS, ROUTES } from '../../../lib/ai/registry/table.ts';
import type { AiSettings } from '../../../lib/ai/settings.ts';
import { providersWith } from '../../support/ai/settings.ts';

const PLAIN: AiSettings = { prefer_local: false, providers: {}, models: [] };

function find(name: string, ai: Partial<AiSettings> = {}): Model {
  const providers = providersWith(ai.providers);
  return modelRegistry({ ai: { ...PLAIN, ...ai, providers }, isReady: () => true }).find(name);
}

const test = suite('registry');

test('every row has a price with its source and date, limits, and a name of its own', () => {
  for (const { id, prices, source, context, output } of MODEL_ROWS) {
    assert.ok(prices.input! > 0 && prices.output! > prices.input!, id);
    assert.match(source, /^[\w./-]+, \d{4}-\d\d$/, id);
    assert.ok(output < context, id);
  }
  const { length } = MODEL_ROWS;
  assert.is(new Set(MODEL_ROWS.map(({ provider, id }) => `${provider}/${id}`)).size, length);
  const aliases = MODEL_ROWS.map(({ alias }) => alias).filter(Boolean);
  assert.is(new Set([...aliases, ...Object.keys(ROUTES)]).size, aliases.length + Object.keys(ROUTES).length);
  for (const id of Object.values(ROUTES).flat())
    assert.ok(
      MODEL_ROWS.some(row => row.id === id),
      id,
    );
});

test('one issue of a model is that model, by its longest name; another model of the family is not', () => {
  for (const name of [
    'claude-haiku-4-5-20251001',
    'anthropic/claude-haiku-4-5-20251001',
    'providers/anthropic/models/claude-haiku-4-5-20251001',
  ]) {
    const { providerModelId, prices, alias, reasoning } = find(name);
    assert.is(providerModelId, 'claude-haiku-4-5-20251001');
    assert.is(prices?.input, 1);
    assert.is(alias, '');
    assert.is(reasoning, true);
  }
  assert.is(find('gpt-5-mini-2025-08-07').prices?.input, 0.25);
  assert.is(find('gpt-5-2025-08-07').prices?.input, 1.25);
  for (const name of ['gpt-5-pro', 'claude-opus-4-80', 'claude-haiku-4-5-fast', 'gpt-5-'])
    assert.throws(() => find(name), /there is no such model/);
});

test('what another provider passes on has limits and no price', () => {
  const providers = {
    router: { base_url: 'https://router.example/v1', models: ['anthropic/claude-sonnet-4.6', 'own'] },
  };
  const sonnet = find('anthropic/claude-sonnet-4.6', { providers });
  assert.is(sonnet.name, 'providers/router/models/anthropic-claude-sonnet-4.6');
  assert.is(sonnet.providerModelId, 'anthropic/claude-sonnet-4.6');
  assert.is(sonnet.contextTokenLimit, 200_000);
  assert.is(sonnet.prices, undefined);
  assert.is(find('router/own', { providers }).prices, undefined);
  assert.is(find('router/not-listed', { providers }).providerModelId, 'not-listed');
  assert.is(find('router/openai/gpt-5', { providers }).contextTokenLimit, 400_000);
});

test('a model that the settings list and the table knows keeps its price', () => {
  const providers = { openai: { models: ['gpt-5', 'gpt-new'] } };
  assert.is(find('gpt-5', { providers }).prices?.input, 1.25);
  assert.is(find('gpt', { providers }).providerModelId, 'gpt-5');
  assert.is(find('gpt-new', { providers }).prices, undefined);
});

test("the settings' models are added, or change what they name; their aliases come first", () => {
  const prices = { input_token_price_per_million: 9 };
  const models = [
    { name: 'providers/ollama/models/mine', alias: 'opus', context_token_limit: 7, tool_call: false },
    { name: 'providers/openai/models/gpt-5', prices },
    { name: 'providers/anthropic/models/claude-haiku-4-5-20251001', alias: 'h' },
  ];
  const mine = find('opus', { models });
  assert.equal([mine.provider, mine.contextTokenLimit, mine.toolCall], ['ollama', 7, false]);
  const gpt = find('gpt', { models });
  assert.equal([gpt.prices, gpt.contextTokenLimit], [{ input: 9 }, 400_000]);
  assert.is(find('h', { models }).prices?.input, 1);
});

test('a name that nobody has is told with the nearest one', () => {
  assert.throws(
    () => find('claude-hiaku-4-5'),
    (error: { hint?: string; code?: string }) => {
      return error.code === 'not_found' && error.hint === 'did you mean claude-haiku-4-5?';
    },
  );
  for (const hostile of ['__proto__', 'constructor', '', '/', 'providers/x/models/', '\u0000'])
    assert.throws(() => find(hostile), /there is no such model/);
});

test.run();
