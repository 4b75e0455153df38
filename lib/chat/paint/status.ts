/** The row that tells what goes on, and the row that tells what the keys do. */
import type { Rect } from '../../base/geometry.ts';
import type { Run, StyledLine } from '../../base/styled.ts';
import { visible } from '../../base/visible.ts';
import { cutLine, justify, lineWidth } from '../../chrome/lines.ts';
import { rowBox } from '../../chrome/paint.ts';
import type { ConversationState } from '../../agent/events.ts';
import type { Geometry } from '../geometry.ts';
import { shownTab, type ChatApp, type Tab } from '../state.ts';
import type { TimelineLayout } from '../timeline-layout.ts';
import type { KeyOf, Part } from './screen.ts';

const STATES: Readonly<Record<ConversationState, Run & { readonly word: string }>> = {
  idle: { text: '', word: '' },
  streaming: { text: '● ', role: 'accent', word: 'thinking' },
  running: { text: '● ', role: 'accent', word: 'running a tool' },
  waiting: { text: '◆ ', role: 'warn', word: 'needs your word' },
};

/** What goes on, what waits to be said, and how far the end is. */
export function statusBox(app: ChatApp, layout: TimelineLayout, place: Geometry, keyOf: KeyOf): Part {
  const tab = shownTab(app);
  const { status: rect } = place;
  const [told] = app.told;
  const left: StyledLine = told
    ? [{ text: `  ${visible(told.text)}`, role: told.tone === 'error' ? 'alarm' : 'header' }]
    : stateRuns(app, tab, keyOf);
  const isAtEnd =
    tab.timeline.items.length === 0 ||
    layout.window(tab.timeline, place.inner, place.timeline.height).isAtEnd;
  const right: Run[] = isAtEnd
    ? []
    : [{ text: '↓ more below ', role: tab.state === 'idle' ? 'dim' : 'accent' }];
  const line = justify(left, right, rect.width);
  const zones = isAtEnd
    ? []
    : [
        {
          rect: { ...rect, x: rect.x + rect.width - 14, width: 14 },
          target: () => ({ type: 'action', name: 'bottom' }) as const,
        },
      ];
  return { boxes: [rowBox(rect.x, rect.y, rect.width, line)], zones };
}

function stateRuns(app: ChatApp, tab: Tab, keyOf: KeyOf): Run[] {
  const { word, ...mark } = STATES[tab.state];
  const queued: Run[] =
    tab.queued.length === 0
      ? []
      : [
          { text: ` · ${tab.queued.length} to be said next: `, role: 'dim' },
          { text: visible((tab.queued[0] ?? '').replace(/\s+/g, ' ').slice(0, 200)), role: 'header' },
        ];
  if (word === '') return tab.isLoading ? [{ text: '  reading older messages', role: 'dim' }] : [];
  const doing = tab.state === 'streaming' && isWriting(tab) ? 'writing' : word;
  const seconds = tab.since === 0 ? 0 : Math.max(0, Math.round((app.now - tab.since) / 1000));
  const stop = tab.state === 'waiting' ? '' : keyOf('chat', 'interrupt');
  return [
    { text: '  ' },
    mark,
    { text: doing, role: 'header' },
    ...(seconds < 2 ? [] : [{ text: ` ${age(seconds)}`, role: 'dim' as const }]),
    ...(stop === '' ? [] : [{ text: ` · ${stop} stops it`, role: 'dim' as const }]),
    ...queued,
  ];
}

function isWriting({ timeline }: Tab): boolean {
  const last = timeline.items.at(-1);
  return last?.kind === 'assistant' && last.isStreaming === true;
}

function age(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

type Hints = readonly (readonly [table: string, action: string, text: string])[];

const HINTS: Readonly<Record<Tab['focus'], Hints>> = {
  input: [
    ['chat-input', 'send', 'send'],
    ['chat-input', 'newline', 'new line'],
    ['chat-input', 'leave-input', 'timeline'],
    ['chat', 'menu', 'chats'],
    ['chat', 'pick-model', 'model'],
    ['chat', 'help', 'keys'],
    ['chat', 'new-tab', 'new tab'],
    ['chat-input', 'open-editor', 'editor'],
  ],
  timeline: [
    ['chat-timeline', 'next-item', 'next'],
    ['chat-timeline', 'previous-item', 'before'],
    ['chat-timeline', 'fold', 'fold'],
    ['chat-timeline', 'copy', 'copy'],
    ['chat-timeline', 'edit-resend', 'edit'],
    ['chat-timeline', 'fork', 'fork'],
    ['chat-timeline', 'truncate', 'delete'],
    ['chat-timeline', 'to-input', 'write'],
    ['chat', 'help', 'keys'],
  ],
  review: [
    ['chat-review', 'scroll-down', 'scroll'],
    ['chat-review', 'side-by-side', 'diff'],
    ['chat-review', 'to-input', 'write'],
    ['chat', 'help', 'keys'],
  ],
};

/** The keys that count now. */
export function hintsBox(app: ChatApp, rect: Rect, keyOf: KeyOf): Part {
  const tab = shownTab(app);
  const runs: Run[] = [{ text: ' ' }];
  for (const [table, action, text] of HINTS[tab.focus]) {
    const key = keyOf(table, action);
    if (key === '') continue;
    const next: Run[] = [
      { text: key, role: 'accent' },
      { text: ` ${text}   `, role: 'dim' },
    ];
    if (lineWidth([...runs, ...next]) > rect.width + 2) break;
    runs.push(...next);
  }
  return { boxes: [rowBox(rect.x, rect.y, rect.width, cutLine(runs, rect.width))], zones: [] };
}
