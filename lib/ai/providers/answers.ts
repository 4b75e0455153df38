/** What is common to vendors' answers: whether they are any, where blocks stand in them, and calls that are complete. */
import { healedObject } from '../heal.ts';
import { ProviderFailure } from '../failure.ts';
import type { JsonObject, TokenUsage, ToolCallPart } from '../provider.ts';

export const NO_USAGE: TokenUsage = {
  input: 0,
  output: 0,
  outputReasoning: 0,
  cacheRead: 0,
  cacheWrite: 0,
  inputImage: 0,
  outputImage: 0,
};

/** A `fetch` that refuses pages: what stands between often answers for a provider, with 200 and HTML. */
export function answerFetch(provider: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/text\/html/i.test(type)) return response;
    await response.body?.cancel();
    throw new ProviderFailure(
      'not_an_answer',
      `${provider}: a web page came instead of an answer`,
      'is its base_url right, and is nothing in between?',
    );
  };
}

/** Places of blocks in an answer: one that goes on has its place, every other one the next. */
export class Places {
  #next = 0;
  #kind: string | undefined;

  /** The place of a text or thought; it goes on until something else comes. */
  of(kind: 'text' | 'thought'): number {
    if (this.#kind !== kind) this.#next++;
    this.#kind = kind;
    return this.#next - 1;
  }

  /** A place that nothing goes on in. */
  fresh(): number {
    this.#kind = undefined;
    return this.#next++;
  }
}

/**
 * A call whose arguments have come as text. What is no JSON is read as far as it goes, with the text beside it, so that
 * whoever runs the call can tell the model what was wrong.
 */
export function completeCall(id: string, name: string, text: string): ToolCallPart {
  const base = { type: 'tool_call', id, name } as const;
  if (text.trim() === '') return { ...base, arguments: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...base, arguments: value as JsonObject };
  } catch {
    // SyntaxError: told below.
  }
  return { ...base, arguments: healedObject(text), extra: { invalid_arguments: text } };
}
