/**
 * GenerateMessage and its stream: inputs are kept before the model is asked, the answer when it is whole; whatever fails
 * leaves both with a status, so that they are no part of what models are told.
 */
import { toCoded } from '../../base/errors.ts';
import { FAILURES, ProviderFailure } from '../failure.ts';
import type { Model } from '../model.ts';
import { parseChat, parseMessage } from '../names.ts';
import type { Effort, ProviderRequest, ToolChoice } from '../provider.ts';
import { invalid, refuse, ServiceError, statusOf } from '../service-error.ts';
import type { ChatRow } from '../store/chats.ts';
import { SUPERSEDED, type MessageRow } from '../store/messages.ts';
import { toDuration } from '../values.ts';
import type { GenerateRequest, GenerationConfiguration, Labels, Message, StreamEvent } from '../wire.ts';
import { Answer } from './answer.ts';
import type { ServiceContext } from './context.ts';
import { Offer } from './discovery.ts';
import { providerTool, told } from './history.ts';
import { requestPrint } from './print.ts';
import { giveTitle } from './titles.ts';
import { totalPrice } from './usage.ts';
import { labelViolations, messageViolations, uuidViolations } from './validate.ts';

/** A first sending that has not ended this long after it was stopped is left to itself, in ms. */
const STOP_MS = 2000;

/** One generation that has begun. */
interface Begun {
  readonly chat: ChatRow;
  readonly inputs: readonly MessageRow[];
  readonly model: Model;
  readonly offer: Offer;
  readonly history: readonly Message[];
}

/** Streams an answer's events; the last one is the message as it is kept. Throws ServiceError. */
export async function* generate(
  context: ServiceContext,
  request: GenerateRequest,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { store, clock, running } = context;
  const model = checked(context, request);
  const scope = `generate ${request.parent}`;
  const print = requestPrint(request);
  const key = request.request_id ? `${scope} ${request.request_id}` : '';
  if (!(await running.stop(key, clock, STOP_MS)))
    throw new ServiceError('ABORTED', `request_id: ${request.request_id} is being answered already`);
  const before = store.requests.result(scope, request.request_id ?? '', print);
  if (before !== undefined) return yield* again(context, before);
  const begun = begin(context, request, model);
  const own = running.begin(key);
  const signal = AbortSignal.any([gone, own.signal]);
  const answer = new Answer(model, begun.offer, request.configuration?.stream_partial_tool_calls === true);
  const start = clock.now();
  let first: number | undefined;
  let isOver = false;
  try {
    const stream = context.provider(model).generate(providerRequest(begun, request), signal);
    for await (const event of stream) {
      const isFirst = first === undefined && event.type !== 'usage';
      if (isFirst) {
        first = clock.now() - start;
        yield { generation_metrics: { ttfb: toDuration(first) } };
      }
      yield* answer.take(event);
    }
    if (signal.aborted) throw new ProviderFailure('cancelled', `${model.provider}: cancelled`);
    if (answer.stop === undefined)
      throw new ProviderFailure('cut_off', `${model.provider}: the answer ended in the middle`);
    yield { stop_reason: answer.stop };
    const ttlb = toDuration(clock.now() - start);
    yield { generation_metrics: { ttfb: toDuration(first ?? 0), ttlb } };
    const kept = finish(context, begun, request, answer, print);
    isOver = true;
    context.background.add(giveTitle(context, request.parent!));
    yield { generated_message: kept };
  } catch (error) {
    isOver = true;
    throw fail(context, begun, answer, request, error);
  } finally {
    own.end();
    // The client has gone in the middle: nobody will read on.
    if (!isOver) {
      const left = new ProviderFailure('cancelled', `${model.provider}: the client has gone`);
      fail(context, begun, answer, request, left);
    }
  }
}

/** What a request with the same id gave before: the answer alone. */
async function* again({ store }: ServiceContext, name: string): AsyncGenerator<StreamEvent> {
  const { chat: chatName } = parseMessage(name)!;
  const chat = store.chats.get(chatName);
  const message = store.messages.toMessage(chat, store.messages.get(chat, name));
  yield { stop_reason: hasCall(message) ? 'STOP_REASON_TOOL_CALL' : 'STOP_REASON_END_TURN' };
  if (message.model_usage) yield { model_usage: message.model_usage };
  yield { generated_message: message };
}

function hasCall({ blocks = [] }: Message): boolean {
  return blocks.some(({ tool_call }) => tool_call && !tool_call.result);
}

/** The model that is meant. Throws INVALID_ARGUMENT for what it cannot do, NOT_FOUND where there is none. */
function checked(context: ServiceContext, request: GenerateRequest): Model {
  const { parent = '', messages = [], previous_message: previous = '', configuration = {} } = request;
  refuse([
    ...(parseChat(parent) ? [] : [{ field: 'parent', description: `'${parent}' names no chat` }]),
    ...(request.model ? [] : [{ field: 'model', description: 'is missing' }]),
    ...messages.flatMap((message, at) => messageViolations(`messages[${at}]`, message, true)),
    ...(previous && parseMessage(previous)?.chat !== parent
      ? [{ field: 'previous_message', description: `'${previous}' is no message of the chat` }]
      : []),
    ...labelViolations('labels', request.labels),
    ...uuidViolations('request_id', request.request_id),
  ]);
  const model = context.model(request.model!);
  refuse(configurationViolations(configuration, model));
  if ((request.tools?.length || request.tool_sets?.length) && !model.toolCall)
    throw invalid([{ field: 'tools', description: `${model.name} calls no tools` }]);
  if (model.deprecateTime !== undefined && Date.parse(model.deprecateTime) <= context.clock.now())
    throw new ServiceError(
      'FAILED_PRECONDITION',
      `${model.name}: it is deprecated since ${model.deprecateTime}`,
    );
  return model;
}

function configurationViolations(
  { reasoning_effort: effort, temperature = 0, max_tokens: most = 0 }: GenerationConfiguration,
  model: Model,
): { field: string; description: string }[] {
  const found = [];
  const at = (name: string): string => `configuration.${name}`;
  if (effort && effort !== 'REASONING_EFFORT_UNSPECIFIED' && !model.reasoning)
    found.push({ field: at('reasoning_effort'), description: `${model.name} does not reason` });
  if (temperature < 0 || temperature > 2)
    found.push({ field: at('temperature'), description: 'must be 0 to 2' });
  else if (temperature !== 0 && !model.temperature)
    found.push({ field: at('temperature'), description: `${model.name} takes none` });
  if (most < 0 || (model.outputTokenLimit > 0 && most > model.outputTokenLimit))
    found.push({ field: at('max_tokens'), description: `must be 0 to ${model.outputTokenLimit}` });
  return found;
}

/** Keeps the inputs. Throws ServiceError, and then nothing is kept. */
function begin({ store, newId, pid }: ServiceContext, request: GenerateRequest, model: Model): Begun {
  const { parent, id } = parseChat(request.parent!)!;
  const { request_id: requestId = '' } = request;
  const scope = `inputs ${request.parent}`;
  const print = requestPrint(request);
  return store.whole(() => {
    const chat = store.chats.find(request.parent!) ?? store.chats.create(parent, id, {});
    if (chat.delete_time !== null)
      throw new ServiceError('FAILED_PRECONDITION', `${request.parent}: it is deleted`);
    dropInputs(store, chat, store.requests.result(scope, requestId, print));
    if (request.previous_message) fork(store, chat, request.previous_message);
    const before = store.messages.history(chat);
    const messages = request.messages ?? [];
    if (before.length === 0 && messages.length === 0)
      throw invalid([{ field: 'messages', description: 'is empty, and so is the chat' }]);
    const offer = new Offer(request.tools ?? [], request.tool_sets ?? [], [...before, ...messages]);
    const inputs = messages.map(message => store.messages.add(chat, newId(), message, pid));
    store.requests.keep(scope, requestId, print, JSON.stringify(inputs.map(({ id: one }) => one)));
    store.chats.touch(chat);
    const history = [...before, ...inputs.map(row => store.messages.toMessage(chat, row))];
    return { chat, inputs, model, offer, history };
  });
}

/** The same request was begun before and came to nothing: its inputs, whose ids are in `kept`, are not there twice. */
function dropInputs(store: ServiceContext['store'], chat: ChatRow, kept: string | undefined): void {
  if (kept === undefined) return;
  for (const id of JSON.parse(kept) as string[]) {
    const row = store.messages.find(chat, id);
    if (row && row.delete_time === null && row.failed !== 0) store.messages.setDeleted(row, true);
  }
}

/** Leaves behind what came after an answer. Throws FAILED_PRECONDITION where that is none, or is left behind itself. */
function fork(store: ServiceContext['store'], chat: ChatRow, name: string): void {
  const row = store.messages.get(chat, name);
  const isLive = row.delete_time === null && row.failed === 0;
  const isSuperseded = Object.hasOwn(JSON.parse(row.labels) as Labels, SUPERSEDED);
  if (row.role !== 'ROLE_ASSISTANT' || !isLive || isSuperseded)
    throw invalid([
      { field: 'previous_message', description: `${name} is no answer that the chat still has` },
    ]);
  store.messages.supersede(chat, row);
}

function providerRequest({ model, offer, history }: Begun, request: GenerateRequest): ProviderRequest {
  const { configuration = {} } = request;
  const { image_configuration: image, temperature } = configuration;
  const effort = EFFORTS[configuration.reasoning_effort ?? ''];
  return {
    model,
    ...told(history),
    tools: offer.told.map(providerTool),
    toolChoice: toolChoice(configuration),
    maxTokens: configuration.max_tokens || model.outputTokenLimit,
    ...(temperature ? { temperature } : {}),
    ...(effort ? { effort } : {}),
    ...(image ? { image: { aspectRatio: image.aspect_ratio ?? '', size: image.image_size ?? '' } } : {}),
  };
}

const EFFORTS: Readonly<Record<string, Effort>> = {
  REASONING_EFFORT_DEFAULT: 'default',
  REASONING_EFFORT_LOW: 'low',
  REASONING_EFFORT_MEDIUM: 'medium',
  REASONING_EFFORT_HIGH: 'high',
  REASONING_EFFORT_XHIGH: 'xhigh',
  REASONING_EFFORT_MAX: 'max',
};

function toolChoice({ tool_choice: choice }: GenerationConfiguration): ToolChoice {
  if (choice?.tool_name) return { tool: choice.tool_name };
  if (choice?.mode === 'TOOL_CHOICE_MODE_NONE') return 'none';
  return choice?.mode === 'TOOL_CHOICE_MODE_REQUIRED' ? 'required' : 'auto';
}

/** Keeps the answer. */
function finish(
  { store, newId }: ServiceContext,
  { chat, inputs, model }: Begun,
  request: GenerateRequest,
  answer: Answer,
  print: string,
): Message {
  return store.whole(() => {
    const price = totalPrice(answer.usage);
    const row = store.messages.add(chat, newId(), { ...draft(answer, model, request), price });
    store.messages.close(inputs);
    store.chats.touch(chat, price);
    const message = store.messages.toMessage(chat, row);
    store.requests.keep(`generate ${request.parent}`, request.request_id ?? '', print, message.name!);
    return message;
  });
}

function draft(answer: Answer, model: Model, request: GenerateRequest): Message {
  return {
    role: 'ROLE_ASSISTANT',
    blocks: answer.blocks,
    model: model.name,
    labels: request.labels ?? {},
    ...(answer.usage ? { model_usage: answer.usage } : {}),
  };
}

/** Gives inputs and what has come of the answer a status. What was spent was spent. */
function fail(
  { store, newId }: ServiceContext,
  { chat, inputs, model }: Begun,
  answer: Answer,
  request: GenerateRequest,
  error: unknown,
): ServiceError {
  const failure = error instanceof ServiceError ? error : (store.trouble(error) ?? serviceError(error));
  const status = statusOf(failure);
  store.whole(() => {
    store.messages.fail(inputs, status);
    const price = totalPrice(answer.usage);
    if (answer.blocks.length > 0)
      store.messages.add(chat, newId(), { ...draft(answer, model, request), price, status });
    store.chats.touch(chat, price);
  });
  return failure;
}

function serviceError(error: unknown): ServiceError {
  const cause = { cause: error };
  if (!(error instanceof ProviderFailure))
    return new ServiceError('INTERNAL', toCoded(error).message, [], cause);
  const text = error.hint ? `${error.message} (${error.hint})` : error.message;
  return new ServiceError(FAILURES[error.kind].status, text, [], cause);
}
