/** The chats of the service, as the chat program asks for them. */
import { CallFailure, type AiClient } from '../../ai/client.ts';
import { fromTimestamp } from '../../ai/values.ts';
import type { Chat, Message } from '../../ai/wire.ts';
import { SUPERSEDED } from '../../ai/store/messages.ts';
import type { ChatFacts } from '../../chat/state.ts';
import { PIN } from '../ai/chat-text.ts';

/** Messages that are asked for first: some screens. */
const FIRST_PAGE = 60;
/** Messages of the pages behind it: what a service gives at once. */
const PAGE = 1000;
/** Chats of one page. */
const CHATS_PAGE = 500;
/** Messages of a preview. */
const PREVIEW = 12;
/** Chats that are searched at the same time. */
const SEARCHES = 4;

interface Page {
  readonly messages?: readonly Message[];
  readonly next_page_token?: string;
}

/** What is not told to models any more is not shown either. */
const LIVE = `NOT labels:${SUPERSEDED}`;

/** Pages of a chat's messages, the newest page first, each in order; nothing where there is no such chat yet. */
export async function* pagesOf(
  client: AiClient,
  chat: string,
): AsyncGenerator<{ readonly messages: readonly Message[]; readonly isLast: boolean }> {
  let token = '';
  let held: readonly Message[] = [];
  let isFirst = true;
  do {
    const request = {
      parent: chat,
      page_size: isFirst ? FIRST_PAGE : PAGE,
      order_by: 'create_time desc',
      filter: LIVE,
      page_token: token,
    };
    const page = await known(client.call<Page>('ListMessages', request), {});
    isFirst = false;
    token = page.next_page_token ?? '';
    const messages = [...(page.messages ?? []).toReversed(), ...held];
    // Results belong to the answer before them, which is on the next page.
    const start =
      token === ''
        ? 0
        : Math.max(
            0,
            messages.findIndex(({ role }) => role !== 'ROLE_TOOL'),
          );
    held = messages.slice(0, start);
    yield { messages: messages.slice(start), isLast: token === '' };
  } while (token !== '');
}

/** The newest messages of a chat, in order. */
export async function newestOf(client: AiClient, chat: string, count = PREVIEW): Promise<readonly Message[]> {
  const request = { parent: chat, page_size: count, order_by: 'create_time desc', filter: LIVE };
  const { messages = [] } = await known(client.call<Page>('ListMessages', request), {});
  return messages.toReversed();
}

/** All chats of a user, the newest first. */
export async function chatsOf(client: AiClient, user: string): Promise<ChatFacts[]> {
  const found: ChatFacts[] = [];
  let token = '';
  do {
    const request = { parent: user, order_by: 'update_time desc', page_size: CHATS_PAGE, page_token: token };
    const page = await client.call<{ chats?: Chat[]; next_page_token?: string }>('ListChats', request);
    found.push(...(page.chats ?? []).map(factsOf));
    token = page.next_page_token ?? '';
  } while (token !== '');
  return found;
}

/** One chat; undefined where the service has none of that name yet. */
export async function chatOf(client: AiClient, name: string): Promise<ChatFacts | undefined> {
  const chat = await known<Chat | undefined>(client.call<Chat>('GetChat', { name }), undefined);
  return chat && factsOf(chat);
}

function factsOf({ name = '', title = '', update_time: updated, price = 0, labels = {} }: Chat): ChatFacts {
  return {
    name,
    title,
    updated: updated ? fromTimestamp(updated) : 0,
    price,
    isFavourite: labels[PIN] === 'true',
  };
}

/** Marks a chat as a favourite, or no longer. */
export async function favour(client: AiClient, name: string, isFavourite: boolean): Promise<void> {
  const { labels = {} } = await client.call<Chat>('GetChat', { name });
  const { [PIN]: _, ...others } = labels;
  const chat = { name, labels: isFavourite ? { ...others, [PIN]: 'true' } : others };
  await client.call('UpdateChat', { chat, update_mask: { paths: ['labels'] } });
}

/** Names of the chats in which every word was said, as they are found; in the order given. */
export async function* searched(
  client: AiClient,
  chats: readonly string[],
  text: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (let at = 0; at < chats.length && !signal.aborted; at += SEARCHES) {
    const some = chats.slice(at, at + SEARCHES);
    const hits = await Promise.all(some.map(chat => holds(client, chat, words)));
    for (const [n, isHit] of hits.entries()) if (isHit) yield some[n]!;
  }
}

async function holds(client: AiClient, chat: string, words: readonly string[]): Promise<boolean> {
  let missing = words;
  for await (const { messages } of pagesOf(client, chat)) {
    for (const { blocks = [] } of messages) {
      const said = blocks
        .map(({ text = '', tool_result: result }) => `${text}\n${result?.content ?? ''}`)
        .join('\n')
        .toLowerCase();
      missing = missing.filter(word => !said.includes(word));
    }
    if (missing.length === 0) return true;
  }
  return false;
}

/** A copy of a chat up to a message, that one too. Gives how many messages it has. */
export async function copyChat(client: AiClient, from: string, to: string, upTo: string): Promise<number> {
  const messages: Message[] = [];
  for await (const page of pagesOf(client, from)) messages.unshift(...page.messages);
  const at = messages.findIndex(({ name }) => name === upTo);
  let kept = messages.slice(0, at + 1);
  // An answer that calls tools belongs together with what they said.
  for (let n = at + 1; messages[n]?.role === 'ROLE_TOOL'; n++) kept = [...kept, messages[n]!];
  for (const { role, blocks, labels, annotations, model } of kept)
    await client.call('CreateMessage', { parent: to, message: { role, blocks, labels, annotations, model } });
  return kept.length;
}

/** Deletes a message and all after it. Gives how many. */
export async function truncateChat(client: AiClient, chat: string, from: string): Promise<number> {
  const messages: Message[] = [];
  for await (const page of pagesOf(client, chat)) messages.unshift(...page.messages);
  const at = messages.findIndex(({ name }) => name === from);
  if (at < 0) return 0;
  // The last one first: whatever fails in between, no answer is left without its question.
  const gone = messages.slice(at).toReversed();
  for (const { name } of gone) await client.call('DeleteMessage', { name, allow_missing: true });
  return gone.length;
}

async function known<T>(call: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await call;
  } catch (error) {
    // A chat begins with its first message.
    if (error instanceof CallFailure && error.code === 'not_found') return otherwise;
    throw error;
  }
}
