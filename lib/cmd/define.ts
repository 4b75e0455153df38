/**
 * Small helpers for the noun files of the command table.
 */
import { CodedError } from '../base/errors.ts';
import { cellWidth, graphemes, pad } from '../base/text.ts';
import { visible } from '../base/visible.ts';
import { expandFormat } from '../format/format.ts';
import { directoryOf } from '../model/sessions.ts';
import type { PaneRecord } from '../model/types.ts';
import type { CommandContext, CommandSpec, FlagSpec, LaunchRequest, ParsedArgs } from './spec.ts';
import { lookupIn } from './variables.ts';

/** Fills in what most records leave out. */
export function command(
  spec: Partial<CommandSpec> & Pick<CommandSpec, 'name' | 'group' | 'text' | 'exec'>,
): CommandSpec {
  return { flags: [], args: '', minArgs: 0, maxArgs: 0, target: 'none', ...spec };
}

/** A switch. */
export const flag = (name: string, text: string): FlagSpec => ({ name, text });

/** A flag with a value. */
export const valued = (name: string, value: string, text: string): FlagSpec => ({ name, value, text });

export const TARGET_PANE = valued('t', 'PANE', 'the pane to act on');
export const TARGET_WINDOW = valued('t', 'WINDOW', 'the window to act on');

/** Flags by which a command tells what it made: see printMade. */
export const PRINT_FLAGS: readonly FlagSpec[] = [
  flag('P', 'print what was made'),
  valued('F', 'FORMAT', 'with -P: what to print'),
];

/** Flags of commands that make a pane. */
export const NEW_PANE_FLAGS: readonly FlagSpec[] = [
  valued('c', 'DIR', 'directory the program starts in'),
  flag('d', 'do not move the focus'),
  ...PRINT_FLAGS,
  { name: 'e', value: 'K=V', many: true, text: 'environment for the program' },
];

/** Numbers of flags and arguments go no further: ten times the longest history, and nothing else comes near it. */
const MAX_INTEGER = 1_000_000;

/** A whole number of a flag or argument, from `min` to a million. Throws CodedError `usage`. */
export function integer(name: string, what: string, text: string, min = 0): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min)
    throw new CodedError('usage', `${name}: ${what} '${text}' is not a whole number of at least ${min}`);
  if (value > MAX_INTEGER)
    throw new CodedError('usage', `${name}: ${what} ${text} is more than ${MAX_INTEGER}`);
  return value;
}

/** Expands a format in the scope of a pane. */
export function format(context: CommandContext, text: string, scope: Parameters<typeof lookupIn>[1]): string {
  return expandFormat(text, lookupIn(context, scope), { cellWidth, graphemes });
}

/** Prints a pane that was made, where PRINT_FLAGS ask for it. */
export function printMade(context: CommandContext, args: ParsedArgs, pane: PaneRecord): void {
  const text = args.value('F') ?? '#{window_index}.#{pane_index}';
  if (args.has('P')) printText(context, format(context, text, { pane }));
}

/**
 * Prints text that holds what programs and repositories say: directories, titles, command lines. At a terminal what
 * would act on it is seen instead; a script gets it as it is.
 */
export function printText({ caller, print }: CommandContext, text: string): void {
  print(caller.terminal ? text.replace(/[^\t\n]+/g, visible) : text);
}

/** Rows as an aligned table for a terminal, tab-separated for a pipe. */
export function printTable(
  context: CommandContext,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  // A command line may hold anything: neither a tab nor an escape sequence of it must count.
  const isTerminal = context.caller.terminal;
  const clean = rows.map(row =>
    row.map(cell => (isTerminal ? visible(cell) : cell.replace(/\p{Cc}/gu, ' '))),
  );
  if (!isTerminal) {
    for (const row of clean) context.print(row.join('\t'));
    return;
  }
  if (rows.length === 0) return;
  const all = [header, ...clean];
  const widths = header.map((_, i) => Math.max(...all.map(row => cellWidth(row[i] ?? ''))));
  for (const row of all) {
    context.print(
      row
        .map((cell, i) => (i === row.length - 1 ? cell : pad(cell, widths[i]!)))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** What a pane-making command was asked to run, as a launch request for a program nobody named. */
export function paneLaunch(context: CommandContext, args: ParsedArgs, fallbackCwd: string): LaunchRequest {
  return {
    command: args.rest,
    agent: '',
    name: '',
    durable: false,
    cwd: args.value('c') ?? fallbackCwd,
    role: '',
    model: '',
    labels: [],
    env: args.values('e'),
    callerEnv: context.caller.env,
  };
}

/** Where a new pane starts when nothing is said: the caller's directory from a shell, the focused pane's from a key. */
export function startDirectory(context: CommandContext): string {
  if (!context.isInterface && context.caller.cwd) return context.caller.cwd;
  const { windows, sessions } = context.model;
  const place = sessions.get(context.caller.session);
  const focused = (place && windows.paneOf(place.id)) ?? windows.focused;
  return focused ? directoryOf(context.model.sessionOf(focused)) : context.caller.cwd;
}
