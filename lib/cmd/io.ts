/**
 * Commands that drive what runs in a pane: keys in, screen out.
 */
import { CodedError } from '../base/errors.ts';
import { encodeKey } from '../input/encoder.ts';
import { parseKey } from '../input/keyname.ts';
import { runs } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import type { TermModes } from '../term/screen-view.ts';
import { captureLines } from '../term/text-dump.ts';
import type { CommandContext, CommandSpec } from './spec.ts';
import { command, flag, format, integer, printText, TARGET_PANE, valued } from './define.ts';
import { commandTargets } from './synchronized.ts';
import { runModeAction } from './copy.ts';
import { findPane, findProgram } from './target.ts';

/** tmux repeats at most this often in one call; a slip of the finger must not flood a program. */
const MAX_REPEAT = 10_000;

/** A session's terminal while its program runs. Throws CodedError. */
export function liveTerminal(
  context: CommandContext,
  session: SessionRecord,
): NonNullable<SessionRecord['terminal']> {
  if (session.terminal && !session.exit) return session.terminal;
  const pane = context.model.windows.paneOf(session.id);
  throw new CodedError(
    'failed',
    `${placeOf(context, session)}: its program has ended`,
    `start it again with 'mux ${pane ? `respawn-pane -t %${pane.id}` : `restart ${session.name}`}'`,
  );
}

/** Where a session is seen, for messages: its pane, else itself. */
function placeOf(context: CommandContext, session: SessionRecord): string {
  const pane = context.model.windows.paneOf(session.id);
  return pane ? `pane %${pane.id}` : `session ${session.name}`;
}

/** Sends input; throws CodedError where the program does not read. */
export function writeInput(context: CommandContext, session: SessionRecord, bytes: Uint8Array): void {
  if (liveTerminal(context, session).write(bytes)) return;
  const place = placeOf(context, session);
  throw new CodedError('failed', `${place}: its program does not read its input, nothing was sent`);
}

export const IO_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'send-keys',
    aliases: ['send'],
    group: 'Panes',
    text: 'Type keys into a pane: names like Enter, C-c, M-x, or text',
    flags: [
      TARGET_PANE,
      flag('l', 'take the arguments as text, not as names of keys'),
      flag('H', 'take the arguments as bytes in hexadecimal'),
      flag('R', "set the pane's screen back first, as the command reset does"),
      flag('F', 'expand formats in the arguments of an action'),
      flag('X', 'run an action of the mode that the client or pane is in'),
      valued('N', 'COUNT', 'how often'),
    ],
    args: '[KEY…]',
    maxArgs: Infinity,
    wordsFrom: 0,
    target: 'pane',
    exec(context, args) {
      if (args.has('X')) {
        return runModeAction(context, args);
      }
      if (context.isInterface && context.client?.isReadOnly) {
        throw new CodedError('refused', 'send-keys: this terminal is attached read-only');
      }
      const session = findProgram(context, args.value('t'));
      if (args.has('R')) liveTerminal(context, session).reset();
      const encode = (word: string, modes: TermModes): Uint8Array => {
        if (args.has('l')) return Buffer.from(word);
        if (args.has('H')) return Buffer.from([parseHex(word)]);
        const key = keyNamed(word);
        return key ? encodeKey(key, modes) : Buffer.from(word);
      };
      const times = Math.min(MAX_REPEAT, integer('send-keys', 'count', args.value('N') ?? '1', 1));
      for (const one of commandTargets(context, session, args.has('t'))) {
        const { modes } = liveTerminal(context, one).view;
        const bytes = Buffer.concat(args.rest.map(word => encode(word, modes)));
        if (bytes.length > 0) for (let i = 0; i < times; i++) writeInput(context, one, bytes);
      }
    },
  }),
  command({
    name: 'capture-pane',
    data: ['p'],
    aliases: ['capturep'],
    group: 'Panes',
    text: 'Print what a pane shows, with its scrollback if asked, or copy it to a buffer',
    flags: [
      flag('p', 'print it instead of copying it to a buffer'),
      flag('e', 'with colours and attributes as escape sequences'),
      flag('J', 'join wrapped lines and keep trailing blanks'),
      flag('q', 'no error where there is no screen'),
      valued(
        'S',
        'START',
        "first line: 0 is the screen's top, negative reaches into history, - is its beginning",
      ),
      valued('E', 'END', 'last line, - is the last of the screen'),
      valued('b', 'BUFFER', 'name of the buffer'),
      TARGET_PANE,
    ],
    target: 'pane',
    exec(context, args) {
      const session = findProgram(context, args.value('t'));
      const view = session.terminal?.view;
      if (!view) {
        if (args.has('q')) return;
        throw new CodedError(
          'failed',
          `${placeOf(context, session)}: it has no screen, its program is stopped`,
        );
      }
      const bound = (name: string, fallback: number, dash: number): number => {
        const text = args.value(name);
        if (text === undefined) return fallback;
        return text === '-' ? dash : integer('capture-pane', 'line', text, -1_000_000);
      };
      const lines = captureLines(view, {
        start: bound('S', 0, -view.historySize),
        end: bound('E', view.rows - 1, view.rows - 1),
        escapes: args.has('e'),
        join: args.has('J'),
      });
      if (!args.has('p')) {
        context.buffers.set(Buffer.from(lines.join('\n') + '\n'), context.clock.now(), args.value('b'));
        return;
      }
      if (context.caller.json) context.json({ lines });
      else context.print(lines.join('\n'));
    },
  }),
  command({
    name: 'display-message',
    data: ['p'],
    aliases: ['display'],
    group: 'Interface',
    text: 'Show a message on the bottom row, or print it',
    flags: [flag('p', 'print it'), TARGET_PANE],
    args: 'FORMAT',
    minArgs: 1,
    maxArgs: Infinity,
    target: 'pane',
    exec(context, args) {
      const pane =
        args.has('t') || context.model.windows.focused || context.caller.pane
          ? findPane(context, args.value('t'))
          : undefined;
      const text = format(context, args.rest.join(' '), { pane });
      if (args.has('p')) {
        if (context.caller.json) context.json({ message: text });
        else printText(context, text);
      } else if (context.client) context.client.message(text, 'info');
    },
  }),
  command({
    name: 'pipe-pane',
    aliases: ['pipep'],
    group: 'Panes',
    text: "Send a pane's further output to a shell command; without one, end that",
    flags: [flag('o', 'only if none runs yet'), TARGET_PANE],
    args: '[COMMAND]',
    maxArgs: 1,
    target: 'pane',
    exec(context, args) {
      const pane = findPane(context, args.value('t'));
      context.host.pipePane(pane, format(context, args.rest[0] ?? '', { pane }), {
        onlyIfNone: args.has('o'),
      });
    },
  }),
  command({
    name: 'respawn-pane',
    aliases: ['respawnp'],
    group: 'Panes',
    text: 'Start the program of a pane again',
    flags: [flag('k', 'end it first if it still runs'), TARGET_PANE],
    target: 'pane',
    exec(context, args) {
      const { model, host } = context;
      const pane = findPane(context, args.value('t'));
      const session = model.sessionOf(pane);
      if (!runs(session)) return host.lifecycle.resume(session, model.windows.paneSize(pane));
      if (args.has('k')) return host.lifecycle.restart(session);
      throw new CodedError('failed', `pane %${pane.id}: its program still runs`, 'end it first with -k');
    },
  }),
  command({
    name: 'clear-history',
    aliases: ['clearhist'],
    group: 'Panes',
    text: "Forget a pane's scrollback",
    flags: [TARGET_PANE],
    target: 'pane',
    exec(context, args) {
      findProgram(context, args.value('t')).terminal?.clearHistory();
    },
  }),
];

/** A word that names a key; text that is none is typed as it stands, as tmux does. */
function keyNamed(word: string): ReturnType<typeof parseKey> | undefined {
  try {
    return parseKey(word);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'invalid_key') return undefined;
    throw error;
  }
}

function parseHex(word: string): number {
  if (/^[0-9a-f]{1,2}$/i.test(word)) return Number.parseInt(word, 16);
  throw new CodedError('usage', `send-keys: '${word}' is not a byte in hexadecimal`);
}
