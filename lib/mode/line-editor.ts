/**
 * A one-line editor: filter lines, the command prompt, dialogs. The caret stands between grapheme clusters
 * (UAX #29), so that one key moves over, or deletes, what a person sees as one character.
 */
import { graphemes } from '../base/text.ts';
import { still } from './event.ts';
import type { ModeEvent, Step } from './event.ts';

/** Longest text, in UTF-16 units: no command line or filter needs more, a pasted file must not land in one. */
const MAX_TEXT = 4_096;
/** Lines of history kept; what a person can remember having typed. */
const MAX_HISTORY = 500;
/** Completions offered at once. */
const MAX_CANDIDATES = 200;

/** Completions that are being walked through. */
interface Completion {
  readonly candidates: readonly string[];
  /** The one now in the text; -1 while only their common beginning is. */
  readonly index: number;
  /** Text before and behind the completed word. */
  readonly before: string;
  readonly after: string;
}

/** A line being edited. */
export interface LineEditor {
  readonly text: string;
  /** Grapheme clusters before the caret. */
  readonly caret: number;
  /** Earlier lines, oldest first. */
  readonly history: readonly string[];
  /** Index in `history` of the line shown; `history.length` for the new one. */
  readonly recalled: number;
  /** The new line, kept while an old one is shown. */
  readonly draft: string;
  /** Last killed text, for `yank`. */
  readonly killed: string;
  readonly completion: Completion | undefined;
}

/** What the editor asks for. `complete` is answered with a `candidates` event. */
export type LineIntent =
  | { readonly type: 'accept'; readonly text: string }
  | { readonly type: 'cancel' }
  /** `before` is the text left of the caret. */
  | { readonly type: 'complete'; readonly before: string };

export type LineEvent =
  | ModeEvent
  /** Replacements for the last `replace` grapheme clusters before the caret, best first. */
  | { readonly type: 'candidates'; readonly candidates: readonly string[]; readonly replace: number };

/** An editor holding `text`, caret at its end. */
export function lineEditor(text = '', history: readonly string[] = []): LineEditor {
  const clean = sanitize(text);
  const kept = history.slice(-MAX_HISTORY);
  return {
    text: clean,
    caret: graphemes(clean).length,
    history: kept,
    recalled: kept.length,
    draft: '',
    killed: '',
    completion: undefined,
  };
}

/** One line of printable text: line breaks and tabs become blanks, other controls and lone surrogates go. */
function sanitize(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/\r\n?|[\n\t\u0085\u2028\u2029]/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f]|[\ud800-\udfff]/gu, '');
}

/** The editor after `event`. */
export function editLine(state: LineEditor, event: LineEvent): Step<LineEditor, LineIntent> {
  if (typeof event === 'string') return act(state, event);
  if (event.type === 'candidates') return still(offer(state, event.candidates, event.replace));
  const text = event.type === 'paste' ? event.text.replace(/(\r\n?|\n)+$/, '') : event.text;
  return still(insert(done(state), text));
}

function act(state: LineEditor, action: string): Step<LineEditor, LineIntent> {
  if (action === 'accept') {
    const { text } = state;
    return { state: lineEditor('', remember(state.history, text)), intents: [{ type: 'accept', text }] };
  }
  if (action === 'cancel') return { state: done(state), intents: [{ type: 'cancel' }] };
  if (action === 'complete' || action === 'complete-back')
    return complete(state, action === 'complete' ? 1 : -1);
  const edit = Object.hasOwn(EDITS, action) ? EDITS[action] : undefined;
  return still(edit ? edit(done(state)) : state);
}

/** The history with `text` as its newest line; blank lines and repeats of the newest are left out. */
export function remember(history: readonly string[], text: string): readonly string[] {
  if (text.trim() === '' || history.at(-1) === text) return history;
  return [...history, text].slice(-MAX_HISTORY);
}

const EDITS: Readonly<Record<string, (state: LineEditor) => LineEditor>> = {
  'cursor-left': state => at(state, state.caret - 1),
  'cursor-right': state => at(state, state.caret + 1),
  'start-of-line': state => at(state, 0),
  'end-of-line': state => at(state, Infinity),
  'previous-word': state => at(state, wordLeft(graphemes(state.text), state.caret)),
  'next-word': state => at(state, wordRight(graphemes(state.text), state.caret)),
  backspace: state => cut(state, state.caret - 1, state.caret, false),
  delete: state => cut(state, state.caret, state.caret + 1, false),
  'kill-line': state => cut(state, state.caret, Infinity, true),
  'kill-start': state => cut(state, 0, state.caret, true),
  'kill-word': state => cut(state, blankLeft(graphemes(state.text), state.caret), state.caret, true),
  'kill-next-word': state => cut(state, state.caret, wordRight(graphemes(state.text), state.caret), true),
  clear: state => cut(state, 0, Infinity, true),
  yank: state => insert(state, state.killed),
  'history-up': state => recall(state, -1),
  'history-down': state => recall(state, 1),
};

function done(state: LineEditor): LineEditor {
  return state.completion ? { ...state, completion: undefined } : state;
}

function at(state: LineEditor, caret: number): LineEditor {
  return { ...state, caret: Math.max(0, Math.min(graphemes(state.text).length, caret)) };
}

/** Left of `text` and `caret` clusters make the whole; a cluster may form across the seam. */
function place(state: LineEditor, before: string, after: string): LineEditor {
  const text = before + after;
  return { ...state, text, caret: Math.min(graphemes(before).length, graphemes(text).length) };
}

function insert(state: LineEditor, text: string): LineEditor {
  const clusters = graphemes(state.text);
  const room = MAX_TEXT - state.text.length;
  // Cutting the inserted text may halve a pair; cleaning takes the half away.
  const added = sanitize(sanitize(text).slice(0, Math.max(0, room)));
  return place(state, clusters.slice(0, state.caret).join('') + added, clusters.slice(state.caret).join(''));
}

function cut(state: LineEditor, from: number, to: number, keep: boolean): LineEditor {
  const clusters = graphemes(state.text);
  const start = Math.max(0, from);
  const removed = clusters.slice(start, to).join('');
  if (removed === '') return state;
  const killed = keep ? removed : state.killed;
  return { ...place(state, clusters.slice(0, start).join(''), clusters.slice(to).join('')), killed };
}

const isWord = (cluster: string | undefined): boolean => /^[\p{L}\p{N}_]/u.test(cluster ?? '');

/** Start of the word left of `caret`: M-b. */
function wordLeft(clusters: readonly string[], caret: number): number {
  let i = caret;
  while (i > 0 && !isWord(clusters[i - 1])) i--;
  while (i > 0 && isWord(clusters[i - 1])) i--;
  return i;
}

/** End of the word right of `caret`: M-f. */
function wordRight(clusters: readonly string[], caret: number): number {
  let i = caret;
  while (i < clusters.length && !isWord(clusters[i])) i++;
  while (i < clusters.length && isWord(clusters[i])) i++;
  return i;
}

/** Start of the blank-separated word left of `caret`: C-w. */
function blankLeft(clusters: readonly string[], caret: number): number {
  let i = caret;
  while (i > 0 && clusters[i - 1]!.trim() === '') i--;
  while (i > 0 && clusters[i - 1]!.trim() !== '') i--;
  return i;
}

function recall(state: LineEditor, by: number): LineEditor {
  const recalled = Math.max(0, Math.min(state.history.length, state.recalled + by));
  if (recalled === state.recalled) return state;
  const draft = state.recalled === state.history.length ? state.text : state.draft;
  const text = sanitize(state.history[recalled] ?? draft);
  return { ...state, text, caret: graphemes(text).length, recalled, draft };
}

function complete(state: LineEditor, by: 1 | -1): Step<LineEditor, LineIntent> {
  const { completion } = state;
  if (!completion) {
    const before = graphemes(state.text).slice(0, state.caret).join('');
    return { state, intents: [{ type: 'complete', before }] };
  }
  const count = completion.candidates.length;
  const index = completion.index < 0 && by < 0 ? count - 1 : (completion.index + by + count) % count;
  return still(show(state, { ...completion, index }, completion.candidates[index]!));
}

/** One candidate is taken at once; of several their common beginning, and the next `complete` walks through them. */
function offer(state: LineEditor, offered: readonly string[], replace: number): LineEditor {
  const candidates = offered.slice(0, MAX_CANDIDATES).map(sanitize);
  const first = candidates[0];
  if (first === undefined) return done(state);
  const clusters = graphemes(state.text);
  const from = Math.max(0, state.caret - Math.max(0, replace));
  const before = clusters.slice(0, from).join('');
  const after = clusters.slice(state.caret).join('');
  if (candidates.length === 1) return done(show(state, undefined, first, before, after));
  const typed = clusters.slice(from, state.caret).join('');
  const common = commonStart(candidates);
  const completion = { candidates, index: -1, before, after };
  return show(state, completion, common.length > typed.length ? common : typed);
}

function show(
  state: LineEditor,
  completion: Completion | undefined,
  word: string,
  before = completion?.before ?? '',
  after = completion?.after ?? '',
): LineEditor {
  return { ...place(state, before + word, after), completion };
}

function commonStart(words: readonly string[]): string {
  const first = graphemes(words[0] ?? '');
  const others = words.slice(1).map(graphemes);
  const end = first.findIndex((cluster, i) => others.some(other => other[i] !== cluster));
  return (end < 0 ? first : first.slice(0, end)).join('');
}
