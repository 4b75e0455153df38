/**
 * Commands of an attached terminal's interface: what keys, mouse and palette open.
 */
import { CodedError } from '../base/errors.ts';
import type { PaneRecord } from '../model/types.ts';
import type { ClientPort, CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { command, flag, format, valued } from './define.ts';
import { showSession } from './session.ts';

function historyType(type = 'command'): 'command' | 'search' {
  if (type === 'command' || type === 'search') return type;
  throw new CodedError('usage', `command-prompt: -T '${type}' is neither command nor search`);
}

/** A command that only works where a terminal is attached, acting on that terminal. */
function ui(
  spec: Omit<CommandSpec, 'exec' | 'group' | 'flags' | 'args' | 'minArgs' | 'maxArgs' | 'target'> &
    Partial<Pick<CommandSpec, 'flags' | 'args' | 'minArgs' | 'maxArgs'>>,
  exec: (client: ClientPort, args: ParsedArgs, context: CommandContext) => void,
): CommandSpec {
  return command({
    ...spec,
    group: 'Interface',
    interactive: true,
    exec(context, args) {
      if (!context.client) {
        throw new CodedError('failed', `${spec.name}: no client is attached`, "attach one with 'mux attach'");
      }
      exec(context.client, args, context);
    },
  });
}

const focused = ({ model }: CommandContext): { pane: PaneRecord | undefined } => ({
  pane: model.windows.focused,
});

export const INTERFACE_COMMANDS: readonly CommandSpec[] = [
  ui({ name: 'command-palette', text: 'Find a command by a few of its letters and run it' }, c =>
    c.open('palette'),
  ),
  ui({ name: 'show-help', text: 'Show what every key does' }, c => c.open('help')),
  ui({ name: 'choose-session', aliases: ['choose-tree'], text: 'Choose a session to go to' }, c =>
    c.open('sessions'),
  ),
  ui({ name: 'choose-lore', text: 'Browse and search the lores of the repository' }, c => c.open('lores')),
  ui({ name: 'choose-buffer', text: 'Choose a paste buffer to type into the pane' }, c => c.open('buffers')),
  ui({ name: 'toggle-sidebar', text: 'Show or hide the sidebar' }, c => c.sidebar('toggle')),
  ui({ name: 'focus-sidebar', text: 'Give the keyboard to the sidebar' }, c => c.sidebar('focus')),
  ui(
    { name: 'display-panes', aliases: ['displayp'], text: 'Number the panes; the next digit focuses one' },
    c => c.displayPanes(),
  ),
  ui({ name: 'send-prefix', text: 'Send the prefix key itself to the program' }, c => c.sendPrefix()),
  ui({ name: 'refresh-client', aliases: ['refresh'], text: 'Draw the whole screen anew' }, c => c.redraw()),
  ui(
    {
      name: 'command-prompt',
      text: 'Ask for a command line and run it',
      flags: [
        valued('I', 'TEXT', 'text to begin with'),
        valued('p', 'LABEL', 'what to ask'),
        flag('1', 'take the first character typed'),
        flag('i', 'run it at every change, with = before the text'),
        valued('T', 'TYPE', 'whose earlier lines are offered: command or search'),
      ],
      args: '[TEMPLATE]',
      maxArgs: 1,
    },
    (c, args, context) =>
      c.prompt({
        label: args.value('p') ?? ':',
        initial: format(context, args.value('I') ?? '', focused(context)),
        template: args.rest[0] ?? '%%',
        isIncremental: args.has('i'),
        isOneKey: args.has('1'),
        history: historyType(args.value('T')),
      }),
  ),
  ui(
    {
      name: 'confirm-before',
      aliases: ['confirm'],
      text: 'Ask before running a command',
      flags: [valued('p', 'TEXT', 'what to ask')],
      args: 'CMD',
      minArgs: 1,
      maxArgs: 1,
    },
    (c, args, context) => {
      const commandText = args.rest[0]!;
      const text = format(context, args.value('p') ?? `Run '${commandText}'?`, focused(context));
      c.confirm({ text, command: commandText });
    },
  ),
  ui({ name: 'next-attention', text: 'Go to the next session that needs you' }, (_client, _args, context) => {
    const { model } = context;
    const waiting = model.sessions.all().filter(session => session.attention !== '');
    const focused = model.windows.focused && model.sessionOf(model.windows.focused);
    const next = waiting.find(session => session !== focused) ?? waiting[0];
    if (!next) return context.client!.message('Nothing needs you', 'info');
    showSession(context, next);
  }),
];
