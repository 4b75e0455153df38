/** Models of this machine, fetched and removed through Ollama. */
import { failureOf } from './failures.ts';

/** How far a fetch is, in bytes; both are 0 where that is not known. */
export interface PullProgress {
  readonly status: string;
  readonly done: number;
  readonly total: number;
}

const NAME = 'ollama';
/** A server of this machine answers at once; a list does not wait for one that hangs, in ms. */
const LIST_MS = 1000;

/** Names of the models that are there; none where no server answers. */
export async function installedModels(host: string): Promise<readonly string[]> {
  try {
    const signal = AbortSignal.timeout(LIST_MS);
    const response = await fetch(`${host.replace(/\/+$/, '')}/api/tags`, { signal });
    const { models } = (await response.json()) as { models?: readonly { name?: unknown }[] };
    const names = Array.isArray(models) ? models.map(one => (one as { name?: unknown } | null)?.name) : [];
    return names.filter(
      (name): name is string => typeof name === 'string' && /^[^\s\p{C}]{1,200}$/u.test(name),
    );
  } catch {
    // Nobody listens, or it is no Ollama: there is nothing to list, which is no failure of what is known.
    return [];
  }
}

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
