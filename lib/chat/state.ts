/** Everything the chat program shows and knows, as plain values. */
import type { Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import type { Message } from '../ai/wire.ts';
import type { Help } from '../mode/help.ts';
import type { LineEditor } from '../mode/line-editor.ts';
import type { Picker } from '../mode/picker.ts';
import type { ConversationEvent, ConversationState } from '../agent/events.ts';
import type { Verdict } from '../agent/review.ts';
import { editor, type Editor } from './editor.ts';
import { EMPTY, type Timeline } from './timeline.ts';

/** How hard a model thinks; '' leaves it to the model. */
export const EFFORTS = ['', 'low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** What may run without being asked about. */
export const MODES = ['manual', 'auto', 'plan'] as const;
export type Mode = (typeof MODES)[number];

/** What is known of a model that can be chosen. */
export interface ModelFacts {
  /** Resource name; '' while none is chosen. */
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  /** Tokens that fit in; 0: not known. */
  readonly limit: number;
  /** Dollars for a million tokens of input, and of output; undefined: nobody told. */
  readonly prices?: { readonly input?: number | undefined; readonly output?: number | undefined } | undefined;
}

/** Tokens and dollars of a chat. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Read from a cache, of `input`. */
  readonly cached: number;
  /** Dollars. */
  readonly price: number;
  /** Tokens of the last request with its answer: what fills the context. */
  readonly context: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, price: 0, context: 0 };

/** Something that goes with the next message: a paste that was too long to stand in it, or a file. */
export interface Attachment {
  readonly name: string;
  readonly text: string;
  /** Path of a file that is read when it is sent; absent for a paste. */
  readonly path?: string;
}

/** What can complete the word before the caret. */
export interface Suggestions {
  readonly kind: '@' | '/';
  /** Clusters before the caret that are replaced. */
  readonly replace: number;
  readonly entries: readonly { readonly text: string; readonly note: string }[];
  readonly selected: number;
}

/** What is typed while a call is being decided on. */
export interface ReviewLine {
  readonly purpose: 'reject' | 'word' | 'edit';
  readonly line: LineEditor;
}

/** One chat in a tab. */
export interface Tab {
  /** Unique in this program. */
  readonly key: number;
  /** Resource name. */
  readonly chat: string;
  readonly title: string;
  readonly model: ModelFacts;
  readonly role: string;
  readonly effort: Effort;
  readonly mode: Mode;
  /** Names of the tools that are offered; undefined: those of the role, or of the settings. */
  readonly tools: readonly string[] | undefined;
  readonly usage: Usage;
  readonly timeline: Timeline;
  readonly editor: Editor;
  readonly attachments: readonly Attachment[];
  readonly suggestions: Suggestions | undefined;
  /** Who gets the keys. */
  readonly focus: 'input' | 'timeline' | 'review';
  readonly review: ReviewLine | undefined;
  readonly state: ConversationState;
  /** When the state began, in ms; 0: not known. */
  readonly since: number;
  /** Words that wait for the next request. */
  readonly queued: readonly string[];
  /** Something came that nobody has looked at. */
  readonly isUnread: boolean;
  /** Older messages are still being read. */
  readonly isLoading: boolean;
  /** What is sent next takes the place of this message and of all after it; '' for none. */
  readonly resumeFrom: string;
}

/** A chat as the menu lists it. */
export interface ChatFacts {
  readonly name: string;
  readonly title: string;
  /** ms since the epoch. */
  readonly updated: number;
  readonly price: number;
  readonly isFavourite: boolean;
}

/** The list of all chats. */
export interface Menu {
  readonly chats: readonly ChatFacts[];
  readonly filter: LineEditor;
  /** `text`: searched for what was said in them. */
  readonly searches: 'titles' | 'text';
  /** Names of chats in which the text was found; undefined while nothing was searched. */
  readonly found: readonly string[] | undefined;
  readonly selected: string;
  readonly rename: LineEditor | undefined;
  /** Chats that were deleted while it was open, the last one last. */
  readonly deleted: readonly ChatFacts[];
  readonly previews: ReadonlyMap<string, readonly StyledLine[]>;
  readonly scroll: number;
  readonly rows: number;
  readonly isLoading: boolean;
}

/** What a picker is for. */
export type PickerPurpose =
  'model' | 'role' | 'effort' | 'mode' | 'history' | 'theme' | 'tools' | 'file' | 'lore';

export type Overlay =
  | { readonly type: 'picker'; readonly purpose: PickerPurpose; readonly picker: Picker }
  | { readonly type: 'help'; readonly help: Help }
  | { readonly type: 'menu'; readonly menu: Menu }
  | {
      readonly type: 'text';
      readonly title: string;
      readonly lines: readonly StyledLine[];
      readonly scroll: number;
    }
  | { readonly type: 'ask'; readonly purpose: 'rename' | 'export'; readonly line: LineEditor }
  | { readonly type: 'sure'; readonly purpose: 'truncate' | 'quit'; readonly lines: readonly string[] };

/** A line for a person that goes by itself. */
export interface Told {
  readonly text: string;
  readonly tone: 'info' | 'error';
}

export interface ChatApp {
  readonly size: Size;
  readonly tabs: readonly Tab[];
  readonly active: number;
  readonly overlay: Overlay | undefined;
  /** Lines that wait to be shown, the one that is shown first. */
  readonly told: readonly Told[];
  /** Of the next tab. */
  readonly nextKey: number;
  readonly themes: readonly string[];
  readonly theme: string;
  /** ms since the epoch, as of the last event. */
  readonly now: number;
}

/** What the program is asked to do; carried out in order. */
export type Effect =
  | { readonly type: 'open'; readonly key: number }
  | {
      readonly type: 'send';
      readonly key: number;
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** Message that goes, with all after it, before this is sent; '' for none. */
      readonly leaveBehind: string;
    }
  | { readonly type: 'cancel' | 'take-back' | 'settings' | 'close'; readonly key: number }
  | { readonly type: 'verdict'; readonly key: number; readonly call: string; readonly verdict: Verdict }
  | { readonly type: 'copy'; readonly text: string }
  /** `input`: what comes back is what is being written. */
  | { readonly type: 'editor'; readonly text: string; readonly name: string; readonly isInput: boolean }
  | { readonly type: 'pick'; readonly purpose: PickerPurpose }
  | { readonly type: 'role'; readonly key: number; readonly role: string }
  | { readonly type: 'model'; readonly key: number; readonly model: string }
  | { readonly type: 'tools'; readonly key: number; readonly names: readonly string[] }
  | { readonly type: 'suggest'; readonly key: number; readonly query: string }
  | { readonly type: 'open-chat'; readonly chat: string; readonly title: string }
  | { readonly type: 'chats' }
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'preview' | 'delete' | 'undelete'; readonly chat: string }
  | { readonly type: 'favourite'; readonly chat: string; readonly isFavourite: boolean }
  | { readonly type: 'rename'; readonly chat: string; readonly title: string }
  /** Deletes these messages. */
  | { readonly type: 'truncate'; readonly key: number; readonly from: string }
  /** A copy of the chat up to a message, in a tab of its own. */
  | { readonly type: 'fork'; readonly key: number; readonly upTo: string }
  | { readonly type: 'export'; readonly key: number; readonly path: string }
  | { readonly type: 'theme'; readonly name: string }
  | { readonly type: 'debug' }
  | { readonly type: 'help' }
  | { readonly type: 'redraw' }
  | { readonly type: 'quit' }
  | { readonly type: 'suspend' };

/** What can happen. */
export type ChatEvent =
  /** By the name that keys are bound to. */
  | { readonly type: 'action'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'size'; readonly size: Size }
  | {
      readonly type: 'conversation';
      readonly key: number;
      readonly event: ConversationEvent;
      readonly queued: readonly string[];
    }
  /** Messages that are kept, the newest ones first asked for; `isWhole`: there are no older ones. */
  | {
      readonly type: 'loaded';
      readonly key: number;
      readonly messages: readonly Message[];
      readonly isWhole: boolean;
    }
  /** All of a chat, in place of what was shown. */
  | { readonly type: 'replaced'; readonly key: number; readonly messages: readonly Message[] }
  | { readonly type: 'reconciled'; readonly key: number; readonly messages: readonly Message[] }
  | {
      readonly type: 'facts';
      readonly key: number;
      readonly facts: Partial<Pick<Tab, 'title' | 'model' | 'role' | 'usage'>>;
    }
  | { readonly type: 'tab'; readonly tab: Omit<Tab, 'key'>; readonly isShown: boolean }
  | { readonly type: 'chats'; readonly chats: readonly ChatFacts[] }
  | { readonly type: 'found'; readonly names: readonly string[] }
  | { readonly type: 'preview'; readonly chat: string; readonly lines: readonly StyledLine[] }
  | { readonly type: 'picker'; readonly purpose: PickerPurpose; readonly picker: Picker }
  | {
      readonly type: 'picked';
      readonly key: number;
      readonly facts: Partial<Pick<Tab, 'model' | 'role' | 'tools'>>;
    }
  | {
      readonly type: 'suggestions';
      readonly key: number;
      readonly query: string;
      readonly entries: Suggestions['entries'];
    }
  | { readonly type: 'overlay'; readonly overlay: Overlay | undefined }
  | { readonly type: 'edited'; readonly key: number; readonly text: string }
  /** Words that wait to be said now. */
  | { readonly type: 'queued'; readonly key: number; readonly queued: readonly string[] }
  | { readonly type: 'told'; readonly text: string; readonly tone: Told['tone'] }
  | { readonly type: 'shown' }
  | { readonly type: 'tick' }
  | { readonly type: 'click'; readonly target: Target; readonly isDouble?: boolean }
  | { readonly type: 'wheel'; readonly rows: number };

/** What lies under the mouse. */
export type Target =
  | { readonly type: 'tab'; readonly index: number }
  | { readonly type: 'new-tab' }
  | { readonly type: 'item'; readonly index: number; readonly line: number }
  | { readonly type: 'input'; readonly x: number; readonly y: number }
  | { readonly type: 'overlay-item'; readonly index: number }
  | { readonly type: 'action'; readonly name: string }
  | { readonly type: 'none' };

/** A tab of a chat in which nothing was said yet. */
export function newTab(
  key: number,
  chat: string,
  about: Pick<Tab, 'model' | 'role' | 'effort' | 'mode'>,
  history: readonly string[] = [],
): Tab {
  const { model, role, effort, mode } = about;
  return {
    key,
    chat,
    title: '',
    model,
    role,
    effort,
    mode,
    tools: undefined,
    usage: NO_USAGE,
    timeline: EMPTY,
    editor: editor('', history),
    attachments: [],
    suggestions: undefined,
    focus: 'input',
    review: undefined,
    state: 'idle',
    since: 0,
    queued: [],
    isUnread: false,
    isLoading: false,
    resumeFrom: '',
  };
}

/** The tab that is shown. */
export function shownTab({ tabs, active }: ChatApp): Tab {
  return tabs[active]!;
}

/** The state with one tab changed. */
export function withTab(app: ChatApp, key: number, change: (tab: Tab) => Tab): ChatApp {
  const at = app.tabs.findIndex(tab => tab.key === key);
  const tab = app.tabs[at];
  if (!tab) return app;
  const next = change(tab);
  return next === tab ? app : { ...app, tabs: app.tabs.with(at, next) };
}
