/** A call that waits for a verdict, as a person is asked about it. */
import type { CallView } from '../agent/events.ts';
import type { Run, StyledLine } from '../base/styled.ts';
import { truncate } from '../base/text.ts';
import { revealed } from '../base/visible.ts';
import { wrapText } from '../mode/wrap.ts';
import { callAbout } from './item-lines.ts';
import type { Tab } from './state.ts';
import { waitingCalls } from './timeline.ts';

/** Rows of the call itself, and of the reasons, that are shown here; all of it stands in the timeline. */
const CALL_ROWS = 4;
const REASONS = 3;

/** The frame's title: which of how many. */
export function reviewTitle(tab: Tab): StyledLine {
  const calls = waitingCalls(tab.timeline);
  const [call] = calls;
  const more = calls.length > 1 ? `, the first of ${calls.length}` : '';
  return [{ text: ` ${revealed(call?.name ?? '')} wants to run${more} `, role: 'warn', bold: true }];
}

/** What is asked, without the line that is typed into. */
export function reviewLines(
  tab: Tab,
  width: number,
  keyOf: (table: string, action: string) => string,
): StyledLine[] {
  const calls = waitingCalls(tab.timeline);
  const [call] = calls;
  if (!call) return [];
  const command = call.args['command'];
  const about = revealed(typeof command === 'string' ? command : callAbout(call));
  const wrapped = about.split('\n').flatMap(line => wrapText(line, width));
  const shown = wrapped.slice(0, CALL_ROWS);
  if (wrapped.length > CALL_ROWS) shown[CALL_ROWS - 1] = truncate(`${shown[CALL_ROWS - 1]}…`, width);
  const reasons = reasonsOf(call);
  return [
    ...shown.map((text): StyledLine => [{ text, bold: true }]),
    ...reasons.map((text): StyledLine => [{ text: truncate(revealed(text), width), role: 'dim' }]),
    ...(call.preview?.trouble
      ? [[{ text: truncate(revealed(call.preview.trouble), width), role: 'alarm' as const }]]
      : []),
    ...(tab.review
      ? []
      : [
          keysLine(
            call.decision?.wantsWord === true,
            calls.length,
            typeof command === 'string',
            width,
            keyOf,
          ),
        ]),
  ];
}

/** Why it is asked about: each reason once, and none for what may run by itself. */
function reasonsOf({ decision }: CallView): readonly string[] {
  const reasons = (decision?.opinions ?? []).filter(({ mode }) => mode !== 'allow').map(({ why }) => why);
  return [...new Set(reasons)].slice(0, REASONS);
}

/** Rows that the review takes. */
export function reviewRows(tab: Tab, width: number): number {
  return reviewLines(tab, width, () => 'x').length + (tab.review ? 1 : 0);
}

function keysLine(
  wantsWord: boolean,
  count: number,
  canEdit: boolean,
  width: number,
  keyOf: (table: string, action: string) => string,
): StyledLine {
  const choices: readonly (readonly [action: string, text: string, isOffered: boolean])[] = [
    ['accept', wantsWord ? 'run it (asks for YES)' : 'run it', true],
    ['reject', 'no, and why', true],
    ['always', 'always', !wantsWord],
    ['accept-all', `all ${count}`, count > 1],
    ['edit-call', 'change it', canEdit],
  ];
  const runs: Run[] = [];
  let room = width;
  for (const [action, text, isOffered] of choices) {
    const key = keyOf('chat-review', action);
    if (!isOffered || key === '') continue;
    room -= key.length + text.length + 4;
    if (room < -3) break;
    runs.push({ text: key, role: 'accent', bold: true }, { text: ` ${text}   ` });
  }
  return runs;
}
