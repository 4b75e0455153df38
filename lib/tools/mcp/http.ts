/** MCP over streamable HTTP (MCP, transports), with bounds that the transport itself does not have. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { formatSize } from '../../base/duration.ts';
import { Allowance } from './allowance.ts';
import { MESSAGE_MAX } from './stdio.ts';

/** Bytes of streams that may come at once, and each second: two of the longest answers, and then what people could read. */
const STREAM_MAX = 2 * MESSAGE_MAX;
const STREAM_PER_SECOND = 1024 * 1024;
/** A stream that broke is opened again this often; then the next call connects anew. */
const RETRIES = 2;
const RETRY = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: RETRIES,
};
const NEWLINE = 0x0a;

export interface HttpOptions {
  readonly url: string;
  /** Sent with every request; values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For specs of servers that no network reaches; else that of Node. */
  readonly fetch?: FetchLike;
}

/** A transport to a remote server. Throws CodedError `invalid_config` for an address that is none. */
export function httpTransport({
  url: text,
  headers,
  clock,
  fetch: own = fetch,
}: HttpOptions): StreamableHTTPClientTransport {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new CodedError('invalid_config', `${text}: it is no address of a server`, 'say https://HOST/PATH');
  const allowance = new Allowance(clock, STREAM_MAX, STREAM_PER_SECOND);
  return new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch(own, allowance),
    reconnectionOptions: RETRY,
  });
}

/** Headers of a server's entry: name → variable. Throws CodedError `invalid_config` for a variable that is not set. */
export function headersOf(
  name: string,
  variables: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers = Object.entries(variables).map(([header, variable]) => {
    const value = env[variable]?.trim();
    if (!value)
      throw new CodedError('invalid_config', `mcp ${name}: ${variable} is not set`, `set ${variable}`);
    // Fetch would tell the value in its complaint.
    if (!/^[\x20-\x7e]+$/.test(value))
      throw new CodedError('invalid_config', `mcp ${name}: what stands in ${variable} is no header`);
    return [header, value] as const;
  });
  return Object.fromEntries(headers);
}

function boundedFetch(own: FetchLike, allowance: Allowance): FetchLike {
  return async (url, init) => {
    const answer = await own(url, init);
    if (!answer.body) return answer;
    const isStream = answer.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = answer.body.pipeThrough(isStream ? boundedStream(allowance) : boundedWhole());
    const { status, statusText, headers } = answer;
    return new Response(body, { status, statusText, headers });
  };
}

function tooLong(): Error {
  return new Error(`it sent a message of more than ${formatSize(MESSAGE_MAX)}`);
}

/** A body that is one message. */
function boundedWhole(): TransformStream<Uint8Array, Uint8Array> {
  let left = MESSAGE_MAX;
  return new TransformStream({
    transform: (chunk, controller) => {
      left -= chunk.length;
      if (left < 0) return controller.error(tooLong());
      controller.enqueue(chunk);
    },
  });
}

/** A body of events: each is bounded, and so is what comes over time. */
function boundedStream(allowance: Allowance): TransformStream<Uint8Array, Uint8Array> {
  let line = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      const end = chunk.lastIndexOf(NEWLINE);
      line = end < 0 ? line + chunk.length : chunk.length - end - 1;
      if (line > MESSAGE_MAX) return controller.error(tooLong());
      if (!allowance.take(chunk.length))
        return controller.error(new Error(`it sends more than ${formatSize(STREAM_PER_SECOND)} in a second`));
      controller.enqueue(chunk);
    },
  });
}
