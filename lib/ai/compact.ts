/** Compaction carried out through AiService, whichever it is; and taken back. */
import { randomBytes } from 'node:crypto';
import type { AiClient } from './client.ts';
import { COMPACTED, compactionPlan, footprint, SUMMARY, SUMMARY_PROMPT, transcript } from './compaction.ts';
import { SUPERSEDED } from './store/messages.ts';
import type { Message } from './wire.ts';

/** A summary of a long chat takes a model a while, in ms. */
const SUMMARY_MS = 300_000;

export interface CompactOptions {
  readonly client: AiClient;
  /** The chat's name. */
  readonly chat: string;
  /** Resource name of the model that summarises. */
  readonly model: string;
  /** Tokens. */
  readonly budget: number;
  /** Also where the budget is kept: everything but the last turn goes. */
  readonly isForced?: boolean;
}

/** What was done, in estimated tokens. */
export interface Compacted {
  readonly messages: number;
  readonly before: number;
  readonly after: number;
}

/** All messages of a chat, also those that are told to no model. Throws CallFailure. */
export async function allMessages(client: AiClient, chat: string): Promise<Message[]> {
  const found: Message[] = [];
  for (let page_token = ''; ;) {
    const request = { parent: chat, page_token };
    const page = await client.call<{ messages?: Message[]; next_page_token?: string }>(
      'ListMessages',
      request,
    );
    found.push(...(page.messages ?? []));
    page_token = page.next_page_token ?? '';
    if (page_token === '') return found;
  }
}

/**
 * Compacts a chat where its plan says so. The summary is there before anything is marked: whatever fails in between leaves
 * a chat that says a thing twice, never one that has lost it. Throws CallFailure.
 */
export async function compact(options: CompactOptions): Promise<Compacted | undefined> {
  const { client, chat, budget, isForced } = options;
  const messages = await allMessages(client, chat);
  const plan = compactionPlan(messages, budget, isForced);
  if (!plan) return undefined;
  const text = await summary(options, transcript(plan));
  await client.call('CreateMessage', {
    parent: chat,
    message: {
      role: 'ROLE_SYSTEM',
      labels: { [SUMMARY]: 'true' },
      blocks: [{ text: `Summary of the conversation before what follows:\n\n${text}` }],
    },
  });
  for (const message of [...plan.summaries, ...plan.older])
    await setLabels(client, message, { [SUPERSEDED]: 'true', [COMPACTED]: 'true' });
  const after = await allMessages(client, chat);
  return { messages: plan.older.length, before: footprint(messages), after: footprint(after) };
}

/** Tells models the whole of a chat again: summaries go, and what they stood for comes back. */
export async function rebuild(client: AiClient, chat: string): Promise<number> {
  const messages = await allMessages(client, chat);
  const compacted = messages.filter(({ labels = {} }) => Object.hasOwn(labels, COMPACTED));
  for (const message of compacted) await setLabels(client, message, { [SUPERSEDED]: '', [COMPACTED]: '' });
  for (const { name, labels = {} } of messages)
    if (Object.hasOwn(labels, SUMMARY)) await client.call('DeleteMessage', { name });
  return compacted.filter(({ labels = {} }) => !Object.hasOwn(labels, SUMMARY)).length;
}

/** Sets labels, or takes those away whose value is ''. */
async function setLabels(
  client: AiClient,
  { name, labels = {} }: Message,
  change: Record<string, string>,
): Promise<void> {
  const next = Object.entries({ ...labels, ...change }).filter(([, value]) => value !== '');
  await client.call('UpdateMessage', {
    message: { name, labels: Object.fromEntries(next) },
    update_mask: { paths: ['labels'] },
  });
}

/** Made in a chat that is deleted at once: nobody sees it. */
async function summary({ client, chat, model }: CompactOptions, conversation: string): Promise<string> {
  const own = `${chat.replace(/[^/]+$/, '')}sum-${randomBytes(6).toString('hex')}`;
  const messages = [
    { role: 'ROLE_SYSTEM', blocks: [{ text: SUMMARY_PROMPT }] },
    { role: 'ROLE_USER', blocks: [{ text: conversation }] },
  ];
  try {
    const request = { parent: own, model, messages };
    const options = { deadline: SUMMARY_MS };
    const answer = await client.call<{ generated_message?: Message }>('GenerateMessage', request, options);
    return (answer.generated_message?.blocks ?? []).map(({ text = '' }) => text).join('');
  } finally {
    await client.call('DeleteChat', { name: own, allow_missing: true }).catch(() => undefined);
  }
}
