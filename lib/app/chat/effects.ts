/** What the chat program is asked to do, done: over the service, the disk, the clipboard and the person's editor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../ai/wire.ts';
import type { ModelRegistry } from '../../ai/model.ts';
import type { Conversation } from '../../agent/conversation.ts';
import type { ConversationEvent } from '../../agent/events.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import type { ChatKeys } from '../../chat/keyboard.ts';
import { type ChatEvent, type Effect, type Tab } from '../../chat/state.ts';
import { firstWords } from '../../chat/timeline.ts';
import type { AppContext } from '../context.ts';
import { runEditor } from '../editor.ts';
import { InputQueue } from '../ai/input-queue.ts';
import type { AiSession } from '../ai/service.ts';
import { chatOf, chatsOf, newestOf, pagesOf, searched } from './chats.ts';
import type { DebugLog } from './debug-log.ts';
import type { Drafts } from './drafts.ts';
import { modelFacts } from './model-facts.ts';
import { type TabDefaults } from './opening.ts';
import type { ChatProgram, Effects } from './program.ts';
import { CARRIED } from './carried.ts';
import { wordsOf } from './words.ts';
import { openTabConversation, type TabConversation } from './tab-conversation.ts';

/** Chats that are searched for a text: the newest ones. */
const SEARCHED_MAX = 300;
/** Messages that are looked at for their names after a turn. */
const RECONCILED = 60;

export interface EffectsOptions {
  readonly context: AppContext;
  readonly ai: AiSession;
  readonly registry: ModelRegistry;
  readonly program: ChatProgram;
  readonly drafts: Drafts;
  readonly keys: ChatKeys;
  readonly debug: DebugLog;
  readonly defaults: TabDefaults;
  readonly themesDir: string;
  readonly isInTmux: boolean;
}

export class ChatEffects implements Effects {
  readonly #options: EffectsOptions;
  readonly #conversations = new Map<number, Promise<TabConversation>>();
  /** Those that are open. */
  readonly #open = new Map<number, TabConversation>();
  readonly #stop = new AbortController();
  #search: AbortController | undefined;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  run(effect: Effect): void {
    const carry = CARRIED[effect.type] as (effects: ChatEffects, effect: Effect) => unknown;
    void Promise.resolve()
      .then(() => carry(this, effect))
      .catch((error: unknown) => this.fail(error));
  }

  async end(): Promise<void> {
    this.#search?.abort();
    this.#stop.abort();
    const opening = [...this.#conversations.values()];
    await Promise.allSettled(opening.map(async one => this.#shut(await one)));
    await this.#options.ai.close();
  }

  get options(): EffectsOptions {
    return this.#options;
  }

  fail(error: unknown): void {
    this.dispatch({ type: 'told', text: errorText(toCoded(error)), tone: 'error' });
  }

  dispatch(event: ChatEvent): void {
    this.#options.program.dispatch(event);
  }

  tab(key: number): Tab | undefined {
    return this.#options.program.app.tabs.find(tab => tab.key === key);
  }

  /** The conversation of a tab, as it is set now; opened where it is not yet. Rejects with CodedError. */
  async conversation(tab: Tab): Promise<Conversation> {
    let opening = this.#conversations.get(tab.key);
    if (!opening) {
      const { ai, debug, context } = this.#options;
      const emit = (event: ConversationEvent): void => this.#happened(tab.key, event);
      opening = openTabConversation({
        context,
        ai,
        client: debug.watching(ai.client),
        tab,
        emit,
        signal: this.#stop.signal,
      });
      this.#conversations.set(tab.key, opening);
      // What failed is tried again the next time.
      opening.catch(() => this.#conversations.delete(tab.key));
    }
    const one = await opening;
    this.#open.set(tab.key, one);
    one.conversation.model = tab.model.name;
    one.conversation.mode = tab.mode;
    one.settings.effort = tab.effort;
    return one.conversation;
  }

  /** Names of the tools of a tab whose conversation is open. */
  toolsOf(key: number): readonly string[] {
    return this.#open.get(key)?.tools ?? [];
  }

  /** Names of the tools that a tab is offered, or will be. Rejects with CodedError. */
  async offered(tab: Tab): Promise<readonly string[]> {
    if (tab.tools) return tab.tools;
    if (tab.model.name !== '') await this.conversation(tab);
    return this.toolsOf(tab.key);
  }

  /** The one that is open already. */
  opened(key: number): Conversation | undefined {
    return this.#open.get(key)?.conversation;
  }

  #happened(key: number, event: ConversationEvent): void {
    const queued = (this.opened(key)?.interjections ?? []).map(wordsOf);
    this.dispatch({ type: 'conversation', key, event, queued });
    if (event.type === 'end') void this.#settle(key).catch((error: unknown) => this.fail(error));
  }

  /** After a turn: what the service calls its messages, and the title that it may have given. */
  async #settle(key: number): Promise<void> {
    const tab = this.tab(key);
    if (!tab) return;
    const { client } = this.#options.ai;
    const messages = await newestOf(client, tab.chat, RECONCILED);
    this.dispatch({ type: 'reconciled', key, messages });
    const chat = await chatOf(client, tab.chat);
    const title = chat?.title || (await this.#entitle(tab));
    if (title !== '') this.dispatch({ type: 'facts', key, facts: { title } });
  }

  /** A chat that the service gives no title is called by what it began with; '' where that says nothing. */
  async #entitle({ timeline, chat }: Tab): Promise<string> {
    const title = firstWords(timeline);
    if (title === '') return '';
    const request = { chat: { name: chat, title }, update_mask: { paths: ['title'] } };
    await this.#options.ai.client.call('UpdateChat', request);
    return title;
  }

  /** What is known of the model of a tab, of which there was only a name. */
  know(key: number): void {
    const tab = this.tab(key);
    if (!tab || tab.model.name === '') return;
    const model = modelFacts(this.#options.registry.find(tab.model.name));
    this.dispatch({ type: 'facts', key, facts: { model } });
  }

  /** Reads a tab's messages, the newest first. */
  async load(key: number): Promise<void> {
    const tab = this.tab(key);
    if (!tab) return;
    const { client } = this.#options.ai;
    for await (const { messages, isLast } of pagesOf(client, tab.chat)) {
      this.dispatch({ type: 'loaded', key, messages, isWhole: isLast });
      if (!this.tab(key)) return;
    }
    const chat = await chatOf(client, tab.chat);
    if (chat?.title) this.dispatch({ type: 'facts', key, facts: { title: chat.title } });
    if (await this.#sendKept(tab.chat)) await this.#reload(key, tab.chat);
  }

  /** Sends what a service that was away did not get; each counts once, whoever sends it again. Whether there was something. */
  async #sendKept(chat: string): Promise<boolean> {
    const queue = new InputQueue(this.#options.context, chat);
    const waiting = queue.waiting();
    for (const request of waiting) {
      this.dispatch({ type: 'told', text: 'a question that was kept is sent again', tone: 'info' });
      for await (const _ of this.#options.ai.client.generate(request, this.#stop.signal));
      queue.remove(request);
    }
    return waiting.length > 0;
  }

  /** All of a chat anew, as the service has it now. */
  async #reload(key: number, chat: string): Promise<void> {
    const messages: Message[] = [];
    for await (const page of pagesOf(this.#options.ai.client, chat)) messages.unshift(...page.messages);
    this.dispatch({ type: 'replaced', key, messages });
  }

  async search(text: string): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    const { client } = this.#options.ai;
    const chats = await chatsOf(client, this.#options.ai.user);
    const names: string[] = [];
    for await (const name of searched(
      client,
      chats.slice(0, SEARCHED_MAX).map(({ name: one }) => one),
      text,
      search.signal,
    )) {
      names.push(name);
      if (!search.signal.aborted) this.dispatch({ type: 'found', names: [...names] });
    }
    if (!search.signal.aborted) this.dispatch({ type: 'found', names });
  }

  /** The editor of the person on this terminal; what was saved in it. */
  edit(text: string, name: string): string {
    const { context, program } = this.#options;
    const dir = mkdtempSync(join(tmpdir(), 'mux-chat-'));
    const path = join(dir, name);
    try {
      writeFileSync(path, text, { mode: 0o600 });
      program.terminal.giveBack();
      runEditor(context.env, path);
      return readFileSync(path, 'utf8').replace(/\n$/, '');
    } finally {
      program.terminal.take();
      program.redraw();
      rmSync(dir, { recursive: true, force: true });
    }
  }

  /** A tab is closed: its turn ends, and what its tools have started. */
  async forget(key: number): Promise<void> {
    const opening = this.#conversations.get(key);
    this.#conversations.delete(key);
    this.#open.delete(key);
    if (opening) await this.#shut(await opening);
  }

  async #shut({ conversation, close }: TabConversation): Promise<void> {
    conversation.cancel();
    await close();
  }
}
