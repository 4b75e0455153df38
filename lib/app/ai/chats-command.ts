/** `mux chats`: what AiService holds, listed, read, renamed, pinned, exported and deleted. */
import { allMessages, compact, rebuild } from '../../ai/compact.ts';
import { PINNED } from '../../ai/compaction.ts';
import type { Chat, Message } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import { command } from '../../cmd/define.ts';
import { parseArgs } from '../../cmd/args.ts';
import type { AppContext } from '../context.ts';
import { printRows } from '../graph-context.ts';
import { unknownWord } from '../own-commands.ts';
import { chatNamed, shortName } from './chat-names.ts';
import { showChat } from './chat-pager.ts';
import {
  chatJson,
  chatTitle,
  isPinned,
  messageId,
  messageJson,
  messageMarkdown,
  PIN,
  timeText,
} from './chat-text.ts';
import { compactedText, compactOptions } from './compacting.ts';
import { lastChat } from './last-chats.ts';
import { pictureFiles } from './pictures.ts';
import { openAi, type AiSession } from './service.ts';

const USAGE =
  'chats list [FILTER] | show|export|delete|restore|clear|compact|rebuild [NAME] | pin [NAME] [--message ID] | rename NAME TITLE';
const CHATS = command({
  name: 'chats',
  group: 'Screen',
  text: '',
  args: '[VERB] [WORDS…]',
  maxArgs: Infinity,
  flags: [{ name: 'message', value: 'ID', text: 'the message that is meant' }],
  exec: () => undefined,
});
/** Chats of one page. */
const PAGE = 100;

interface Verb {
  /** Words it takes, at least and at most. */
  readonly words: readonly [number, number];
  readonly run: (call: Call) => Promise<void>;
}

interface Call {
  readonly context: AppContext;
  readonly ai: AiSession;
  /** The chat that is meant; '' where none was said. */
  readonly name: string;
  readonly words: readonly string[];
  /** The message that is meant, '' for the chat itself. */
  readonly message: string;
  readonly isJson: boolean;
}

const VERBS: Readonly<Record<string, Verb>> = {
  list: { words: [0, 1], run: list },
  show: { words: [0, 1], run: show },
  export: { words: [0, 1], run: exported },
  rename: { words: [2, Infinity], run: rename },
  delete: { words: [1, 1], run: remove },
  restore: { words: [1, 1], run: restore },
  pin: { words: [0, 1], run: pin },
  clear: { words: [0, 1], run: clear },
  compact: { words: [0, 1], run: compacted },
  rebuild: { words: [0, 1], run: rebuilt },
};

/** Throws CodedError. */
export async function chatsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(CHATS, words);
  const [what = 'list', ...rest] = args.rest;
  const message = args.value('message') ?? '';
  const verb = Object.hasOwn(VERBS, what) ? VERBS[what] : undefined;
  if (!verb) throw unknownWord('chats', what, USAGE);
  const [least, most] = verb.words;
  if (rest.length < least || rest.length > most)
    throw new CodedError(
      'usage',
      `chats ${what}: ${rest.length < least ? 'say which' : `'${rest[most]}' is too much`}`,
      `usage: mux ${USAGE}`,
    );
  if (message !== '' && what !== 'pin')
    throw new CodedError('usage', `chats ${what}: --message goes with pin`, `usage: mux ${USAGE}`);
  const ai = await openAi(context);
  try {
    const name = what === 'list' ? '' : named(context, ai, rest[0]);
    await verb.run({ context, ai, name, words: rest, message, isJson: context.json !== 'off' });
  } finally {
    await ai.close();
  }
  return 0;
}

/** The chat that is meant; without a name the last one of this terminal. Throws CodedError. */
function named(context: AppContext, { user }: AiSession, given: string | undefined): string {
  if (given !== undefined) return chatNamed(user, given);
  const last = lastChat(context);
  if (last !== undefined) return last;
  throw new CodedError(
    'not_found',
    'chats: this terminal has no chat yet',
    "say which; 'mux chats list' shows all",
  );
}

/** Deletes what was said; the prompt stays, and each message can be brought back. */
async function clear({ ai, name, isJson }: Call): Promise<void> {
  const messages = await allMessages(ai.client, name);
  const said = messages.filter(({ role }) => role !== 'ROLE_SYSTEM');
  for (const message of said)
    await ai.client.call('DeleteMessage', { name: message.name, allow_missing: true });
  if (!isJson) console.log(`${shortName(name)} is empty: ${said.length} messages were deleted`);
}

async function compacted({ context, ai, name, isJson }: Call): Promise<void> {
  const done = await compact({ ...compactOptions(context, ai, name), isForced: true });
  if (isJson) return console.log(JSON.stringify(done ?? { messages: 0 }));
  console.log(done ? compactedText(done) : 'there is nothing to compact: the last turn stays as it is');
}

async function rebuilt({ ai, name, isJson }: Call): Promise<void> {
  const messages = await rebuild(ai.client, name);
  console.log(
    isJson ? JSON.stringify({ messages }) : `models are told all of it again: ${messages} messages came back`,
  );
}

async function list({ ai, words, isJson }: Call): Promise<void> {
  const chats: Chat[] = [];
  for (let page_token = ''; ;) {
    const request = {
      parent: ai.user,
      filter: words[0] ?? '',
      order_by: 'update_time desc',
      page_size: PAGE,
      page_token,
    };
    const page = await ai.client.call<{ chats?: Chat[]; next_page_token?: string }>('ListChats', request);
    chats.push(...(page.chats ?? []));
    page_token = page.next_page_token ?? '';
    if (page_token === '') break;
  }
  if (isJson) return console.log(JSON.stringify({ chats: chats.map(chatJson) }));
  printRows(
    ['CHAT', 'UPDATED', 'DOLLARS', 'TITLE'],
    chats.map(chat => [
      `${shortName(chat.name ?? '')}${isPinned(chat) ? ' *' : ''}`,
      timeText(chat.update_time),
      chat.price ? chat.price.toFixed(4) : '',
      chat.title ?? '',
    ]),
  );
}

async function show({ context, ai, name, isJson }: Call): Promise<void> {
  const [chat, messages] = await whole(ai, name);
  if (isJson) return printJson(context, chat, messages);
  const file = pictureFiles(context);
  showChat(context, ai.config, [
    chatTitle(chat),
    // What the model is told before all is the same for every chat here: 'mux role show --system', and JSON has it.
    ...messages
      .filter(({ role }) => role !== 'ROLE_SYSTEM')
      .map(message => messageMarkdown(message, file, true)),
  ]);
}

/** Markdown, or JSON where that is asked for. */
async function exported({ context, ai, name }: Call): Promise<void> {
  const [chat, messages] = await whole(ai, name);
  if (context.json === 'on') return printJson(context, chat, messages);
  const file = pictureFiles(context);
  const texts = messages.map(message => messageMarkdown(message, file));
  process.stdout.write([chatTitle(chat), ...texts].join('\n'));
}

function printJson(context: AppContext, chat: Chat, messages: readonly Message[]): void {
  const file = pictureFiles(context);
  console.log(
    JSON.stringify({ ...chatJson(chat), messages: messages.map(message => messageJson(message, file)) }),
  );
}

async function rename({ ai, name, words: [, ...title] }: Call): Promise<void> {
  const chat = { name, title: title.join(' ') };
  await ai.client.call('UpdateChat', { chat, update_mask: { paths: ['title'] } });
}

async function remove({ ai, name, isJson }: Call): Promise<void> {
  await ai.client.call('DeleteChat', { name });
  if (!isJson)
    console.log(`${shortName(name)} is deleted; 'mux chats restore ${shortName(name)}' brings it back`);
}

async function restore({ ai, name }: Call): Promise<void> {
  await ai.client.call('UndeleteChat', { name });
}

/** Pins a chat, or frees it again. */
async function pin({ ai, name, message, isJson }: Call): Promise<void> {
  if (message !== '') return pinMessage(ai, name, message, isJson);
  const chat = await ai.client.call<Chat>('GetChat', { name });
  const { [PIN]: _, ...others } = chat.labels ?? {};
  const labels = isPinned(chat) ? others : { ...others, [PIN]: 'true' };
  await ai.client.call('UpdateChat', { chat: { name, labels }, update_mask: { paths: ['labels'] } });
  if (!isJson) console.log(`${shortName(name)} is ${isPinned(chat) ? 'no longer ' : ''}pinned`);
}

/** A pinned message stays as it was said when its chat is compacted. */
async function pinMessage(ai: AiSession, chat: string, given: string, isJson: boolean): Promise<void> {
  const all = await allMessages(ai.client, chat);
  const found = all.filter(one => messageId(one) === messageId({ name: given }));
  const [message, other] = found.length > 0 ? found : all.filter(one => messageId(one).startsWith(given));
  const why = message ? 'more than one message begins so' : 'no such message';
  if (!message || other)
    throw new CodedError(
      'not_found',
      `${shortName(chat)}: ${given}: ${why}`,
      `'mux chats show ${shortName(chat)}' tells their ids`,
    );
  const { [PINNED]: isOn, ...others } = message.labels ?? {};
  await ai.client.call('UpdateMessage', {
    message: { name: message.name, labels: isOn ? others : { ...others, [PINNED]: 'true' } },
    update_mask: { paths: ['labels'] },
  });
  if (!isJson) console.log(`${messageId(message)} is ${isOn ? 'no longer ' : ''}pinned`);
}

async function whole({ client }: AiSession, name: string): Promise<[Chat, Message[]]> {
  return [await client.call<Chat>('GetChat', { name }), await allMessages(client, name)];
}
