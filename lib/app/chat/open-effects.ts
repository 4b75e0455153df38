/** The service behind the chat program, opened. Loaded late: it is the larger part of the program by far. */
import { registryOf, openAi } from '../ai/service.ts';
import type { Config } from '../../config/load.ts';
import { DebugLog } from './debug-log.ts';
import { ChatEffects, type EffectsOptions } from './effects.ts';

/** Opens it, and reads what the tabs show. Throws CodedError. */
export async function openEffects(
  options: Omit<EffectsOptions, 'ai' | 'registry' | 'debug'> & { readonly config: Config },
): Promise<ChatEffects> {
  const { config, context, program } = options;
  const ai = await openAi(context, config);
  const effects = new ChatEffects({
    ...options,
    ai,
    registry: registryOf(context, config),
    debug: new DebugLog(),
  });
  for (const { key, isLoading } of program.app.tabs) {
    try {
      effects.know(key);
    } catch (error) {
      effects.fail(error);
    }
    if (isLoading) void effects.load(key).catch((error: unknown) => effects.fail(error));
  }
  return effects;
}
