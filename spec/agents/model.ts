/**
 * A model server that stands for the real ones, on loopback: what it answers is written in a spec, when it answers is
 * decided there, and what it was asked can be read.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatOf, type Format, type Json, type Said, type ToolCall } from './wire-formats.ts';

/** What an agent is answered to words that contain these. */
export const HOLD = 'hold on';
export const MAKE_FILE = 'make a file';

/** What the model says while it holds its answer back, and when it does not. */
export const THINKING = 'Let me think';
/** Behind it, since agents show whole lines alone. */
const PARAGRAPH = '\n\n';
export const ANSWER = 'That is all I have to say.';

/** A request of an agent for the next turn, and what became of it. Times in ms since the epoch. */
export interface Turn {
  readonly at: number;
  readonly said: readonly Said[];
  /** The newest words of the person. */
  readonly prompt: string;
  /** When the last of the answer was written; undefined while it is held back. */
  answeredAt: number | undefined;
}

/** More than any agent sends: a paste and all its tools. */
const BODY_MAX = 64 * 1024 * 1024;
/** What agents put into the person's mouth: not the person's words. */
const REMINDER = /<(system-reminder|environment_context|user_instructions)>[^]*?<\/\1>/g;

export class Model {
  readonly #server: Server;
  readonly #call: ToolCall;
  /** Turns asked for so far, the newest last. Titles and other asides are not among them. */
  readonly turns: Turn[] = [];
  readonly #held = new Set<() => void>();
  #count = 0;

  /** @param call the tool call that makes a file, in the words of the agent that is tried */
  constructor(call: ToolCall) {
    this.#call = call;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Listens; resolves with the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await new Promise(resolve => this.#server.once('listening', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** The turn that was asked for last. */
  get last(): Turn | undefined {
    return this.turns.at(-1);
  }

  /** Whether an answer is held back. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Ends the answers that are held back. */
  letGo(): void {
    for (const release of this.#held) release();
  }

  close(): void {
    this.letGo();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const format = formatOf(path);
    const body = parse(await bodyOf(request));
    if (!format || request.method !== 'POST') return notThere(path, response);
    if (body['stream'] !== true) return whole(response);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    // Without tools it is an aside: a title, a summary.
    if (format.tools(body).length === 0) return this.#speak(format, response, false).then(() => undefined);
    const said = format.said(body);
    const at = said.findLastIndex(({ role, text }) => role === 'user' && words(text) !== '');
    const prompt = words(said[at]?.text ?? '');
    const hasResult = said.slice(at + 1).some(({ role }) => role === 'tool');
    const turn: Turn = { at: Date.now(), said, prompt, answeredAt: undefined };
    this.turns.push(turn);
    if (prompt.includes(MAKE_FILE) && !hasResult) response.end(format.call(this.#id(), this.#call));
    else await this.#speak(format, response, prompt.includes(HOLD));
    turn.answeredAt = Date.now();
  }

  async #speak(format: Format, response: ServerResponse, holds: boolean): Promise<void> {
    const id = this.#id();
    response.write(format.begin(id));
    if (holds) {
      response.write(format.piece(id, THINKING + PARAGRAPH));
      await new Promise<void>(resolve => {
        const release = (): void => {
          this.#held.delete(release);
          resolve();
        };
        this.#held.add(release);
        response.once('close', release);
      });
    }
    response.write(format.piece(id, ANSWER));
    response.end(format.end(id, (holds ? THINKING + PARAGRAPH : '') + ANSWER));
  }

  #id(): string {
    return `mock${++this.#count}`;
  }
}

function words(text: string): string {
  return text.replace(REMINDER, '').trim();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > BODY_MAX) throw new Error('the request is too long');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // SyntaxError: a request without a body.
    return {};
  }
}

/** An answer in one piece: Anthropic's, for asides. */
function whole(response: ServerResponse): void {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: 'text', text: ANSWER }];
  const facts = { type: 'message', role: 'assistant', model: 'mock', stop_reason: 'end_turn' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'mock', ...facts, content, usage, input_tokens: 1 }));
}

function notThere(path: string, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'not_found_error', message: `nothing at ${path}` } }));
}
