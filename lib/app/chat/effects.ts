/** What the chat program is asked to do, done: over the service, the disk, the clipboard and the person's editor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ModelRegistry } from '../../ai/model.ts';
import type { Conversation } from '../../agent/conversation.ts';
import type { ConversationEvent } from '../../agent/events.ts';
import type { Message } from '../../ai/wire.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import { HISTORY_MAX } from '../../chat/editor.ts';
import type { ChatKeys } from '../../chat/keyboard.ts';
import { newTab, shownTab, type ChatEvent, type Effect, type Tab } from '../../chat/state.ts';
import { firstWords, timelineOf } from '../../chat/timeline.ts';
import { help } from '../../mode/help.ts';
import { picker } from '../../mode/picker.ts';
import { clipboardBytes } from '../../render/clipboard.ts';
import { loadTheme } from '../../config/theme-file.ts';
import type { AppContext } from '../context.ts';
import { runEditor } from '../editor.ts';
import { fileMessage } from '../ai/ask-input.ts';
import { newChat } from '../ai/chat-names.ts';
import { rememberChat } from '../ai/last-chats.ts';
import type { AiSession } from '../ai/service.ts';
import { chatOf, chatsOf, copyChat, favour, newestOf, pagesOf, searched, truncateChat } from './chats.ts';
import type { DebugLog } from './debug-log.ts';
import type { Drafts } from './drafts.ts';
import { exported } from './export.ts';
import { filesLike } from './files.ts';
import { modelFacts } from './model-facts.ts';
import { restoredTab, type TabDefaults } from './opening.ts';
import type { ChatProgram, Effects } from './program.ts';
import { roleMessages, rolesHere } from './roles.ts';
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
      const { ai, debug, context, registry } = this.#options;
      const emit = (event: ConversationEvent): void => this.#happened(tab.key, event);
      opening = openTabConversation({ context, ai, client: debug.watching(ai.client), registry, tab, emit });
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

/** Words of a message. */
export function wordsOf({ blocks = [] }: Message): string {
  return blocks.map(({ text }) => text ?? '').join('');
}

type Carried = {
  readonly [Type in Effect['type']]: (
    effects: ChatEffects,
    effect: Extract<Effect, { readonly type: Type }>,
  ) => unknown;
};

const CARRIED: Carried = {
  open: effects => {
    const { ai, defaults, program } = effects.options;
    const { history } = shownTab(program.app).editor;
    effects.dispatch({ type: 'tab', tab: newTab(0, newChat(ai.user), defaults, history), isShown: true });
    effects.know(shownTab(program.app).key);
  },
  'open-chat': async (effects, { chat, title }) => {
    const { defaults, drafts, program, context } = effects.options;
    const { history } = shownTab(program.app).editor;
    effects.dispatch({
      type: 'tab',
      tab: restoredTab({ chat, title, drafts, defaults, history }),
      isShown: true,
    });
    rememberChat(context, chat);
    const key = program.app.tabs.find(tab => tab.chat === chat)?.key;
    if (key === undefined) return;
    effects.know(key);
    await effects.load(key);
  },
  send: async (effects, { key, text, attachments, leaveBehind }) => {
    const { context, drafts, program } = effects.options;
    const tab = effects.tab(key);
    if (!tab) return;
    const conversation = await effects.conversation(tab);
    if (leaveBehind !== '') await truncateChat(effects.options.ai.client, tab.chat, leaveBehind);
    const files = attachments.map(one =>
      one.path === undefined ? pasteMessage(one.name, one.text) : fileMessage(one.path, context.cwd),
    );
    const mentioned = mentionedFiles(text).flatMap(path => fileIfThere(path, context.cwd));
    const isNew = tab.timeline.items.every(({ message }) => message === '') && conversation.state === 'idle';
    const system = isNew && tab.role !== '' ? await roleMessages(context, tab.role) : [];
    const words: Message = { role: 'ROLE_USER', blocks: [{ text }] };
    rememberChat(context, tab.chat);
    drafts.writeHistory(shownTab(program.app).editor.history.slice(-HISTORY_MAX));
    const all = [...system, ...files, ...mentioned, ...(text.trim() === '' ? [] : [words])];
    void conversation.send(...all);
    effects.dispatch({ type: 'queued', key, queued: conversation.interjections.map(wordsOf) });
  },
  cancel: (effects, { key }) => effects.opened(key)?.cancel(),
  'take-back': (effects, { key }) => {
    const words = (effects.opened(key)?.takeBack() ?? []).map(wordsOf);
    if (words.length === 0)
      return effects.dispatch({ type: 'told', text: 'nothing waits to be said', tone: 'info' });
    effects.dispatch({ type: 'queued', key, queued: [] });
    effects.dispatch({ type: 'edited', key, text: words.join('\n\n') });
  },
  settings: async (effects, { key }) => {
    const tab = effects.tab(key);
    if (tab && effects.opened(key)) await effects.conversation(tab);
  },
  close: (effects, { key }) => effects.forget(key),
  verdict: (effects, { key, call, verdict }) => effects.opened(key)?.answer(call, verdict),
  copy: (effects, { text }) =>
    effects.options.program.terminal.write(clipboardBytes(Buffer.from(text), effects.options.isInTmux)),
  editor: (effects, { text, name, isInput }) => {
    const { key } = shownTab(effects.options.program.app);
    const saved = effects.edit(text, name);
    if (isInput && saved !== text) effects.dispatch({ type: 'edited', key, text: saved });
  },
  pick: async (effects, { purpose }) => {
    const { registry, context, program } = effects.options;
    const tab = shownTab(program.app);
    if (purpose === 'model') {
      const items = registry.list().map(model => {
        const { name, label, limit } = modelFacts(model);
        return {
          id: name,
          text: label,
          note: limit > 0 ? `${Math.round(limit / 1000)}k` : '',
          keywords: name,
        };
      });
      const made = picker(
        {
          title: 'Model',
          selected: tab.model.name,
          hint: 'Enter takes it, from the next message on',
          empty: "no model is known: 'mux models' tells more",
        },
        items,
      );
      return effects.dispatch({ type: 'picker', purpose, picker: made });
    }
    const roles = await rolesHere(context);
    const made = picker(
      { title: 'Role', selected: tab.role, hint: 'Enter takes it', empty: 'there are no roles here' },
      roles,
    );
    effects.dispatch({ type: 'picker', purpose, picker: made });
  },
  model: (effects, { key, model }) => {
    effects.dispatch({
      type: 'picked',
      key,
      facts: { model: modelFacts(effects.options.registry.find(model)) },
    });
  },
  role: async (effects, { key, role }) => {
    const tab = effects.tab(key);
    if (!tab) return;
    effects.dispatch({ type: 'picked', key, facts: { role } });
    if (tab.timeline.items.length === 0 || role === '') return;
    const { context, ai } = effects.options;
    for (const message of await roleMessages(context, role))
      await ai.client.call('CreateMessage', { parent: tab.chat, message });
    effects.dispatch({ type: 'told', text: `the model is told the role ${role} from now on`, tone: 'info' });
  },
  suggest: async (effects, { key, query }) => {
    const entries = await filesLike(effects.options.context.cwd, query);
    effects.dispatch({ type: 'suggestions', key, query, entries });
  },
  chats: async effects => {
    const { client, user } = effects.options.ai;
    effects.dispatch({ type: 'chats', chats: await chatsOf(client, user) });
    const { overlay } = effects.options.program.app;
    if (overlay?.type === 'menu' && overlay.menu.selected !== '')
      effects.run({ type: 'preview', chat: overlay.menu.selected });
  },
  search: (effects, { text }) => effects.search(text),
  preview: async (effects, { chat }) => {
    const { ai, program } = effects.options;
    const timeline = timelineOf(await newestOf(ai.client, chat));
    const width = Math.max(20, Math.floor(program.app.size.cols * 0.6) - 4);
    const lines = timeline.items.flatMap((_, index) => program.layout.lines(timeline, index, width));
    effects.dispatch({ type: 'preview', chat, lines });
  },
  delete: (effects, { chat }) => effects.options.ai.client.call('DeleteChat', { name: chat }),
  undelete: (effects, { chat }) => effects.options.ai.client.call('UndeleteChat', { name: chat }),
  favourite: (effects, { chat, isFavourite }) => favour(effects.options.ai.client, chat, isFavourite),
  rename: (effects, { chat, title }) =>
    effects.options.ai.client.call('UpdateChat', {
      chat: { name: chat, title },
      update_mask: { paths: ['title'] },
    }),
  truncate: async (effects, { key, from }) => {
    const tab = effects.tab(key);
    if (!tab) return;
    const count = await truncateChat(effects.options.ai.client, tab.chat, from);
    effects.dispatch({ type: 'told', text: `${count} messages were deleted`, tone: 'info' });
  },
  fork: async (effects, { key, upTo }) => {
    const tab = effects.tab(key);
    if (!tab) return;
    const { ai } = effects.options;
    const chat = newChat(ai.user);
    const count = await copyChat(ai.client, tab.chat, chat, upTo);
    const title = `${tab.title || 'chat'}, forked`;
    await ai.client.call('UpdateChat', { chat: { name: chat, title }, update_mask: { paths: ['title'] } });
    effects.run({ type: 'open-chat', chat, title });
    effects.dispatch({ type: 'told', text: `a new chat of ${count} messages`, tone: 'info' });
  },
  export: async (effects, { key, path }) => {
    const tab = effects.tab(key);
    if (!tab) return;
    const file = resolve(effects.options.context.cwd, path);
    const messages: Message[] = [];
    for await (const page of pagesOf(effects.options.ai.client, tab.chat)) messages.unshift(...page.messages);
    // Never over a file that is there.
    writeFileSync(file, exported(tab, messages, file.endsWith('.json')), { flag: 'wx', mode: 0o600 });
    effects.dispatch({ type: 'told', text: `written to ${file}`, tone: 'info' });
  },
  theme: (effects, { name }) => effects.options.program.setTheme(loadTheme(name, effects.options.themesDir)),
  debug: effects =>
    effects.dispatch({
      type: 'overlay',
      overlay: {
        type: 'text',
        title: 'Requests and events',
        lines: effects.options.debug.lines(),
        scroll: Number.MAX_SAFE_INTEGER,
      },
    }),
  help: effects =>
    effects.dispatch({ type: 'overlay', overlay: { type: 'help', help: help(effects.options.keys.help()) } }),
  redraw: () => undefined,
  quit: () => undefined,
  suspend: () => undefined,
};

function pasteMessage(name: string, text: string): Message {
  return { role: 'ROLE_USER', blocks: [{ text: `(${name})\n\n${text}` }] };
}

/** Files named by `@path` in a text, each once. */
function mentionedFiles(text: string): readonly string[] {
  return [
    ...new Set([...text.matchAll(/(?:^|\s)@(\S+)/g)].map(([, path]) => path!.replace(/[.,;:!?)]+$/, ''))),
  ];
}

/** What looks like a file and is none is a word of the message. */
function fileIfThere(path: string, cwd: string): Message[] {
  try {
    return [fileMessage(path, cwd)];
  } catch {
    return [];
  }
}
