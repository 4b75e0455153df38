/** AiService for a server of mux, started by it: `ai serve --attended`. */
import { randomBytes } from 'node:crypto';
import { readContract } from '../../ai/contract.ts';
import { listen } from '../../ai/service/listen.ts';
import { makeDirectories } from '../../config/directories.ts';
import type { AppContext } from '../context.ts';
import { servicePrint, type Told } from './server-service.ts';
import { aiConfig, embedded, ownAddress } from './service.ts';

/** Nobody asked for this long: it ends, and the next who asks has a new one, with the settings of then, in ms. */
const IDLE_MS = 300_000;
/** How often it is looked, in ms. */
const LOOK_MS = 1000;

/** Serves until the server has gone, or nobody asks, and what runs has come to its end. Throws CodedError. */
export async function serveAttended(context: AppContext): Promise<number> {
  makeDirectories(context.paths);
  const config = aiConfig(context);
  const contract = readContract();
  const log = { log: (_: string, message: string): void => void console.error(`mux: ${message}`) };
  const { context: service, close } = embedded(context, config, contract, log);
  const listening = await listen({ context: service, contract, address: ownAddress(context) });
  const salt = randomBytes(16).toString('base64url');
  const told: Told = { address: listening.address, salt, print: servicePrint(context, config, salt) };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  await unneeded(() => service.background.isIdle);
  await listening.close();
  close();
  return 0;
}

async function unneeded(isIdle: () => boolean): Promise<void> {
  let isAlone = false;
  process.stdin.on('end', () => (isAlone = true)).on('error', () => (isAlone = true));
  process.stdin.resume();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => (isAlone = true));
  for (let idle = 0; !(isIdle() && (isAlone || idle >= IDLE_MS)); idle = isIdle() ? idle + LOOK_MS : 0)
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
}
