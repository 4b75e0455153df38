/** Each effect, carried out. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Message } from '../../ai/wire.ts';
import { HISTORY_MAX } from '../../chat/editor.ts';
import { newTab, shownTab, type Effect } from '../../chat/state.ts';
import { timelineOf } from '../../chat/timeline.ts';
import { help } from '../../mode/help.ts';
import { clipboardBytes } from '../../render/clipboard.ts';
import { loadTheme } from '../../config/theme-file.ts';
import { fileMessage } from '../ai/ask-input.ts';
import { newChat } from '../ai/chat-names.ts';
import { rememberChat } from '../ai/last-chats.ts';
import { chatsOf, copyChat, favour, newestOf, pagesOf, truncateChat } from './chats.ts';
import { exported } from './export.ts';
import { filesLike } from './files.ts';
import { modelFacts } from './model-facts.ts';
import { restoredTab } from './opening.ts';
import { promptMessages, roleHere } from './roles.ts';

import { CodedError } from '../../base/errors.ts';
import type { ChatEffects } from './effects.ts';
import { pickerFor } from './pickers.ts';
import { wordsOf } from './words.ts';

type Carried = {
  readonly [Type in Effect['type']]: (
    effects: ChatEffects,
    effect: Extract<Effect, { readonly type: Type }>,
  ) => unknown;
};

/** What is done for each. */
export const CARRIED: Carried = {
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
    const system = isNew ? await promptMessages(context, tab.role, effects.toolsOf(key)) : [];
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
    effects.dispatch({ type: 'picker', purpose, picker: await pickerFor(effects, purpose) });
  },
  tools: async (effects, { key, names }) => {
    const tab = effects.tab(key);
    if (!tab || names.join() === (await effects.offered(tab)).join()) return;
    if (tab.state !== 'idle')
      throw new CodedError('refused', 'tools: an answer is under way', 'stop it first');
    effects.dispatch({ type: 'picked', key, facts: { tools: names } });
    // The next message opens it anew, with these.
    await effects.forget(key);
    const what = names.length === 1 ? 'one tool is' : `${names.length} tools are`;
    effects.dispatch({ type: 'told', text: `${what} offered from now on`, tone: 'info' });
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
    const { text } = await roleHere(context, role);
    const message = { role: 'ROLE_SYSTEM', blocks: [{ text }] };
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
