/**
 * The service of a running server, where it would answer as one of our own does: it read the same settings, and has the same
 * keys in its environment.
 */
import { createHash } from 'node:crypto';
import { providerEntries } from '../../ai/settings.ts';
import type { Config } from '../../config/load.ts';
import { isAgent, type AppContext } from '../context.ts';
import { runRemote } from '../remote.ts';

/** A server that is busy for longer is not waited for, in ms: a service of our own is there sooner. */
const PATIENCE_MS = 300;
/** Variables that decide how providers are reached, beside those of their keys. */
const NETWORK = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** What a service tells of itself. */
export interface Told {
  readonly address: string;
  readonly salt: string;
  readonly print: string;
}

/** Its address; undefined where none runs, or not one like ours: then it may be on its way. */
export async function serverService(context: AppContext, config: Config): Promise<string | undefined> {
  // An agent is no person to the server, and has what its own environment gives it.
  if (isAgent(context.env)) return undefined;
  let told = '';
  const { onSilence: _, ...place } = context.place;
  const asked = { ...context, place: { ...place, patience: PATIENCE_MS } };
  const write = (stream: 'out' | 'err', text: string): void => void (stream === 'out' && (told += text));
  try {
    const exit = await runRemote(asked, ['ai-service'], { start: false, write });
    const { address, salt, print } = parsed(exit === 0 ? told : '');
    return address && print === servicePrint(context, config, salt) ? address : undefined;
  } catch {
    // No server, one of another version, or one that does not answer: that is no trouble of who asks a model.
    return undefined;
  }
}

/** A digest of all that decides how a service answers. Keys are in it: it is told to nobody without the salt's service. */
export function servicePrint({ env, paths }: AppContext, config: Config, salt: string): string {
  const names = [...providerEntries(config.ai).values()]
    .map(({ keyVariable }) => keyVariable)
    .filter(Boolean);
  const values = [...names, ...NETWORK].map(name => [name, env[name] ?? '']);
  const text = JSON.stringify([salt, paths.data, config.ai, values]);
  return createHash('sha256').update(text).digest('base64url');
}

function parsed(text: string): Told {
  const none = { address: '', salt: '', print: '' };
  try {
    return { ...none, ...(JSON.parse(text) as Partial<Told>) };
  } catch {
    // SyntaxError: nothing yet.
    return none;
  }
}
