/**
 * What the rest of mux sees of a terminal screen. The emulator implements it; the frame reads it.
 */
import type { Size } from '../base/geometry.ts';
import type { CellLine } from './cell.ts';
import type { ColorOverrides } from './colors.ts';

/** Cursor shapes of DECSCUSR; `default` is the one that the person has set in the terminal. */
export type CursorShape = 'default' | 'block' | 'underline' | 'bar';

/** The cursor: zero-based column (equal to `cols` after a pending wrap is clamped to the last) and row. */
export interface Cursor {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
  readonly shape: CursorShape;
  readonly blink: boolean;
}

/** Which mouse reports the program asked for (DECSET 9, 1000, 1002, 1003). */
export type MouseTracking = 'none' | 'x10' | 'press' | 'drag' | 'any';
/** How they are encoded (default, DECSET 1005, 1006, 1015, 1016). */
export type MouseEncoding = 'default' | 'utf8' | 'sgr' | 'urxvt' | 'sgr-pixels';

/** Modes the program has set, as far as anybody outside the emulator must know. */
export interface TermModes {
  readonly alternateScreen: boolean;
  readonly applicationCursor: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPaste: boolean;
  readonly focusReports: boolean;
  /** Flags of the kitty keyboard protocol in force on the screen shown; 0 for none. */
  readonly kittyFlags: number;
  /** Level of xterm's modifyOtherKeys: 0, 1 or 2. */
  readonly modifyOtherKeys: number;
  readonly mouseTracking: MouseTracking;
  readonly mouseEncoding: MouseEncoding;
  /** The wheel is arrow keys on the alternate screen (DECSET 1007), which it is unless a program says otherwise. */
  readonly alternateScroll: boolean;
  /** DECSET 2026 is on: the program asks that nothing be shown until it is off again. */
  readonly synchronized: boolean;
}

/** A line as the program wrote it: one row, or several where it was wrapped. */
export interface LogicalLine {
  /** Its first row, numbered as in `ScreenView.line`. */
  readonly y: number;
  readonly rows: number;
  /** Its text without the blanks at its end. */
  readonly text: string;
  /** Cell, counted from the start of the line, of each UTF-16 unit of `text`; undefined where cell n is unit n. */
  readonly cells: readonly number[] | undefined;
}

/** A place in the text that stays what it is when lines scroll or are wrapped anew. Compare by line, then cell. */
export interface Anchor {
  /** Number of the logical line since the terminal was made. */
  readonly line: number;
  /** Cell from the start of that line. */
  readonly cell: number;
}

/** A readable terminal screen with its history. */
export interface ScreenView extends Size {
  /** Grows by at least one with every visible change (cells, cursor, modes, title, size). */
  readonly seq: number;
  readonly cursor: Cursor;
  readonly modes: TermModes;
  /** Colours the program has set in place of the person's; undefined if none. A new object after every change. */
  readonly colors?: ColorOverrides | undefined;
  /** Title set by OSC 0/2, control characters removed; '' if none. */
  readonly title: string;
  /** Lines above the screen that can be read. 0 on the alternate screen. */
  readonly historySize: number;
  /** A line: 0 is the screen's top row, `rows - 1` its last, negative numbers reach into history. Undefined outside. */
  line(y: number): CellLine | undefined;
}

/** A screen whose text can be searched, copied from and pointed into. */
export interface TextView extends ScreenView {
  /**
   * Rows that have left the screen for history since the terminal was made, whether or not they are still there:
   * how far a row that is looked at has moved up. Re-wrapping changes it without a row having moved: see `anchor`.
   */
  readonly scrolledRows: number;
  /**
   * Logical lines from the one that row `y` belongs to, downwards (1) or upwards (-1), to the end of what there is.
   * Cheap per line: all of a long history can be searched. Valid until the next write, resize or reset.
   */
  logicalLines(y: number, step: 1 | -1): Iterable<LogicalLine>;
  /** What is at column `x` of row `y`. */
  anchor(y: number, x: number): Anchor;
  /** Where an anchor is now; undefined once it is no more in history. */
  locate(anchor: Anchor): { readonly y: number; readonly x: number } | undefined;
}

/** What a program's output says beyond cells. Texts have control characters removed and are at most 4,096 characters. */
export type PaneSignal =
  | { readonly type: 'bell' }
  | { readonly type: 'title'; readonly title: string }
  /** OSC 7: the program's working directory, a path on this machine. */
  | { readonly type: 'cwd'; readonly path: string }
  /** OSC 9, 99, 777: a notification. */
  | { readonly type: 'notify'; readonly title: string; readonly body: string }
  /** OSC 9;4: state 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; percent 0–100. */
  | { readonly type: 'progress'; readonly state: number; readonly percent: number }
  /** OSC 52 write: the decoded bytes, at most 1 MiB; reads are answered with nothing. */
  | { readonly type: 'clipboard'; readonly selection: string; readonly data: Uint8Array }
  /** OSC 8763, our own: what writes to this pane is a terminal attached to some mux, which calls itself that. */
  | { readonly type: 'client'; readonly id: string }
  /** OSC 7501 `state=WORD:…`, which Codex writes: the agent's own word for its state. */
  | { readonly type: 'state'; readonly state: string }
  /** OSC 133 A, B, C, D: prompt marks. `exit` only with D. */
  | { readonly type: 'prompt'; readonly mark: 'A' | 'B' | 'C' | 'D'; readonly exit?: number };
