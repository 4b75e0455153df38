/**
 * MCP over the standard streams of a process that may do anything with them (MCP, transports: stdio). What it prints that is
 * no message costs it an allowance; when that is used up, it is ended. It is never waited for, and never buffered without end.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { formatSize } from '../../base/duration.ts';
import { systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { Allowance } from './allowance.ts';
import { ServerChild, type ChildOptions } from './child.ts';
import { LineReader } from './lines.ts';

/** Bytes of one message: a large picture as base64 fits, a memory does not. */
export const MESSAGE_MAX = 16 * 1024 * 1024;
/** Bytes that may come unasked at once, and each second: junk, notifications, requests of its own. */
const UNASKED_MAX = 16 * 1024 * 1024;
const UNASKED_PER_SECOND = 256 * 1024;
/** Bytes that a server has not read yet: one that reads nothing is not written to for ever. */
const UNREAD_MAX = 32 * 1024 * 1024;
/** Bytes of diagnostics that are logged at once, and each second. The rest is read and dropped. */
const STDERR_MAX = 64 * 1024;
const STDERR_PER_SECOND = 1024;
/** Characters of one line that is logged or told. */
const LINE_MAX = 500;
/** Lines on stdout that are no messages are logged up to this many times: the log tells that, not all of it. */
const JUNK_TOLD = 3;

export interface StdioOptions extends ChildOptions {
  /** Gets its diagnostics, a line at a time, made harmless. */
  say(line: string): void;
}

/** A transport over a process. Made for one connection. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #options: StdioOptions;
  readonly #reader = new LineReader(MESSAGE_MAX);
  readonly #unasked: Allowance;
  /** Ids of requests that wait for their answers. */
  readonly #waiting = new Set<string | number>();
  #child: ServerChild | undefined;
  #junk = 0;
  #reason = '';
  #lastWords = '';
  #isClosed = false;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#unasked = new Allowance(options.clock, UNASKED_MAX, UNASKED_PER_SECOND);
  }

  /** Why the connection ended; '' while it has not. */
  get reason(): string {
    if (this.#reason === '' || this.#lastWords === '') return this.#reason;
    return `${this.#reason}; it said last: ${this.#lastWords}`;
  }

  async start(): Promise<void> {
    const child = await ServerChild.start(this.#options).catch((error: NodeJS.ErrnoException) => {
      this.#reason = `${this.#options.command} cannot be started: ${systemReason(error)}`;
      throw new Error(this.#reason, { cause: error });
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#logStderr(child);
    child.onExit(how => this.#ended(how));
    // Closed while it was being started: nobody would end it any more.
    if (this.#isClosed) await child.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (!child || this.#reason !== '' || this.#isClosed) throw new Error(this.reason || 'it is not running');
    if ('method' in message && 'id' in message) this.#waiting.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#waiting.delete(message.params?.requestId as string | number);
    child.stdin.write(`${JSON.stringify(message)}\n`);
    if (child.stdin.writableLength > UNREAD_MAX) this.#end('it does not read what it is sent');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#reason === '') this.#reason = 'it was closed';
    await this.#child?.close();
    this.onclose?.();
  }

  /** Ends the process and everything it started, without waiting. */
  kill(): void {
    this.#child?.kill();
  }

  #read(chunk: Buffer): void {
    if (this.#reason !== '') return;
    const lines = this.#reader.push(chunk);
    if (!lines) return this.#end(`it sent a message of more than ${formatSize(MESSAGE_MAX)}`);
    for (const line of lines) {
      if (line.length === 0) continue;
      const message = messageOf(line);
      const isAnswer = message !== undefined && this.#isAnswer(message);
      if (!isAnswer && !this.#unasked.take(line.length + 1))
        return this.#end(`it sent more than ${formatSize(UNASKED_MAX)} that nobody asked for`);
      if (message) this.onmessage?.(message);
      else this.#tellJunk(line);
    }
  }

  #isAnswer(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    return this.#waiting.delete(message.id);
  }

  #tellJunk(line: Buffer): void {
    this.#junk++;
    if (this.#junk <= JUNK_TOLD) this.#options.say(`no message on its stdout: ${shown(line)}`);
  }

  #logStderr(child: ServerChild): void {
    const allowance = new Allowance(this.#options.clock, STDERR_MAX, STDERR_PER_SECOND);
    const reader = new LineReader(STDERR_MAX);
    let isLost = false;
    child.stderr.on('data', (chunk: Buffer) => {
      if (isLost || !allowance.take(chunk.length)) {
        if (!isLost) this.#options.say('it says so much that the rest is left out');
        isLost = true;
        return;
      }
      for (const line of reader.push(chunk) ?? []) {
        if (line.length === 0) continue;
        this.#lastWords = shown(line);
        this.#options.say(this.#lastWords);
      }
    });
  }

  /** What it does is no MCP: it and everything it started is killed, and the connection is over. */
  #end(reason: string): void {
    this.#reason = reason;
    this.#child?.kill();
    this.#child?.stdout.destroy();
    this.onerror?.(new Error(reason));
  }

  #ended(how: string): void {
    if (this.#reason === '') this.#reason = how;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** undefined where the line is no JSON-RPC message. */
function messageOf(line: Buffer): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function shown(line: Buffer): string {
  const text = line.subarray(0, LINE_MAX).toString('utf8');
  return visible(line.length > LINE_MAX ? `${text}…` : text).trim();
}
