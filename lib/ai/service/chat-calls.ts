/** The calls about chats. */
import { isId, isParent, parseChat } from '../names.ts';
import { invalid, refuse, ServiceError, type Violation } from '../service-error.ts';
import { chatEtag, chatName, toChat, type ChatRow } from '../store/chats.ts';
import type { Chat, FieldMask, ListRequest } from '../wire.ts';
import type { ServiceContext } from './context.ts';
import { masked } from './mask.ts';
import { requestPrint } from './print.ts';
import { labelViolations, titleViolations, uuidViolations } from './validate.ts';

export interface NameRequest {
  readonly name?: string;
}
export interface DeleteRequest extends NameRequest {
  readonly allow_missing?: boolean;
  readonly etag?: string;
}
export interface CreateChatRequest {
  readonly parent?: string;
  readonly chat?: Chat;
  readonly chat_id?: string;
  readonly request_id?: string;
  readonly validate_only?: boolean;
}
export interface UpdateChatRequest {
  readonly chat?: Chat;
  readonly update_mask?: FieldMask;
}
export interface BatchRequest {
  readonly parent?: string;
  readonly names?: readonly string[];
}

const UPDATABLE = ['labels', 'title', 'annotations', 'price'] as const;
/** Names of one batch. */
export const BATCH_MAX = 1000;

export function createChat({ store, newId, clock }: ServiceContext, request: CreateChatRequest): Chat {
  const { parent = '', chat = {}, chat_id: id = '', request_id: requestId = '' } = request;
  refuse([
    ...parentViolations(parent),
    ...idViolations('chat_id', id),
    ...titleViolations('chat.title', chat.title),
    ...labelViolations('chat.labels', chat.labels),
    ...uuidViolations('request_id', requestId),
  ]);
  const print = requestPrint(request);
  const before = store.requests.result(`chats ${parent}`, requestId, print);
  if (before !== undefined) return toChat(store.chats.get(before));
  if (request.validate_only) {
    const name = `${parent}/chats/${id}`;
    if (id !== '' && store.chats.find(name))
      throw new ServiceError('ALREADY_EXISTS', `${name}: there is one already`);
    const at = clock.now();
    const row = {
      n: 0,
      version: 0,
      parent,
      id,
      create_time: at,
      update_time: at,
      delete_time: null,
      price: 0,
    };
    const { title = '', labels = {}, annotations = {} } = chat;
    const texts = { title, labels: JSON.stringify(labels), annotations: JSON.stringify(annotations) };
    return toChat({ ...row, ...texts });
  }
  return store.whole(() => {
    const row = store.chats.create(parent, id || newId(), chat);
    store.requests.keep(`chats ${parent}`, requestId, print, chatName(row));
    return toChat(row);
  });
}

export function getChat({ store }: ServiceContext, { name = '' }: NameRequest): Chat {
  return toChat(store.chats.get(checkedName(name)));
}

export function updateChat(
  { store }: ServiceContext,
  { chat = {}, update_mask: mask }: UpdateChatRequest,
): Chat {
  const name = checkedName(chat.name ?? '', 'chat.name');
  const change = masked(chat, mask, UPDATABLE);
  refuse([
    ...titleViolations('chat.title', change.title),
    ...labelViolations('chat.labels', change.labels),
    ...((change.price ?? 0) < 0 ? [{ field: 'chat.price', description: 'is below 0' }] : []),
  ]);
  return store.whole(() => {
    const row = live(store.chats.get(name));
    checkEtag(name, chat.etag, chatEtag(row));
    return toChat(store.chats.update(row, change));
  });
}

export function deleteChat({ store }: ServiceContext, request: DeleteRequest): Chat {
  const name = checkedName(request.name ?? '');
  return store.whole(() => {
    const row = store.chats.find(name);
    if (!row || row.delete_time !== null) {
      if (request.allow_missing) return row ? toChat(row) : { name };
      throw new ServiceError('NOT_FOUND', `${name}: no such chat`);
    }
    checkEtag(name, request.etag, chatEtag(row));
    return toChat(store.chats.setDeleted(row, true));
  });
}

export function undeleteChat({ store }: ServiceContext, { name = '' }: NameRequest): Chat {
  return store.whole(() => {
    const row = store.chats.get(checkedName(name));
    if (row.delete_time === null) throw new ServiceError('ALREADY_EXISTS', `${name}: it is not deleted`);
    return toChat(store.chats.setDeleted(row, false));
  });
}

export function listChats({ store }: ServiceContext, request: ListRequest): object {
  refuse(parentViolations(request.parent ?? ''));
  return store.chats.list(request);
}

export function batchGetChats({ store }: ServiceContext, { parent = '', names = [] }: BatchRequest): object {
  refuse([
    ...parentViolations(parent),
    ...batchViolations(names, name => parseChat(name)?.parent === parent),
  ]);
  return { chats: names.map(name => toChat(store.chats.get(name))) };
}

/** A chat that is not deleted. Throws FAILED_PRECONDITION. */
export function live(row: ChatRow): ChatRow {
  if (row.delete_time === null) return row;
  throw new ServiceError('FAILED_PRECONDITION', `${chatName(row)}: it is deleted`);
}

/** Throws ABORTED where a client has seen another state. */
export function checkEtag(name: string, given: string | undefined, own: string): void {
  if (given && given !== own) throw new ServiceError('ABORTED', `${name}: it has changed since`);
}

export function idViolations(field: string, id: string): Violation[] {
  const description = 'must be 1 to 63 lower-case letters and digits, with single - between';
  return id === '' || isId(id) ? [] : [{ field, description }];
}

export function batchViolations(names: readonly string[], isOwn: (name: string) => boolean): Violation[] {
  if (names.length === 0) return [{ field: 'names', description: 'is empty' }];
  if (names.length > BATCH_MAX) return [{ field: 'names', description: `has more than ${BATCH_MAX}` }];
  return names.flatMap((name, at) =>
    isOwn(name) ? [] : [{ field: `names[${at}]`, description: `'${name}' is none of the parent's` }],
  );
}

function parentViolations(parent: string): Violation[] {
  const description = `'${parent}' is no organizations/ORGANIZATION/users/USER`;
  return isParent(parent) ? [] : [{ field: 'parent', description }];
}

function checkedName(name: string, field = 'name'): string {
  if (!parseChat(name)) throw invalid([{ field, description: `'${name}' names no chat` }]);
  return name;
}
