/**
 * The command table's row. One record per command serves the shell, key bindings, the prompt, the palette, help, the
 * man page and completion. Commands decide and call ports; they never touch the machine themselves.
 */
import type { Clock } from '../base/clock.ts';
import type { Point, Size } from '../base/geometry.ts';
import type { KeyTables } from '../keys/tables.ts';
import type { Model } from '../model/model.ts';
import type { NewSession } from '../model/sessions.ts';
import type { PaneRecord, SessionRecord } from '../model/types.ts';
import type { OptionStore } from '../options/store.ts';
import type { Buffers } from './buffers.ts';

/** A flag. `value` names its argument; without it the flag is a switch. `name` has one letter or is a long name. */
export interface FlagSpec {
  readonly name: string;
  /** Other spelling, e.g. long for a short one. */
  readonly alias?: string;
  readonly value?: string;
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

/** Who runs a command, and from where. */
export interface Caller {
  readonly cwd: string;
  readonly json: boolean;
  /** JSON because an agent calls, not because it was asked for. */
  readonly jsonIsAutomatic: boolean;
  /** Stdout is a terminal: tables; else tab-separated. */
  readonly terminal: boolean;
  readonly columns: number;
  /** The pane and session the caller runs in, '' outside. */
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

/** A line to be typed. */
export interface PromptRequest {
  readonly label: string;
  readonly initial: string;
  /** Command text; `%%` is replaced by what is entered, `%%%` by the same written for the inside of double quotes. */
  readonly template: string;
  /** Runs the template at every change, with a sign before the text: `=` changed, `!` entered, `~` given up. */
  readonly isIncremental?: boolean;
  /** Takes the first character typed. */
  readonly isOneKey?: boolean;
  /** Whose earlier lines are offered. */
  readonly history?: 'command' | 'search';
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
export type OverlayName = 'palette' | 'help' | 'sessions' | 'lores' | 'buffers';

/** The interface of one attached terminal. */
export interface ClientPort {
  readonly id: string;
  readonly isReadOnly: boolean;
  message(text: string, tone: 'info' | 'error'): void;
  /** Shows the output of a command that has several lines. */
  showText(title: string, lines: readonly string[]): void;
  /** Asks for a command line, beginning with `initial`; `template` has `%%` replaced by what is entered. */
  prompt(options: PromptRequest): void;
  /** Asks yes or no and runs `command` on yes. */
  confirm(options: { text: string; command: string }): void;
  open(overlay: OverlayName): void;
  sidebar(action: 'toggle' | 'focus'): void;
  /** Numbers over the panes; the next digit selects one. */
  displayPanes(): void;
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
  /** Facts about the running server. */
  status(): {
    readonly pid: number;
    readonly version: string;
    readonly protocol: string;
    readonly startedAt: number;
    readonly socket: string;
  };
  /** Reads a file of commands; relative to `cwd`. Throws CodedError. */
  readCommands(path: string, cwd: string): Promise<string>;
  /** Pipes a pane's output to a shell command; an empty one ends it. */
  pipePane(pane: PaneRecord, command: string, options: { onlyIfNone: boolean }): void;
  /** Ends a session's program: politely, then by force once the grace is over; resolves when it has ended. */
  stop(session: SessionRecord): Promise<void>;
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
  /** Puts data on the attached terminals' clipboards. */
  clipboard(data: Uint8Array): void;
  /** Writes a text to a file; relative to `cwd`. Throws CodedError. */
  saveText(path: string, cwd: string, text: string, options: { appends: boolean }): Promise<void>;
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
  readonly role: string;
  readonly model: string;
  readonly labels: readonly string[];
  /** `K=V` pairs. */
  readonly env: readonly string[];
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
  /** Whether the command came from that terminal itself (key, prompt) and not from a shell. */
  readonly isInterface: boolean;
  print(text: string): void;
  /** One JSON document. */
  json(value: unknown): void;
  /** Fails as running it would, where the command or its words are wrong. */
  checkCommand(line: readonly string[]): void;
  /** Runs another command line in the same context. Throws CodedError. */
  run(commandLine: string): Promise<void>;
}
