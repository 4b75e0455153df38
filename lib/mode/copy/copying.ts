/**
 * Selecting and copying, by the names of tmux.
 */
import type { Step } from '../event.ts';
import type { CopyContext } from './context.ts';
import type { CopyIntent, CopyTarget } from './intent.ts';
import { lineEndX, selectedText, spanText } from './selection.ts';
import type { CopyState, Selection, SelectionUnit } from './state.ts';
import { wordAt } from './words.ts';

type Result = Step<CopyState, CopyIntent>;

/** A selection that begins at the cursor. */
export function beginSelection(state: CopyState): CopyState {
  return { ...state, selection: { unit: 'char', start: state.cursor, end: undefined, isByMouse: false } };
}

/** The word, or the lines, that the cursor is in. */
export function selectUnit(
  state: CopyState,
  context: CopyContext,
  unit: SelectionUnit,
  count: number,
): CopyState {
  const { reader } = context;
  const { cursor } = state;
  if (unit === 'word') {
    // Behind the end of a row it is the last word that is meant.
    const { length, continues } = reader.row(cursor.y);
    const x = continues ? cursor.x : Math.max(0, Math.min(cursor.x, length - 1));
    const { start, end } = wordAt(reader, reader.snap({ x, y: cursor.y }), context.separators);
    return {
      ...state,
      cursor: end,
      want: undefined,
      isRectangle: false,
      selection: { unit, start, end: undefined, isByMouse: false },
    };
  }
  let y = reader.lineEnd(cursor.y);
  for (let n = 1; n < count && y < reader.last; n++) y = reader.lineEnd(y + 1);
  const start = { x: 0, y: reader.lineStart(cursor.y) };
  const end = { x: reader.row(y).length, y };
  return {
    ...state,
    cursor: end,
    want: undefined,
    isRectangle: false,
    selection: { unit, start, end: undefined, isByMouse: false },
  };
}

/** The cursor to the other end of the selection, which then grows from here. */
export function otherEnd(state: CopyState): CopyState {
  const { selection, cursor } = state;
  if (!selection) return state;
  const swapped: Selection = { ...selection, start: selection.end ?? cursor, end: undefined };
  return { ...state, cursor: selection.start, selection: swapped, want: undefined };
}

/** The selection ends where the cursor is and no longer follows it. */
export function stopSelection(state: CopyState): CopyState {
  const { selection, cursor } = state;
  return selection && !selection.end ? { ...state, selection: { ...selection, end: cursor } } : state;
}

/** What the names of copying actions say, part by part. */
interface Copying {
  readonly target: CopyTarget;
  readonly clears: boolean;
  readonly cancels: boolean;
  /** What is copied: what is selected, or lines from the cursor on. */
  readonly what: 'selection' | 'line' | 'end-of-line';
}

const NAME =
  /^(?:(append)-selection|(copy)-selection|(copy-pipe|pipe)|copy-(line|end-of-line)|copy-pipe-(line|end-of-line))(-no-clear|-and-cancel)?$/;

/** What a name asks for; undefined where it is none of a copying action. `command` is the shell command given with it. */
export function copyingOf(name: string, command: string | undefined): Copying | undefined {
  const parts = NAME.exec(name);
  if (!parts) return undefined;
  const [, append, , pipe, line, pipedLine, ending] = parts;
  const pipes = pipe !== undefined || pipedLine !== undefined;
  return {
    target: {
      appends: append !== undefined,
      pipe: pipes ? (command ?? '') : undefined,
      keeps: pipe !== 'pipe',
    },
    clears: ending !== '-no-clear',
    cancels: ending === '-and-cancel',
    what: ((line ?? pipedLine) as Copying['what'] | undefined) ?? 'selection',
  };
}

/** Copies as `copying` says. Without a selection there is nothing to copy, and that is no mistake: Enter just leaves. */
export function copy(state: CopyState, context: CopyContext, copying: Copying, count: number): Result {
  const text = textOf(state, context, copying.what, count);
  const intents: CopyIntent[] = text === '' ? [] : [{ type: 'copy', text, target: copying.target }];
  if (copying.cancels) intents.push({ type: 'cancel' });
  return { state: copying.clears ? { ...state, selection: undefined } : state, intents };
}

function textOf(state: CopyState, context: CopyContext, what: Copying['what'], count: number): string {
  if (what === 'selection') return selectedText(state, context);
  const { reader } = context;
  const { cursor } = state;
  let y = reader.lineEnd(cursor.y);
  for (let n = 1; n < count && y < reader.last; n++) y = reader.lineEnd(y + 1);
  const start = what === 'line' ? { x: 0, y: reader.lineStart(cursor.y) } : cursor;
  return spanText({ start, end: { x: lineEndX(context, y), y }, isRectangle: false }, reader);
}
