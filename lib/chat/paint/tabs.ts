/** The row of tabs. */
import type { Rect } from '../../base/geometry.ts';
import type { Run } from '../../base/styled.ts';
import { cellWidth, truncate } from '../../base/text.ts';
import { visible } from '../../base/visible.ts';
import { rowBox } from '../../chrome/paint.ts';
import { titleOf } from '../menu.ts';
import type { ChatApp, Tab } from '../state.ts';
import { firstWords, waitingCalls } from '../timeline.ts';
import type { Part, Zone } from './screen.ts';

/** Cells of a title in its tab. */
const TITLE_MAX = 20;

/** What a tab says about its chat: needs a verdict, works, has something new. */
function markOf(tab: Tab): Run | undefined {
  if (waitingCalls(tab.timeline).length > 0) return { text: '◆', role: 'warn' };
  if (tab.state !== 'idle') return { text: '●', role: 'accent' };
  return tab.isUnread ? { text: '○', role: 'ok' } : undefined;
}

/** What a chat is called on the screen. */
export function tabTitle(tab: Tab): string {
  if (tab.title !== '') return visible(tab.title);
  const words = firstWords(tab.timeline);
  if (words !== '') return words;
  return tab.timeline.items.length === 0 ? 'new chat' : visible(titleOf({ title: '', name: tab.chat }));
}

/** All tabs that fit around the one that is shown. */
export function tabsBox(app: ChatApp, rect: Rect): Part {
  const cells = app.tabs.map((tab, index) => tabRuns(tab, index, index === app.active));
  const widths = cells.map(runs => cellWidth(runs.map(({ text }) => text).join('')));
  const room = rect.width - 5;
  let first = app.active;
  let last = app.active;
  let used = widths[app.active] ?? 0;
  for (;;) {
    if (last + 1 < cells.length && used + widths[last + 1]! <= room) used += widths[++last]!;
    else if (first > 0 && used + widths[first - 1]! <= room) used += widths[--first]!;
    else break;
  }
  const runs: Run[] = first > 0 ? [{ text: '‹', role: 'dim' }] : [{ text: ' ' }];
  const zones: Zone[] = [];
  let x = 1;
  for (let index = first; index <= last; index++) {
    runs.push(...cells[index]!);
    const target = { type: 'tab', index } as const;
    zones.push({
      rect: { x: rect.x + x, y: rect.y, width: widths[index]!, height: 1 },
      target: () => target,
    });
    x += widths[index]!;
  }
  if (last + 1 < cells.length) runs.push({ text: '›', role: 'dim' });
  runs.push({ text: ' + ', role: 'dim' });
  zones.push({
    rect: { x: rect.x + x, y: rect.y, width: 4, height: 1 },
    target: () => ({ type: 'new-tab' }),
  });
  return { boxes: [rowBox(rect.x, rect.y, rect.width, runs)], zones };
}

function tabRuns(tab: Tab, index: number, isActive: boolean): Run[] {
  const mark = markOf(tab);
  const role = isActive ? 'tab-focus' : 'tab';
  return [
    ...(index === 0 ? [] : [{ text: '│', role: 'border' as const }]),
    { text: ` ${index + 1} `, role: 'dim' },
    { text: truncate(tabTitle(tab), TITLE_MAX), role },
    ...(mark ? [{ text: ' ' }, mark] : []),
    { text: ' ' },
  ];
}
