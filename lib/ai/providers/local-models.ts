/** Models of this machine, fetched and removed through Ollama. */
import { failureOf } from './failures.ts';

/** How far a fetch is, in bytes; both are 0 where that is not known. */
export interface PullProgress {
  readonly status: string;
  readonly done: number;
  readonly total: number;
}

const NAME = 'ollama';

/** Fetches a model; ends when it is there. Throws ProviderFailure. */
export async function* pullModel(host: string, model: string): AsyncGenerator<PullProgress> {
  try {
    const { Ollama } = await import('ollama');
    const stream = await new Ollama({ host }).pull({ model, stream: true });
    for await (const { status, completed = 0, total = 0 } of stream) yield { status, done: completed, total };
  } catch (error) {
    throw failureOf(NAME, error, '');
  }
}

/** Throws ProviderFailure. */
export async function removeModel(host: string, model: string): Promise<void> {
  try {
    const { Ollama } = await import('ollama');
    await new Ollama({ host }).delete({ model });
  } catch (error) {
    throw failureOf(NAME, error, '');
  }
}
