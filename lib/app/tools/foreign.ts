/** Tools that are not mux's own, as commands use them: those of MCP servers and those of gRPC hosts. */
import { readFileSync } from 'node:fs';
import type { Contract } from '../../ai/contract.ts';
import { Keys } from '../../ai/providers/keys.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError, nearest } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Config } from '../../config/load.ts';
import type { Resolver } from '../../graph/resolve.ts';
import { qualify } from '../../graph/selector.ts';
import type { EngineAddress } from '../../tools/engines/connection.ts';
import { Engines, type WantedSet } from '../../tools/engines/engines.ts';
import { serviceRequests } from '../../tools/engines/request.ts';
import type { ToolSource } from '../../tools/registry.ts';
import { MCP_PREFIX } from '../../tools/mcp/names.ts';
import { McpServers } from '../../tools/mcp/servers.ts';
import type { McpEntry, McpPort } from '../../tools/mcp/types.ts';
import { findGraphRoot } from '../../watch/find-root.ts';
import { loadGraph } from '../../watch/load-graph.ts';
import { readTextFile } from '../../watch/read-file.ts';
import { muxVersion, type AppContext } from '../context.ts';
import { graphEnv } from '../graph-context.ts';

/** What the header is called that carries a key where the settings do not say. */
const KEY_HEADER = 'x-api-key';

export interface ForeignOptions {
  readonly log: Logger;
  /** Absent: nobody can be asked. */
  readonly port?: McpPort;
  /** Servers of the project, once the person trusts it; they come after those of the person, who has the names first. */
  readonly projectEntries?: readonly McpEntry[];
}

/** The MCP servers of the settings; none of them runs yet. */
export function mcpServers(
  { env, cwd }: AppContext,
  config: Config,
  { log, port, projectEntries = [] }: ForeignOptions,
): McpServers {
  const own = config.mcp_servers;
  const more = projectEntries.filter(entry => own.every(({ name }) => name !== entry.name));
  return new McpServers({
    entries: [...own, ...more],
    env,
    cwd,
    version: muxVersion(),
    clock: systemClock,
    log,
    ...(port ? { port } : {}),
  });
}

/** The gRPC hosts of the settings; none of them is dialled yet. */
export function engineHosts(
  { env }: AppContext,
  config: Config,
  contract: () => Contract,
  log: Logger,
): Engines {
  const keys = new Keys(env);
  return new Engines({ address: name => addressOf(name, config, keys), contract, log });
}

/** Diagnostics of foreign tools are told by their states already; only MUX_DEBUG shows where they come from. */
export function debugLog({ env }: AppContext): Logger {
  return { log: (level, message) => void (env.MUX_DEBUG && console.error(level, message)) };
}

/** All tool sets of the graph here; none where there is no graph. */
export async function setsHere(context: AppContext): Promise<WantedSet[]> {
  const root = await findGraphRoot(context.cwd);
  if (root === undefined) return [];
  const { resolver } = await loadGraph(root, graphEnv(context), []);
  const selectors = resolver
    .repositories()
    .flatMap(repository =>
      resolver.shelf('toolset', repository).list.map(set => qualify(repository.prefix, set.selector)),
    );
  return wantedSets(resolver, selectors);
}

/** The tool sets of a graph by their selectors, as engines take them. Throws CodedError for one that is not there. */
export async function wantedSets(resolver: Resolver, selectors: readonly string[]): Promise<WantedSet[]> {
  return Promise.all(
    selectors.map(async text => {
      const { artifact, repository, selector } = resolver.need('toolset', text);
      const read = await readTextFile(repository.root, artifact.file);
      if (read.kind !== 'text')
        throw new CodedError('failed', `tool set ${text}: it just changed`, 'try again');
      return { selector, engine: artifact.engineService, requests: serviceRequests(read.text) };
    }),
  );
}

/** Tools of others for one conversation. */
export interface ForeignTools {
  /** In the order in which they have names first. */
  readonly sources: readonly ToolSource[];
  readonly mcp: McpServers;
  readonly engines: Engines;
  /**
   * Starts and dials what is wanted; what fails is told by `troubles`. Rejects with `cancelled` alone.
   *
   * @param name only what may have a tool of this name
   */
  start(signal: AbortSignal, name?: string): Promise<void>;
  /** What is not there and why, one line each, for people. */
  troubles(): string[];
  /** Ends everything that was started. */
  close(): Promise<void>;
}

/** @param sets tool sets that are wanted, from `wantedSets` */
export function foreignTools(
  context: AppContext,
  config: Config,
  sets: readonly WantedSet[],
  options: ForeignOptions & { readonly contract: () => Contract },
): ForeignTools {
  const mcp = mcpServers(context, config, options);
  const engines = engineHosts(context, config, options.contract, options.log);
  engines.want(sets);
  return {
    sources: [...engines.sources(), ...mcp.sources()],
    mcp,
    engines,
    start: async (signal, name) => {
      const isOfMcp = name?.startsWith(MCP_PREFIX) ?? false;
      await Promise.all([
        name === undefined || isOfMcp ? mcp.start(signal, name) : undefined,
        isOfMcp ? undefined : engines.load(signal),
      ]);
    },
    troubles: () => [
      ...engines
        .states()
        .flatMap(({ selector, error, problems }) => [
          ...(error ? [`tool set ${selector}: ${error}`] : []),
          ...problems.map(problem => `tool set ${selector}: ${problem}`),
        ]),
      ...mcp
        .states()
        .flatMap(({ name, error, problems }) => [
          ...(error ? [`mcp ${name}: ${error}`] : []),
          ...problems.map(problem => `mcp ${name}: ${problem}`),
        ]),
    ],
    close: async () => {
      engines.close();
      await mcp.close();
    },
  };
}

async function addressOf(name: string, config: Config, keys: Keys): Promise<EngineAddress> {
  const entry = config.grpc_clients.find(one => one.name === name);
  if (!entry) {
    const near = nearest(
      name,
      config.grpc_clients.map(one => one.name),
    );
    throw new CodedError(
      'invalid_config',
      `${name} is no name in grpc_clients`,
      near ? `did you mean ${near}?` : "add it to config.yaml, whose path 'mux config path' tells",
    );
  }
  const { base_url: baseUrl, api_key_env: keyVariable = '', api_key_command: keyCommand = '' } = entry;
  // A host that names no key needs none.
  const source = { name: `grpc_clients ${name}`, kind: 'openai', isOfficial: false } as const;
  const key = await keys.get({ ...source, keyVariable, keyCommand });
  return {
    name,
    baseUrl,
    headers: key ? { [entry.api_key_header ?? KEY_HEADER]: key } : {},
    ca: entry.tls_ca ? readFileSync(entry.tls_ca) : undefined,
  };
}
