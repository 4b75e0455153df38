/**
 * A provider that says what it was told to, for specs of what stands above providers: each generation takes the next
 * script, and keeps the request that it was asked with.
 */
import type { Model } from '../../../lib/ai/model.ts';
import type { Provider, ProviderEvent, ProviderRequest } from '../../../lib/ai/provider.ts';

/** Events, errors that are thrown, and functions that are waited for. */
export type Step = ProviderEvent | Error | ((signal: AbortSignal) => Promise<unknown>);

export class ScriptedProvider implements Provider {
  readonly name = 'scripted';
  readonly requests: ProviderRequest[] = [];
  readonly #scripts: (readonly Step[])[] = [];

  /** What the next generation that has no script yet says. */
  script(...steps: readonly Step[]): this {
    this.#scripts.push(steps);
    return this;
  }

  /** Takes back the scripts that no generation has had yet. */
  forget(): void {
    this.#scripts.length = 0;
  }

  /** Says a text and is done. */
  says(text: string): this {
    return this.script(
      { type: 'text', index: 0, text },
      { type: 'usage', usage: usage(10, 5) },
      { type: 'stop', reason: 'end_turn' },
    );
  }

  async *generate(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    this.requests.push(request);
    const script = this.#scripts.shift();
    if (!script) throw new Error('there is no script for this generation');
    for (const step of script) {
      if (step instanceof Error) throw step;
      if (typeof step === 'function') await step(signal);
      else yield step;
    }
  }
}

export function usage(input: number, output: number): Extract<ProviderEvent, { type: 'usage' }>['usage'] {
  return { input, output, outputReasoning: 0, cacheRead: 0, cacheWrite: 0, inputImage: 0, outputImage: 0 };
}

const base: Model = {
  name: 'providers/scripted/models/plain',
  alias: '',
  provider: 'scripted',
  providerModelId: 'plain',
  description: 'says what it is told',
  contextTokenLimit: 1000,
  outputTokenLimit: 100,
  reasoning: false,
  toolCall: false,
  temperature: false,
  imageInput: false,
  imageOutput: false,
};

/** One that can nothing, and one that can everything and costs something. */
export const PLAIN = base;
export const ABLE: Model = {
  ...base,
  name: 'providers/scripted/models/able',
  providerModelId: 'able',
  reasoning: true,
  toolCall: true,
  temperature: true,
  prices: { input: 1, output: 2 },
};
/** The one that makes titles. */
export const TITLER: Model = { ...base, name: 'providers/scripted/models/titler', providerModelId: 'titler' };
export const OLD: Model = {
  ...base,
  name: 'providers/scripted/models/old',
  providerModelId: 'old',
  deprecateTime: '2020-01-01T00:00:00Z',
};
