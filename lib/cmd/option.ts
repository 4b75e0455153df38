/**
 * Commands on keys and options.
 */
import { CodedError } from '../base/errors.ts';
import { formatKey, parseKey } from '../input/keyname.ts';
import type { WindowRecord } from '../model/types.ts';
import {
  formatOption,
  optionName,
  OPTIONS,
  parseOption,
  type OptionName,
  type OptionRow,
  type OptionValue,
} from '../options/table.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { command, flag, TARGET_WINDOW, valued } from './define.ts';
import { parseCommands, quoteWord } from './parse.ts';
import { isSynchronized } from './synchronized.ts';
import { findWindow } from './target.ts';

const KEY_TABLE_FLAGS = [
  valued('T', 'TABLE', 'key table (default: prefix)'),
  flag('n', 'the table root: without the prefix'),
];

function tableOf(args: ParsedArgs): string {
  return args.value('T') ?? (args.has('n') ? 'root' : 'prefix');
}

export const OPTION_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'bind-key',
    aliases: ['bind'],
    group: 'Keys and options',
    text: 'Run a command when a key is pressed',
    flags: [
      ...KEY_TABLE_FLAGS,
      flag('r', 'may be repeated without the prefix'),
      valued('N', 'NOTE', 'what it does, for the help screen'),
    ],
    args: 'KEY CMD…',
    minArgs: 2,
    maxArgs: Infinity,
    wordsFrom: 0,
    exec(context, args) {
      const [key = '', ...words] = args.rest;
      // One word is a command line of its own (`{ … }`); several are one command's words.
      const commandText = words.length === 1 ? words[0]! : words.map(quoteWord).join(' ');
      for (const line of parseCommands(commandText)) context.checkCommand(line);
      context.keys.bind(tableOf(args), parseKey(key), {
        command: commandText,
        note: args.value('N') ?? commandText,
        repeat: args.has('r'),
      });
    },
  }),
  command({
    name: 'unbind-key',
    aliases: ['unbind'],
    group: 'Keys and options',
    text: 'Take the command from a key',
    flags: [...KEY_TABLE_FLAGS, flag('a', 'from all keys of the table')],
    args: '[KEY]',
    maxArgs: 1,
    exec(context, args) {
      const table = tableOf(args);
      if (args.has('a')) {
        for (const row of context.keys.list(table)) context.keys.unbind(table, row.key);
        return;
      }
      if (args.rest[0] === undefined) throw new CodedError('usage', 'unbind-key: name a key, or -a for all');
      context.keys.unbind(table, parseKey(args.rest[0]));
    },
  }),
  command({
    name: 'list-keys',
    aliases: ['lsk'],
    group: 'Keys and options',
    text: 'List what keys do',
    flags: [valued('T', 'TABLE', 'only this key table'), flag('N', 'with notes instead of commands')],
    exec(context, args) {
      const rows = context.keys.list(args.value('T'));
      if (context.caller.json) {
        context.json({
          keys: rows.map(r => ({
            table: r.table,
            key: formatKey(r.key),
            command: r.binding.command,
            note: r.binding.note,
            repeat: r.binding.repeat,
          })),
        });
        return;
      }
      for (const { table, key, binding } of rows) {
        context.print(
          args.has('N')
            ? `${formatKey(key).padEnd(10)} ${binding.note}`
            : `bind-key ${binding.repeat ? '-r ' : ''}-T ${table.padEnd(10)} ${quoteWord(formatKey(key)).padEnd(8)} ${binding.command}`,
        );
      }
    },
  }),
  command({
    name: 'source-file',
    aliases: ['source'],
    group: 'Keys and options',
    text: 'Run the commands in a file',
    flags: [flag('q', 'no error where the file is missing')],
    args: 'FILE',
    minArgs: 1,
    maxArgs: 1,
    async exec(context, args) {
      let text: string;
      try {
        text = await context.host.readCommands(args.rest[0]!, context.caller.cwd);
      } catch (error) {
        if (args.has('q') && error instanceof CodedError && error.code === 'not_found') return;
        throw error;
      }
      await context.run(text);
    },
  }),
  command({
    name: 'show-options',
    aliases: ['show-option', 'show-window-options', 'showw'],
    group: 'Keys and options',
    text: 'List options and their values',
    flags: [
      flag('g', 'all of them (as without); of an option of windows the value for all'),
      flag('w', 'taken for scripts'),
      TARGET_WINDOW,
      flag('v', 'only the value'),
      flag('q', 'no error for an unknown option'),
    ],
    args: '[OPTION]',
    maxArgs: 1,
    exec: showOptions,
  }),
  command({
    name: 'set-option',
    aliases: ['set', 'set-window-option', 'setw'],
    group: 'Keys and options',
    text: 'Change an option of the running server',
    flags: [
      flag('g', 'for all windows, where an option is one of windows'),
      flag('w', 'taken for scripts: which options are of windows is known'),
      flag('u', 'back to the default'),
      TARGET_WINDOW,
      flag('q', 'no error for an unknown option'),
    ],
    args: 'OPTION [VALUE]',
    minArgs: 1,
    maxArgs: 2,
    exec(context, args) {
      const [name = '', value] = args.rest;
      if (args.has('q') && !Object.hasOwn(OPTIONS, name)) return;
      if (isOfWindow(name) && !args.has('g')) setWindowOption(context, args, name);
      else if (args.has('u')) context.options.unset(name);
      else context.options.setText(name, value);
    },
  }),
];

/** Whether each window may have a value of its own. */
function isOfWindow(name: string): boolean {
  return (OPTIONS[optionName(name)] as OptionRow).scope === 'window';
}

/** Sets or unsets the value of one window; without a text a flag is turned over. */
function setWindowOption(context: CommandContext, args: ParsedArgs, name: string): void {
  const { model, options } = context;
  const window = findWindow(context, args.value('t'));
  const text = args.rest[1];
  const value = args.has('u')
    ? undefined
    : text === undefined
      ? !isSynchronized(window, options)
      : parseOption('synchronize-panes', text);
  if (optionName(name) === 'synchronize-panes') model.windows.setSynchronized(window, value);
}

function showOptions(context: CommandContext, args: ParsedArgs): void {
  const { options, caller } = context;
  const name = args.rest[0];
  if (name !== undefined && args.has('q') && !Object.hasOwn(OPTIONS, name)) return;
  const wanted = name === undefined ? undefined : optionName(name);
  const rows = options.list().filter(row => wanted === undefined || row.name === wanted);
  const window = args.has('g') ? undefined : windowOf(context, args);
  const valueOf = (row: OptionName): OptionValue =>
    window && isOfWindow(row) ? isSynchronized(window, options) : options.get(row);
  if (caller.json)
    return context.json({ options: Object.fromEntries(rows.map(r => [r.name, valueOf(r.name)])) });
  for (const row of rows) {
    const text = formatOption(row.name, valueOf(row.name));
    context.print(args.has('v') ? text : `${row.name} ${quoteWord(text)}`);
  }
}

/** The window whose values are shown; undefined where there is none yet. */
function windowOf(context: CommandContext, args: ParsedArgs): WindowRecord | undefined {
  const hasWindow = context.model.windows.all().length > 0;
  return args.has('t') || hasWindow ? findWindow(context, args.value('t')) : undefined;
}
