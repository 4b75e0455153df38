/** `mux ai serve`: AiService alone, for clients here or elsewhere. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isIP } from 'node:net';
import { readContract } from '../../ai/contract.ts';
import { listen } from '../../ai/service/listen.ts';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import type { ParsedArgs } from '../../cmd/spec.ts';
import { makeDirectories } from '../../config/directories.ts';
import { serveAttended } from './attended.ts';
import { removeStale } from './stale-socket.ts';
import type { AppContext } from '../context.ts';
import { unknownWord } from '../own-commands.ts';
import { aiConfig, embedded } from './service.ts';

const USAGE = 'ai serve --listen unix:PATH|HOST:PORT [--tls-cert F --tls-key F] [--token-env VAR]';
const SERVE = command({
  name: 'ai serve',
  group: 'Screen',
  text: '',
  flags: [
    { name: 'listen', value: 'unix:PATH|HOST:PORT', text: 'where' },
    { name: 'tls-cert', value: 'FILE', text: 'certificate, PEM' },
    { name: 'tls-key', value: 'FILE', text: 'its key, PEM' },
    { name: 'token-env', value: 'VAR', text: 'the variable with the token that clients must bring' },
    { name: 'attended', text: 'for a server of mux: ends with it, and when nobody asks' },
    flag('q', 'say nothing'),
  ],
  exec: () => undefined,
});

/** Throws CodedError. */
export async function aiCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what !== 'serve') throw unknownWord('ai', what, USAGE);
  const args = parseArgs(SERVE, rest);
  return args.has('attended') ? serveAttended(context) : serve(context, args);
}

async function serve(context: AppContext, args: ParsedArgs): Promise<number> {
  const address = checkedAddress(args.value('listen'), context.cwd);
  const tls = tlsOf(args, context.cwd);
  const token = tokenOf(args, context);
  if (!address.startsWith('unix:') && !isLoopback(address) && !(tls && token))
    throw new CodedError(
      'refused',
      `ai serve: ${address} can be reached from elsewhere`,
      'give --tls-cert, --tls-key and --token-env, or listen on 127.0.0.1 or a unix socket',
    );
  const config = aiConfig(context);
  await makeDirectories(context.paths);
  const contract = readContract();
  if (address.startsWith('unix:')) await removeStale(address.slice('unix:'.length));
  const log = { log: (_: string, message: string): void => void console.error(`mux: ${message}`) };
  const { context: service, close } = embedded(context, config, contract, log);
  const listening = await listen({
    context: service,
    contract,
    address,
    ...(tls ? { tls } : {}),
    ...(token ? { token } : {}),
  });
  if (context.json !== 'off') console.log(JSON.stringify({ address: listening.address, pid: process.pid }));
  else if (!args.has('q')) console.log(`AiService listens on ${listening.address}`);
  await new Promise<void>(done => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => done());
  });
  await listening.close();
  close();
  return 0;
}

/** Throws CodedError `usage`. */
function checkedAddress(given: string | undefined, cwd: string): string {
  if (given?.startsWith('unix:') && given.length > 'unix:'.length)
    return `unix:${resolve(cwd, given.slice('unix:'.length).replace(/^\/\/(?=\/)/, ''))}`;
  if (given !== undefined && /^(?:\[[\da-f:]+\]|[^\s/:[\]]+):\d{1,5}$/i.test(given)) return given;
  throw new CodedError(
    'usage',
    `ai serve: ${given === undefined ? 'say where to listen' : `'${given}' is no address`}`,
    `usage: mux ${USAGE}`,
  );
}

function isLoopback(address: string): boolean {
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function tlsOf(args: ParsedArgs, cwd: string): { cert: Buffer; key: Buffer } | undefined {
  const [cert, key] = [args.value('tls-cert'), args.value('tls-key')];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new CodedError(
      'usage',
      'ai serve: a certificate needs its key, and a key its certificate',
      `usage: mux ${USAGE}`,
    );
  const read = (path: string): Buffer => {
    try {
      return readFileSync(resolve(cwd, path));
    } catch (error) {
      throw new CodedError('not_found', `${path}: ${systemReason(error)}`, undefined, { cause: error });
    }
  };
  return { cert: read(cert), key: read(key) };
}

function tokenOf(args: ParsedArgs, { env }: AppContext): string | undefined {
  const name = args.value('token-env');
  if (name === undefined) return undefined;
  const token = env[name];
  if (!token)
    throw new CodedError('refused', `ai serve: ${name} is not set`, 'put the token into that variable');
  return token;
}
