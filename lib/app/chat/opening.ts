/** Tabs as they were left, and the chats that a terminal had open. */
import { editor } from '../../chat/editor.ts';
import { EFFORTS, MODES, newTab, type Mode, type ModelFacts, type Tab } from '../../chat/state.ts';
import type { Drafts } from './drafts.ts';

/** What a new chat begins with. */
export interface TabDefaults {
  readonly model: ModelFacts;
  readonly role: string;
  readonly effort: '';
  readonly mode: Mode;
}

/** A chat with what was kept of it here. What waited to be said is in the input again: who was to hear it is gone. */
export function restoredTab(given: {
  readonly chat: string;
  readonly title: string;
  readonly drafts: Drafts;
  readonly defaults: TabDefaults;
  readonly history: readonly string[];
}): Tab {
  const { chat, title, drafts, defaults, history } = given;
  const tab = { ...newTab(0, chat, defaults, history), title, isLoading: true };
  const draft = drafts.read(chat);
  if (!draft) return tab;
  const text = [...draft.queued, draft.text].filter(one => one !== '').join('\n\n');
  return {
    ...tab,
    title: title || draft.title,
    model: draft.model === '' ? tab.model : unknownModel(draft.model),
    role: draft.role,
    effort: EFFORTS.find(effort => effort === draft.effort) ?? '',
    mode: MODES.find(mode => mode === draft.mode) ?? tab.mode,
    tools: draft.tools,
    attachments: draft.attachments,
    resumeFrom: draft.resumeFrom,
    editor: editor(text, history),
  };
}

/** A model of which only the name is known so far. */
export function unknownModel(name: string): ModelFacts {
  return { name, label: name.replace(/^providers\/(.*)\/models\//, '$1/'), limit: 0 };
}
