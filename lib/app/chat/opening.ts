/** Tabs as they were left, and the chats that a terminal had open. */
import type { ModelRegistry } from '../../ai/model.ts';
import { editor } from '../../chat/editor.ts';
import { EFFORTS, MODES, newTab, type Mode, type ModelFacts, type Tab } from '../../chat/state.ts';
import type { Drafts } from './drafts.ts';
import { modelFacts } from './model-facts.ts';

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
  readonly registry: ModelRegistry;
  readonly history: readonly string[];
}): Tab {
  const { chat, title, drafts, defaults, registry, history } = given;
  const tab = { ...newTab(0, chat, defaults, history), title, isLoading: true };
  const draft = drafts.read(chat);
  if (!draft) return tab;
  const text = [...draft.queued, draft.text].filter(one => one !== '').join('\n\n');
  return {
    ...tab,
    title: title || draft.title,
    model: knownModel(registry, draft.model) ?? tab.model,
    role: draft.role,
    effort: EFFORTS.find(effort => effort === draft.effort) ?? '',
    mode: MODES.find(mode => mode === draft.mode) ?? tab.mode,
    attachments: draft.attachments,
    resumeFrom: draft.resumeFrom,
    editor: editor(text, history),
  };
}

function knownModel(registry: ModelRegistry, name: string): ModelFacts | undefined {
  const model = registry.list().find(one => one.name === name);
  return model && modelFacts(model);
}
