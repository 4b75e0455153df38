/**
 * Commands on paste buffers, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { encodePaste } from '../input/paste.ts';
import { MAX_BUFFER_BYTES, type PasteBuffer } from './buffers.ts';
import { command, flag, format, printTable, printText, TARGET_PANE, valued } from './define.ts';
import { liveTerminal, writeInput } from './io.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { commandTargets } from './synchronized.ts';
import { findProgram } from './target.ts';
import { bufferSample } from './variables.ts';

const BUFFER = valued('b', 'BUFFER', 'name of the buffer (default: the newest)');
const NEW_BUFFER = valued('b', 'BUFFER', 'name of the buffer (default: a number)');
const TO_CLIPBOARD = flag('w', "copy it to the terminal's clipboard too");

/** The buffer that -b names, or the newest. Throws CodedError `not_found`. */
function bufferOf(context: CommandContext, args: ParsedArgs): PasteBuffer {
  const name = args.value('b');
  const buffer = context.buffers.get(name);
  if (buffer) return buffer;
  throw name === undefined
    ? new CodedError('not_found', 'buffer: there is none', "copy something, or say 'mux set-buffer TEXT'")
    : new CodedError('not_found', `buffer ${name}: there is none`, "'mux list-buffers' lists them");
}

function keep(context: CommandContext, args: ParsedArgs, data: Uint8Array): void {
  if (data.length > MAX_BUFFER_BYTES)
    throw new CodedError('refused', `buffer: ${data.length} bytes are more than ${MAX_BUFFER_BYTES}`);
  context.buffers.set(data, context.clock.now(), args.value('b'));
  if (args.has('w')) context.host.clipboard(data);
}

/** What parts the lines of a paste: tmux's default is what Enter sends. */
function separatorOf(args: ParsedArgs): string | undefined {
  return args.has('r') ? '\n' : args.value('s');
}

/**
 * A buffer as it is typed into a program: line feeds become the separator (default CR). A bracketed one cannot be
 * ended by what is in it: an end marker loses its first byte to a blank.
 */
export function pasteBytes(
  data: Uint8Array,
  options: { readonly bracketed: boolean; readonly separator: string | undefined },
): Uint8Array {
  const { bracketed, separator } = options;
  if (separator === undefined) return Buffer.concat(encodePaste([data], { bracketedPaste: bracketed }));
  const joined = Buffer.from(data).toString('latin1').replaceAll('\n', latin1(separator));
  if (!bracketed) return Buffer.from(joined, 'latin1');
  const harmless = joined.replace(/[\x1b\x9b](?:\[)?201~/g, marker => ` ${marker.slice(1)}`);
  return Buffer.from(`\x1b[200~${harmless}\x1b[201~`, 'latin1');
}

/** The UTF-8 bytes of a text, one character each. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export const BUFFER_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'list-buffers',
    data: ['F'],
    aliases: ['lsb'],
    group: 'Buffers',
    text: 'List the paste buffers',
    flags: [valued('F', 'FORMAT', 'what to print of each')],
    exec(context, args) {
      const all = context.buffers.all();
      const wanted = args.value('F');
      if (context.caller.json) {
        context.json({
          buffers: all.map(b => ({
            name: b.name,
            size: b.data.length,
            created_at: new Date(b.createdAt).toISOString(),
            sample: bufferSample(b),
          })),
        });
      } else if (wanted !== undefined) {
        for (const buffer of all) printText(context, format(context, wanted, { buffer }));
      } else {
        printTable(
          context,
          ['NAME', 'BYTES', 'BEGINS'],
          all.map(b => [b.name, String(b.data.length), bufferSample(b)]),
        );
      }
    },
  }),
  command({
    name: 'set-buffer',
    aliases: ['setb'],
    group: 'Buffers',
    text: 'Put text into a paste buffer, or give a buffer another name',
    flags: [
      NEW_BUFFER,
      flag('a', 'add to what the buffer holds'),
      valued('n', 'NAME', 'the new name of the buffer'),
      TO_CLIPBOARD,
    ],
    args: '[TEXT]',
    maxArgs: 1,
    exec(context, args) {
      const text = args.rest[0];
      const name = args.value('n');
      if (name !== undefined) return context.buffers.rename(bufferOf(context, args).name, name);
      if (text === undefined) throw new CodedError('usage', 'set-buffer: what is to be put into it?');
      const before = args.has('a') && args.has('b') ? context.buffers.get(args.value('b')) : undefined;
      const data = Buffer.from(text);
      keep(context, args, before ? Buffer.concat([before.data, data]) : data);
    },
  }),
  command({
    name: 'show-buffer',
    aliases: ['showb'],
    group: 'Buffers',
    text: 'Print a paste buffer',
    flags: [BUFFER],
    exec(context, args) {
      const buffer = bufferOf(context, args);
      const text = Buffer.from(buffer.data).toString();
      if (context.caller.json) context.json({ name: buffer.name, text });
      else context.print(text.replace(/\n$/, ''));
    },
  }),
  command({
    name: 'delete-buffer',
    aliases: ['deleteb'],
    group: 'Buffers',
    text: 'Forget a paste buffer',
    flags: [BUFFER],
    exec(context, args) {
      context.buffers.delete(bufferOf(context, args).name);
    },
  }),
  command({
    name: 'save-buffer',
    aliases: ['saveb'],
    group: 'Buffers',
    text: 'Write a paste buffer to a file; - prints it',
    flags: [BUFFER, flag('a', 'add to the file')],
    args: 'FILE',
    minArgs: 1,
    maxArgs: 1,
    async exec(context, args) {
      const [file = ''] = args.rest;
      const { data } = bufferOf(context, args);
      if (file === '-') return context.print(Buffer.from(data).toString().replace(/\n$/, ''));
      await context.host.writeFile(file, context.caller.cwd, data, { append: args.has('a') });
    },
  }),
  command({
    name: 'load-buffer',
    aliases: ['loadb'],
    group: 'Buffers',
    text: 'Read a paste buffer from a file; - is what comes through the pipe',
    flags: [NEW_BUFFER, TO_CLIPBOARD],
    args: 'FILE',
    minArgs: 1,
    maxArgs: 1,
    async exec(context, args) {
      const [file = ''] = args.rest;
      if (file === '-')
        throw new CodedError('usage', 'load-buffer -: nothing comes through a pipe here', 'name a file');
      keep(context, args, await context.host.readFile(file, context.caller.cwd, MAX_BUFFER_BYTES));
    },
  }),
  command({
    name: 'paste-buffer',
    aliases: ['pasteb'],
    group: 'Buffers',
    text: 'Type a paste buffer into a pane',
    flags: [
      BUFFER,
      flag('d', 'delete the buffer afterwards'),
      flag('p', 'as a bracketed paste where the program asked for that'),
      flag('r', 'leave line feeds as they are'),
      valued('s', 'SEPARATOR', 'what line feeds become (default: what Enter sends)'),
      TARGET_PANE,
    ],
    target: 'pane',
    exec(context, args) {
      const session = findProgram(context, args.value('t'));
      const buffer = bufferOf(context, args);
      const sent = (modes: { readonly bracketedPaste: boolean }): Uint8Array =>
        pasteBytes(buffer.data, {
          bracketed: args.has('p') && modes.bracketedPaste,
          separator: separatorOf(args),
        });
      for (const one of commandTargets(context, session, args.has('t')))
        writeInput(context, one, sent(liveTerminal(context, one).view.modes));
      if (args.has('d')) context.buffers.delete(buffer.name);
    },
  }),
];
