/**
 * `fetch_url`: a page of the web as text. Only where a person has turned it on, and never from an address that is not everybody's.
 */
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import type { ToolMethods } from '../contract.ts';
import { code } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';
import { isPublic } from './addresses.ts';
import { htmlText } from './html-text.ts';

/** Bytes of a page that are read: most of them are no text. */
const PAGE_MAX = 2 * 1024 * 1024;
/** For all of it, redirects too, ms. */
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 5;
const URL_MAX = 2000;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|javascript|yaml|x-yaml|toml))/;

/** Where connections may go. */
export interface FetchOptions {
  /** Absent: public ones. */
  readonly mayConnect?: (address: string) => boolean;
}

/** What came. */
interface Page {
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** `fetch_url`. */
export function fetchTool(methods: ToolMethods, { mayConnect = isPublic }: FetchOptions = {}): Tool {
  return protoTool<{ readonly url: string }>(methods, 'FetchUrl', {
    preview: async ({ url }) => {
      const { href, host } = urlOf(url);
      return {
        subject: { kind: 'words', words: [href], tier: 'read' },
        header: `fetched ${code(href)}`,
        body: `From ${code(host)}`,
      };
    },
    async run({ url }, _, { signal }) {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const page = await followed(urlOf(url), mayConnect, bounded);
      const text = pageText(page);
      return told(
        `${visible(page.url.href)} (status ${page.status}${page.isCut ? ', cut' : ''})\n\n${text}`,
        {
          isError: page.status >= 400,
        },
      );
    },
  });
}

/** Throws CodedError `usage` for what is no address of a page. */
function urlOf(text: string): URL {
  const wrong = (why: string): CodedError => new CodedError('usage', `fetch_url: argument url: ${why}`);
  if (text.length > URL_MAX || !URL.canParse(text)) throw wrong('it is no address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('it begins with neither http:// nor https://');
  if (url.username || url.password) throw wrong('it has a name or a password in it');
  return url;
}

async function followed(
  start: URL,
  mayConnect: (address: string) => boolean,
  signal: AbortSignal,
): Promise<Page> {
  let url = start;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await get(url, await addressOf(url, mayConnect), signal);
    const { statusCode: status = 0, headers } = answer;
    if (status < 300 || status >= 400 || !headers.location)
      return { ...(await bodyOf(answer, url)), url, status, type: headers['content-type'] ?? '' };
    answer.destroy();
    if (!URL.canParse(headers.location, url)) throw failure(url, 'it leads to what is no address');
    url = urlOf(new URL(headers.location, url).href);
  }
  throw failure(start, `it leads on more than ${REDIRECTS_MAX} times`);
}

/** Looked up once, and that very address is connected to: a name may have another one at the next look. */
async function addressOf(url: URL, mayConnect: (address: string) => boolean): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host }]
    : await lookup(host, { all: true }).catch((error: unknown) => {
        throw failure(
          url,
          systemReason(error, {
            ENOTFOUND: 'there is no such host',
            EAI_AGAIN: 'names cannot be looked up now',
          }),
        );
      });
  const closed = found.find(({ address }) => !mayConnect(address));
  if (closed || !found[0])
    throw new CodedError(
      'refused',
      `fetch_url: ${visible(url.host)}: ${closed?.address ?? 'nothing'} is not an address of the public web`,
    );
  return found[0].address;
}

function get(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        // A name behind the address stays what the server is asked for and must prove to be.
        host: address,
        ...(isIP(url.hostname.replace(/^\[|\]$/g, '')) ? {} : { servername: url.hostname }),
        port: url.port || undefined,
        path: url.pathname + url.search,
        headers: {
          host: url.host,
          'user-agent': 'mux',
          accept: 'text/html, text/*, application/json',
          'accept-encoding': 'identity',
        },
        agent: false,
        signal,
      },
      resolve,
    );
    sent.on('error', error => reject(requestFailure(url, error, signal)));
    sent.end();
  });
}

async function bodyOf(
  answer: IncomingMessage,
  url: URL,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > PAGE_MAX) break;
    }
  } catch (error) {
    throw failure(
      url,
      error instanceof Error && error.name === 'AbortError' ? 'it took too long' : systemReason(error),
    );
  }
  return { body: Buffer.concat(pieces).subarray(0, PAGE_MAX), isCut: length > PAGE_MAX };
}

function pageText({ type, body, url }: Page): string {
  if (!TEXT.test(type) || body.subarray(0, 1000).includes(0))
    throw failure(url, `it is no text, but ${visible(type) || 'unknown'}`);
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  const text = decoderFor(charset).decode(body);
  return /html/i.test(type) ? htmlText(text) : text;
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // RangeError: no encoding of that name.
    return new TextDecoder();
  }
}

function requestFailure(url: URL, error: Error, signal: AbortSignal): CodedError {
  return failure(
    url,
    signal.aborted
      ? 'it took too long, or was cancelled'
      : systemReason(error, { ECONNREFUSED: 'nobody answers there' }),
  );
}

function failure(url: URL, why: string): CodedError {
  return new CodedError('failed', `fetch_url: ${visible(url.host)}: ${why}`);
}
