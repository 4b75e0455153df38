/** What every call of the service works with. */
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { Model, ModelRegistry } from '../model.ts';
import type { Provider } from '../provider.ts';
import { ServiceError } from '../service-error.ts';
import type { ChatStore } from '../store/chat-store.ts';

export interface ServiceContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly registry: ModelRegistry;
  /** Makes ids of chats and messages. */
  readonly newId: () => string;
  /** The process that this is, by which inputs that wait for an answer are told from those nobody waits for. */
  readonly pid: number;
  /** Throws ServiceError NOT_FOUND. */
  model(name: string): Model;
  /** The source of a model's answers. Throws ProviderFailure. */
  provider(model: Model): Provider;
}

export interface ContextOptions {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly registry: ModelRegistry;
  readonly newId: () => string;
  readonly pid: number;
  readonly provider: (model: Model) => Provider;
}

export function serviceContext(options: ContextOptions): ServiceContext {
  return {
    ...options,
    model: name => {
      try {
        return options.registry.find(name);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const text = error.hint ? `${error.message} (${error.hint})` : error.message;
        throw new ServiceError('NOT_FOUND', text, [], { cause: error });
      }
    },
  };
}
