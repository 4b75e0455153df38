/**
 * Commands on keys, options and buffers.
 */
import { CodedError } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { formatKey, parseKey } from '../input/keyname.ts';
import { optionName, OPTIONS } from '../options/table.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { command, flag, printTable, valued } from './define.ts';
import { parseCommands, quoteWord } from './parse.ts';

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
    aliases: ['show-option'],
    group: 'Keys and options',
    text: 'List options and their values',
    flags: [
      flag('g', 'all of them (as without)'),
      flag('v', 'only the value'),
      flag('q', 'no error for an unknown option'),
    ],
    args: '[OPTION]',
    maxArgs: 1,
    exec: showOptions,
  }),
  command({
    name: 'set-option',
    aliases: ['set'],
    group: 'Keys and options',
    text: 'Change an option of the running server',
    flags: [
      flag('g', 'for all (as without)'),
      flag('u', 'back to the default'),
      flag('q', 'no error for an unknown option'),
    ],
    args: 'OPTION [VALUE]',
    minArgs: 1,
    maxArgs: 2,
    exec(context, args) {
      const [name = '', value] = args.rest;
      if (args.has('q') && !Object.hasOwn(OPTIONS, name)) return;
      if (args.has('u')) context.options.unset(name);
      else context.options.setText(name, value);
    },
  }),
  command({
    name: 'list-buffers',
    aliases: ['lsb'],
    group: 'Buffers',
    text: 'List the paste buffers',
    exec(context) {
      const all = context.buffers.all();
      const sample = (data: Uint8Array): string =>
        visible(Buffer.from(data.subarray(0, 200)).toString()).slice(0, 50);
      if (context.caller.json) {
        context.json({
          buffers: all.map(b => ({
            name: b.name,
            size: b.data.length,
            created_at: new Date(b.createdAt).toISOString(),
            sample: sample(b.data),
          })),
        });
        return;
      }
      printTable(
        context,
        ['NAME', 'BYTES', 'BEGINS'],
        all.map(b => [b.name, String(b.data.length), sample(b.data)]),
      );
    },
  }),
  command({
    name: 'set-buffer',
    aliases: ['setb'],
    group: 'Buffers',
    text: 'Put text into a paste buffer',
    flags: [
      valued('b', 'BUFFER', 'name of the buffer'),
      flag('w', "copy it to the terminal's clipboard too"),
    ],
    args: 'TEXT',
    minArgs: 1,
    maxArgs: 1,
    exec(context, args) {
      const data = Buffer.from(args.rest[0]!);
      context.buffers.set(data, context.clock.now(), args.value('b'));
      if (args.has('w')) context.host.clipboard(data);
    },
  }),
  command({
    name: 'show-buffer',
    aliases: ['showb'],
    group: 'Buffers',
    text: 'Print a paste buffer',
    flags: [valued('b', 'BUFFER', 'name of the buffer (default: the newest)')],
    exec(context, args) {
      const buffer = context.buffers.get(args.value('b'));
      if (!buffer) throw new CodedError('not_found', 'show-buffer: there is no such buffer');
      context.print(Buffer.from(buffer.data).toString());
    },
  }),
  command({
    name: 'delete-buffer',
    aliases: ['deleteb'],
    group: 'Buffers',
    text: 'Forget a paste buffer',
    flags: [valued('b', 'BUFFER', 'name of the buffer (default: the newest)')],
    exec(context, args) {
      const name = args.value('b') ?? context.buffers.get()?.name;
      if (name === undefined || !context.buffers.delete(name))
        throw new CodedError('not_found', 'delete-buffer: there is no such buffer');
    },
  }),
];

function showOptions(context: CommandContext, args: ParsedArgs): void {
  const { options, caller } = context;
  const name = args.rest[0];
  if (name !== undefined && args.has('q') && !Object.hasOwn(OPTIONS, name)) return;
  const wanted = name === undefined ? undefined : optionName(name);
  const rows = options.list().filter(row => wanted === undefined || row.name === wanted);
  if (caller.json)
    return context.json({ options: Object.fromEntries(rows.map(r => [r.name, options.get(r.name)])) });
  for (const row of rows) context.print(args.has('v') ? row.text : `${row.name} ${quoteWord(row.text)}`);
}
