/**
 * The top row: tabs at the left, status at the right.
 */
import type { Role, Run, StyledLine } from '../base/styled.ts';
import { STATES } from './glyphs.ts';
import { unreadMark } from '../base/text.ts';
import { cutLine, lineWidth, run } from './lines.ts';
import { rowBox, type Box } from './paint.ts';
import type { ProgressView, SessionState, StatusView, TabView } from './view.ts';

/** Longest name shown in a tab, in cells: five tabs still fit on 120 columns beside the status. */
const MAX_NAME = 20;
/** Order of the counts: who waits for a person comes first. */
const COUNT_ORDER: readonly SessionState[] = [
  'needs-you',
  'failed',
  'working',
  'starting',
  'ready',
  'stopped',
];
const SEPARATOR: Run = { text: '│', role: 'border' };

/** The top row of a screen of `cols` columns: status on the whole row, a box for each tab over it. */
export function topRow(tabs: readonly TabView[], status: StatusView, cols: number): Box[] {
  const active = Math.max(
    0,
    tabs.findIndex(tab => tab.active),
  );
  const wanted = tabsWidth(tabs, cols);
  const own = tabs.length === 0 ? 0 : lineWidth(tabRuns(tabs[active]!));
  // The status gives way until all tabs fit, or they have half of the row, and always the focused one with its marks.
  const need = Math.max(Math.min(wanted, Math.floor(cols / 2)), Math.min(own + 2, cols));
  const right = statusRuns(status, cols - need - 1);
  const room = cols - lineWidth(right);
  const row = rowBox(0, 0, cols, [{ text: ' '.repeat(room) }, ...right]);
  return [row, ...tabStrip(tabs, active, right.length > 0 ? room - 1 : room)];
}

/** Width of all tabs, counted no further than `limit`. */
function tabsWidth(tabs: readonly TabView[], limit: number): number {
  let width = 0;
  for (const tab of tabs) {
    width += lineWidth(tabRuns(tab)) + 1;
    if (width > limit) break;
  }
  return width;
}

/** ` 1 api ● 45%` */
function tabRuns(tab: TabView): StyledLine {
  const { mark, role } = STATES[tab.state];
  const name = cutLine([run(` ${tab.index} ${tab.name}`)], MAX_NAME);
  const zoom: StyledLine = tab.zoomed ? [{ text: ' Z', bold: true }] : [];
  const sync: StyledLine = tab.synchronized ? [{ text: ' S', role: 'warn', bold: true }] : [];
  return [
    ...name,
    ...zoom,
    ...sync,
    { text: ' ' },
    { text: mark, role },
    ...progressRuns(tab.progress),
    { text: ' ' },
  ];
}

/** Roles of progress; the sign behind the number says it without colour. */
const PROGRESS: Readonly<Record<ProgressView['state'], readonly [role: Role, sign: string]>> = {
  normal: ['accent', '%'],
  unknown: ['accent', ''],
  paused: ['warn', '%='],
  error: ['alarm', '%!'],
};

/** ` 45%`, ` …` where nobody knows how far it is. */
function progressRuns(progress: ProgressView | undefined): StyledLine {
  if (!progress) return [];
  const [role, sign] = PROGRESS[progress.state];
  return [{ text: progress.state === 'unknown' ? ' …' : ` ${progress.percent}${sign}`, role }];
}

/** The tabs that fit around the active one, with ‹ and › where there are more. */
function tabStrip(tabs: readonly TabView[], active: number, room: number): Box[] {
  if (tabs.length === 0) return [];
  const { first, last } = visibleTabs(tabs, active, room);
  const boxes: Box[] = [];
  let x = 0;
  const add = (runs: StyledLine, fill: Role, index: number): void => {
    const box = rowBox(x, 0, lineWidth(runs), runs, fill);
    boxes.push({ ...box, hit: () => ({ type: 'tab', index }) });
    x += box.rect.width;
  };
  if (first > 0) add([{ text: '‹', role: 'accent' }], 'bg', tabs[first - 1]!.index);
  const marks = (first > 0 ? 1 : 0) + (last < tabs.length - 1 ? 1 : 0);
  for (let i = first; i <= last; i++) {
    const tab = tabs[i]!;
    const line = tabRuns(tab);
    const runs = first === last ? cutLine(line, Math.max(0, room - marks)) : line;
    add(runs, tab.active ? 'tab-focus' : 'tab', tab.index);
    if (i < last) boxes.push(rowBox(x++, 0, 1, [SEPARATOR]));
  }
  if (last < tabs.length - 1) add([{ text: '›', role: 'accent' }], 'bg', tabs[last + 1]!.index);
  return boxes;
}

/** Grows from the active tab to both sides while there is room, keeping a cell at each end for its mark. */
function visibleTabs(
  tabs: readonly TabView[],
  active: number,
  room: number,
): { readonly first: number; readonly last: number } {
  const widthOf = (i: number): number => lineWidth(tabRuns(tabs[i]!));
  let first = active;
  let last = active;
  let used = widthOf(active);
  const fits = (width: number, from: number, to: number): boolean =>
    used + 1 + width + (from > 0 ? 1 : 0) + (to < tabs.length - 1 ? 1 : 0) <= room;
  for (let grown = true; grown;) {
    grown = false;
    if (last < tabs.length - 1 && fits(widthOf(last + 1), first, last + 1)) {
      used += 1 + widthOf(++last);
      grown = true;
    }
    if (first > 0 && fits(widthOf(first - 1), first - 1, last)) {
      used += 1 + widthOf(--first);
      grown = true;
    }
  }
  return { first, last };
}

/** The parts of the status that fit into `room` cells: dropped from the left, but the mark goes last. */
function statusRuns(status: StatusView, room: number): StyledLine {
  const branch = status.branch === '' || status.branch.startsWith('⎇') ? status.branch : `⎇ ${status.branch}`;
  const parts: StyledLine[] = [
    status.graphTitle === '' ? [] : [run(status.graphTitle, 'fg')],
    branch === '' ? [] : [run(branch, 'dim')],
    countRuns(status.counts),
    status.unread === 0 ? [] : [run(unreadMark(status.unread), 'accent', { bold: true })],
    status.clock === '' ? [] : [run(status.clock, 'dim')],
  ].filter(part => part.length > 0);
  if (status.mark !== '') parts.push([run(status.mark, 'alarm', { bold: true })]);
  for (let from = 0; from < parts.length; from++) {
    const line = parts.slice(from).flatMap((part, i) => [{ text: i === 0 ? '' : '  ' }, ...part]);
    const padded = [...line, { text: ' ' }];
    if (lineWidth(padded) <= room) return padded;
  }
  return [];
}

/** `◆1 ●2 ○1`: states that occur. */
function countRuns(counts: StatusView['counts']): StyledLine {
  const runs: Run[] = [];
  for (const state of COUNT_ORDER) {
    const count = counts[state] ?? 0;
    if (count === 0) continue;
    if (runs.length > 0) runs.push({ text: ' ' });
    runs.push({ text: STATES[state].mark, role: STATES[state].role }, { text: String(count) });
  }
  return runs;
}
