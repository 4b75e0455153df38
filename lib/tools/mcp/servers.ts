/** The MCP servers of the settings as sources of tools. One that is broken is told of and left out; the others do not notice. */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { CodedError } from '../../base/errors.ts';
import { promptText } from './content.ts';
import type { Listing, ListedPrompt, ListedResource } from './listing.ts';
import { serverPrefixes } from './names.ts';
import { McpServer } from './server.ts';
import { serverTools, type ServerTools } from './tools.ts';
import type { McpEntry, McpPort, McpState } from './types.ts';
import type { ToolSource } from '../registry.ts';

/** Servers that start at the same time: each may be a package that is fetched and an interpreter that starts. */
const STARTS_MAX = 4;

export interface McpOptions {
  /** Those that may be started: a project's own only once it is trusted. Names stand once. */
  readonly entries: readonly McpEntry[];
  /** Where their variables come from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where local ones run. */
  readonly cwd: string;
  /** Told to servers. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: nobody can be asked, and servers are told so. */
  readonly port?: McpPort;
  /** Tools or states are others now. */
  readonly onChange?: () => void;
}

/** All of them. Nothing runs before `start`, `prompt` or a call. */
export class McpServers {
  readonly #servers: readonly McpServer[];
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #made = new Map<McpServer, { readonly listing: Listing; readonly tools: ServerTools }>();
  readonly #killAll = (): void => this.#servers.forEach(server => server.kill());

  constructor({ entries, onChange = () => undefined, port, ...rest }: McpOptions) {
    this.#prefixes = serverPrefixes(entries.map(({ name }) => name));
    this.#servers = entries.map(entry => new McpServer({ ...rest, entry, port, onChange }));
    // Whatever ends this process, what it started ends too.
    if (entries.length > 0) process.once('exit', this.#killAll);
  }

  /**
   * Starts those that do not run, a few at a time; back when each is ready or has failed. Rejects with `cancelled` alone.
   *
   * @param tool only the one whose tools' names begin as this
   */
  async start(signal?: AbortSignal, tool?: string): Promise<void> {
    const isMeant = ({ name }: McpServer): boolean => tool?.startsWith(this.#prefixes.get(name)!) ?? true;
    const waiting = this.#servers.filter(isMeant);
    const work = async (): Promise<void> => {
      for (let server = waiting.shift(); server; server = waiting.shift())
        await server.ready(signal).catch((error: unknown) => {
          if (error instanceof CodedError && error.code === 'cancelled') throw error;
        });
    };
    await Promise.all(Array.from({ length: STARTS_MAX }, work));
  }

  /** In the order of the settings. */
  sources(): readonly ToolSource[] {
    return this.#servers.map(server => ({
      name: `mcp ${server.name}`,
      list: () => this.#toolsOf(server).tools,
    }));
  }

  states(): readonly McpState[] {
    return this.#servers.map(server => {
      const { tools, renamed } = this.#toolsOf(server);
      const { listing, status, error, name } = server;
      return {
        name,
        transport: server.transport,
        status,
        tools: tools.map(({ wire }) => wire.name ?? ''),
        prompts: listing.prompts.map(prompt => prompt.name),
        resources: listing.resources.map(({ uri }) => uri),
        error,
        problems: [...listing.problems, ...renamed],
      };
    });
  }

  /** Prompts by server, for people to pick from. */
  prompts(): readonly { readonly server: string; readonly prompt: ListedPrompt }[] {
    return this.#servers.flatMap(({ name, listing }) =>
      listing.prompts.map(prompt => ({ server: name, prompt })),
    );
  }

  /** Resources by server, for people to pick from. */
  resources(): readonly { readonly server: string; readonly resource: ListedResource }[] {
    return this.#servers.flatMap(({ name, listing }) =>
      listing.resources.map(resource => ({ server: name, resource })),
    );
  }

  /** A prompt that a person picked, filled in; the server's text: hostile. Throws CodedError. */
  async prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    const found = this.#servers.find(one => one.name === server);
    if (!found) throw new CodedError('not_found', `mcp ${server}: there is no such server`);
    const params = { name, arguments: args };
    return promptText(await found.ask({ method: 'prompts/get', params, signal, progress: () => undefined }));
  }

  /** Ends all of them, and what they started. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(server => server.close()));
    process.removeListener('exit', this.#killAll);
  }

  #toolsOf(server: McpServer): ServerTools {
    const known = this.#made.get(server);
    if (known?.listing === server.listing) return known.tools;
    const tools = serverTools(server, this.#prefixes.get(server.name)!);
    this.#made.set(server, { listing: server.listing, tools });
    return tools;
  }
}
