/**
 * What is being written: an editor of several lines that remembers. Taking back goes by what a person did in one go, and older
 * messages come back by the keys that move up and down, as in a shell.
 */
import { graphemes } from '../base/text.ts';
import type { ModeEvent } from '../mode/event.ts';
import { editText, textEditor, textOf, type TextEditor } from '../mode/text-editor.ts';
import { wrapClusters } from '../mode/wrap.ts';

export interface Editor {
  readonly text: TextEditor;
  readonly undo: readonly TextEditor[];
  readonly redo: readonly TextEditor[];
  /** What the last change was, so that a word typed is taken back as one. */
  readonly last: string;
  /** Older messages, the oldest first. */
  readonly history: readonly string[];
  /** Index of the one shown; the length of the history for what is new. */
  readonly recalled: number;
  /** What is new, kept while an old one is shown. */
  readonly draft: string;
}

/** Steps that can be taken back: more than anybody counts. */
const UNDO_MAX = 200;
/** Messages that are remembered. */
export const HISTORY_MAX = 1000;

/** An editor of a text, the caret behind it. */
export function editor(text = '', history: readonly string[] = []): Editor {
  const kept = history.slice(-HISTORY_MAX);
  return {
    text: textEditor(text),
    undo: [],
    redo: [],
    last: '',
    history: kept,
    recalled: kept.length,
    draft: '',
  };
}

/** All of its text. */
export function editorText({ text }: Editor): string {
  return textOf(text);
}

/** Another text in place of all there is; it can be taken back. */
export function withText(state: Editor, text: string): Editor {
  return changed(state, { ...textEditor(text), killed: state.text.killed }, 'replace');
}

/** The text is gone, as when it was sent: it is in the history now. */
export function sent(state: Editor): Editor {
  const text = editorText(state);
  const history =
    text.trim() === '' || state.history.at(-1) === text ? state.history : [...state.history, text];
  return editor('', history);
}

/** The editor after `event`; `width` is that of its rows in cells. */
export function edit(state: Editor, event: ModeEvent, width: number): Editor {
  if (typeof event === 'string') {
    const run = Object.hasOwn(ACTIONS, event) ? ACTIONS[event] : undefined;
    if (run) return run(state, width);
  }
  const text = editText(state.text, event);
  if (text === state.text) return state;
  if (text.lines === state.text.lines) return { ...state, text, last: 'move' };
  return changed(state, text, kindOf(event));
}

function kindOf(event: ModeEvent): string {
  if (typeof event === 'string') return event;
  // A blank ends a word: what follows is another step.
  return event.type === 'text' && !/\s/.test(event.text) ? 'type' : 'other';
}

/** Kinds of change that go on with the one before. */
const JOINED: ReadonlySet<string> = new Set(['type', 'backspace', 'delete']);

function changed(state: Editor, text: TextEditor, kind: string): Editor {
  const goesOn = JOINED.has(kind) && kind === state.last;
  const undo = goesOn ? state.undo : [...state.undo, state.text].slice(-UNDO_MAX);
  return { ...state, text, undo, redo: [], last: kind };
}

const ACTIONS: Readonly<Record<string, (state: Editor, width: number) => Editor>> = {
  undo: state => {
    const before = state.undo.at(-1);
    if (!before) return state;
    return {
      ...state,
      text: before,
      undo: state.undo.slice(0, -1),
      redo: [...state.redo, state.text],
      last: '',
    };
  },
  redo: state => {
    const next = state.redo.at(-1);
    if (!next) return state;
    return {
      ...state,
      text: next,
      redo: state.redo.slice(0, -1),
      undo: [...state.undo, state.text],
      last: '',
    };
  },
  'history-up': (state, width) => vertical(state, width, -1) ?? recall(state, -1),
  'history-down': (state, width) => vertical(state, width, 1) ?? recall(state, 1),
  up: (state, width) => vertical(state, width, -1) ?? state,
  down: (state, width) => vertical(state, width, 1) ?? state,
  clear: state => withText(state, ''),
};

function recall(state: Editor, by: number): Editor {
  const recalled = Math.max(0, Math.min(state.history.length, state.recalled + by));
  if (recalled === state.recalled) return state;
  const draft = state.recalled === state.history.length ? editorText(state) : state.draft;
  const text = { ...textEditor(state.history[recalled] ?? draft), killed: state.text.killed };
  return { ...state, text, recalled, draft, last: '' };
}

/** A row up or down as rows are seen; undefined on the first and the last one. */
function vertical(state: Editor, width: number, by: 1 | -1): Editor | undefined {
  const { lines, row, column } = state.text;
  const here = rowsOf(lines[row]!, width);
  const n = here.findLastIndex(({ start }) => start <= column);
  const x = column - here[n]!.start;
  const place = (line: number, rows: ReturnType<typeof rowsOf>, at: number): Editor => {
    const { start, end } = rows[at]!;
    const isLast = at === rows.length - 1;
    const to = Math.min(start + x, isLast ? end : Math.max(start, end - 1));
    return { ...state, text: { ...state.text, row: line, column: to }, last: 'move' };
  };
  if (n + by >= 0 && n + by < here.length) return place(row, here, n + by);
  const next = row + by;
  if (next < 0 || next >= lines.length) return undefined;
  const there = rowsOf(lines[next]!, width);
  return place(next, there, by < 0 ? there.length - 1 : 0);
}

function rowsOf(line: string, width: number): ReturnType<typeof wrapClusters> {
  return wrapClusters(graphemes(line), width);
}
