/**
 * A `fetch` that lets only answers through: what stands between often answers for a provider, with a page; and no answer is
 * without an end.
 */
import { ProviderFailure } from '../failure.ts';
import type { Line } from './watch.ts';

/** The longest answers with pictures are a tenth of this; what goes on is a server that does not stop, in bytes. */
const BODY_MAX = 64 * 1024 * 1024;
/** Vendors' libraries hold a line until it ends, in bytes. */
const LINE_MAX = 16 * 1024 * 1024;
/** Single bytes would take a hundred times their size if each were kept as it came. */
const PIECES_MAX = 4096;
/** Either ends a line of server-sent events. */
const LF = 10;
const CR = 13;

export interface AnswerFetchOptions {
  readonly line: Line;
  /** Makes a stream's text of an answer that came in one piece of JSON, from a server that does not stream. */
  readonly streamed?: (whole: string) => string;
  /** Sees each piece of the answer's text. */
  readonly seen?: (piece: Uint8Array) => void;
}

/** Throws ProviderFailure `not_an_answer` for pages. */
export function answerFetch(provider: string, { line, streamed, seen }: AnswerFetchOptions): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    line.alive();
    const { status, statusText, headers } = response;
    const type = headers.get('content-type') ?? '';
    if (/text\/html/i.test(type)) {
      await response.body?.cancel();
      if (response.ok) throw page(provider);
      // The status tells; nobody wants to read the page.
      const message = `${status} ${statusText}`.trim();
      return new Response(JSON.stringify({ error: { message: `${message}, as a web page` } }), {
        status,
        headers,
      });
    }
    if (!response.ok || !response.body) return response;
    const pieces = bounded(provider, response.body, line, seen);
    const first = await pieces.next();
    const start = first.done ? '' : Buffer.from(first.value).toString('latin1').trimStart();
    if (start.startsWith('<')) {
      await pieces.return();
      throw page(provider);
    }
    if (streamed && start.startsWith('{'))
      return new Response(streamed(await textOf(first, pieces)), {
        headers: { 'content-type': 'text/event-stream' },
      });
    return new Response(backTogether(first, pieces), { status, statusText, headers });
  };
}

function page(provider: string): ProviderFailure {
  return new ProviderFailure(
    'not_an_answer',
    `${provider}: a web page came instead of an answer`,
    'is its base_url right, and is nothing in between?',
  );
}

type Pieces = AsyncGenerator<Uint8Array, void, void>;
type First = IteratorResult<Uint8Array, void>;

async function* bounded(
  provider: string,
  body: ReadableStream<Uint8Array>,
  line: Line,
  seen: AnswerFetchOptions['seen'],
): Pieces {
  let all = 0;
  // What has come of a line. Libraries look through all of it again with each piece that they get.
  let held: Uint8Array[] = [];
  let heldSize = 0;
  for await (const piece of body) {
    line.alive();
    seen?.(piece);
    all += piece.length;
    heldSize += piece.length;
    held.push(piece);
    if (all > BODY_MAX || heldSize > LINE_MAX)
      throw new ProviderFailure('not_an_answer', `${provider}: the answer does not end`);
    if (!piece.includes(LF) && !piece.includes(CR)) {
      if (held.length > PIECES_MAX) held = [Buffer.concat(held)];
      continue;
    }
    yield held.length === 1 ? piece : Buffer.concat(held);
    held = [];
    heldSize = 0;
  }
  if (heldSize > 0) yield Buffer.concat(held);
}

async function textOf(first: First, pieces: Pieces): Promise<string> {
  const all = first.done ? [] : [first.value];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

function backTogether(first: First, pieces: Pieces): ReadableStream<Uint8Array> {
  let held: First | undefined = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: First = held ?? (await pieces.next());
      held = undefined;
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}
