/** `mux ask`: a question, and its answer. */
import { randomUUID } from 'node:crypto';
import { MODES, type Mode } from '../../agent/review.ts';
import { CallFailure } from '../../ai/client.ts';
import { SUPERSEDED } from '../../ai/store/messages.ts';
import type { Message } from '../../ai/wire.ts';
import { compact } from '../../ai/compact.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import type { ParsedArgs } from '../../cmd/spec.ts';
import { roleText } from '../../watch/role-text.ts';
import type { AppContext } from '../context.ts';
import { graphEnv } from '../graph-context.ts';
import { fileMessage, pipedText, questionMessage } from './ask-input.ts';
import { askLines, askOnce } from './ask-run.ts';
import { OUTPUTS, type OutputKind } from './ask-output.ts';
import { kept } from './ask-kept.ts';
import { chatNamed, newChat } from './chat-names.ts';
import { InputQueue } from './input-queue.ts';
import { compactedText, compactOptions } from './compacting.ts';
import { lastChat, rememberChat } from './last-chats.ts';
import { callsTools } from './open-conversation.ts';
import { promptHere, toolNames } from './prompt-facts.ts';
import { openAi, registryOf, type AiSession } from './service.ts';

const ASK = command({
  name: 'ask',
  group: 'Screen',
  text: '',
  args: '[TEXT…]',
  maxArgs: Infinity,
  flags: [
    { name: 'r', alias: 'role', value: 'ROLE', text: 'the role that answers' },
    { name: 'm', alias: 'model', value: 'MODEL', text: 'the model that answers' },
    flag('local', 'a model of this machine'),
    { name: 'f', alias: 'file', value: 'FILE', many: true, text: 'a file that belongs to the question' },
    flag('continue', "go on in this terminal's last chat"),
    { name: 'chat', value: 'NAME', text: 'go on in this chat' },
    { name: 'tool', value: 'TOOL', many: true, text: 'a tool or tool set that it may call, and no others' },
    { name: 'mode', value: MODES.join('|'), text: 'what runs without asking' },
    { name: 'max-turns', value: 'N', text: 'answers in one turn, with the calls between them' },
    { name: 'i', text: 'a line after the other: each is a question' },
    { name: 'output', value: OUTPUTS.join('|'), text: 'how the answer is written' },
  ],
  exec: () => undefined,
});

/** Throws CodedError. Exit 130 where it was interrupted, 4 where calls needed a yes and there was nobody to give it. */
export async function askCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(ASK, words);
  const kind = outputKind(context, args);
  const isRepl = args.has('i');
  const piped = isRepl ? '' : await pipedText();
  const question = args.rest.join(' ');
  if (!isRepl && question.trim() === '' && piped.trim() === '')
    throw new CodedError('usage', 'ask: there is no question', 'usage: mux ask TEXT…, or pipe it in');
  const ai = await openAi(context);
  try {
    const first = question || piped ? questionMessage(question, piped) : undefined;
    return await ask(context, ai, args, kind, first);
  } finally {
    await ai.close();
  }
}

async function ask(
  context: AppContext,
  ai: AiSession,
  args: ParsedArgs,
  kind: OutputKind,
  question: Message | undefined,
): Promise<number> {
  const model = modelOf(context, ai, args);
  const chat = await chatOf(context, ai, args);
  const files = args.values('f').map(file => fileMessage(file, context.cwd));
  const queue = new InputQueue(context, chat.name);
  rememberChat(context, chat.name);
  const before = await prepared(context, ai, args, chat, model, queue);
  const messages = [...before.system, ...files, ...(question ? [question] : [])];
  if (before.away) {
    const request = { parent: chat.name, model, messages, request_id: randomUUID() };
    if (question) queue.add(request, systemClock.now());
    throw kept(before.away);
  }
  const run = args.has('i') ? askLines : askOnce;
  return run(context, ai, {
    chat: chat.name,
    isNew: chat.isNew,
    model,
    kind,
    queue,
    messages,
    hasQuestion: question !== undefined,
    mode: modeOf(ai, args),
    maxIterations: turnsOf(ai, args),
    tools: toolsOf(ai, args, before.tools),
    role: before.role,
  });
}

/** Throws CodedError `usage`. */
function modeOf({ config }: AiSession, args: ParsedArgs): Mode {
  const given = args.value('mode') ?? config.agent.mode;
  const mode = MODES.find(one => one === given);
  if (mode) return mode;
  throw new CodedError('usage', `ask: '${given}' is no mode`, `one of ${MODES.join(', ')}`);
}

/** Throws CodedError `usage`. */
function turnsOf({ config }: AiSession, args: ParsedArgs): number {
  const given = args.value('max-turns');
  if (given === undefined) return config.agent.max_iterations;
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  throw new CodedError('usage', `ask: --max-turns ${given}: not a number from 1 to 9999`);
}

/** Those that are named, else the role's, else those of the settings; undefined: all that are built in. */
function toolsOf(
  { config }: AiSession,
  args: ParsedArgs,
  ofRole: readonly string[],
): readonly string[] | undefined {
  return [args.values('tool'), ofRole, config.agent.default_tools].find(({ length }) => length > 0);
}

/** What goes before the question: what was kept is sent, the chat is made to fit, and a new one gets its prompt. */
async function prepared(
  context: AppContext,
  ai: AiSession,
  args: ParsedArgs,
  chat: { readonly name: string; readonly isNew: boolean },
  model: string,
  queue: InputQueue,
): Promise<Beginning & { readonly away?: CallFailure }> {
  const role = await beginning(context, ai, args, model);
  if (chat.isNew) return role;
  try {
    await sendKept(ai, queue);
    const system = (await hasPrompt(ai, chat.name)) ? [] : role.system;
    await fitBudget(context, ai, chat.name, model);
    return { ...role, system };
  } catch (error) {
    // A chat of a service that is away has its prompt: it has been used.
    if (error instanceof CallFailure && error.isAway) return { ...role, system: [], away: error };
    throw error;
  }
}

/** Sends what a service that was away did not get. Throws CallFailure where it still is. */
async function sendKept({ client }: AiSession, queue: InputQueue): Promise<void> {
  for (const request of queue.waiting()) {
    try {
      for await (const _ of client.generate(request, new AbortController().signal));
      console.error('mux: a question that was kept was sent first, and its answer is in the chat');
    } catch (error) {
      if (!(error instanceof CallFailure) || error.isAway) throw error;
      console.error(`mux: a question that was kept was sent first, and failed: ${error.message}`);
    }
    queue.remove(request);
  }
}

/** Compacts a chat that has outgrown its budget; where that fails the question is asked all the same. */
async function fitBudget(context: AppContext, ai: AiSession, chat: string, model: string): Promise<void> {
  try {
    const done = await compact(compactOptions(context, ai, chat, model));
    if (done) console.error(`mux: ${compactedText(done)}`);
  } catch (error) {
    if (error instanceof CallFailure && error.code === 'not_found') return;
    console.error(`mux: the chat could not be compacted: ${toCoded(error).message}`);
  }
}

function outputKind({ json }: AppContext, args: ParsedArgs): OutputKind {
  const given = args.value('output');
  if (given === undefined) return json === 'on' ? 'json' : 'text';
  const kind = OUTPUTS.find(one => one === given);
  if (kind) return kind;
  throw new CodedError('usage', `ask: '${given}' is no output`, `one of ${OUTPUTS.join(', ')}`);
}

/** The resource name of the model that is meant. Throws CodedError. */
function modelOf(context: AppContext, { config }: AiSession, args: ParsedArgs): string {
  const registry = registryOf(context, config);
  const given = args.value('m') ?? (args.has('local') ? 'local' : config.ai.default_model);
  // A service elsewhere knows its models itself.
  if (config.ai.service !== 'embedded' && /^providers\/[^/]+\/models\//.test(given)) return given;
  if (given) return registry.find(given).name;
  throw new CodedError(
    'refused',
    'ask: no model is chosen',
    "say -m MODEL, or set ai.default_model ('mux models' lists them)",
  );
}

async function chatOf(
  context: AppContext,
  ai: AiSession,
  args: ParsedArgs,
): Promise<{ readonly name: string; readonly isNew: boolean }> {
  const given = args.value('chat');
  if (given !== undefined) return { name: chatNamed(ai.user, given), isNew: false };
  if (!args.has('continue')) return { name: newChat(ai.user), isNew: true };
  const last = lastChat(context);
  if (last === undefined)
    throw new CodedError('not_found', 'ask: this terminal has no chat yet', "'mux chats list' shows all");
  return { name: last, isNew: false };
}

/** Whether a chat has begun: its prompt is its first message, and stays. */
async function hasPrompt({ client }: AiSession, chat: string): Promise<boolean> {
  try {
    const request = { parent: chat, page_size: 1, filter: `NOT labels:${SUPERSEDED}` };
    const { messages = [] } = await client.call<{ messages?: Message[] }>('ListMessages', request);
    return messages.length > 0;
  } catch (error) {
    if (error instanceof CallFailure && error.code === 'not_found') return false;
    throw error;
  }
}

/** What a chat begins with, and what its role says and names. */
interface Beginning {
  readonly system: readonly Message[];
  readonly tools: readonly string[];
  readonly role: string;
}

/** The role, and the prompt as the chat's first message. Throws CodedError. */
async function beginning(
  context: AppContext,
  ai: AiSession,
  args: ParsedArgs,
  model: string,
): Promise<Beginning> {
  const { config } = ai;
  const wanted = args.value('r') ?? config.agent.default_role;
  const models = config.ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  const role = wanted ? await roleText(context.cwd, wanted, graphEnv(context), models) : NO_ROLE;
  const tools = callsTools(context, ai, model) ? toolNames(toolsOf(ai, args, role.tools)) : toolNames([]);
  const { text, warnings } = await promptHere(context, { ...tools, role: role.text });
  for (const warning of [...role.warnings, ...warnings]) console.error(`mux: ${warning}`);
  return { system: [{ role: 'ROLE_SYSTEM', blocks: [{ text }] }], tools: role.tools, role: role.text };
}

const NO_ROLE = { text: '', tools: [], warnings: [] };
