/**
 * The command table's row. One record per command serves the shell, key bindings, the prompt, the palette, help, the
 * man page and completion. Commands decide and call ports; they never touch the machine themselves.
 */
import type { ApprovalsPort } from '../approvals/types.ts';
import type { Clock } from '../base/clock.ts';
import type { Point, Size } from '../base/geometry.ts';
import type { KeyTables } from '../keys/tables.ts';
import type { Model } from '../model/model.ts';
import type { NewSession } from '../model/sessions.ts';
import type { PaneRecord, SessionId, SessionRecord } from '../model/types.ts';
import type { OptionStore } from '../options/store.ts';
import type { Buffers } from './buffers.ts';
import type { DrivePort, StreamPort } from './drive-port.ts';
import type { UpkeepPort } from './upkeep-port.ts';
import type { FleetPort } from './fleet-port.ts';
import type { LifecyclePort } from './lifecycle-port.ts';
import type { MessagesPort } from './messages-port.ts';

/** A flag. `value` names its argument; without it the flag is a switch. `name` has one letter or is a long name. */
export interface FlagSpec {
  readonly name: string;
  /** Other spelling, e.g. long for a short one. */
  readonly alias?: string;
  readonly value?: string;
  /** The value may be left out, and stands in the same word where it is given (`--star=false`); '' where it is not. */
  readonly isOptional?: boolean;
  /** May be given several times; values collect in order. */
  readonly many?: boolean;
  readonly text: string;
}

/** What `-t` and positional targets of a command mean. */
export type TargetKind = 'pane' | 'window' | 'session' | 'none';

/** Sections of help and man page. */
export const GROUPS = [
  'Screen',
  'Windows',
  'Panes',
  'Sessions',
  'Fleets',
  'Messages',
  'Graph',
  'Keys and options',
  'Buffers',
  'Interface',
] as const;
export type Group = (typeof GROUPS)[number];

export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: Group;
  /** One sentence, imperative, no full stop at the end. */
  readonly text: string;
  readonly flags: readonly FlagSpec[];
  /** Positional arguments as shown in usage, e.g. '[CMD…]'. */
  readonly args: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** Which positional begins a program's command line or literal keys: no word from there on is a flag. */
  readonly wordsFrom?: number;
  readonly target: TargetKind;
  /** Flags with which the output is data, not a report: it becomes JSON only when asked for by name. */
  readonly data?: readonly string[];
  /** Acts on an attached terminal's interface: it cannot run where no client is attached. */
  readonly interactive?: boolean;
  exec(context: CommandContext, args: ParsedArgs): void | Promise<void>;
}

/** Flags and positionals of one call. */
export interface ParsedArgs {
  has(flag: string): boolean;
  /** Value of a flag, or undefined. The last one where it was repeated. */
  value(flag: string): string | undefined;
  values(flag: string): readonly string[];
  readonly rest: readonly string[];
}

/** Who speaks, as their token proves. */
export interface Speaker {
  /** The session whose token it was, '' for the person's own. */
  readonly session: SessionId | '';
  /** The person, or a program in a pane that speaks for them: no agent, and started by none. */
  readonly isPerson: boolean;
}

/** Who runs a command, and from where. */
export interface Caller {
  readonly cwd: string;
  readonly json: boolean;
  /** JSON because an agent calls, not because it was asked for. */
  readonly jsonIsAutomatic: boolean;
  /** Stdout is a terminal: tables; else tab-separated. */
  readonly terminal: boolean;
  readonly columns: number;
  readonly speaker: Speaker;
  /** The pane and session the caller runs in, '' outside: where it is no speaker's, only where it stands. */
  readonly pane: string;
  readonly session: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Actions of the copy mode, the sidebar, pickers and browsers, by the names key tables use (`send-keys -X NAME`). */
export type ModeAction = string;

/** What stands behind the name of an action: arguments, and how often; 0 where that was not said. */
export interface ActionArgs {
  readonly args: readonly string[];
  readonly count: number;
}

/** Copy mode of a pane, as formats tell it. Rows count from the top of the screen; history is negative. */
export interface CopyFacts {
  /** In cells of the pane as shown. */
  readonly cursor: Point;
  /** Lines scrolled back. */
  readonly scroll: number;
  readonly selection: { readonly start: Point; readonly end: Point } | undefined;
  readonly isRectangle: boolean;
  readonly word: string;
  readonly line: string;
  readonly search: { readonly text: string; readonly isFound: boolean } | undefined;
}

/** The copy modes of the panes. */
export interface CopyPort {
  enter(pane: PaneRecord, how: { leavesAtBottom: boolean }): void;
  leave(pane: PaneRecord): void;
  isAction(name: string): boolean;
  action(pane: PaneRecord, name: string, given: ActionArgs): void;
  /** Undefined where the pane is not in copy mode. */
  facts(pane: PaneRecord): CopyFacts | undefined;
}

/** What a command can open over a terminal's screen. */
export type OverlayName =
  'palette' | 'help' | 'lores' | 'navigator' | 'approval' | 'messages' | 'composer' | 'documents';

/** Prompts of one kind share a history: the first four are tmux's. */
export const PROMPT_KINDS = [
  'command',
  'search',
  'target',
  'window-target',
  'window-name',
  'session-name',
  'reason',
] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

/** Questions on the bottom row, one after the other. */
export interface PromptRequest {
  /** At least one; each begins with a text to edit. */
  readonly questions: readonly { readonly label: string; readonly initial: string }[];
  readonly history: PromptKind;
  /** A line that Enter ends, or one character or key that needs no Enter. */
  readonly answer: 'line' | 'character' | 'key';
  /** Called whenever the text of the question has changed, and with `isOver` where it was given up. */
  readonly changed?: (text: string, isOver: boolean) => void;
  /** Called with an answer for every question; not called where one was given up or, without `changed`, left empty. */
  readonly entered: (answers: readonly string[]) => void;
}

/** What a command acts on where it names nothing, instead of what has the focus. */
export interface CommandPlace {
  /** `%N`, '' for none. */
  readonly pane: string;
  /** Id of a session, '' for none. */
  readonly session: string;
}

/** A menu as display-menu describes it. */
export interface MenuRequest {
  readonly title: string;
  /** Undefined for a rule; without a command the entry cannot be chosen. */
  readonly entries: readonly (
    { readonly text: string; readonly key: string; readonly command: string | undefined } | undefined
  )[];
  /** Positions as tmux names them (`M` mouse, `P` pane, `W` tab, `C` centre, `R` right edge, `S` status), or cells. */
  readonly x: string;
  readonly y: string;
  /** Letting go of the mouse beside it does not close it. */
  readonly staysOpen: boolean;
  readonly isByMouse: boolean;
  readonly place: CommandPlace;
}

/** How a tree of things to choose from is opened. */
export interface TreeRequest {
  /** 'windows': their panes are folded away. */
  readonly start: 'windows' | 'all';
  /** Command text run on what is chosen, `%%` being its target; '' for what the tree itself does. */
  readonly template: string;
  /** One of the tree's orders; '' for the first. */
  readonly order: string;
  readonly isReversed: boolean;
  readonly hasPreview: boolean;
}

/** The interface of one attached terminal. */
export interface ClientPort {
  readonly id: string;
  readonly isReadOnly: boolean;
  message(text: string, tone: 'info' | 'error'): void;
  /** Shows the output of a command that has several lines. */
  showText(title: string, lines: readonly string[]): void;
  /** Runs a command line as a key of this terminal would; what goes wrong is told there. */
  run(commandLine: string, at?: CommandPlace): void;
  /** Asks on the bottom row. */
  prompt(request: PromptRequest): void;
  /** Asks yes or no and runs `command` on yes. */
  confirm(options: { text: string; command: string; at?: CommandPlace }): void;
  /** @param detail what to show first, where an overlay has a choice */
  open(overlay: OverlayName, detail?: string): void;
  /** A whole-screen tree: of windows, panes and sessions, or of paste buffers. */
  openTree(tree: 'sessions' | 'buffers', request: TreeRequest): void;
  openMenu(request: MenuRequest): void;
  sidebar(action: 'toggle' | 'focus'): void;
  /** Numbers over the panes for a time in ms; the key of one runs the template with `%%` as the pane. */
  displayPanes(options: {
    readonly ms: number;
    readonly template: string;
    readonly takesKeys: boolean;
  }): void;
  /** Gives every key to the focused program, the prefix too, until it is called again. */
  passKeys(isOn: boolean | undefined): void;
  sendPrefix(): void;
  modeAction(action: ModeAction, given?: ActionArgs): void;
  redraw(): void;
}

export interface ClientInfo {
  readonly id: string;
  readonly tty: string;
  readonly cols: number;
  readonly rows: number;
  readonly isReadOnly: boolean;
  readonly idleSeconds: number;
}

/** What the server itself does for commands. */
export interface HostPort {
  clients(): readonly ClientInfo[];
  /** Lets clients go, all of them without `ids`. Returns how many. */
  detach(ids: readonly string[] | undefined, message: string): number;
  /** Ends every session and the server, after the caller has had its answer. */
  shutdown(): void;
  /** Ends the server alone, for the next one to go on, after the caller has had its answer. */
  handOver(): void;
  /** Facts about the running server. */
  status(): {
    readonly pid: number;
    readonly version: string;
    readonly protocol: string;
    readonly startedAt: number;
    readonly socket: string;
    /** Of the process that holds the terminals; 0 and '' while there is none. */
    readonly hostPid: number;
    readonly hostProtocol: string;
    /** Why messages and tasks cannot be kept; '' where they can. */
    readonly messages: string;
  };
  /** Reads a file of commands; relative to `cwd`. Throws CodedError. */
  readCommands(path: string, cwd: string): Promise<string>;
  /** The bytes of a file, at most `limit`; relative to `cwd`. Throws CodedError, also for a larger one. */
  readFile(path: string, cwd: string, limit: number): Promise<Uint8Array>;
  /** Writes a file, or adds to it; relative to `cwd`. Throws CodedError. */
  writeFile(path: string, cwd: string, data: Uint8Array, options: { append: boolean }): Promise<void>;
  /** Pipes a pane's output to a shell command; an empty one ends it. */
  pipePane(pane: PaneRecord, command: string, options: { onlyIfNone: boolean }): void;
  readonly lifecycle: LifecyclePort;
  /** Where AiService listens, as JSON; '' where it does not yet. */
  aiService(): string;
  /**
   * Takes in the report of an agent's hook; resolves with the JSON to answer it, perhaps after a person's verdict, for
   * which nobody waits any more once it is `gone`.
   */
  hook(
    session: SessionRecord,
    report: { readonly agent: string; readonly event: string; readonly text: string },
    gone: Promise<void>,
  ): Promise<string>;
  /** What agents wait for a verdict about. */
  readonly approvals: ApprovalsPort;
  /** What sessions and the person write to each other, and what there is to do. */
  readonly messages: MessagesPort;
  /** Settings for a session's program. */
  launch(request: LaunchRequest): NewSession;
  /** Branch and counts of a directory's repository, asked for now; what was known before where git is slow. */
  git(cwd: string): Promise<{
    readonly branch: string;
    readonly dirty: number;
    readonly ahead: number;
    readonly behind: number;
  }>;
  /** Size of windows nobody looks at. */
  defaultSize(): Size;
  /** What was entered at prompts of a kind, the oldest first: the list itself. */
  promptHistory(kind: PromptKind): string[];
  /** Puts data on the attached terminals' clipboards. */
  clipboard(data: Uint8Array): void;
  /** Typing, waiting and following for scripts. */
  readonly drive: DrivePort;
  /** Files of fleets. */
  readonly fleets: FleetPort;
  /** What is left behind by what is gone. */
  readonly upkeep: UpkeepPort;
  /** Opens a text in the person's editor, in a pane. Throws CodedError. */
  editText(name: string, text: string): Promise<void>;
}

/** What a new session is to run, as a person gave it. */
export interface LaunchRequest {
  /** Empty: the default agent or shell. */
  readonly command: readonly string[];
  readonly agent: string;
  readonly name: string;
  readonly durable: boolean;
  readonly cwd: string;
  /** A selector, '' for none; what it leads to once somebody has looked it up. */
  readonly role: string;
  readonly roleText?: { readonly text: string; readonly file: string };
  readonly model: string;
  /** Its first prompt; absent or empty for none. */
  readonly prompt?: string;
  readonly labels: readonly string[];
  /** `K=V` pairs. */
  readonly env: readonly string[];
  /** Whether it runs in a sandbox; absent or '': as the settings say. */
  readonly sandbox?: 'on' | 'off' | '';
  readonly callerEnv: Readonly<Record<string, string>>;
}

export interface CommandContext {
  readonly clock: Clock;
  readonly model: Model;
  readonly options: OptionStore;
  readonly keys: KeyTables;
  readonly buffers: Buffers;
  readonly host: HostPort;
  readonly caller: Caller;
  /** The attached terminal this runs for: of the key press, or the one last used; undefined where none is attached. */
  readonly client: ClientPort | undefined;
  readonly hostname: string;
  /** Fits windows to their clients again. */
  refit(): void;
  readonly copy: CopyPort;
  /** Fails where the caller may not act on a session; absent where it may act on all. Throws CodedError `refused`. */
  readonly checkReach?: ((session: SessionRecord) => void) | undefined;
  /** Whether the command came from that terminal itself (key, prompt) and not from a shell. */
  readonly isInterface: boolean;
  /** Aborted when the caller has gone, and nobody waits for an answer; never for what a terminal's interface runs. */
  readonly gone: AbortSignal;
  /** Where output without an end goes; undefined where no shell called. */
  readonly stream: StreamPort | undefined;
  print(text: string): void;
  /** One JSON document. */
  json(value: unknown): void;
  /** Fails as running it would, where the command or its words are wrong. */
  checkCommand(line: readonly string[]): void;
  /** Runs another command line in the same context. Throws CodedError. */
  run(commandLine: string): Promise<void>;
}
