/** Models of this machine, fetched and removed through Ollama. */
import { ProviderFailure } from '../failure.ts';
import { failureOf } from './failures.ts';
import { linesOf, refusal } from './ollama-lines.ts';

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
  let last = '';
  try {
    const body = await ask(host, 'POST', '/api/pull', { model, stream: true });
    for await (const { status = '', completed = 0, total = 0, error } of linesOf<PullLine>(body)) {
      if (error) throw Object.assign(new Error('it failed'), { error });
      last = status;
      yield { status, done: completed, total };
    }
  } catch (error) {
    throw failureOf(NAME, error, '');
  }
  if (last !== 'success')
    throw new ProviderFailure(
      'cut_off',
      `${NAME}: the fetch of ${model} ended in the middle`,
      'run it again: it goes on where it was',
    );
}

interface PullLine {
  readonly status?: string;
  readonly completed?: number;
  readonly total?: number;
  readonly error?: string;
}

/** Throws ProviderFailure. */
export async function removeModel(host: string, model: string): Promise<void> {
  try {
    await (await ask(host, 'DELETE', '/api/delete', { model })).cancel();
  } catch (error) {
    throw failureOf(NAME, error, '');
  }
}

async function ask(
  host: string,
  method: string,
  path: string,
  body: object,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${host.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await refusal(response);
  return response.body ?? new ReadableStream({ start: controller => controller.close() });
}
