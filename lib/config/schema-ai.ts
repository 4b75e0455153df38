/**
 * The `ai` and `grpc_clients` sections of config.yaml.
 */
import { z } from 'zod';
import { bool, choice, count, httpUrl, name, pattern, price, text, variableName } from './leaf.ts';

/** More tokens than any model takes, so that a slip of zeros is noticed. */
const TOKENS_MAX = 1_000_000_000;

/** Where a secret comes from: a variable's name, or a command that prints it; never the secret itself. */
const secretSource = {
  api_key_env: variableName().optional().describe('name of the variable that holds the key'),
  api_key_command: text().optional().describe('command that prints the key'),
};

const providerEntry = z.strictObject({
  kind: choice(['anthropic', 'openai', 'ollama']).optional().describe('the protocol it speaks'),
  ...secretSource,
  base_url: httpUrl().optional().describe("its address; empty: the provider's own"),
  models: z.array(name()).optional().describe('models it serves beside the known ones'),
});

/** US dollars per million tokens, under the names AiService uses. */
const prices = z.strictObject({
  input_token_price_per_million: price().optional().describe('for input tokens'),
  output_token_price_per_million: price().optional().describe('for output tokens'),
  output_reasoning_token_price_per_million: price().optional().describe('for reasoning tokens'),
  input_token_cache_read_price_per_million: price().optional().describe('for input read from the cache'),
  input_token_cache_write_price_per_million: price().optional().describe('for input written to the cache'),
});

const model = z.strictObject({
  name: pattern(/^providers\/[^/\s]+\/models\/\S+$/, 'providers/openai/models/gpt-5').describe(
    'providers/P/models/M',
  ),
  alias: name().optional().describe('a short name for it'),
  context_token_limit: count(1, TOKENS_MAX).optional().describe('tokens it can take in'),
  output_token_limit: count(1, TOKENS_MAX).optional().describe('tokens it can answer with'),
  reasoning: bool().optional().describe('whether it reasons'),
  tool_call: bool().optional().describe('whether it can call tools'),
  prices: prices.optional().describe('US dollars per million tokens'),
});

/** Built-in providers, overridden key by key. */
export const BUILTIN_PROVIDERS = {
  anthropic: { kind: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY', base_url: '' },
  openai: {
    kind: 'openai',
    api_key_env: 'OPENAI_API_KEY',
    base_url: 'https://api.openai.com/v1',
    models: [],
  },
  ollama: { kind: 'ollama', base_url: 'http://127.0.0.1:11434' },
} as const satisfies Record<string, z.input<typeof providerEntry>>;

export type ProviderEntry = z.output<typeof providerEntry>;

export const ai = z.strictObject({
  service: name().prefault('embedded').describe('embedded, or a name in grpc_clients'),
  user: pattern(/^organizations\/[^/\s]+\/users\/[^/\s]+$/, 'organizations/local/users/{user}')
    .prefault('organizations/local/users/{user}')
    .describe('whose chats are used'),
  default_model: text().prefault('').describe('alias or providers/P/models/M'),
  summary_model: text()
    .prefault('')
    .describe('for titles and compaction; empty: default_model for compaction, no titles'),
  prefer_local: bool().prefault(false).describe('use a local model where one will do'),
  compaction_budget: count(1000, TOKENS_MAX)
    .prefault(100_000)
    .describe('tokens a chat may hold before it is compacted'),
  providers: z
    .record(pattern(/^[A-Za-z0-9._-]{1,64}$/, 'my-provider'), providerEntry)
    .prefault({})
    .describe('who serves models, over the built-in ones key by key'),
  models: z.array(model).prefault([]).describe('models added to the registry'),
});

export const grpcClients = z.array(
  z.strictObject({
    name: name().describe('what it is called here'),
    base_url: name().describe('its address'),
    ...secretSource,
    api_key_header: text().optional().describe('the header that carries the key'),
    tls_ca: text().optional().describe('file with the certificates to trust'),
  }),
);
