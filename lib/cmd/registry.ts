/**
 * The command table: look-up by name, alias or unique prefix, and running a command line.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { withAccess } from './access.ts';
import { AI_SERVICE_COMMAND } from './ai-service.ts';
import { APPROVAL_COMMANDS } from './approvals.ts';
import { describeCommand, parseArgs } from './args.ts';
import { ARRANGE_COMMANDS } from './arrange.ts';
import { BUFFER_COMMANDS } from './buffer-commands.ts';
import { CLIENT_COMMANDS } from './client.ts';
import { COPY_COMMANDS } from './copy.ts';
import { FLEET_COMMANDS } from './fleet.ts';
import { GO_COMMANDS } from './go.ts';
import { INTERFACE_COMMANDS } from './interface.ts';
import { DRIVE_COMMANDS } from './drive.ts';
import { IO_COMMANDS } from './io.ts';
import { MESSAGE_COMMANDS } from './messages.ts';
import { OPTION_COMMANDS } from './option.ts';
import { PANE_COMMANDS } from './pane.ts';
import { parseCommands, type CommandLine } from './parse.ts';
import { PROMPT_HISTORY_COMMANDS } from './prompt-history.ts';
import { SESSION_COMMANDS } from './session.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { TASK_COMMANDS } from './tasks.ts';
import { HOOK_COMMAND, STATUS_COMMANDS } from './status.ts';
import { UPKEEP_COMMANDS } from './upkeep.ts';
import { WINDOW_COMMANDS } from './window.ts';
import { WINDOW_ORDER_COMMANDS } from './window-order.ts';

/** Every command, in the order help and man page show them. */
export const COMMANDS: readonly CommandSpec[] = [
  ...CLIENT_COMMANDS,
  ...WINDOW_COMMANDS,
  ...WINDOW_ORDER_COMMANDS,
  ...PANE_COMMANDS,
  ...ARRANGE_COMMANDS,
  ...IO_COMMANDS,
  ...COPY_COMMANDS,
  ...SESSION_COMMANDS,
  ...GO_COMMANDS,
  ...STATUS_COMMANDS,
  ...DRIVE_COMMANDS,
  ...UPKEEP_COMMANDS,
  ...FLEET_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...TASK_COMMANDS,
  ...OPTION_COMMANDS,
  ...BUFFER_COMMANDS,
  ...INTERFACE_COMMANDS,
  ...PROMPT_HISTORY_COMMANDS,
];

/** What the server carries out besides: nobody types it. */
const ALL_COMMANDS: readonly CommandSpec[] = [...COMMANDS, HOOK_COMMAND, AI_SERVICE_COMMAND];

/** The record for a name, an alias, or the beginning of just one name. Throws CodedError `unknown_command`. */
export function findCommand(name: string, commands: readonly CommandSpec[] = ALL_COMMANDS): CommandSpec {
  const exact = commands.find(spec => spec.name === name || spec.aliases?.includes(name));
  if (exact) return exact;
  const matches = commands.filter(spec => name !== '' && spec.name.startsWith(name));
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1) {
    throw new CodedError(
      'unknown_command',
      `${name}: could be ${matches.map(s => s.name).join(', ')}`,
      'give more of the name',
    );
  }
  // Not among aliases: they are so short that any word is near to one.
  const near = nearest(
    name,
    commands.map(spec => spec.name),
  );
  throw new CodedError(
    'unknown_command',
    `${name}: unknown command`,
    near ? `did you mean ${near}?` : "'mux --help' lists the commands",
  );
}

/**
 * The record and the words behind its name, which may be of two words (`msg send`). Throws CodedError `unknown_command`, and
 * `usage` where the second word is missing or wrong.
 */
export function resolveLine(
  [name = '', ...words]: CommandLine,
  commands: readonly CommandSpec[] = ALL_COMMANDS,
): { readonly spec: CommandSpec; readonly words: readonly string[] } {
  const group = commands.filter(spec => spec.name.startsWith(`${name} `));
  if (group.length === 0) return { spec: findCommand(name, commands), words };
  const spec = group.find(one => one.name === `${name} ${words[0]}`);
  if (spec) return { spec, words: words.slice(1) };
  const all = group.map(one => one.name.slice(name.length + 1)).join('|');
  throw new CodedError(
    'usage',
    `${name}: ${words[0] === undefined ? 'say what' : `unknown '${words[0].slice(0, 40)}'`}`,
    `usage: mux ${name} ${all}`,
  );
}

/** Fails as running it would, where the command or its words are wrong. */
export function checkCommand(line: CommandLine): void {
  const { spec, words } = resolveLine(line);
  parseArgs(spec, words);
}

/** Fails as running the text would, where a command or its words are wrong. Throws CodedError. */
export function checkCommandText(text: string): void {
  for (const line of parseCommands(text)) checkCommand(line);
}

/**
 * Whether command lines name their commands exactly, with the right words, and ask for no help; and whether one of them
 * asks for JSON.
 */
export function checkExact(lines: readonly CommandLine[]): { isExact: boolean; isJson: boolean } {
  try {
    const parsed = lines.map(([name = '', ...words]) => {
      const spec = COMMANDS.find(one => one.name === name || one.aliases?.includes(name));
      if (spec) return parseArgs(spec, words);
      const pair = COMMANDS.find(one => one.name === `${name} ${words[0]}`);
      return pair && parseArgs(pair, words.slice(1));
    });
    const isExact = parsed.every(args => args && !args.has('help') && !args.has('version'));
    return { isExact, isJson: parsed.some(args => args?.has('json')) };
  } catch (error) {
    if (error instanceof CodedError) return { isExact: false, isJson: false };
    throw error;
  }
}

/** Runs one command. Throws CodedError. */
export async function runCommand(context: CommandContext, line: CommandLine): Promise<void> {
  const { spec, words } = resolveLine(line);
  const args = parseArgs(spec, words);
  if (context.isInterface && context.client?.isReadOnly && !READ_ONLY.has(spec.name)) {
    throw new CodedError('refused', `${spec.name}: this terminal is attached read-only`);
  }
  if (args.has('help')) return context.print(describeCommand(spec));
  if (args.has('version')) return context.print(`mux ${context.host.status().version}`);
  await spec.exec(withJson(withAccess(context, spec), spec, args), args);
}

/** Runs a text of commands, one after another; the first that fails ends it. Throws CodedError. */
export async function runCommands(context: CommandContext, text: string): Promise<void> {
  for (const line of parseCommands(text)) await runCommand(context, line);
}

/** JSON where it was asked for, by `--json` here or before the command; data stays as it is for agents. */
function withJson(context: CommandContext, spec: CommandSpec, args: ParsedArgs): CommandContext {
  const { caller } = context;
  const isData = caller.jsonIsAutomatic && spec.data?.some(flag => args.has(flag));
  const json = args.has('json') || (caller.json && !isData);
  return json === caller.json ? context : { ...context, caller: { ...caller, json } };
}

/** What a read-only terminal may run: looking and leaving. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'detach',
  'show-help',
  'choose-lore',
  'copy-mode',
  // What is entered there is checked in its turn.
  'command-prompt',
  'send-keys',
  'refresh-client',
  'toggle-sidebar',
  'focus-sidebar',
  'command-palette',
  'list-keys',
  'pass-keys',
  'display-menu',
]);
