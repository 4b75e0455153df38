/**
 * `mux msg …`: texts are read here, since the server may see other files than its caller; what is read comes piece by piece
 * and goes on in the next server where one is lost.
 */
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDuration } from '../base/duration.ts';
import { CodedError } from '../base/errors.ts';
import { systemCode, systemReason } from '../base/system-reasons.ts';
import { runAgain, writeOut } from './again.ts';
import type { AppContext } from './context.ts';

/** Verbs that write a text. */
const WRITING: ReadonlySet<string> = new Set(['send', 'pub']);
/** Verbs that hand out messages. */
const READING: ReadonlySet<string> = new Set(['inbox', 'sub', 'conversation']);
/** Bytes that are read of a text; more is refused with its size, which nobody has to know to the end. */
const INPUT_MAX = 64 * 1024 * 1024;

/** Throws CodedError. */
export async function msgCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = words;
  if (WRITING.has(verb)) return writeMessage(context, verb, rest);
  if (READING.has(verb)) return new Reading(context, verb, rest).run();
  return runAgain(context, () => ['msg', ...words]);
}

/** The key makes a message that is sent again after a lost answer the same one. */
async function writeMessage(context: AppContext, verb: string, words: readonly string[]): Promise<number> {
  const withText = await withBody(context, words);
  const key = ['--key', `${process.pid}-${process.hrtime.bigint()}-${Date.now()}`];
  const own = words.some(word => word === '--key' || word.startsWith('--key=')) ? [] : key;
  return runAgain(context, () => ['msg', verb, ...own, ...withText]);
}

/** The words with the text of `-f FILE`, or of the pipe that `-` stands for, in its place. Throws CodedError. */
async function withBody(context: AppContext, words: readonly string[]): Promise<readonly string[]> {
  const end = words.indexOf('--');
  const flags = end < 0 ? words : words.slice(0, end);
  const at = flags.findIndex(word => /^(?:-f|--file)/.test(word));
  if (at >= 0) {
    const [, inline] = /^(?:--file=|-f)(.+)$/.exec(flags[at]!) ?? [];
    const isLong = flags[at] === '--file' || inline === undefined || flags[at] === '-f';
    const file = isLong ? flags[at + 1] : inline;
    if (file === undefined) throw new CodedError('usage', 'msg: -f needs FILE');
    const others = [...words.slice(0, at), ...words.slice(at + (isLong ? 2 : 1))];
    return [...others, '--', await (file === '-' ? fromPipe() : fromFile(resolve(context.cwd, file)))];
  }
  if (end < 0 && words.at(-1) === '-') return [...words.slice(0, -1), '--', await fromPipe()];
  return words;
}

async function fromFile(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      return await text(path, file.createReadStream({ autoClose: false }));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const code = systemCode(error) === 'ENOENT' ? 'not_found' : 'failed';
    throw new CodedError(code, `${path}: ${systemReason(error)}`);
  }
}

function fromPipe(): Promise<string> {
  if (process.stdin.isTTY)
    throw new CodedError('usage', 'msg: nothing comes through a pipe', 'give the text, or a file with -f');
  return text('what comes through the pipe', process.stdin);
}

/** Throws CodedError: `refused` for what is too long, `usage` for what is no text. */
async function text(what: string, input: AsyncIterable<Buffer>): Promise<string> {
  const { BODY_MAX, checkBodySize } = await import('../cmd/message-text.ts');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size <= BODY_MAX) pieces.push(piece);
    if (size > INPUT_MAX) break;
  }
  checkBodySize(size);
  try {
    // An end of line at the end of a file is the file's, not the message's.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)).replace(/\r?\n$/, '');
  } catch {
    // TypeError: bytes that are no UTF-8.
    throw new CodedError('usage', `${what}: it is no UTF-8 text`, 'send the path of the file instead');
  }
}

/** What a server had not yet marked as read when it was lost: at most a page, and what was on its way. */
const PRINTED_KEPT = 2000;

class Reading {
  readonly #context: AppContext;
  readonly #verb: string;
  readonly #words: readonly string[];
  /** Numbers of the last messages that were printed, in order. */
  readonly #printed: number[] = [];
  /** The beginning of a line whose end is on its way. */
  #rest = Buffer.alloc(0);
  #count = 0;
  /** Messages that come again and were printed before. */
  #skip = 0;

  constructor(context: AppContext, verb: string, words: readonly string[]) {
    this.#context = context;
    this.#verb = verb;
    this.#words = words;
  }

  async run(): Promise<number> {
    const start = Date.now();
    let isFirst = true;
    const { messageText } = await import('../cmd/message-text.ts');
    return runAgain(
      this.#context,
      async () => {
        this.#rest = Buffer.alloc(0);
        const words = isFirst ? ['msg', this.#verb, '--pieces', ...this.#words] : await this.#again(start);
        isFirst = false;
        return words;
      },
      {
        bytes: async piece => {
          const lines = this.#lines(piece);
          const texts = lines.flatMap(line => {
            const message = JSON.parse(line) as Parameters<typeof messageText>[0];
            this.#printed.push(message.seq);
            this.#count++;
            if (this.#count <= this.#skip) return [];
            return [this.#context.json === 'off' ? messageText(message) : line];
          });
          if (texts.length > 0) await writeOut(texts.join('\n') + '\n');
          this.#printed.splice(0, Math.max(0, this.#printed.length - PRINTED_KEPT));
        },
      },
    );
  }

  /**
   * What is left to do in the next server: what was printed was perhaps not marked as read, and reading goes on behind it.
   */
  async #again(start: number): Promise<readonly string[]> {
    if (this.#verb === 'conversation') {
      // It has an end, and the same beginning again.
      this.#skip = this.#count;
      this.#count = 0;
      return ['msg', this.#verb, '--pieces', ...this.#words];
    }
    const { parseArgs } = await import('../cmd/args.ts');
    const { resolveLine } = await import('../cmd/registry.ts');
    const { spec } = resolveLine(['msg', this.#verb]);
    const args = parseArgs(spec, this.#words);
    const topic = args.has('t') ? ['-t', args.value('t')!] : [];
    const isMarked = args.has('ack') && this.#printed.length > 0;
    const marks = isMarked
      ? ['msg', 'ack', ...topic, ...this.#printed.flatMap(seq => ['--seq', String(seq)])]
      : [];
    const left = args.has('n') ? Number(args.value('n')) - this.#count : Infinity;
    const flags = [...topic];
    if (args.has('thread')) flags.push('--thread', args.value('thread')!);
    for (const name of ['all', 'ack']) if (args.has(name)) flags.push(`--${name}`);
    if (args.has('f') && left > 0) flags.push('-f');
    // Whoever has had all they wanted reads behind the end.
    const after = left <= 0 ? Number.MAX_SAFE_INTEGER : (this.#printed.at(-1) ?? args.value('after'));
    if (after !== undefined) flags.push('--after', String(after));
    if (left > 0 && left < Infinity) flags.push('-n', String(left));
    // Who has waited for a message and got one waits no more.
    if (args.has('wait') && this.#count === 0)
      flags.push(waitLeft(args.value('wait') || args.rest[0], start));
    return [...marks, ...(isMarked ? [';'] : []), 'msg', this.#verb, '--pieces', ...flags];
  }

  #lines(piece: Buffer): string[] {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    const end = all.lastIndexOf(0x0a) + 1;
    this.#rest = Buffer.from(all.subarray(end));
    return end === 0
      ? []
      : all
          .subarray(0, end - 1)
          .toString()
          .split('\n');
  }
}

function waitLeft(given: string | undefined, start: number): string {
  if (given === undefined) return '--wait';
  const seconds = /^[\d.]+$/.test(given) ? Number(given) : parseDuration(given) / 1000;
  return `--wait=${Math.max(0.001, seconds - (Date.now() - start) / 1000).toFixed(3)}`;
}

/** `mux task …`: what changes a list is the same when it is sent again after a lost answer. Throws CodedError. */
export async function taskCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = words;
  const isNew = verb === 'add' || verb === 'next';
  const key = isNew ? ['--key', `${process.pid}-${process.hrtime.bigint()}-${Date.now()}`] : [];
  return runAgain(context, () => (verb === '' ? ['task'] : ['task', verb, ...key, ...rest]));
}
