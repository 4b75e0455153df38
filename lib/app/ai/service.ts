/**
 * AiService as commands use it: the embedded one, run in this process on a socket of its own, or a remote one that the
 * settings name. Which of them it is, the commands do not see.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAi, type AiClient } from '../../ai/client.ts';
import { readContract, type Contract } from '../../ai/contract.ts';
import type { ModelRegistry } from '../../ai/model.ts';
import { Keys } from '../../ai/providers/keys.ts';
import { providerSource } from '../../ai/providers/providers.ts';
import { modelRegistry } from '../../ai/registry/registry.ts';
import { serviceContext, type ServiceContext } from '../../ai/service/context.ts';
import { listen } from '../../ai/service/listen.ts';
import { openChatStore } from '../../ai/store/chat-store.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { makeDirectories } from '../../config/directories.ts';
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import type { AppContext } from '../context.ts';
import { chatUser } from './chat-names.ts';
import { isRunning, pidOf, processMark } from './process-mark.ts';
import { serverService } from './server-service.ts';

/** The database beside that of messages. */
const CHATS_NAME = 'chats.sqlite';
/** Ids of this many bytes are never given twice. */
const ID_BYTES = 8;

/** What a command that speaks to models has. */
export interface AiSession {
  readonly client: AiClient;
  readonly contract: Contract;
  readonly config: Config;
  /** Whose chats are used: the parent of their names. */
  readonly user: string;
  close(): Promise<void>;
}

/** Reads the settings; what is wrong in them is told, and the rest counts. */
export function aiConfig(context: AppContext): Config {
  const { config, problems } = readConfig(context.configFile);
  for (const problem of problems) console.error(`mux: ${formatProblem(problem)}`);
  return config;
}

/** All models that the settings and the built-in table know. */
export function registryOf({ env }: AppContext, { ai }: Config): ModelRegistry {
  const keys = new Keys(env);
  return modelRegistry({ ai, isReady: provider => keys.isReady(provider) });
}

/**
 * Opens the service that the settings name. Throws CodedError.
 *
 * @param config the settings, where they are read already
 */
export async function openAi(context: AppContext, config = aiConfig(context)): Promise<AiSession> {
  await makeDirectories(context.paths);
  const contract = readContract();
  const user = chatUser(config);
  if (config.ai.service !== 'embedded') {
    const client = await remoteClient(context, config, contract);
    return { client, contract, config, user, close: async () => client.close() };
  }
  const running = await serverService(context, config);
  if (running !== undefined) {
    const client = connectAi({ contract, baseUrl: running });
    return { client, contract, config, user, close: async () => client.close() };
  }
  const { context: service, close } = embedded(context, config, contract, stderrLog(context));
  const address = ownAddress(context);
  const listening = await listen({ context: service, contract, address });
  const client = connectAi({ contract, baseUrl: listening.address });
  return {
    client,
    contract,
    config,
    user,
    close: async () => {
      client.close();
      await listening.close();
      close();
    },
  };
}

/** A socket that no other process has. */
export function ownAddress({ paths }: AppContext): string {
  return `unix:${join(paths.run, `ai-${process.pid}-${randomBytes(4).toString('hex')}.sock`)}`;
}

/** The service itself, over the database of this server's name. */
export function embedded(
  context: AppContext,
  config: Config,
  contract: Contract,
  log: Logger,
): { readonly context: ServiceContext; close(): void } {
  const now = (): number => systemClock.now();
  const store = openChatStore({
    path: join(context.paths.data, CHATS_NAME),
    contract,
    now,
    // What waits in this very process has waited in another of its number: in containers they begin again.
    isRunning: mark => pidOf(mark) !== process.pid && isRunning(mark),
  });
  for (const report of store.reports) console.error(`mux: ${report}`);
  const providers = providerSource({
    ai: config.ai,
    env: context.env,
    clock: systemClock,
    random: Math.random,
  });
  return {
    context: serviceContext({
      store,
      clock: systemClock,
      registry: registryOf(context, config),
      newId: () => randomBytes(ID_BYTES).toString('hex'),
      pid: processMark(process.pid),
      log,
      ...(config.ai.summary_model ? { titleModel: config.ai.summary_model } : {}),
      provider: providers,
    }),
    close: () => store.close(),
  };
}

async function remoteClient({ env }: AppContext, config: Config, contract: Contract): Promise<AiClient> {
  const clients = config.grpc_clients;
  const entry = clients.find(({ name }) => name === config.ai.service);
  if (!entry)
    throw new CodedError(
      'invalid_config',
      `ai.service: ${config.ai.service} is no name in grpc_clients`,
      "say embedded, or add it there ('mux config show' tells what counts)",
    );
  const { base_url: baseUrl, api_key_env: keyVariable = '', api_key_command: keyCommand = '' } = entry;
  // A service that names no key needs none.
  const source = { name: `grpc_clients ${entry.name}`, kind: 'openai', isOfficial: false } as const;
  const key = await new Keys(env).get({ ...source, keyVariable, keyCommand });
  return connectAi({
    contract,
    baseUrl,
    ...(key ? { headers: { [entry.api_key_header ?? 'x-api-key']: key } } : {}),
    ...(entry.tls_ca ? { ca: readFileSync(entry.tls_ca) } : {}),
  });
}

/** Failures of the embedded service are its callers' errors already; only MUX_DEBUG shows where they come from. */
function stderrLog({ env }: AppContext): Logger {
  return { log: (level, message, fields) => void (env.MUX_DEBUG && console.error(level, message, fields)) };
}
