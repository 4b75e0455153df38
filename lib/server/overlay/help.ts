/**
 * The help screen, made from the key tables: what every key does now, also the ones a person bound.
 */
import type { Size } from '../../base/geometry.ts';
import { helpExtent } from '../../chrome/help.ts';
import type { HelpView } from '../../chrome/view.ts';
import { formatKey } from '../../input/keyname.ts';
import { DEFAULT_KEYS } from '../../keys/defaults.ts';
import { KEY_GROUPS } from '../../keys/default-key.ts';
import type { KeyTables } from '../../keys/tables.ts';
import { help, helpView, reduceHelp, type Help, type HelpGroup } from '../../mode/help.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Key table → heading, for those whose keys stand under one heading of their own. */
const MODE_TITLES: Readonly<Record<string, string>> = {
  'copy-mode-vi': 'In copy mode (vi)',
  'copy-mode': 'In copy mode (emacs)',
  'copy-mode-typing': 'After the wheel, with copy-mode-typing leave',
  sidebar: 'In the sidebar',
  picker: 'In lists',
  navigator: 'Among the sessions',
  messages: 'Among messages',
  composer: 'Writing a message',
  documents: 'Among documents',
  tree: 'In the tree of windows and sessions',
  buffers: 'Among paste buffers',
  menu: 'In menus',
  off: 'While all keys are given away',
  browser: 'In the lore browser',
  'browser-line': 'In its filter and search lines',
  prompt: 'Editing a line',
  root: 'Without the prefix',
  chat: 'In mux chat',
  'chat-input': 'In mux chat: writing',
  'chat-timeline': 'In mux chat: the timeline',
  'chat-review': 'In mux chat: a call that waits',
  'chat-menu': 'In mux chat: all chats',
};

/** Keys by heading: the prefix table by its groups, then each mode's table but those that are not in force. */
export function helpGroups(keys: KeyTables, prefix: string, unused: readonly string[] = []): HelpGroup[] {
  const groupOf = new Map(
    DEFAULT_KEYS.filter(k => k.table === 'prefix').map(k => [k.command, k.group as string]),
  );
  // The groups first, in their own order.
  const titles = new Map<string, { key: string; text: string }[]>(KEY_GROUPS.map(group => [group, []]));
  const add = (title: string, key: string, text: string): void => {
    const rows = titles.get(title) ?? [];
    titles.set(title, rows);
    const same = rows.find(row => row.text === text);
    // Several keys for one thing share a row; a run of digits is told by its ends.
    if (same && /\d$/.test(same.key) && /\d$/.test(key))
      same.key = same.key.replace(/(…\d)?$/, `…${key.at(-1)}`);
    else if (same) same.key = `${same.key} ${key}`;
    else rows.push({ key, text });
  };
  for (const { table, key, binding } of keys.list()) {
    const note = binding.note || binding.command;
    if (table === 'prefix')
      add(groupOf.get(binding.command) ?? 'General', `${prefix} ${formatKey(key)}`, note);
    else if (Object.hasOwn(MODE_TITLES, table) && !unused.includes(table))
      add(MODE_TITLES[table]!, formatKey(key), note);
  }
  return [...titles].filter(([, rows]) => rows.length > 0).map(([title, rows]) => ({ title, keys: rows }));
}

export class HelpOverlay implements Overlay {
  readonly table = 'picker';
  readonly #host: OverlayHost;
  readonly #size: () => Size;
  #state: Help;

  /** @param size the screen's size now */
  constructor(host: OverlayHost, groups: readonly HelpGroup[], size: () => Size) {
    this.#host = host;
    this.#size = size;
    this.#state = help(groups);
  }

  view(): HelpView {
    return helpView(this.#state);
  }

  event(event: ModeEvent): void {
    this.#measure();
    const { state, intents } = reduceHelp(this.#state, event);
    this.#state = state;
    if (intents.length > 0) this.#host.close();
    this.#host.redraw();
  }

  select(): void {}

  refresh(): void {}

  dispose(): void {}

  /** How far one can scroll depends on the screen, and on what the filter left. */
  #measure(): void {
    const extent = helpExtent(helpView(this.#state), this.#size());
    this.#state = reduceHelp(this.#state, { type: 'extent', ...extent }).state;
  }
}
