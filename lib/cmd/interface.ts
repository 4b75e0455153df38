/**
 * Commands of an attached terminal's interface: what keys, mouse and palette open.
 */
import { CodedError } from '../base/errors.ts';
import type { PaneRecord, SessionRecord } from '../model/types.ts';
import type {
  ClientPort,
  CommandContext,
  CommandPlace,
  CommandSpec,
  FlagSpec,
  ParsedArgs,
  TreeRequest,
} from './spec.ts';
import { command, flag, format, integer, valued } from './define.ts';
import { MENU_FLAGS, menuRequest } from './menu.ts';
import { PROMPT_FLAGS, promptRequest } from './prompt.ts';
import { attentionQueue } from '../model/attention.ts';
import { showSession } from './session.ts';
import { findSession } from './target.ts';

/** A command that only works where a terminal is attached, acting on that terminal. */
function ui(
  spec: Omit<CommandSpec, 'exec' | 'group' | 'flags' | 'args' | 'minArgs' | 'maxArgs' | 'target'> &
    Partial<Pick<CommandSpec, 'flags' | 'args' | 'minArgs' | 'maxArgs'>>,
  exec: (client: ClientPort, args: ParsedArgs, context: CommandContext) => void | Promise<void>,
): CommandSpec {
  return command({
    ...spec,
    group: 'Interface',
    interactive: true,
    exec(context, args) {
      if (!context.client) {
        throw new CodedError('failed', `${spec.name}: no client is attached`, "attach one with 'mux attach'");
      }
      return exec(context.client, args, context);
    },
  });
}

/** Ways in which the navigator shows sessions. */
const VIEW_NAMES: readonly string[] = ['all', 'repository', 'label', 'status', 'attention', 'deleted'];

const TREE_FLAGS: readonly FlagSpec[] = [
  flag('N', 'without previews'),
  valued('O', 'ORDER', 'sorted by index, name, time or size, as far as there is one'),
  flag('r', 'in reverse'),
  flag('Z', 'taken for scripts: a tree always has the whole screen'),
];

function treeRequest(args: ParsedArgs): TreeRequest {
  return {
    start: args.has('w') ? 'windows' : 'all',
    template: args.rest[0] ?? '',
    order: args.value('O') ?? '',
    isReversed: args.has('r'),
    hasPreview: !args.has('N'),
  };
}

/** What a command is about where it names nothing: its caller's pane or session, else the pane with the focus. */
function focused({ model, caller }: CommandContext): {
  pane: PaneRecord | undefined;
  session?: SessionRecord | undefined;
} {
  const own = /^%(\d+)$/.exec(caller.pane);
  const pane = own ? model.windows.pane(Number(own[1])) : undefined;
  const session = pane ? undefined : model.sessions.get(caller.session);
  return session
    ? { pane: model.windows.paneOf(session.id), session }
    : { pane: pane ?? model.windows.focused };
}

/** Where what a person answers is to act: where the question was asked. */
function placeOf({ caller }: CommandContext): CommandPlace {
  return { pane: caller.pane, session: caller.session };
}

export const INTERFACE_COMMANDS: readonly CommandSpec[] = [
  ui({ name: 'command-palette', text: 'Find a command by a few of its letters and run it' }, c =>
    c.open('palette'),
  ),
  ui({ name: 'show-help', text: 'Show what every key does' }, c => c.open('help')),
  ui(
    {
      name: 'choose-tree',
      aliases: ['choose-session', 'choose-window'],
      text: 'Choose a window, pane or session from a tree, each previewed',
      flags: [
        flag('s', 'with everything unfolded (as without)'),
        flag('w', 'with the panes folded away'),
        ...TREE_FLAGS,
      ],
      args: '[TEMPLATE]',
      maxArgs: 1,
    },
    (c, args) => c.openTree('sessions', treeRequest(args)),
  ),
  ui(
    {
      name: 'navigator',
      text: 'Look over all sessions, previewed, go to one, or stop, restart, delete, star or rename it',
      flags: [valued('v', 'VIEW', `${VIEW_NAMES.join(', ')}; without it the view looked at last`)],
    },
    (c, args) => {
      const view = args.value('v') ?? '';
      if (view !== '' && !VIEW_NAMES.includes(view))
        throw new CodedError(
          'usage',
          `navigator: there is no view '${view}'`,
          `there are ${VIEW_NAMES.join(', ')}`,
        );
      c.open('navigator', view);
    },
  ),
  ui(
    { name: 'choose-message', text: 'Read messages to you, between sessions and in topics, and answer' },
    c => c.open('messages'),
  ),
  ui(
    {
      name: 'compose-message',
      text: 'Write a message to sessions, a subtree, a label or a topic',
      args: '[SESSION]',
      maxArgs: 1,
    },
    (c, args, context) => {
      const [target] = args.rest;
      c.open('composer', target === undefined ? '' : `session:${findSession(context, target).id}`);
    },
  ),
  ui(
    {
      name: 'choose-document',
      text: 'Browse the documents of the project and the shared ones, with history',
    },
    c => c.open('documents'),
  ),
  ui({ name: 'choose-lore', text: 'Browse and search the lores of the repository' }, c => c.open('lores')),
  ui(
    {
      name: 'choose-buffer',
      text: 'Choose a paste buffer to type into the pane, each previewed',
      flags: TREE_FLAGS,
      args: '[TEMPLATE]',
      maxArgs: 1,
    },
    (c, args) => c.openTree('buffers', treeRequest(args)),
  ),
  ui({ name: 'toggle-sidebar', text: 'Show or hide the sidebar' }, c => c.sidebar('toggle')),
  ui({ name: 'focus-sidebar', text: 'Give the keyboard to the sidebar' }, c => c.sidebar('focus')),
  ui(
    {
      name: 'display-panes',
      aliases: ['displayp'],
      text: 'Number the panes; the key of a number, a digit or from 10 on a letter, focuses one',
      flags: [
        valued('d', 'MS', 'how long, instead of display-panes-time; 0: until a key'),
        flag('N', 'take no keys'),
        flag('b', 'taken for scripts: nothing ever waits'),
      ],
      args: '[TEMPLATE]',
      maxArgs: 1,
    },
    (c, args, { options }) => {
      const ms = args.value('d');
      c.displayPanes({
        ms: ms === undefined ? options.get('display-panes-time') : integer('display-panes', 'time', ms),
        template: args.rest[0] ?? "select-pane -t '%%'",
        takesKeys: !args.has('N'),
      });
    },
  ),
  ui(
    {
      name: 'display-menu',
      aliases: ['menu'],
      text: 'Open a menu; each entry is a name, a key and a command, an empty name a rule',
      flags: MENU_FLAGS,
      args: 'NAME KEY CMD…',
      minArgs: 1,
      maxArgs: Infinity,
      wordsFrom: 0,
    },
    (c, args, context) => c.openMenu(menuRequest(context, args)),
  ),
  ui(
    {
      name: 'pass-keys',
      text: 'Give all keys to the program, the prefix too, or take them back: for a mux or tmux in a pane',
      args: '[on|off]',
      maxArgs: 1,
    },
    (c, args) => {
      const [word] = args.rest;
      if (word !== undefined && word !== 'on' && word !== 'off')
        throw new CodedError('usage', `pass-keys: expected on or off, found '${word}'`);
      c.passKeys(word === undefined ? undefined : word === 'on');
    },
  ),
  ui({ name: 'send-prefix', text: 'Send the prefix key itself to the program' }, c => c.sendPrefix()),
  ui({ name: 'refresh-client', aliases: ['refresh'], text: 'Draw the whole screen anew' }, c => c.redraw()),
  ui(
    {
      name: 'command-prompt',
      text: 'Ask for a command line and run it',
      flags: PROMPT_FLAGS,
      args: '[TEMPLATE]',
      maxArgs: 1,
    },
    (c, args, context) => c.prompt(promptRequest(context, args, focused(context))),
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
      c.confirm({ text, command: commandText, at: placeOf(context) });
    },
  ),
  ui(
    { name: 'next-attention', text: 'Go to the next session that needs you' },
    async (_client, _args, context) => {
      const { model } = context;
      const waiting = attentionQueue(model.sessions);
      const focused = model.windows.focused && model.sessionOf(model.windows.focused);
      const { approvals } = context.host;
      // What is asked in front of the person comes first, until they put it off.
      if (focused && approvals.of(focused.id, { fresh: true })) return context.client!.open('approval');
      // Round and round: behind the one in front of the person, whatever its place.
      const at = waiting.findIndex(session => session === focused);
      const next = waiting[(at + 1) % Math.max(1, waiting.length)];
      if (!next) return context.client!.message('Nothing needs you', 'info');
      await showSession(context, next);
      if (approvals.of(next.id)) context.client!.open('approval');
    },
  ),
  ui({ name: 'show-approval', text: 'Show what the focused session, or another, wants to be allowed' }, c =>
    c.open('approval'),
  ),
];
