/**
 * The multiplexer's state: sessions (agents), the windows and panes that show them. The words are DESIGN's:
 * a session is a program on a PTY with its metadata; a pane is a view of one session; a window is a tree of panes.
 */
import type { Disposable, Event } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { LayoutNode, PaneId, Preset } from '../layout/types.ts';
import type { Palette } from '../term/palette.ts';
import type { Evidence } from '../status/evidence.ts';
import type { Need, SessionStatus } from '../status/types.ts';
import type { PaneSignal, TextView } from '../term/screen-view.ts';

export type SessionId = string & { readonly __session: true };
export type WindowId = number & { readonly __window: true };

/** How a program ended. */
export interface ExitStatus {
  readonly code: number;
  /** Signal number, 0 for none. */
  readonly signal: number;
  /** It went with what held its terminal: how it ended nobody saw. */
  readonly isLost?: boolean;
}

/** A running program with the screen it draws on. Made by a TerminalFactory, owned by its session. */
export interface Terminal extends Disposable {
  readonly view: TextView;
  /** 0 until the program has started. */
  readonly pid: number;
  /** Rejects with CodedError where the program could not be started; `onExit` fires then too. */
  readonly started: Promise<void>;
  /** After every piece of output, once it is on the screen. */
  readonly onOutput: Event<void>;
  /** A screen that was held is as its program wants it seen; fired while output is parsed: see Emulator.onRelease. */
  readonly onRelease: Event<void>;
  readonly onSignal: Event<PaneSignal>;
  readonly onExit: Event<ExitStatus>;
  /** Input for the program; false where it does not read and the bound of its queue is reached. */
  write(bytes: Uint8Array): boolean;
  resize(size: Size): void;
  kill(signal: NodeJS.Signals): void;
  /** Name of the program in the foreground, '' if unknown. */
  foreground(): string;
  /** Where the program works, as far as it tells or the system knows; '' if unknown. */
  cwd(): string;
  setHistoryLines(lines: number): void;
  /** Colours the program is told that it has; `tells`: one that asked for it hears of light and dark. */
  setPalette(palette: Palette, tells: boolean): void;
  /**
   * Takes back what a program that has died wanted to be typed and told (mouse, focus, keyboard protocols): called before
   * anything is typed, for it would be typed into the shell.
   */
  dropLeftModes(): void;
  clearHistory(): void;
  /** Sets the screen back to that of a new terminal, whatever the program has done to it. */
  reset(): void;
}

/** Starts a session's program. Throws CodedError where it cannot be started; nothing is left behind then. */
export type TerminalFactory = (session: SessionRecord, size: Size) => Terminal;

/** What may be reached from inside a sandbox: what a session that is started from inside gets at most. Paths are absolute. */
export interface Bounds {
  readonly backend: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly env: readonly string[];
  /** Hosts that may be connected to; undefined: all of them. */
  readonly hosts: readonly string[] | undefined;
}

/** What a session is told of its sandbox at its creation, and what it came to at its last start. */
export interface Confined {
  /** Asked for with the session; '': as the settings say. */
  readonly wish: 'on' | 'off' | '';
  /** It was last started in a sandbox. */
  readonly on: boolean;
  /** It was started by a session inside one. */
  readonly within: Bounds | undefined;
}

/** What a session is started from; kept, so that it can be started again. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** On top of the server's own environment for panes. */
  readonly env: Readonly<Record<string, string>>;
  /** Of `env` what was asked for with the session itself: it holds whatever becomes of the agent's entry. */
  readonly given?: Readonly<Record<string, string>>;
  /** `argv` is made from the entry of the session's agent, and made anew at each start. */
  readonly ofAgent?: boolean;
  /** Absolute path of the file that holds the text of the session's role; absent or '' where it has none. */
  readonly roleFile?: string;
  /** Absent: nothing was ever said of a sandbox. */
  readonly sandbox?: Confined;
}

/** A repository that a session works in, and the worktree mux made for it there. */
export interface Checkout {
  /** Top folder of the repository it came from, symlinks resolved. */
  readonly repo: string;
  /** Folder the program works in: the worktree's top, or `repo` itself where it works in place. */
  readonly worktree: string;
  readonly branch: string;
  /** Branch or commit the work began from, '' if unknown. */
  readonly base: string;
}

/** Where a session works, as far as mux arranged it. `plain`: a folder, of which mux owns nothing. */
export type Place =
  | { readonly kind: 'plain' }
  | { readonly kind: 'in-place'; readonly main: Checkout }
  /** Made by mux for this session alone, and removed by `purge` alone. */
  | { readonly kind: 'worktree'; readonly main: Checkout; readonly includes: readonly Checkout[] };

/**
 * Who or what ended a session's program; '' where it ended by itself or runs. `lost`: its PTY host died.
 * `interrupted`: the server died while the session was being made. `quit`: the agent said that the person ends it.
 */
export type StopReason =
  '' | 'user' | 'idle' | 'shutdown' | 'delete' | 'watchdog' | 'lost' | 'interrupted' | 'quit';

/** Progress as a program tells it. `unknown`: it works, for how long nobody knows. */
export interface Progress {
  readonly state: 'normal' | 'error' | 'unknown' | 'paused';
  /** 0 to 100. */
  readonly percent: number;
}

export interface SessionRecord {
  readonly id: SessionId;
  name: string;
  /** Name of the `agents:` entry, or the program's name. */
  readonly agent: string;
  /** Whether the program is an AI agent: it gets MUX_AGENT. */
  readonly isAi: boolean;
  /** Named by a person (`mux new`): stays listed when its program ends or its pane is closed. */
  readonly durable: boolean;
  /** Opened by mux to show or edit something: its pane goes when its program has ended well, whatever the option says. */
  readonly isViewer: boolean;
  launch: Launch;
  readonly role: string;
  readonly model: string;
  labels: readonly string[];
  /** Kept where many are swept away: `delete` refuses it. */
  starred: boolean;
  /** The session that it was started by or forked from, '' for none. */
  parentId: SessionId | '';
  place: Place;
  /** The agent's own id of its conversation, '' if unknown. */
  conversationId: string;
  stopReason: StopReason;
  /** It is being made: its worktree may not be there yet, and its program has not been started. */
  creating: boolean;
  /** When a person deleted it, and when it then goes for good; undefined where it is not deleted. */
  deletedAt: number | undefined;
  expiresAt: number | undefined;
  /** The pane the program was told at its start, '' if none. */
  pane: string;
  readonly createdAt: number;
  /** First and last output of the present run. */
  firstOutputAt: number | undefined;
  lastOutputAt: number | undefined;
  /** Last output that was no echo of a key, and last key; -Infinity if there was none. */
  lastWorkAt: number;
  lastInputAt: number;
  /** Last key of a person, -Infinity if there was none: unlike lastInputAt, no resizing. */
  typedAt: number;
  /** What has been seen of the present run that tells its state. */
  evidence: Evidence;
  /** State as it was last shown, and since when. */
  shown: { readonly status: SessionStatus; readonly need: Need | undefined; readonly since: number };
  /** A mark until somebody looks: why, '' for none; what it is; what left it, and when. */
  attention: string;
  attentionNeed: Need;
  attentionBy: string;
  attentionAt: number;
  /** Since when an agent is ready without anybody having looked; undefined if it is not, or somebody has. */
  unseenAt: number | undefined;
  /** How far the program says that it is (OSC 9;4); undefined if it says nothing. */
  progress: Progress | undefined;
  /** Name of the program in the foreground, '' until it is known. */
  program: string;
  /** What it is about, in its own few words (`mux status`); '' if it said none. */
  summary: string;
  /** How long the summary still holds: ms during which the program makes output. */
  summaryLeft: number;
  terminal: Terminal | undefined;
  /** Size the program was last given. */
  size: Size;
  exit: ExitStatus | undefined;
  endedAt: number | undefined;
}

export interface PaneRecord {
  readonly id: PaneId;
  readonly session: SessionId;
  window: WindowId;
  /** Set by select-pane -T; beats the program's own title. */
  title: string;
}

export interface WindowRecord {
  readonly id: WindowId;
  index: number;
  name: string;
  /** The name follows the focused program until a person gives one. */
  autoName: boolean;
  tree: LayoutNode;
  /** The tree as a person last shaped it; `tree` is this in the window's present size. */
  shape: LayoutNode;
  active: PaneId;
  /** Panes by last use, most recent first; the first is `active`. */
  recent: readonly PaneId[];
  zoomed: boolean;
  size: Size;
  /** Set by resize-window: clients no longer change the size. */
  manualSize: boolean;
  preset: Preset | undefined;
  /** Its own value of synchronize-panes; undefined where the one for all windows holds. */
  synchronized: boolean | undefined;
}

/** What changed. Screen output is not among these: it comes from each Terminal. */
export type ModelEvent =
  | {
      readonly type: 'session-created' | 'session-deleted' | 'session-changed';
      readonly session: SessionRecord;
    }
  | { readonly type: 'session-exited'; readonly session: SessionRecord }
  /** Windows, panes, layout, names, focus. */
  | { readonly type: 'layout' };
