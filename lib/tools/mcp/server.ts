/** One server of the settings: started when it is needed, started again where it broke, ended with mux. */
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/clock.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import { formatDuration } from '../../base/duration.ts';
import type { Logger } from '../../base/log.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { Allowance } from './allowance.ts';
import { serverEnvironment } from './child.ts';
import { headersOf, httpTransport } from './http.ts';
import { EMPTY_LISTING, type Listing } from './listing.ts';
import { Session, type Ask } from './session.ts';
import { StdioTransport } from './stdio.ts';
import { cutText } from '../text.ts';
import type { McpEntry, McpPort, McpState, McpStatus } from './types.ts';

/** A server that broke is started again after this, doubled each time it breaks without having answered, in ms. */
const RETRY_MS = 1000;
const RETRY_MAX_MS = 60_000;
/** Lists are asked for again at most this often, in ms, however often a server says that they changed. */
const RELIST_MS = 1000;
/** Bytes of diagnostics in the log at once, and each second. */
const LOG_MAX = 64 * 1024;
const LOG_PER_SECOND = 1024;
/** Characters of a reason. */
const REASON_MAX = 300;

export interface ServerOptions {
  readonly entry: McpEntry;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly port: McpPort | undefined;
  /** What it has, or how it is, is another now. */
  onChange(): void;
}

export class McpServer {
  readonly #options: ServerOptions;
  readonly #allowance: Allowance;
  #status: McpStatus = 'idle';
  #error = '';
  #listing = EMPTY_LISTING;
  #session: Session | undefined;
  #stdio: StdioTransport | undefined;
  #opening: Promise<Session> | undefined;
  #failures = 0;
  #retryAt = 0;
  #relisting: { dispose(): void } | undefined;
  #listedAt = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#allowance = new Allowance(options.clock, LOG_MAX, LOG_PER_SECOND);
  }

  get name(): string {
    return this.#options.entry.name;
  }
  get transport(): McpState['transport'] {
    return this.#options.entry.url === undefined ? 'stdio' : 'http';
  }
  get status(): McpStatus {
    return this.#status;
  }
  /** Why it is not there; '' where it is. */
  get error(): string {
    return this.#error;
  }
  /** What it said last that it has; kept while it is gone, so that a call can start it again. */
  get listing(): Listing {
    return this.#listing;
  }

  /** Starts it where it does not run. Rejects with CodedError; where it just failed, at once. */
  async ready(signal?: AbortSignal): Promise<void> {
    await this.#live(signal);
  }

  /** One request. Throws CodedError whatever goes wrong: with the server, on the way, or because the call was cancelled. */
  async ask(ask: Ask): Promise<Readonly<Record<string, unknown>>> {
    const session = await this.#live(ask.signal);
    try {
      const answer = await session.ask(ask);
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof CodedError && error.code === 'cancelled') throw error;
      const reason = this.#stdio?.reason ?? '';
      const coded = this.#failed(reason === '' ? error : new Error(reason));
      const isStuck = coded.code === 'timeout' || (this.#stdio === undefined && isLost(error));
      // One that hangs, or that no network reaches, is connected to anew by the next call; other calls are let end.
      if (isStuck && session === this.#session && session.isIdle) void this.#drop(coded.message);
      throw coded;
    }
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#status = 'closed';
    this.#relisting?.dispose();
    const opening = this.#opening?.catch(() => undefined);
    await Promise.all([this.#stdio?.close(), this.#session?.close()]);
    await opening;
  }

  /** Ends a local server's group at once, without waiting: the process is about to end. */
  kill(): void {
    this.#stdio?.kill();
  }

  async #live(signal: AbortSignal | undefined): Promise<Session> {
    if (this.#status === 'closed') throw new CodedError('failed', `mcp ${this.name}: it was closed`);
    if (this.#session) return this.#session;
    const wait = this.#retryAt - this.#options.clock.now();
    if (!this.#opening && wait > 0)
      throw new CodedError(
        'failed',
        `mcp ${this.name}: ${this.#error}`,
        `it is started again in ${formatDuration(Math.ceil(wait / 1000) * 1000)} at the earliest`,
      );
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return signal ? unlessAborted(this.#opening, signal, this.name) : this.#opening;
  }

  async #open(): Promise<Session> {
    this.#status = 'starting';
    this.#error = '';
    const session = new Session({
      name: this.name,
      version: this.#options.version,
      clock: this.#options.clock,
      patience: this.#options.entry.timeout,
      port: this.#options.port,
      say: line => this.#say(line),
      onListChanged: () => this.#relistSoon(),
      onClose: () => this.#lost(session),
    });
    try {
      const listing = await session.open(this.#transport());
      if (this.#isClosed()) throw new Error('it was closed');
      this.#session = session;
      this.#status = 'ready';
      this.#setListing(listing);
      return session;
    } catch (error) {
      // Told by the process: why, and what it said; by the protocol: that the connection closed.
      const reason = this.#stdio?.reason || error;
      const failure = this.#failed(reason === error ? error : new Error(String(reason)));
      if (!this.#isClosed()) this.#broke(failure.message.replace(`mcp ${this.name}: `, ''));
      void session.close();
      void this.#stdio?.close();
      throw failure;
    }
  }

  #transport(): StdioTransport | ReturnType<typeof httpTransport> {
    const { entry, env, cwd, clock } = this.#options;
    if (entry.url !== undefined)
      return httpTransport({
        url: entry.url,
        headers: headersOf(entry.name, entry.headers_env ?? {}, env),
        clock,
      });
    this.#stdio = new StdioTransport({
      command: entry.command ?? '',
      args: entry.args ?? [],
      env: serverEnvironment(env, entry.env_vars ?? [], entry.env ?? {}),
      cwd,
      clock,
      say: line => this.#say(line),
    });
    return this.#stdio;
  }

  #lost(session: Session): void {
    if (this.#session !== session || this.#status === 'closed') return;
    this.#session = undefined;
    this.#broke(this.#stdio?.reason || 'the connection ended');
  }

  async #drop(reason: string): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#broke(reason.replace(`mcp ${this.name}: `, ''));
    await Promise.all([session?.close(), this.#stdio?.close()]);
  }

  #broke(reason: string): void {
    this.#relisting?.dispose();
    this.#relisting = undefined;
    this.#status = 'failed';
    this.#error = cutText(reason, REASON_MAX);
    // A server that worked is there again with the next call; one that never does is not tried with every call.
    if (this.#failures > 0)
      this.#retryAt =
        this.#options.clock.now() + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (this.#failures - 1));
    this.#failures = Math.min(this.#failures + 1, 16);
    this.#options.log.log('warn', `mcp ${this.name}: ${this.#error}`);
    this.#options.onChange();
  }

  #failed(error: unknown): CodedError {
    if (error instanceof CodedError) {
      const isTold = error.message.startsWith('mcp ');
      return isTold ? error : new CodedError(error.code, `mcp ${this.name}: ${error.message}`, error.hint);
    }
    const { cause } = toCoded(error);
    const own = (error as Error).message ?? String(error);
    // Fetch says only that it failed; why, its cause tells.
    const network = (cause as Error | undefined)?.cause ?? (error as Error).cause;
    const text =
      own === 'fetch failed' && network !== undefined
        ? `it cannot be reached: ${networkReason(network)}`
        : own;
    return new CodedError('failed', `mcp ${this.name}: ${cutText(visible(text), REASON_MAX)}`);
  }

  #isClosed(): boolean {
    return this.#status === 'closed';
  }

  #relistSoon(): void {
    const session = this.#session;
    if (!session || this.#relisting) return;
    const wait = Math.max(0, this.#listedAt + RELIST_MS - this.#options.clock.now());
    this.#relisting = this.#options.clock.after(wait, () => void this.#relist(session));
  }

  async #relist(session: Session): Promise<void> {
    this.#listedAt = this.#options.clock.now();
    try {
      const listing = await session.list(AbortSignal.timeout(RETRY_MAX_MS));
      if (session === this.#session) this.#setListing(listing);
    } catch (error) {
      this.#say(`its lists could not be read again: ${visible((error as Error).message)}`);
    } finally {
      this.#relisting = undefined;
    }
  }

  #setListing(listing: Listing): void {
    this.#listing = listing;
    this.#listedAt = this.#options.clock.now();
    for (const problem of listing.problems) this.#say(problem);
    this.#options.onChange();
  }

  #say(line: string): void {
    const text = cutText(line, REASON_MAX * 2);
    if (this.#allowance.take(text.length)) this.#options.log.log('info', `mcp ${this.name}: ${text}`);
  }
}

/** Statuses by which a remote server says that it does not know the session any more (MCP, transports: session management). */
const SESSION_ENDED = [400, 401, 404];

/** Whether the way to a remote server is of no use any more; what the server itself said is only about the call. */
function isLost(error: unknown): boolean {
  if (error instanceof McpError) return error.code === Number(ErrorCode.ConnectionClosed);
  return !(error instanceof StreamableHTTPError) || SESSION_ENDED.includes(error.code ?? 0);
}

function networkReason(cause: unknown): string {
  const own = { ECONNREFUSED: 'nobody listens there', ENOTFOUND: 'there is no such host' };
  return systemReason(cause, own).replace(/^Error: /, '');
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  const cancelled = (): CodedError => new CodedError('cancelled', `mcp ${name}: cancelled`);
  if (signal.aborted) throw cancelled();
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(cancelled());
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
