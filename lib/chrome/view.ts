/**
 * What chrome draws, as plain values. The server builds a ChromeView from the model for each client; chrome turns it
 * into cells, the places where panes show through, and a hit map for the mouse.
 */
import type { Rect, Size } from '../base/geometry.ts';
import type { StyledLine } from '../base/styled.ts';
import type { CellLine } from '../term/cell.ts';

/** State of a session, as its mark shows it (SCREEN.md "States"). */
export type SessionState = 'working' | 'needs-you' | 'ready' | 'starting' | 'stopped' | 'failed';

/** Progress of a program in a few cells; `unknown` is without a number. */
export interface ProgressView {
  readonly state: 'normal' | 'error' | 'unknown' | 'paused';
  /** 0 to 100. */
  readonly percent: number;
}

export interface TabView {
  readonly index: number;
  readonly name: string;
  readonly active: boolean;
  /** State of the neediest session in the window. */
  readonly state: SessionState;
  readonly zoomed: boolean;
  /** How far the first session that tells it is; undefined if none does. */
  readonly progress?: ProgressView | undefined;
  /** What is typed goes to all of its panes. */
  readonly synchronized: boolean;
}

/** Right end of the top row; empty strings are left out. Dropped from the left as room runs short. */
export interface StatusView {
  readonly graphTitle: string;
  readonly branch: string;
  readonly counts: Readonly<Record<SessionState, number>>;
  /** Messages to the person that they have not read. */
  readonly unread: number;
  readonly clock: string;
  /** Shown in the alarm colour, e.g. 'READ-ONLY'. */
  readonly mark: string;
}

export interface PaneView {
  /** `%N` without the sign. */
  readonly id: number;
  /** In cells of the window's pane area, before clipping. */
  readonly rect: Rect;
  readonly focused: boolean;
  /** Header, left to right: name, agent, branch part, then at the right the state and its age. */
  readonly name: string;
  readonly agent: string;
  /** e.g. '⎇ kim/fix +3 ↑1', '' if none. */
  readonly git: string;
  readonly state: SessionState;
  /** e.g. '4m', '12s', 'exit 1'. */
  readonly age: string;
  /** Scroll mode: e.g. '[120/4000]', '' when live. */
  readonly position: string;
  /** What is typed goes to it and others, whichever has the focus. */
  readonly synchronized: boolean;
  /** Shown large over the pane: the key that chooses it, and its number; undefined while numbers are not asked for. */
  readonly number: { readonly key: string; readonly index: number } | undefined;
}

/** One row of the sidebar. */
export interface SidebarRow {
  /** Stable identity: the selection follows it. */
  readonly id: string;
  readonly kind: 'section' | 'item' | 'diagnostic' | 'session' | 'empty';
  /** Of a diagnostic: nothing is broken. */
  readonly isWarning?: boolean;
  readonly text: string;
  /** Right-aligned and dim: a count, an alias, an age. */
  readonly note: string;
  readonly depth: number;
  /** Sections only: whether its rows are shown. */
  readonly open?: boolean;
  readonly state?: SessionState;
}

export interface SidebarView {
  /** 'GRAPH' and the graph's title stand on top. */
  readonly title: string;
  readonly rows: readonly SidebarRow[];
  readonly selected: string;
  readonly focused: boolean;
  /** Cells, border not included. */
  readonly width: number;
}

/** An entry of the bottom row: a key and what it does. */
export interface Hint {
  readonly key: string;
  readonly text: string;
}

/** A floating list with a filter line: palette, choosers, pickers. */
export interface PickerView {
  readonly type: 'picker';
  readonly title: string;
  readonly filter: string;
  /** Caret in `filter`, in graphemes. */
  readonly caret: number;
  readonly items: readonly { readonly id: string; readonly line: StyledLine; readonly note: string }[];
  readonly selected: number;
  /** Items that match of all. */
  readonly total: number;
  readonly hint: string;
  /** Shown when there are no items. */
  readonly empty: string;
}

/** A floating question with a yes/no answer, or a text to enter. */
export interface DialogView {
  readonly type: 'dialog';
  readonly title: string;
  readonly lines: readonly StyledLine[];
  /** The text being entered, or undefined for a plain question. */
  readonly input?: { readonly text: string; readonly caret: number };
  readonly hint: string;
}

/** Key help: groups of keys in two columns, searchable, scrollable. */
export interface HelpView {
  readonly type: 'help';
  readonly filter: string;
  readonly caret: number;
  readonly groups: readonly { readonly title: string; readonly keys: readonly Hint[] }[];
  readonly scroll: number;
}

/** A whole-screen list with a live preview at its right (lore browser, navigator). */
export interface BrowserView {
  readonly type: 'browser';
  readonly title: string;
  /** Facets, e.g. labels; the chosen ones are marked. */
  readonly facets: readonly { readonly text: string; readonly active: boolean }[];
  readonly filter: string;
  /** In graphemes; -1 while the filter is not being edited. */
  readonly caret: number;
  /** What the filter line searches, e.g. 'filter' or 'full text'. */
  readonly filterLabel: string;
  readonly items: readonly { readonly id: string; readonly line: StyledLine; readonly note: string }[];
  readonly selected: number;
  /** Items that are shown, without headings and the like, and all that there are; told at the top. */
  readonly shown?: number;
  readonly total: number;
  readonly preview: readonly StyledLine[];
  readonly previewTitle: string;
  readonly previewScroll: number;
  /** Where in the preview's shown lines text is being written, in cells; the filter has no caret then. */
  readonly previewCaret?: { readonly x: number; readonly y: number };
  /** Panes that show through where the preview is, one below the other, under its text, of which no line is wrapped. */
  readonly previewPanes?: readonly PreviewPane[];
  /** False gives the list the whole width. */
  readonly hasPreview?: boolean;
  readonly hints: readonly Hint[];
  /** Shown when there are no items. */
  readonly empty: string;
  /** A question over the list. */
  readonly dialog?: DialogView;
}

/** A pane as a preview shows it. */
export interface PreviewPane {
  /** As in PaneView. */
  readonly id: number;
  readonly title: string;
  readonly size: Size;
  /** Row of the pane that must be seen: its cursor's. */
  readonly row: number;
}

/** A menu of entries with keys of their own. */
export interface MenuView {
  readonly type: 'menu';
  /** '' for none. */
  readonly title: string;
  /** Cell of its top left corner; it is moved so that all of it is seen. */
  readonly at: { readonly x: number | 'center'; readonly y: number | 'center' };
  /** Undefined for a rule. */
  readonly entries: readonly (
    { readonly text: string; readonly key: string; readonly isEnabled: boolean } | undefined
  )[];
  /** -1 for none. */
  readonly selected: number;
}

export type OverlayView = PickerView | DialogView | HelpView | BrowserView | MenuView;

export interface MessageView {
  readonly text: string;
  readonly tone: 'info' | 'error';
}

/** Everything chrome needs to draw one client's screen. */
export interface ChromeView {
  readonly size: Size;
  readonly tabs: readonly TabView[];
  readonly status: StatusView;
  readonly sidebar: SidebarView | undefined;
  /** Size of the current window's pane area; may be larger (clipped) or smaller (padded) than the room there is. */
  readonly window: Size;
  /** Cell of the pane area shown at the top left: where a smaller client looks. */
  readonly offset: { readonly x: number; readonly y: number };
  /** Visible panes: one when zoomed. */
  readonly panes: readonly PaneView[];
  /** Shown in the middle of the pane area when there are no panes. */
  readonly emptyText: string;
  /** The bottom row; undefined when hints are off and there is nothing else to show. */
  readonly hints: readonly Hint[] | undefined;
  readonly message: MessageView | undefined;
  /** `prefix :` — a command line on the bottom row. */
  readonly prompt: { readonly label: string; readonly text: string; readonly caret: number } | undefined;
  /** The prefix has been pressed: its keys are offered. */
  readonly prefixHeld: boolean;
  readonly overlay: OverlayView | undefined;
}

/** Part of one screen row where a pane shows through. All in cells. */
export interface PaneSpan {
  readonly y: number;
  readonly x: number;
  readonly width: number;
  /** Pane id, and the pane's own cell at the span's left end. */
  readonly pane: number;
  readonly paneX: number;
  readonly paneY: number;
}

/** What lies under a cell. */
export type Hit =
  | { readonly type: 'tab'; readonly index: number }
  | { readonly type: 'sidebar'; readonly id: string }
  | { readonly type: 'sidebar-border' }
  /** A border between panes: dragging moves it. `pane` is the one left of or above it. */
  | { readonly type: 'border'; readonly pane: number; readonly axis: 'x' | 'y' }
  | { readonly type: 'header'; readonly pane: number }
  | { readonly type: 'pane'; readonly pane: number; readonly x: number; readonly y: number }
  | { readonly type: 'overlay-item'; readonly index: number }
  | { readonly type: 'overlay-facet'; readonly index: number }
  | { readonly type: 'overlay-preview' }
  | { readonly type: 'overlay' }
  | { readonly type: 'none' };

/** One drawn chrome: a line per screen row. Cells under a pane span are blank. */
export interface ChromeCells {
  readonly size: Size;
  readonly lines: readonly CellLine[];
  readonly spans: readonly PaneSpan[];
  /** Where the text cursor belongs when chrome has the keyboard (prompt, filter), else undefined. */
  readonly caret: { readonly x: number; readonly y: number } | undefined;
  hit(x: number, y: number): Hit;
}
