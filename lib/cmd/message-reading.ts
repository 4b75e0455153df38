/**
 * Commands that read messages: what is unread, all there is, or whatever comes. A reader has a place of its own in the
 * stream and reads on from there, so a slow one loses nothing and costs a page.
 */
import { parseDuration } from '../base/duration.ts';
import { CodedError } from '../base/errors.ts';
import type { Message } from '../messages/types.ts';
import { correspondentOf, HUMAN, seqOf, threadOf, topicOf } from './correspondents.ts';
import { command, flag, integer, valued } from './define.ts';
import { inboxName, messageJson, messageText } from './message-text.ts';
import type { CommandContext, CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** Messages that are read at a time; their bodies are bounded besides. */
const PAGE = 500;
/** Without a reader that takes piece by piece, more than this is not printed. */
const PRINTED_MAX = 1000;
/** Of a conversation. */
const SHOWN = 500;
const SHOWN_MAX = 2000;
/** Bytes of a piece: see StreamPort. */
const PIECE = 256 * 1024;
/** Longest timer of Node: 2^31 - 1 ms. */
const TIMER_MAX_MS = 0x7fffffff;

const READING_FLAGS: readonly FlagSpec[] = [
  flag('all', 'and what was read before'),
  flag('ack', 'mark what is printed as read, once it is printed'),
  { name: 'wait', value: 'SEC', isOptional: true, text: 'until something unread is there, or for so long' },
  { name: 'f', alias: 'follow', text: 'go on with what comes' },
  valued('thread', 'T', 'this thread only'),
  { name: 'n', alias: 'limit', value: 'N', text: 'at most N messages, the oldest of them' },
  valued('after', 'SEQ', 'only what comes behind this number'),
  flag('pieces', 'as JSON lines, piece by piece as they are taken'),
];

export const INBOX: CommandSpec = command({
  name: 'msg inbox',
  group: 'Messages',
  text: 'Read what was sent to this session, or outside of all to the person',
  flags: READING_FLAGS,
  args: '[SEC]',
  maxArgs: 1,
  exec: (context, args) => readStream(context, args, 'msg inbox', inboxName(correspondentOf(context).id)),
});

export const SUB: CommandSpec = command({
  name: 'msg sub',
  group: 'Messages',
  text: 'Read a topic',
  flags: [valued('t', 'TOPIC', 'the topic; it need not be there yet'), ...READING_FLAGS],
  args: '[SEC]',
  maxArgs: 1,
  exec: (context, args) => readStream(context, args, 'msg sub', topicOf(args.value('t'))),
});

export const CONVERSATION: CommandSpec = command({
  name: 'msg conversation',
  group: 'Messages',
  text: 'Read what was sent to a session and what it has sent to others',
  flags: [
    {
      name: 'n',
      alias: 'limit',
      value: 'N',
      text: `the newest N messages; ${SHOWN} without, at most ${SHOWN_MAX}`,
    },
    flag('pieces', 'as JSON lines, piece by piece as they are taken'),
  ],
  args: '[SESSION]',
  maxArgs: 1,
  async exec(context, args) {
    const id = partyOf(context, args.rest[0]);
    const given = args.value('n');
    const limit = given === undefined ? SHOWN : integer('msg conversation', '-n', given, 1);
    const messages = await context.host.messages.conversation(id, Math.min(limit, SHOWN_MAX));
    await handOut(context, args, messages);
  },
});

/** Whose conversation is meant: for an agent its own or that of one it has started. Throws CodedError. */
function partyOf(context: CommandContext, target: string | undefined): string {
  const own = correspondentOf(context).id;
  if (target === undefined) return own;
  if (target === HUMAN.name && context.caller.speaker.isPerson) return HUMAN.id;
  return findSession(context, target).id;
}

async function readStream(
  context: CommandContext,
  args: ParsedArgs,
  name: string,
  stream: string,
): Promise<void> {
  await new Reader(context, args, name, stream).run();
}

class Reader {
  readonly #context: CommandContext;
  readonly #args: ParsedArgs;
  readonly #name: string;
  readonly #stream: string;
  readonly #subscriber: string;
  readonly #thread: string;
  readonly #deadline: number;
  /** Messages that may still be handed out. */
  #left: number;
  /** The last that was looked at. */
  #at: number;
  /** Something was published since this was last looked at. */
  #isNew = false;
  #wake: (() => void) | undefined;

  constructor(context: CommandContext, args: ParsedArgs, name: string, stream: string) {
    this.#context = context;
    this.#args = args;
    this.#name = name;
    this.#stream = stream;
    this.#subscriber = correspondentOf(context).id;
    this.#thread = threadOf(args.value('thread')) ?? '';
    const limit = args.value('n');
    this.#left = limit === undefined ? Infinity : integer(name, '-n', limit, 1);
    const after = args.value('after');
    this.#at = after === undefined ? 0 : seqOf('--after', after);
    const wait = waitOf(name, args);
    this.#deadline = context.clock.now() + (wait ?? Infinity);
    if (args.has('f') && !args.has('pieces'))
      throw new CodedError('usage', `${name}: it writes without an end`, `run 'mux ${name} -f' in a shell`);
  }

  /** Hands out what is wanted. Throws CodedError: `timeout` where nothing came in time. */
  async run(): Promise<void> {
    // First to be told, then to look: what comes between the two is not missed.
    const told = this.#context.host.messages.onPublish(stream => {
      if (stream === this.#stream) this.#tell();
    });
    const gone = (): void => this.#tell();
    this.#context.gone.addEventListener('abort', gone);
    try {
      await this.#loop();
    } finally {
      told.dispose();
      this.#context.gone.removeEventListener('abort', gone);
    }
  }

  async #loop(): Promise<void> {
    const { gone } = this.#context;
    let isWaiting = this.#args.has('wait');
    while (!gone.aborted) {
      this.#isNew = false;
      const count = await this.#handOutAll();
      if (count > 0) isWaiting = false;
      if (count < 0 || this.#left <= 0 || (!isWaiting && !this.#args.has('f'))) return;
      if (!this.#isNew && !(await this.#untilTold(isWaiting)))
        throw new CodedError('timeout', `${this.#name}: nothing came in time`);
    }
  }

  /** Everything that is there; tells how many, -1 where the caller is gone or takes no more. */
  async #handOutAll(): Promise<number> {
    let count = 0;
    const max = this.#args.has('pieces') ? Infinity : PRINTED_MAX;
    while (this.#left > 0) {
      const messages = await this.#page(Math.min(PAGE, this.#left, max - count));
      if (messages.length === 0) return count;
      if (!(await handOut(this.#context, this.#args, messages))) return -1;
      count += messages.length;
      this.#left -= messages.length;
      this.#at = messages.at(-1)!.seq;
      if (this.#args.has('ack')) await this.#acknowledge(messages);
      if (count < max) continue;
      this.#context.print(`… and more: 'mux ${this.#name}' in a shell shows all`);
      return -1;
    }
    return count;
  }

  #page(limit: number): Promise<readonly Message[]> {
    return this.#context.host.messages.read({
      stream: this.#stream,
      subscriber: this.#subscriber,
      after: this.#at,
      all: this.#args.has('all'),
      thread: this.#thread,
      limit,
    });
  }

  /** Of a thread single ones are read; else everything up to the last. */
  async #acknowledge(messages: readonly Message[]): Promise<void> {
    const isWhole = this.#thread === '' && !this.#args.has('after');
    const what = isWhole ? { upTo: messages.at(-1)!.seq } : { seqs: messages.map(({ seq }) => seq) };
    const { host } = this.#context;
    await host.messages.acknowledge({ subscriber: this.#subscriber, stream: this.#stream, ...what });
  }

  #tell(): void {
    this.#isNew = true;
    this.#wake?.();
  }

  /** Resolves with true once told; with false where `isBounded` and the time is over. */
  #untilTold(isBounded: boolean): Promise<boolean> {
    const { clock } = this.#context;
    const ms = isBounded ? this.#deadline - clock.now() : Infinity;
    if (ms <= 0) return Promise.resolve(false);
    return new Promise(resolve => {
      const late = ms < TIMER_MAX_MS ? clock.after(ms, () => done(false)) : undefined;
      const done = (isTold: boolean): void => {
        late?.dispose();
        this.#wake = undefined;
        resolve(isTold);
      };
      this.#wake = () => done(true);
    });
  }
}

/** ms that are waited at most; undefined without a bound. Throws CodedError `usage`. */
function waitOf(name: string, args: ParsedArgs): number | undefined {
  const text = args.value('wait') || args.rest[0];
  if (text === undefined) return undefined;
  if (!args.has('wait'))
    throw new CodedError('usage', `${name}: unexpected '${text}'`, `'mux ${name} --help'`);
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  return ms;
}

/** Prints messages, or gives them to a caller that takes pieces; false where that is gone. */
async function handOut(
  context: CommandContext,
  args: ParsedArgs,
  messages: readonly Message[],
): Promise<boolean> {
  if (!args.has('pieces') || !context.stream) {
    for (const message of messages)
      if (context.caller.json) context.json(messageJson(message));
      else context.print(messageText(messageJson(message)));
    return !context.gone.aborted;
  }
  const lines = messages.map(message => JSON.stringify(messageJson(message)) + '\n').join('');
  const bytes = new TextEncoder().encode(lines);
  for (let at = 0; at < bytes.length; at += PIECE)
    if (!(await context.stream.send(bytes.subarray(at, at + PIECE)))) return false;
  return true;
}
