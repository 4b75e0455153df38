/** Tool sets of gRPC hosts as sources of tools. A host is dialled when a set of it is wanted; one that is gone costs its own. */
import { createHash } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import type { Tool } from '../../agent/tool.ts';
import type { Contract } from '../../ai/contract.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { describedServices, type Services } from '../describe/from-descriptors.ts';
import { EngineConnection, EngineFailure, type EngineAddress } from './connection.ts';
import { FileReader, TypeTable } from './descriptors.ts';
import { discoverTool } from './discovery.ts';
import { methodTool } from './method-tool.ts';
import { Reflection } from './reflection.ts';
import { AI_ENGINE, checkedToolSet, remoteToolSet } from './remote-set.ts';
import type { ServiceRequest } from './request.ts';
import { makeToolSet, type MadeSet } from './tool-set.ts';
import type { ToolSource } from '../registry.ts';

/** A tool set that is wanted. */
export interface WantedSet {
  /** Told to people: `//library`. */
  readonly selector: string;
  /** A name in grpc_clients. */
  readonly engine: string;
  readonly requests: readonly ServiceRequest[];
}

/** How a wanted set stands. */
export interface EngineState {
  readonly selector: string;
  readonly engine: string;
  /** `gone`: it was there, and the last call did not reach it. */
  readonly status: 'idle' | 'loading' | 'ready' | 'gone' | 'failed';
  readonly tools: readonly string[];
  readonly error: string;
  readonly problems: readonly string[];
}

export interface EnginesOptions {
  /** Where a host is, with its secrets. Rejects with CodedError for a name that the settings do not have. */
  address(engine: string): Promise<EngineAddress>;
  readonly contract: () => Contract;
  readonly log: Logger;
}

interface Entry {
  readonly wanted: WantedSet;
  status: EngineState['status'];
  tools: readonly Tool[];
  error: string;
  problems: readonly string[];
  /** Names of its sets, once they are made. */
  setNames: readonly string[];
  /** While it is being loaded. */
  loading: Promise<void> | undefined;
}

/** A host with what it said of itself. */
interface Dialled {
  readonly connection: EngineConnection;
  readonly reflection: Reflection;
  readonly name: string;
}

const NONE: readonly Tool[] = [];
const BLANK = {
  status: 'idle',
  tools: NONE,
  error: '',
  problems: [],
  setNames: [],
  loading: undefined,
} as const;

export class Engines {
  readonly #options: EnginesOptions;
  readonly #files = new FileReader();
  readonly #hosts = new Map<string, Promise<Dialled>>();
  /** What was asked of a host, by its content: another question is never answered by what an earlier one got. */
  readonly #described = new Map<
    string,
    Promise<{ readonly services: Services; readonly types: TypeTable; readonly isEngine: boolean }>
  >();
  #entries: readonly Entry[] = [];

  constructor(options: EnginesOptions) {
    this.#options = options;
  }

  /**
   * Says which sets are wanted from now on, in their order. Those whose content did not change keep their tools; the others
   * have none until `load`.
   */
  want(sets: readonly WantedSet[]): void {
    const known = new Map(this.#entries.map(entry => [contentOf(entry.wanted), entry]));
    this.#entries = sets.map(wanted => known.get(contentOf(wanted)) ?? { ...BLANK, wanted });
  }

  /** Loads those that are not there: dials, asks, makes tools. What fails is in the states. Rejects with `cancelled` alone. */
  async load(signal: AbortSignal): Promise<void> {
    for (const entry of this.#entries)
      if (entry.status === 'idle' || entry.status === 'failed') {
        entry.status = 'loading';
        entry.loading = this.#load(entry, signal).finally(() => (entry.loading = undefined));
      }
    await Promise.all(this.#entries.map(({ loading }) => loading));
    signal.throwIfAborted();
  }

  sources(): readonly ToolSource[] {
    return this.#entries.map(entry => ({
      name: `tool set ${entry.wanted.selector}`,
      list: () => entry.tools,
    }));
  }

  states(): readonly EngineState[] {
    return this.#entries.map(({ wanted, status, tools, error, problems }) => ({
      selector: wanted.selector,
      engine: wanted.engine,
      status,
      tools: tools.map(({ wire }) => wire.name ?? ''),
      error,
      problems,
    }));
  }

  /** Ends the connections; calls that run are cancelled. */
  close(): void {
    for (const host of this.#hosts.values())
      void host.then(
        ({ connection }) => connection.close(),
        () => undefined,
      );
    this.#hosts.clear();
    this.#described.clear();
  }

  async #load(entry: Entry, signal: AbortSignal): Promise<void> {
    const { wanted } = entry;
    try {
      const host = await this.#host(wanted.engine);
      const names = [...new Set(wanted.requests.map(one => one.service_full_name))];
      const made = await this.#make(entry, host, names, signal);
      Object.assign(entry, { ...made, status: 'ready', error: '' });
    } catch (error) {
      const { message, hint } = toCoded(error);
      Object.assign(entry, {
        status: signal.aborted ? 'idle' : 'failed',
        tools: NONE,
        error: hint ? `${message} (${hint})` : message,
      });
      if (!signal.aborted) this.#options.log.log('warn', `tool set ${wanted.selector}: ${message}`);
    }
  }

  async #make(
    entry: Entry,
    host: Dialled,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Pick<Entry, 'tools' | 'problems' | 'setNames'>> {
    const { wanted } = entry;
    const { services, types, isEngine } = await this.#describe(host, names, signal);
    const tools: Tool[] = [];
    const problems: string[] = [];
    const setNames: string[] = [];
    for (const request of wanted.requests) {
      const methods = services.get(request.service_full_name);
      if (!methods)
        throw new CodedError('not_found', `${host.name}: it has no service ${request.service_full_name}`);
      const [setName, prefix] = this.#names(entry, request);
      setNames.push(setName);
      const made = isEngine
        ? await this.#remote(host, request, methods, setName, prefix, signal, problems)
        : makeToolSet(request, methods, setName, prefix);
      problems.push(...made.problems);
      const context = {
        name: host.name,
        connection: host.connection,
        types,
        onCall: (error: CodedError | undefined) => this.#mark(entry, error),
      };
      const discovery = discoverTool(made.set);
      tools.push(
        ...(discovery ? [discovery] : []),
        ...(made.set.tools ?? []).map(wire => methodTool(context, wire, made.methods.get(wire.name ?? '')!)),
      );
    }
    return { tools, problems, setNames };
  }

  /** The host's own engine where it has one; where that fails, tools are made here, which needs nothing of it. */
  async #remote(
    host: Dialled,
    request: ServiceRequest,
    methods: NonNullable<ReturnType<Services['get']>>,
    setName: string,
    prefix: string,
    signal: AbortSignal,
    problems: string[],
  ): Promise<MadeSet> {
    try {
      const given = await remoteToolSet(host.connection, this.#options.contract(), request, signal);
      return checkedToolSet(given, request, methods, setName, prefix);
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`its AiEngine failed, tools are made here: ${toCoded(error).message}`);
      return makeToolSet(request, methods, setName, prefix);
    }
  }

  /** Names that no other set has: two engines may serve a service of one name, and a set may show one twice. */
  #names(entry: Entry, request: ServiceRequest): readonly [setName: string, prefix: string] {
    const service = request.service_full_name;
    const short = shortName(service);
    const all = this.#entries.flatMap(({ wanted }) => wanted.requests.map(one => ({ wanted, one })));
    const alike = all.filter(({ one }) => shortName(one.service_full_name) === short);
    if (alike.length === 1) return [service, `${short}_`];
    const at = alike.findIndex(({ wanted, one }) => wanted === entry.wanted && one === request);
    // One that was loaded before keeps its name, wherever it stands now.
    const isTaken = this.#entries.some(other => other !== entry && other.setNames.includes(service));
    if (at <= 0 && !isTaken) return [service, `${short}_`];
    // Told from content, so that a chat that is opened again finds the set that it knew.
    const mark = digest(JSON.stringify([entry.wanted.engine, request]));
    return [`${service}@${entry.wanted.engine}.${mark}`, `${short.slice(0, 24)}_${mark}_`];
  }

  #host(engine: string): Promise<Dialled> {
    const known = this.#hosts.get(engine);
    if (known) return known;
    const dialled = this.#options.address(engine).then(address => {
      const connection = new EngineConnection(address);
      return { connection, reflection: new Reflection(connection, address.name), name: address.name };
    });
    this.#hosts.set(engine, dialled);
    // A key that was missing may be there the next time.
    dialled.catch(() => this.#hosts.delete(engine));
    return dialled;
  }

  #describe(
    host: Dialled,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly services: Services; readonly types: TypeTable; readonly isEngine: boolean }> {
    const key = JSON.stringify([host.name, names]);
    const known = this.#described.get(key);
    if (known) return known;
    const asked = this.#ask(host, names, signal);
    this.#described.set(key, asked);
    asked.catch(() => this.#described.delete(key));
    return asked;
  }

  async #ask(
    { reflection }: Dialled,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly services: Services; readonly types: TypeTable; readonly isEngine: boolean }> {
    const served = await reflection.services(signal);
    const files = [...(await reflection.files(names, signal)).values()];
    return {
      services: describedServices(files),
      types: new TypeTable(files.map(bytes => this.#files.read(bytes))),
      isEngine: served.includes(AI_ENGINE),
    };
  }

  /** Forgets what hosts said of themselves: the next load asks again. Tools that are there stay until then. */
  refresh(): void {
    this.#described.clear();
    for (const entry of this.#entries) entry.status = 'idle';
  }

  #mark(entry: Entry, error: CodedError | undefined): void {
    if (error?.code === 'cancelled') return;
    const isGone = error instanceof EngineFailure && error.isGone;
    entry.status = isGone ? 'gone' : 'ready';
    entry.error = isGone ? error.message : '';
    // A host that does not know a method which it told of has become another one.
    if (error instanceof EngineFailure && error.status === status.UNIMPLEMENTED) this.refresh();
  }
}

/** Characters of a service's name in the names of its tools: half of what a name may have. */
const SHORT_MAX = 32;

/** The last part of a service's name, as it may stand in the name of a tool. */
function shortName(service: string): string {
  const short = (service.split('.').at(-1) ?? '').replace(/[^A-Za-z0-9_-]/g, '_') || 'Service';
  if (short.length <= SHORT_MAX) return short;
  return `${short.slice(0, SHORT_MAX - 7)}_${digest(service)}`;
}

/** Six hexadecimal digits: enough to tell sets of one conversation apart. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

/** The whole of a wanted set: what it is known by. */
function contentOf(wanted: WantedSet): string {
  return JSON.stringify(wanted);
}
