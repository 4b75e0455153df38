/** What is in a chat, and what it has cost. */
import type { Run, StyledLine } from '../base/styled.ts';
import { pad } from '../base/text.ts';
import { visible } from '../base/visible.ts';
import type { Item } from './item.ts';
import type { Tab } from './state.ts';
import { dollars, shortCount } from './usage.ts';

/** Names of a list that are shown; the rest is counted. */
const LISTED = 8;
const LABEL_COLS = 14;

const KINDS: Readonly<Record<Item['kind'], string>> = {
  user: 'of yours',
  assistant: 'answers',
  thought: 'thoughts',
  call: 'calls',
  files: 'groups of files',
  system: 'prompts',
  error: 'errors',
  notice: 'notes',
};

/** The lines of the view. */
export function infoLines(tab: Tab): readonly StyledLine[] {
  const { usage, model, timeline } = tab;
  const turns = timeline.items.filter(({ kind }) => kind === 'user').length;
  const counts = Object.entries(KINDS).flatMap(([kind, name]) => {
    const count = timeline.items.filter(item => item.kind === kind).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const share =
    model.limit > 0
      ? ` of ${shortCount(model.limit)}, ${Math.round((usage.context / model.limit) * 100)} %`
      : '';
  const total = usage.input + usage.output;
  const rows: readonly (readonly [label: string, text: string])[] = [
    ['chat', tab.chat],
    ['title', tab.title || '(none yet)'],
    ['model', model.name || '(none chosen)'],
    ['role', tab.role || '(none)'],
    ['effort', tab.effort || 'auto'],
    ['mode', tab.mode],
    ['items', counts.join(', ') || 'none yet'],
    ['context', `${shortCount(usage.context)} tokens${share}`],
    [
      'tokens',
      `${shortCount(usage.input)} in, ${shortCount(usage.output)} out${usage.input > 0 ? `, ${Math.round((usage.cached / usage.input) * 100)} % of the input from the cache` : ''}`,
    ],
    [
      'cost',
      `${dollars(usage.price)}${turns > 0 ? `, ${dollars(usage.price / turns)} a turn` : ''}${total > 0 ? `, ${dollars((usage.price / total) * 1_000_000)} a million tokens` : ''}`,
    ],
    ['queued', String(tab.queued.length)],
  ];
  const files = timeline.items.flatMap(item =>
    item.kind === 'files' ? item.files.map(({ path }) => path) : [],
  );
  const tools = new Map<string, number>();
  for (const item of timeline.items)
    if (item.kind === 'call') tools.set(item.call.name, (tools.get(item.call.name) ?? 0) + 1);
  return [
    [],
    ...rows.map(([label, text]): StyledLine => [labelRun(label), { text: visible(text) }]),
    ...listLines('files', files),
    ...listLines(
      'tools called',
      [...tools].map(([name, count]) => `${name} ×${count}`),
    ),
  ];
}

function labelRun(label: string): Run {
  return { text: pad(label, LABEL_COLS), role: 'dim' };
}

function listLines(label: string, names: readonly string[]): StyledLine[] {
  const more = names.length - LISTED;
  const shown = [...names.slice(0, LISTED), ...(more > 0 ? [`… ${more} more`] : [])];
  return shown.map((name, n): StyledLine => [labelRun(n === 0 ? label : ''), { text: visible(name) }]);
}
