/** One connection to a server from its handshake to its end. A new one is made where the old one broke. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { formatDuration } from '../../base/duration.ts';
import { visible } from '../../base/visible.ts';
import { listAll, type Listing } from './listing.ts';
import { isDeeper } from '../shown-arguments.ts';
import { cutText } from '../text.ts';
import { ELICITATION_TEXT_MAX, type Elicitation, type McpPort } from './types.ts';

/** A server has this long to start and to say what it has, in ms: one that npm fetches first takes many seconds. */
export const START_MS = 30_000;
/** No call goes on for longer, whatever progress it tells, in ms. */
const CALL_MS = 30 * 60_000;
/** A question that nobody answers in this time is cancelled, in ms. */
const QUESTION_MS = 10 * 60_000;
/** Characters and levels of the form that a question has: its properties are no objects themselves. */
const FORM_MAX = 16 * 1024;
const FORM_DEPTH_MAX = 6;
/** Progress is handed on at most this often, in ms: people read no faster. */
const PROGRESS_MS = 100;
/** Characters of one message of progress or of the log. */
const LINE_MAX = 500;

export interface SessionOptions {
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  /** A call that tells no progress for this long has met a server that hangs, in ms; 0: only its whole time counts. */
  readonly patience: number;
  readonly port: McpPort | undefined;
  /** Diagnostics of the server, one line, made harmless. */
  say(line: string): void;
  /** One of its lists is another one now. */
  onListChanged(): void;
  onClose(): void;
}

export interface Ask {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** What runs of a call. */
interface Running {
  /** Stops while a person is asked: the server cannot go on before that. */
  pause(): void;
  resume(): void;
  readonly signal: AbortSignal;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #client: Client;
  readonly #running = new Set<Running>();
  #isAsking = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    // The validator would compile what servers write as schemas; answers are read field by field, so none is needed.
    const jsonSchemaValidator = {
      getValidator: () => (input: unknown) => ({
        valid: true as const,
        data: input as never,
        errorMessage: undefined,
      }),
    };
    this.#client = new Client(
      { name: 'mux', version: options.version },
      { capabilities: options.port ? { elicitation: { form: {} } } : {}, jsonSchemaValidator },
    );
    this.#listen();
  }

  /** Shakes hands, and asks what the server has. Rejects with what went wrong, without the connection's own reason. */
  async open(transport: Transport): Promise<Listing> {
    const late = new AbortController();
    const timer = this.#options.clock.after(START_MS, () =>
      late.abort(new Error(`it did not start within ${formatDuration(START_MS)}`)),
    );
    const gaveUp = new Promise<never>((_, reject) =>
      late.signal.addEventListener('abort', () => reject(late.signal.reason as Error), { once: true }),
    );
    try {
      return await Promise.race([this.#shakeHands(transport, late.signal), gaveUp]);
    } finally {
      timer.dispose();
    }
  }

  async #shakeHands(transport: Transport, signal: AbortSignal): Promise<Listing> {
    await this.#client.connect(transport, { signal, timeout: START_MS });
    return this.list(signal);
  }

  /** What it has now. */
  list(signal: AbortSignal): Promise<Listing> {
    return listAll(this.#client, { signal, timeout: START_MS });
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** One request of a call. Throws CodedError `timeout` and `cancelled`, and what the server or the connection says. */
  async ask({ method, params, signal, progress }: Ask): Promise<Readonly<Record<string, unknown>>> {
    const patience = new Patience(this.#options.clock, this.#options.patience || CALL_MS);
    const running = { pause: () => patience.pause(), resume: () => patience.start(), signal };
    const tell = paced(this.#options.clock, progress);
    this.#running.add(running);
    patience.start();
    try {
      return (await this.#client.request({ method, params } as never, ResultSchema, {
        signal: AbortSignal.any([signal, patience.signal]),
        timeout: CALL_MS,
        onprogress: ({ progress: done, total, message }) => {
          if (!this.#isAsking) patience.start();
          tell(progressText(done, total, message));
        },
      })) as Readonly<Record<string, unknown>>;
    } catch (error) {
      if (signal.aborted) throw new CodedError('cancelled', `mcp ${this.#options.name}: cancelled`);
      if (patience.signal.aborted) throw patience.signal.reason;
      throw error;
    } finally {
      patience.pause();
      this.#running.delete(running);
    }
  }

  /** Ends the connection, and a local server with everything it started. */
  async close(): Promise<void> {
    await this.#client.close().catch(() => undefined);
  }

  #listen(): void {
    const { onListChanged, onClose, say, port } = this.#options;
    const client = this.#client;
    client.onclose = onClose;
    client.onerror = error => say(`protocol: ${cutText(visible(error.message), LINE_MAX)}`);
    client.setNotificationHandler(ToolListChangedNotificationSchema, onListChanged);
    client.setNotificationHandler(ResourceListChangedNotificationSchema, onListChanged);
    client.setNotificationHandler(PromptListChangedNotificationSchema, onListChanged);
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : (JSON.stringify(params.data) ?? '');
      say(`${params.level}: ${visible(cutText(text, LINE_MAX))}`);
    });
    if (port)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
        const schema = 'requestedSchema' in params ? params.requestedSchema : undefined;
        return this.#question(port, params.message, (schema ?? {}) as Elicitation['schema'], signal);
      });
  }

  /** Only what runs may ask, and only one thing at a time: a server cannot cover the screen with questions. */
  async #question(
    port: McpPort,
    message: string,
    schema: Elicitation['schema'],
    signal: AbortSignal,
  ): Promise<{
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, string | number | boolean | string[]>;
  }> {
    const calls = [...this.#running];
    const isForm = !isDeeper(schema, FORM_DEPTH_MAX) && JSON.stringify(schema).length <= FORM_MAX;
    if (calls.length === 0 || this.#isAsking || message.length > ELICITATION_TEXT_MAX || !isForm)
      return { action: 'cancel' };
    this.#isAsking = true;
    for (const call of calls) call.pause();
    const late = new AbortController();
    const timer = this.#options.clock.after(QUESTION_MS, () => late.abort());
    // It is over when no call that may have asked goes on.
    const over = AbortSignal.any([signal, late.signal, ...(calls.length === 1 ? [calls[0]!.signal] : [])]);
    try {
      const answer = await untilAborted(
        port.elicit({ server: this.#options.name, message, schema }, over),
        over,
      );
      return answer.action === 'accept'
        ? { action: 'accept', content: { ...answer.content } }
        : { action: answer.action };
    } catch {
      return { action: 'cancel' };
    } finally {
      timer.dispose();
      this.#isAsking = false;
      for (const call of calls) if (this.#running.has(call as Running)) call.resume();
    }
  }
}

/** A time that begins anew with every sign of life. */
class Patience {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #over = new AbortController();
  #timer: { dispose(): void } | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  start(): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(this.#ms, () =>
      this.#over.abort(new CodedError('timeout', `it gave no sign of life for ${formatDuration(this.#ms)}`)),
    );
  }

  pause(): void {
    this.#timer?.dispose();
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new Error('aborted');
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    work.then(resolve, reject);
  });
}

/** Hands on the first text of every `PROGRESS_MS`. */
function paced(clock: Clock, tell: (text: string) => void): (text: string) => void {
  let next = Number.NEGATIVE_INFINITY;
  return text => {
    const now = clock.now();
    if (now < next) return;
    next = now + PROGRESS_MS;
    tell(text);
  };
}

function progressText(done: number, total: number | undefined, message: string | undefined): string {
  const count = total === undefined ? `${done}` : `${done} of ${total}`;
  return message ? `${count}: ${cutText(message, LINE_MAX)}` : count;
}
