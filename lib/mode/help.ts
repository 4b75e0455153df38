/**
 * Key help: groups of keys, filtered by typing, scrolled.
 */
import type { HelpView, Hint } from '../chrome/view.ts';
import { moveIndex, pageRows, still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';
import { editLine, lineEditor } from './line-editor.ts';
import type { LineEditor } from './line-editor.ts';

/** Keys under a heading. */
export interface HelpGroup {
  readonly title: string;
  readonly keys: readonly Hint[];
}

export interface Help {
  readonly groups: readonly HelpGroup[];
  readonly filter: LineEditor;
  /** First row shown. */
  readonly scroll: number;
  /** Visible rows. */
  readonly rows: number;
  /** Rows that all matching groups take as laid out; an estimate until the `extent` event has said. */
  readonly height: number;
}

export type HelpEvent =
  | ModeEvent
  /** Measures from drawing, in rows. */
  | { readonly type: 'extent'; readonly rows: number; readonly height: number };

export type HelpIntent = { readonly type: 'cancel' };

/** Rows before the box has been drawn. */
const DEFAULT_ROWS = 14;

export function help(groups: readonly HelpGroup[]): Help {
  return withFilter({ groups, filter: lineEditor(), scroll: 0, rows: DEFAULT_ROWS, height: 0 }, lineEditor());
}

/** Help after `event`. */
export function reduceHelp(state: Help, event: HelpEvent): Step<Help, HelpIntent> {
  if (typeof event === 'string') {
    if (event === 'cancel' || event === 'accept') return { state, intents: [{ type: 'cancel' }] };
    const rows = Math.max(1, state.height - state.rows + 1);
    const scroll = moveIndex(event, state.scroll, rows, pageRows(state.rows));
    if (scroll !== undefined) return still({ ...state, scroll });
  } else if (event.type === 'extent') {
    const next = { ...state, rows: Math.max(1, event.rows), height: Math.max(0, event.height) };
    return still({ ...next, scroll: Math.max(0, Math.min(next.scroll, next.height - next.rows)) });
  }
  const filter = editLine(state.filter, event).state;
  return still(filter.text === state.filter.text ? { ...state, filter } : withFilter(state, filter));
}

function withFilter(state: Help, filter: LineEditor): Help {
  const next = { ...state, filter, scroll: 0 };
  // A heading, its keys and a blank row each, in two columns.
  const lines = matchingGroups(next).reduce((sum, group) => sum + group.keys.length + 2, 0);
  return { ...next, height: Math.ceil(lines / 2) };
}

/** Groups with the keys whose key or text holds every word of the filter; a heading that does keeps all its keys. */
function matchingGroups(state: Help): HelpGroup[] {
  const words = state.filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string): boolean => words.every(word => text.toLowerCase().includes(word));
  return state.groups
    .map(group => ({
      title: group.title,
      keys: holds(group.title)
        ? group.keys
        : group.keys.filter(key => holds(`${key.key} ${key.text} ${group.title}`)),
    }))
    .filter(group => group.keys.length > 0);
}

/** What chrome draws. */
export function helpView(state: Help): HelpView {
  const { filter, scroll } = state;
  return { type: 'help', filter: filter.text, caret: filter.caret, groups: matchingGroups(state), scroll };
}
