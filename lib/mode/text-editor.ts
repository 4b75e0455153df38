/**
 * An editor of several lines, for messages. As in the one-line editor the caret stands between grapheme clusters; both
 * know the same keys, so that nobody learns two ways to edit.
 */
import { graphemes } from '../base/text.ts';
import type { ModeEvent } from './event.ts';
import { editLine, lineEditor } from './line-editor.ts';

/** UTF-16 units: as much as anybody types, and far less than a message holds. More is for a document. */
export const TEXT_MAX = 64 * 1024;

/** Actions of the one-line editor that only move, or delete, inside a line it can hold. */
const WORDS: ReadonlySet<string> = new Set(['previous-word', 'next-word', 'kill-word', 'kill-next-word']);

export interface TextEditor {
  readonly lines: readonly string[];
  readonly row: number;
  /** Clusters before the caret in its line. */
  readonly column: number;
  /** Text that was killed last, for `yank`. */
  readonly killed: string;
}

/** An editor of `text`, the caret behind it. */
export function textEditor(text = ''): TextEditor {
  const lines = sanitize(text).split('\n');
  const row = lines.length - 1;
  return { lines, row, column: graphemes(lines[row]!).length, killed: '' };
}

/** All of its text. */
export function textOf(state: TextEditor): string {
  return state.lines.join('\n');
}

/** The editor after `event`; the same where it is none of its own, or there is no room for a paste. */
export function editText(state: TextEditor, event: ModeEvent): TextEditor {
  if (typeof event !== 'string') return insert(state, event.text);
  const edit = Object.hasOwn(EDITS, event) ? EDITS[event] : undefined;
  if (edit) return edit(state);
  return WORDS.has(event) ? byWord(state, event) : state;
}

/** Line breaks stay, and tabs, of which code is made; other controls and lone surrogates go. */
function sanitize(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udfff]/gu, '');
}

const EDITS: Readonly<Record<string, (state: TextEditor) => TextEditor>> = {
  newline: state => insert(state, '\n'),
  'cursor-left': state =>
    state.column > 0 ? { ...state, column: state.column - 1 } : at(state, state.row - 1, Infinity),
  'cursor-right': state =>
    state.column < widthOf(state, state.row)
      ? { ...state, column: state.column + 1 }
      : state.row < state.lines.length - 1
        ? at(state, state.row + 1, 0)
        : state,
  up: state => at(state, state.row - 1, state.column),
  down: state => at(state, state.row + 1, state.column),
  'start-of-line': state => ({ ...state, column: 0 }),
  'end-of-line': state => at(state, state.row, Infinity),
  top: state => at(state, 0, 0),
  bottom: state => at(state, Infinity, Infinity),
  backspace: state => {
    if (state.column > 0) return cut(state, state.column - 1, state.column, false);
    return state.row > 0 ? join(at(state, state.row - 1, Infinity)) : state;
  },
  delete: state =>
    state.column < widthOf(state, state.row)
      ? cut(state, state.column, state.column + 1, false)
      : join(state),
  'kill-line': state =>
    state.column < widthOf(state, state.row) ? cut(state, state.column, Infinity, true) : join(state),
  'kill-start': state => cut(state, 0, state.column, true),
  yank: state => insert(state, state.killed),
};

function widthOf({ lines }: TextEditor, row: number): number {
  return graphemes(lines[row] ?? '').length;
}

/** The caret in another place, or as near to it as there is one. */
function at(state: TextEditor, row: number, column: number): TextEditor {
  if (row < 0) return state;
  const to = Math.min(row, state.lines.length - 1);
  if (row >= state.lines.length && to === state.row && Number.isFinite(row)) return state;
  return { ...state, row: to, column: Math.min(column, widthOf(state, to)) };
}

function withLine(state: TextEditor, line: string, column: number): TextEditor {
  const lines = state.lines.with(state.row, line);
  return { ...state, lines, column: Math.min(column, graphemes(line).length) };
}

function insert(state: TextEditor, text: string): TextEditor {
  const added = sanitize(text);
  if (added === '' || textOf(state).length + added.length > TEXT_MAX) return state;
  const clusters = graphemes(state.lines[state.row]!);
  const before = clusters.slice(0, state.column).join('') + added;
  const after = clusters.slice(state.column).join('');
  const made = before.split('\n');
  const row = state.row + made.length - 1;
  const column = graphemes(made.at(-1)!).length;
  const lines = state.lines.toSpliced(state.row, 1, ...made.with(-1, made.at(-1)! + after));
  return { ...state, lines, row, column: Math.min(column, graphemes(lines[row]!).length) };
}

function cut(state: TextEditor, from: number, to: number, keep: boolean): TextEditor {
  const clusters = graphemes(state.lines[state.row]!);
  const removed = clusters.slice(from, to).join('');
  const line = clusters.slice(0, from).join('') + clusters.slice(to).join('');
  return { ...withLine(state, line, from), killed: keep && removed !== '' ? removed : state.killed };
}

/** The line with the one below it. */
function join(state: TextEditor): TextEditor {
  const next = state.lines[state.row + 1];
  if (next === undefined) return state;
  const lines = state.lines.toSpliced(state.row, 2, state.lines[state.row]! + next);
  return { ...state, lines };
}

/** What is a word is said in one place. A line too long for that is left as it is. */
function byWord(state: TextEditor, action: string): TextEditor {
  const line = state.lines[state.row]!;
  const one = { ...lineEditor(line), caret: state.column, killed: state.killed };
  if (one.text !== line) return state;
  const { text, caret, killed } = editLine(one, action).state;
  return { ...withLine(state, text, caret), killed };
}
