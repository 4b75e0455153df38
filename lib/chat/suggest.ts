/** Completion of the word before the caret: `/command` at the beginning, `@file` anywhere. */
import { graphemes } from '../base/text.ts';
import { rank } from '../mode/fuzzy.ts';
import { edit } from './editor.ts';
import { actionOf } from './actions.ts';
import { SLASH } from './slash.ts';
import { only, type Result, type Surroundings } from './step.ts';
import { geometry } from './geometry.ts';
import { shownTab, withTab, type ChatApp, type Suggestions, type Tab } from './state.ts';

/** Rows that are offered at once. */
export const OFFERED_MAX = 8;

/** The word that can be completed, with its sign; undefined where there is none. */
export function suggestQuery({
  editor,
}: Tab): { readonly kind: '@' | '/'; readonly query: string } | undefined {
  const { lines, row, column } = editor.text;
  const before = graphemes(lines[row]!).slice(0, column).join('');
  const slash = row === 0 ? /^\/(\w*)$/.exec(before) : null;
  if (slash) return { kind: '/', query: slash[1]! };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  return file ? { kind: '@', query: file[1]! } : undefined;
}

/** What is offered after a change; files are asked for. */
export function offer(app: ChatApp): Result {
  const tab = shownTab(app);
  const asked = suggestQuery(tab);
  if (!asked)
    return only(tab.suggestions ? withTab(app, tab.key, one => ({ ...one, suggestions: undefined })) : app);
  if (asked.kind === '@')
    return { state: app, intents: [{ type: 'suggest', key: tab.key, query: asked.query }] };
  const found = rank(
    SLASH.map(([word, , text]) => `${word} ${text}`),
    asked.query,
  );
  // Words first, then what they do.
  const entries = found
    .map(({ index }) => SLASH[index]!)
    .toSorted(([a], [b]) => Number(b.startsWith(asked.query)) - Number(a.startsWith(asked.query)))
    .slice(0, OFFERED_MAX)
    .map(([word, , note]) => ({ text: `/${word}`, note }));
  return only(
    withTab(app, tab.key, one => ({ ...one, suggestions: suggestions('/', asked.query, entries) })),
  );
}

/** The tab with what was found for a query, where that is still the word before the caret. */
export function offered(tab: Tab, query: string, entries: Suggestions['entries']): Tab {
  const asked = suggestQuery(tab);
  if (asked?.kind !== '@' || asked.query !== query) return tab;
  return { ...tab, suggestions: suggestions('@', query, entries.slice(0, OFFERED_MAX)) };
}

function suggestions(
  kind: '@' | '/',
  query: string,
  entries: Suggestions['entries'],
): Suggestions | undefined {
  if (entries.length === 0) return undefined;
  return { kind, replace: graphemes(query).length + 1, entries, selected: 0 };
}

/** Keys while something is offered; undefined where they mean what they always do. */
export function complete(app: ChatApp, name: string, around: Surroundings): Result | undefined {
  const tab = shownTab(app);
  const { suggestions: open } = tab;
  if (!open) return name === 'complete' ? actionOf('leave-input')!(app, around) : undefined;
  const count = open.entries.length;
  const move = (by: number): Result =>
    only(
      withTab(app, tab.key, one => ({
        ...one,
        suggestions: { ...open, selected: (open.selected + by + count) % count },
      })),
    );
  if (name === 'history-up') return move(-1);
  if (name === 'history-down') return move(1);
  if (name !== 'complete' && name !== 'send') return undefined;
  const entry = open.entries[open.selected]!;
  const typed = suggestQuery(tab);
  // What is complete already is run, or sent.
  if (name === 'send' && typed && `${typed.kind}${typed.query}` === entry.text) return undefined;
  if (name === 'send' && open.kind === '/') {
    const next = put(app, tab, open.replace, entry.text);
    return actionOf('send')!(next, around);
  }
  const end = entry.text.endsWith('/') ? '' : ' ';
  return only(put(app, tab, open.replace, `${entry.text}${end}`));
}

/** The word replaced by what was chosen. */
function put(app: ChatApp, tab: Tab, replace: number, text: string): ChatApp {
  const { input } = geometry(app);
  let { editor } = tab;
  for (let n = 0; n < replace; n++) editor = edit(editor, 'backspace', input.width);
  return withTab(app, tab.key, one => ({
    ...one,
    suggestions: undefined,
    editor: edit(editor, { type: 'text', text }, input.width),
  }));
}
