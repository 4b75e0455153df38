/** The providers as settings have them: what is built in, with what a spec gives over it, key by key. */
import { BUILTIN_PROVIDERS } from '../../../lib/config/schema-ai.ts';
import type { AiSettings } from '../../../lib/ai/settings.ts';

export function providersWith(given: AiSettings['providers'] = {}): AiSettings['providers'] {
  const built: AiSettings['providers'] = BUILTIN_PROVIDERS;
  const names = new Set([...Object.keys(built), ...Object.keys(given)]);
  return Object.fromEntries([...names].map(name => [name, { ...built[name], ...given[name] }]));
}
