/** From keys and the mouse to events: who has the keyboard decides which tables count, and what is bound to nothing is text. */
import type { InputEvent, Key } from '../input/event.ts';
import { formatKey, parseKey } from '../input/keyname.ts';
import { CHAT_KEYS, CTRL_J_KEYS } from '../keys/default-chat.ts';
import { MODE_KEYS } from '../keys/default-modes.ts';
import { bindRows, KeyTables, type KeyConflict, type KeyRow } from '../keys/tables.ts';
import { WHEEL_ROWS } from '../mode/event.ts';
import type { HelpGroup } from '../mode/help.ts';
import type { ScreenPicture } from './paint/screen.ts';
import { shownTab, type ChatApp, type ChatEvent } from './state.ts';

/** Command text that a key of the chat program may have: the name of an action. */
const ACTION = /^send-keys -X ([a-z0-9-]+)$/;

/** Tables whose keys count here, and what their headings are in the help. */
const TABLES: Readonly<Record<string, string>> = {
  'chat-input': 'Writing',
  'chat-timeline': 'In the timeline',
  'chat-review': 'When a call needs your word',
  'chat-menu': 'In the list of chats',
  chat: 'Everywhere',
  picker: 'In lists',
  prompt: 'Editing a line',
};

/** The keys of one program. */
export class ChatKeys {
  readonly #tables = new KeyTables();
  /** What is wrong with the person's own keys, a line each. */
  readonly problems: readonly string[];

  /** `own` are the person's, over the defaults; those of other tables are none of ours. */
  constructor(preset: 'enter' | 'ctrl-j', own: readonly KeyRow[]) {
    bindRows(
      this.#tables,
      MODE_KEYS.filter(({ table }) => Object.hasOwn(TABLES, table)),
    );
    bindRows(this.#tables, CHAT_KEYS);
    if (preset === 'ctrl-j') {
      // Taken away first: the first key of an action is the one that is shown.
      for (const { table, key } of CTRL_J_KEYS) this.#tables.unbind(table, parseKey(key));
      bindRows(this.#tables, CTRL_J_KEYS);
    }
    const ours = own.filter(({ table }) => Object.hasOwn(TABLES, table) && table.startsWith('chat'));
    const wrong = ours.filter(({ command }) => !ACTION.test(command));
    const conflicts = bindRows(
      this.#tables,
      ours.filter(({ command }) => ACTION.test(command)),
    );
    this.problems = [
      ...wrong.map(
        ({ table, key, command }) => `keys.${table}.${key}: '${command}' is not 'send-keys -X NAME'`,
      ),
      ...conflicts.map(conflictText),
    ];
  }

  /** The first key of an action, as people write it; '' where it has none. */
  keyOf(table: string, action: string): string {
    const row = this.#tables.list(table).find(({ binding }) => binding.command === `send-keys -X ${action}`);
    return row ? formatKey(row.key) : '';
  }

  /** All keys by heading, as they are bound now. */
  help(): HelpGroup[] {
    return Object.entries(TABLES).map(([table, title]) => {
      const rows = new Map<string, string>();
      for (const { key, binding } of this.#tables.list(table)) {
        const before = rows.get(binding.note);
        const own = formatKey(key);
        rows.set(binding.note, before === undefined ? own : joinKeys(before, own));
      }
      return { title, keys: [...rows].map(([text, key]) => ({ key, text })) };
    });
  }

  /** What an event of the terminal means; undefined: nothing. */
  event(app: ChatApp, input: InputEvent, picture: ScreenPicture): ChatEvent | undefined {
    if (input.type === 'key') return this.#key(app, input.key);
    if (input.type !== 'mouse') return undefined;
    const { action, button, x, y } = input.mouse;
    if (action === 'wheel-up' || action === 'wheel-down')
      return { type: 'wheel', rows: action === 'wheel-up' ? -WHEEL_ROWS : WHEEL_ROWS };
    if (action !== 'press' || button !== 0) return undefined;
    return { type: 'click', target: picture.target(x, y) };
  }

  #key(app: ChatApp, key: Key): ChatEvent | undefined {
    for (const table of tablesOf(app)) {
      const command = this.#tables.lookup(table, key)?.command;
      const name = command === undefined ? undefined : ACTION.exec(command)?.[1];
      if (name !== undefined) return { type: 'action', name };
    }
    const text = textOf(key);
    return text === undefined ? undefined : { type: 'text', text };
  }
}

function conflictText({ table, key, commands }: KeyConflict): string {
  return `keys.${table}.${key}: bound to ${commands.join(' and to ')}; the last one counts`;
}

/** `M-1` and `M-2` are `M-1…2`. */
function joinKeys(before: string, key: string): string {
  return /\d$/.test(before) && /^M-\d$/.test(key)
    ? before.replace(/(…\d)?$/, `…${key.at(-1)}`)
    : `${before} ${key}`;
}

function textOf({ name, ctrl, alt }: Key): string | undefined {
  if (ctrl || alt) return undefined;
  if (name === 'Space') return ' ';
  return Array.from(name).length === 1 ? name : undefined;
}

/** The tables that count, the first one first. */
function tablesOf(app: ChatApp): readonly string[] {
  const { overlay } = app;
  if (overlay?.type === 'menu') return overlay.menu.rename ? ['prompt'] : ['chat-menu', 'prompt'];
  if (overlay?.type === 'ask') return ['prompt'];
  if (overlay?.type === 'sure') return ['chat', 'picker'];
  if (overlay) return ['picker', 'prompt'];
  const tab = shownTab(app);
  if (tab.focus === 'review') return tab.review ? ['prompt'] : ['chat-review', 'chat'];
  return [tab.focus === 'input' ? 'chat-input' : 'chat-timeline', 'chat'];
}
