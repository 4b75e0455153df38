/**
 * The models that are known without asking anybody, with what they cost. Prices are dollars for a million tokens, each row
 * with where and when they were read: a price that is not sure is left out.
 */
import type { Prices } from '../model.ts';

/** A row; what it leaves out is true of most: it reasons, takes a temperature and sees pictures. */
export interface ModelRow {
  readonly provider: string;
  readonly id: string;
  readonly alias: string;
  readonly description: string;
  readonly context: number;
  readonly output: number;
  readonly prices: Prices;
  /** Where the prices stand, and when they stood there. */
  readonly source: string;
  readonly reasoning?: boolean;
  readonly temperature?: boolean;
  readonly imageInput?: boolean;
}

const ANTHROPIC = 'platform.claude.com/docs/en/about-claude/pricing, 2026-07';
const OPENAI = 'openai.com/api/pricing, 2025-08';

/** Reading a cache costs a tenth of reading, filling it a quarter more (Anthropic's pricing page). */
function cached(input: number, output: number): Prices {
  return { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25 };
}

export const MODEL_ROWS: readonly ModelRow[] = [
  {
    provider: 'anthropic',
    id: 'claude-opus-4-8',
    alias: 'opus',
    description: 'the strongest of Anthropic',
    context: 200_000,
    output: 64_000,
    prices: cached(5, 25),
    source: ANTHROPIC,
    temperature: false,
  },
  {
    provider: 'anthropic',
    id: 'claude-sonnet-4-6',
    alias: 'sonnet',
    description: 'strong and quick, of Anthropic',
    context: 200_000,
    output: 64_000,
    prices: cached(3, 15),
    source: ANTHROPIC,
  },
  {
    provider: 'anthropic',
    id: 'claude-haiku-4-5',
    alias: 'haiku',
    description: 'the quickest of Anthropic',
    context: 200_000,
    output: 64_000,
    prices: cached(1, 5),
    source: ANTHROPIC,
  },
  {
    provider: 'anthropic',
    id: 'claude-opus-4-7',
    alias: '',
    description: 'an opus before the newest',
    context: 200_000,
    output: 64_000,
    prices: cached(5, 25),
    source: ANTHROPIC,
    temperature: false,
  },
  {
    provider: 'anthropic',
    id: 'claude-opus-4-6',
    alias: '',
    description: 'an opus before the newest',
    context: 200_000,
    output: 64_000,
    prices: cached(5, 25),
    source: ANTHROPIC,
  },
  {
    provider: 'anthropic',
    id: 'claude-opus-4-5',
    alias: '',
    description: 'an opus before the newest',
    context: 200_000,
    output: 64_000,
    prices: cached(5, 25),
    source: ANTHROPIC,
  },
  {
    provider: 'anthropic',
    id: 'claude-sonnet-4-5',
    alias: '',
    description: 'the sonnet before the newest',
    context: 200_000,
    output: 64_000,
    prices: cached(3, 15),
    source: ANTHROPIC,
  },
  {
    provider: 'openai',
    id: 'gpt-5',
    alias: 'gpt',
    description: 'the strongest of OpenAI',
    context: 400_000,
    output: 128_000,
    prices: { input: 1.25, output: 10, cacheRead: 0.125 },
    source: OPENAI,
    temperature: false,
  },
  {
    provider: 'openai',
    id: 'gpt-5-mini',
    alias: 'gpt-mini',
    description: 'quick, of OpenAI',
    context: 400_000,
    output: 128_000,
    prices: { input: 0.25, output: 2, cacheRead: 0.025 },
    source: OPENAI,
    temperature: false,
  },
  {
    provider: 'openai',
    id: 'gpt-5-nano',
    alias: '',
    description: 'the quickest of OpenAI',
    context: 400_000,
    output: 128_000,
    prices: { input: 0.05, output: 0.4, cacheRead: 0.005 },
    source: OPENAI,
    temperature: false,
  },
  {
    provider: 'openai',
    id: 'gpt-4.1',
    alias: '',
    description: 'does not reason; of OpenAI',
    context: 1_047_576,
    output: 32_768,
    prices: { input: 2, output: 8, cacheRead: 0.5 },
    source: OPENAI,
    reasoning: false,
  },
  {
    provider: 'openai',
    id: 'gpt-4.1-mini',
    alias: '',
    description: 'does not reason; quick, of OpenAI',
    context: 1_047_576,
    output: 32_768,
    prices: { input: 0.4, output: 1.6, cacheRead: 0.1 },
    source: OPENAI,
    reasoning: false,
  },
  {
    provider: 'openai',
    id: 'gpt-4.1-nano',
    alias: '',
    description: 'does not reason; the quickest of OpenAI',
    context: 1_047_576,
    output: 32_768,
    prices: { input: 0.1, output: 0.4, cacheRead: 0.025 },
    source: OPENAI,
    reasoning: false,
  },
  {
    provider: 'openai',
    id: 'gpt-4o',
    alias: '',
    description: 'does not reason; of OpenAI',
    context: 128_000,
    output: 16_384,
    prices: { input: 2.5, output: 10, cacheRead: 1.25 },
    source: OPENAI,
    reasoning: false,
  },
  {
    provider: 'openai',
    id: 'gpt-4o-mini',
    alias: '',
    description: 'does not reason; quick, of OpenAI',
    context: 128_000,
    output: 16_384,
    prices: { input: 0.15, output: 0.6, cacheRead: 0.075 },
    source: OPENAI,
    reasoning: false,
  },
  {
    provider: 'openai',
    id: 'o3',
    alias: '',
    description: 'reasons; of OpenAI',
    context: 200_000,
    output: 100_000,
    prices: { input: 2, output: 8, cacheRead: 0.5 },
    source: OPENAI,
    temperature: false,
  },
  {
    provider: 'openai',
    id: 'o4-mini',
    alias: '',
    description: 'reasons; quick, of OpenAI',
    context: 200_000,
    output: 100_000,
    prices: { input: 1.1, output: 4.4, cacheRead: 0.275 },
    source: OPENAI,
    temperature: false,
  },
];

/** Names that mean the first of their models whose provider can be used. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  fast: ['claude-haiku-4-5', 'gpt-5-mini'],
  smart: ['claude-opus-4-8', 'gpt-5'],
};
