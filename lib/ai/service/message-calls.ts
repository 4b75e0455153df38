/** The calls about messages. */
import { parseChat, parseMessage } from '../names.ts';
import { invalid, refuse, ServiceError } from '../service-error.ts';
import type { ChatRow } from '../store/chats.ts';
import { messageEtag, type MessagePage, type MessageRow } from '../store/messages.ts';
import type { FieldMask, ListRequest, Message } from '../wire.ts';
import {
  batchViolations,
  checkEtag,
  idViolations,
  live,
  type BatchRequest,
  type DeleteRequest,
  type NameRequest,
} from './chat-calls.ts';
import type { ServiceContext } from './context.ts';
import { masked } from './mask.ts';
import { requestPrint } from './print.ts';
import { blockViolations, labelViolations, messageViolations, uuidViolations } from './validate.ts';

export interface CreateMessageRequest {
  readonly parent?: string;
  readonly message?: Message;
  readonly message_id?: string;
  readonly request_id?: string;
  readonly validate_only?: boolean;
}
export interface UpdateMessageRequest {
  readonly message?: Message;
  readonly update_mask?: FieldMask;
}

const UPDATABLE = ['labels', 'annotations', 'blocks', 'status'] as const;
/** What the service alone sets. */
const OUTPUT_ONLY = [
  'name',
  'create_time',
  'update_time',
  'delete_time',
  'etag',
  'model_usage',
  'price',
] as const;

export function createMessage({ store, newId }: ServiceContext, request: CreateMessageRequest): Message {
  const { parent = '', message, message_id: id = '', request_id: requestId = '' } = request;
  const chatParts = parseChat(parent);
  refuse([
    ...(chatParts ? [] : [{ field: 'parent', description: `'${parent}' names no chat` }]),
    ...idViolations('message_id', id),
    ...messageViolations('message', message),
    ...uuidViolations('request_id', requestId),
  ]);
  const print = requestPrint(request);
  const before = store.requests.result(`messages ${parent}`, requestId, print);
  if (before !== undefined) return found(store, before).message;
  const draft: Message = without(message!, OUTPUT_ONLY);
  if (request.validate_only) {
    const chat = store.chats.find(parent);
    if (chat && id && store.messages.find(chat, id))
      throw new ServiceError('ALREADY_EXISTS', `${parent}/messages/${id}: there is one already`);
    return draft;
  }
  return store.whole(() => {
    // As with an answer: a chat that is not there is made.
    const chat = live(store.chats.find(parent) ?? store.chats.create(chatParts!.parent, chatParts!.id, {}));
    const row = store.messages.add(chat, id || newId(), draft);
    store.chats.touch(chat);
    const made = store.messages.toMessage(chat, row);
    store.requests.keep(`messages ${parent}`, requestId, print, made.name!);
    return made;
  });
}

export function getMessage({ store }: ServiceContext, { name = '' }: NameRequest): Message {
  return found(store, name).message;
}

export function updateMessage(
  { store }: ServiceContext,
  { message = {}, update_mask: mask }: UpdateMessageRequest,
): Message {
  const name = message.name ?? '';
  const change = masked(message, mask, UPDATABLE);
  return store.whole(() => {
    const { chat, row } = found(store, name, 'message.name');
    refuse([
      ...labelViolations('message.labels', change.labels),
      ...blockViolations('message.blocks', row.role, change.blocks ?? []),
    ]);
    if (row.delete_time !== null) throw new ServiceError('FAILED_PRECONDITION', `${name}: it is deleted`);
    checkEtag(name, message.etag, messageEtag(row));
    const updated = store.messages.update(row, change);
    store.chats.touch(chat);
    return store.messages.toMessage(chat, updated);
  });
}

export function deleteMessage({ store }: ServiceContext, request: DeleteRequest): Message {
  const { name = '' } = request;
  checkName(name);
  return store.whole(() => {
    const { chat: chatName, id } = parseMessage(name)!;
    const chat = store.chats.find(chatName);
    const row = chat && store.messages.find(chat, id);
    if (!chat || !row || row.delete_time !== null) {
      if (request.allow_missing) return chat && row ? store.messages.toMessage(chat, row) : { name };
      throw new ServiceError('NOT_FOUND', `${name}: no such message`);
    }
    checkEtag(name, request.etag, messageEtag(row));
    const deleted = store.messages.setDeleted(row, true);
    store.chats.touch(chat);
    return store.messages.toMessage(chat, deleted);
  });
}

export function undeleteMessage({ store }: ServiceContext, { name = '' }: NameRequest): Message {
  return store.whole(() => {
    const { chat, row } = found(store, name);
    if (row.delete_time === null) throw new ServiceError('ALREADY_EXISTS', `${name}: it is not deleted`);
    const back = store.messages.setDeleted(row, false);
    store.chats.touch(chat);
    return store.messages.toMessage(chat, back);
  });
}

export function listMessages({ store }: ServiceContext, request: ListRequest): MessagePage {
  const { parent = '' } = request;
  if (!parseChat(parent)) throw invalid([{ field: 'parent', description: `'${parent}' names no chat` }]);
  return store.messages.list(store.chats.get(parent), request);
}

export function batchGetMessages(
  { store }: ServiceContext,
  { parent = '', names = [] }: BatchRequest,
): object {
  refuse(batchViolations(names, name => parseMessage(name)?.chat === parent));
  return { messages: names.map(name => found(store, name).message) };
}

function found(
  store: ServiceContext['store'],
  name: string,
  field = 'name',
): { readonly chat: ChatRow; readonly row: MessageRow; readonly message: Message } {
  checkName(name, field);
  const chat = store.chats.get(parseMessage(name)!.chat);
  const row = store.messages.get(chat, name);
  return { chat, row, message: store.messages.toMessage(chat, row) };
}

function checkName(name: string, field = 'name'): void {
  if (!parseMessage(name)) throw invalid([{ field, description: `'${name}' names no message` }]);
}

function without<T extends object>(value: T, names: readonly (keyof T & string)[]): T {
  const left = Object.entries(value).filter(([key]) => !(names as readonly string[]).includes(key));
  return Object.fromEntries(left) as T;
}
