/** Chats for specs: a state with one tab, what happens to it, and the screen as text. */
import type { CallView } from '../../../lib/agent/events.ts';
import type { Size } from '../../../lib/base/geometry.ts';
import { plain } from '../../../lib/base/styled.ts';
import { ChatKeys } from '../../../lib/chat/keyboard.ts';
import { screenPicture } from '../../../lib/chat/paint/screen.ts';
import { reduce } from '../../../lib/chat/reduce.ts';
import {
  newTab,
  shownTab,
  type ChatApp,
  type ChatEvent,
  type Effect,
  type Tab,
} from '../../../lib/chat/state.ts';
import { TimelineLayout } from '../../../lib/chat/timeline-layout.ts';
import { ChromeScreen } from '../../../lib/chrome/screen.ts';
import type { Message } from '../../../lib/ai/wire.ts';
import { parseKey } from '../../../lib/input/keyname.ts';
import { dump } from '../../chrome/dump.ts';
import { numberedTheme } from '../../chrome/views.ts';

export const MODEL = { name: 'providers/p/models/big', label: 'big', limit: 10_000 };

/** A program with one empty chat. */
export function emptyApp(size: Size = { cols: 80, rows: 24 }, change: Partial<Tab> = {}): ChatApp {
  const tab = newTab(0, 'organizations/o/users/u/chats/one', {
    model: MODEL,
    role: '',
    effort: '',
    mode: 'manual',
  });
  return {
    size,
    tabs: [{ ...tab, ...change }],
    active: 0,
    overlay: undefined,
    told: [],
    nextKey: 1,
    themes: ['dark', 'light'],
    theme: 'dark',
    now: 1_000_000,
  };
}

/** A program that is driven, with what it has asked for. */
export class Scene {
  app: ChatApp;
  readonly layout = new TimelineLayout();
  readonly effects: Effect[] = [];
  readonly keys = new ChatKeys('enter', []);

  constructor(app: ChatApp = emptyApp()) {
    this.app = app;
  }

  get tab(): Tab {
    return shownTab(this.app);
  }

  /** Text of what is written. */
  get written(): string {
    return this.tab.editor.text.lines.join('\n');
  }

  on(...events: readonly ChatEvent[]): this {
    for (const event of events) {
      const { state, intents } = reduce(this.app, event, { layout: this.layout });
      this.app = state;
      this.effects.push(...intents);
    }
    return this;
  }

  /** Something the conversation of a tab tells. */
  hears(...events: readonly Extract<ChatEvent, { type: 'conversation' }>['event'][]): this {
    return this.on(
      ...events.map((event): ChatEvent => ({ type: 'conversation', key: 0, event, queued: [] })),
    );
  }

  /** Keys by name, and single characters. */
  press(...names: readonly string[]): this {
    for (const name of names) {
      const picture = screenPicture(this.app, this.layout, () => '');
      const key = { type: 'key', key: parseKey(name), raw: new Uint8Array(0) } as const;
      const event = this.keys.event(this.app, key, picture);
      if (event) this.on(event);
    }
    return this;
  }

  types(text: string): this {
    return this.on({ type: 'text', text });
  }

  /** The screen with its styles. */
  dump(): string {
    const { app, layout, keys } = this;
    const screen = new ChromeScreen(app.size, numberedTheme());
    const picture = screenPicture(app, layout, (table, action) => keys.keyOf(table, action));
    const text = dump(screen.paint(picture.painting, app.size));
    screen.dispose();
    return text;
  }

  /** The rows of the timeline that are on the screen, without margins. */
  timeline(width = 78, height = 20): string[] {
    return this.layout.window(this.tab.timeline, width, height).rows.map(({ line }) => plain(line).trimEnd());
  }
}

export function user(name: string, text: string): Message {
  return { name, role: 'ROLE_USER', blocks: [{ text }] };
}

export function assistant(name: string, text: string): Message {
  return { name, role: 'ROLE_ASSISTANT', blocks: [{ text }] };
}

/** A call as the engine tells of it. */
export function call(change: Partial<CallView> = {}): CallView {
  return { id: 'c1', name: 'exec_shell', args: { command: 'git push' }, state: 'waiting', ...change };
}

/** What would be edited, with a diff. */
export function editCall(change: Partial<CallView> = {}): CallView {
  return call({
    name: 'replace',
    args: { path: 'src/berth.ts' },
    preview: {
      subject: { kind: 'words', words: ['src/berth.ts'], tier: 'write' },
      header: 'edited `src/berth.ts`',
      diff: '--- a/src/berth.ts\n+++ b/src/berth.ts\n@@ -10,4 +10,4 @@\n const a = 1;\n-const lock = take(1);\n+const lock = take(2);\n const b = 2;\n',
    },
    ...change,
  });
}
