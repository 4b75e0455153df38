/** `ask` once it is known what is asked: one turn, or with -i one for each line. */
import { createInterface, type Interface } from 'node:readline/promises';
import { CallFailure } from '../../ai/client.ts';
import type { Message } from '../../ai/wire.ts';
import type { TurnEnd } from '../../agent/events.ts';
import type { Mode } from '../../agent/review.ts';
import { CodedError } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import type { AppContext } from '../context.ts';
import { askTrust } from '../project/trust-command.ts';
import { ask as askTerminal } from '../server-command.ts';
import { interruptible } from '../tools/interruptible.ts';
import { questionMessage } from './ask-input.ts';
import { kept } from './ask-kept.ts';
import { outputOf, type OutputKind } from './ask-output.ts';
import { AskTurns, wasRefused } from './ask-turn.ts';
import type { InputQueue } from './input-queue.ts';
import { markdownScreen } from './markdown-screen.ts';
import { openConversation, type OpenConversation } from './open-conversation.ts';
import { pictureFiles } from './pictures.ts';
import type { AiSession } from './service.ts';

/** What is asked, and how. */
export interface Asked {
  readonly chat: string;
  readonly isNew: boolean;
  readonly model: string;
  readonly kind: OutputKind;
  readonly queue: InputQueue;
  /** What the chat begins with, files, and the question. */
  readonly messages: readonly Message[];
  readonly hasQuestion: boolean;
  readonly mode: Mode;
  readonly maxIterations: number;
  readonly tools: readonly string[] | undefined;
  /** What the role says. */
  readonly role: string;
}

/** A conversation that is shown. */
interface Shown {
  readonly turns: AskTurns;
  readonly open: OpenConversation;
}

/** A question and its answer. Resolves with the exit status; throws CodedError. */
export async function askOnce(context: AppContext, ai: AiSession, asked: Asked): Promise<number> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return shown(context, ai, asked, isTerminal ? askTerminal : undefined, ({ turns, open }) =>
    turn(context, asked, { turns, open }, asked.messages),
  );
}

/** A turn for each line, until there is none. Resolves with the exit status; throws CodedError. */
export async function askLines(context: AppContext, ai: AiSession, asked: Asked): Promise<number> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: isTerminal });
  const question = (text: string): Promise<string> => lines.question(text);
  try {
    return await shown(context, ai, asked, isTerminal ? question : undefined, async one => {
      let before = asked.messages;
      let exit = 0;
      if (asked.hasQuestion) {
        exit = await told(() => turn(context, asked, one, before));
        before = [];
      }
      for await (const line of linesOf(lines, isTerminal)) {
        if (line.trim() === '') continue;
        exit = await told(() => turn(context, asked, one, [...before, questionMessage(line, '')]));
        before = [];
      }
      return exit;
    });
  } finally {
    lines.close();
  }
}

/** Lines with a prompt before each on a terminal; its end, and Ctrl-C at a prompt, end them. */
async function* linesOf(lines: Interface, isTerminal: boolean): AsyncGenerator<string> {
  if (!isTerminal) return yield* lines;
  for (;;) {
    const line = await lines.question('> ').catch(() => undefined);
    if (line === undefined || /^\/(?:quit|exit)$/.test(line.trim())) return;
    yield line;
  }
}

/** A turn that fails ends no conversation. */
async function told(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    console.error(`mux: ${error.message}${error.hint ? ` (${error.hint})` : ''}`);
    return error.exit;
  }
}

async function shown(
  context: AppContext,
  ai: AiSession,
  asked: Asked,
  ask: ((question: string) => Promise<string>) | undefined,
  run: (one: Shown) => Promise<number>,
): Promise<number> {
  const { kind } = asked;
  const write = (text: string): void => void process.stdout.write(text);
  const sink = {
    write,
    isTerminal: process.stdout.isTTY === true,
    screen: markdownScreen(context, ai.config),
  };
  let open: OpenConversation | undefined;
  const turns: AskTurns = new AskTurns(
    {
      output: before => outputOf(kind, sink, before),
      tells: kind === 'text' && process.stderr.isTTY === true,
      ...(ask && { ask }),
    },
    () => open!.conversation,
  );
  const stop = new AbortController();
  const interrupt = (): void => {
    stop.abort();
    open?.conversation.cancel();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const emit = turns.take.bind(turns);
    open = await openConversation(
      context,
      ai,
      {
        ...asked,
        hasReviewer: ask !== undefined,
        emit,
        askTrust: async question => (ask ? askTrust(question, ask) : undefined),
      },
      stop.signal,
    );
    for (const trouble of open.troubles) console.error(`mux: ${trouble}`);
    if (!asked.isNew) await open.conversation.open();
    return await run({ turns, open });
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    await open?.close();
  }
}

/** One turn. Resolves with its exit status; throws CodedError. */
async function turn(
  context: AppContext,
  { chat, maxIterations }: Asked,
  { turns, open }: Shown,
  messages: readonly Message[],
): Promise<number> {
  const more = await interruptible(signal => beforeTurn(open, messages, signal));
  const end: TurnEnd = await open.conversation.send(...messages, ...more)!;
  const { reason, error } = end;
  await interruptible(signal => open.hooks.afterTurn(reason, end.text, signal));
  if (reason === 'cancelled' || reason === 'failed') {
    turns.output?.stop();
    if (reason === 'cancelled')
      throw new CodedError('cancelled', 'ask: interrupted', 'what came is kept in the chat');
    if (error instanceof CallFailure && error.isAway) throw kept(error);
    throw error!;
  }
  turns.output?.end(chat, pictureFiles(context));
  if (reason === 'limit')
    throw new CodedError(
      'failed',
      `ask: it was not done after ${maxIterations} answers`,
      "'mux ask --continue go on' goes on, --max-turns allows more",
    );
  if (!wasRefused(end)) return 0;
  const what = end.unanswered === 1 ? 'a call' : `${end.unanswered} calls`;
  throw new CodedError(
    'refused',
    `ask: ${what} needed a yes, and there was nobody to give it`,
    'allow it by a rule in permissions, say --mode auto, or run it on a terminal',
  );
}

/** What hooks add to a turn. Throws CodedError `refused` where one blocks it, `cancelled`. */
async function beforeTurn(
  { hooks }: OpenConversation,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Message[]> {
  const said = messages.filter(({ role }) => role === 'ROLE_USER').flatMap(({ blocks = [] }) => blocks);
  const gate = await hooks.beforeTurn(said.map(({ text = '' }) => text).join('\n\n'), signal);
  if (signal.aborted) throw new CodedError('cancelled', 'ask: interrupted', 'nothing was sent');
  if (gate.kind === 'blocked')
    throw new CodedError('refused', `ask: blocked by a hook: ${revealed(gate.reason.replaceAll('\n', ' '))}`);
  return gate.context === '' ? [] : [{ role: 'ROLE_USER', blocks: [{ text: gate.context }] }];
}
