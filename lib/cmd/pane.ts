/**
 * Commands that make, move and close panes, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { parseLayout } from '../layout/codec.ts';
import { assign, rotate, type Placement } from '../layout/edit.ts';
import { resizeTree } from '../layout/fit.ts';
import { nextPreset, preset, previousPreset, spreadEvenly } from '../layout/presets.ts';
import { neighbour } from '../layout/query.ts';
import { resizePane, setPaneSize } from '../layout/resize.ts';
import { paneIds } from '../layout/tree.ts';
import { PRESETS, type Axis, type Direction, type Preset } from '../layout/types.ts';
import type { CommandContext, CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';
import {
  command,
  flag,
  format,
  integer,
  NEW_PANE_FLAGS,
  paneLaunch,
  printTable,
  startDirectory,
  TARGET_PANE,
  TARGET_WINDOW,
  valued,
} from './define.ts';
import { findPane, findWindow } from './target.ts';

const DIRECTIONS: Readonly<Record<string, Direction>> = { L: 'left', R: 'right', U: 'up', D: 'down' };

const DIRECTION_FLAGS: readonly FlagSpec[] = [
  flag('L', 'left'),
  flag('R', 'right'),
  flag('U', 'up'),
  flag('D', 'down'),
];

const SPLIT_FLAGS: readonly FlagSpec[] = [
  flag('h', 'side by side'),
  flag('v', 'above each other (the default)'),
  flag('b', 'before the other pane: left or above'),
  flag('f', 'over the full width or height of the window'),
  { name: 'l', value: 'SIZE|P%', text: 'size of the new pane in cells or percent' },
  valued('p', 'PERCENT', 'size in percent'),
];

function direction(args: ParsedArgs): Direction | undefined {
  const letter = Object.keys(DIRECTIONS).find(l => args.has(l));
  return letter === undefined ? undefined : DIRECTIONS[letter];
}

function axisOf(args: ParsedArgs): Axis {
  return args.has('h') ? 'h' : 'v';
}

function splitOptions(name: string, args: ParsedArgs): Placement & { background: boolean } {
  const size = args.value('l') ?? (args.has('p') ? `${args.value('p')}%` : undefined);
  const base = { before: args.has('b'), full: args.has('f'), background: args.has('d') };
  if (size === undefined) return base;
  if (size.endsWith('%')) {
    const percent = integer(name, 'size', size.slice(0, -1));
    if (percent > 100) throw new CodedError('usage', `${name}: size ${size} is more than 100%`);
    return { ...base, size: { percent } };
  }
  return { ...base, size: { cells: integer(name, 'size', size) } };
}

const noSpace = (name: string): CodedError =>
  new CodedError(
    'no_space',
    `${name}: there is no room for another pane`,
    'close a pane or enlarge the window',
  );

export const PANE_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'split-window',
    data: ['P'],
    aliases: ['splitw'],
    group: 'Panes',
    text: 'Split a pane in two and run a command or your shell in the new half',
    flags: [
      ...SPLIT_FLAGS,
      TARGET_PANE,
      ...NEW_PANE_FLAGS,
      { name: 'e', value: 'K=V', many: true, text: 'environment for the program' },
      flag('Z', 'zoom the new pane'),
    ],
    args: '[CMD…]',
    maxArgs: Infinity,
    wordsFrom: 0,
    target: 'pane',
    exec(context, args) {
      const { model, host } = context;
      const target = findPane(context, args.value('t'));
      const options = splitOptions('split-window', args);
      const size = model.windows.windowOf(target).size;
      const session = model.sessions.create(
        { ...host.launch(paneLaunch(context, args, startDirectory(context))), pane: model.windows.nextPane },
        size,
      );
      const pane = model.windows.split(target, session.id, axisOf(args), options);
      if (pane === 'no-space') {
        model.sessions.delete(session);
        throw noSpace('split-window');
      }
      if (args.has('Z')) model.windows.toggleZoom(model.windows.windowOf(pane));
      if (args.has('P'))
        context.print(format(context, args.value('F') ?? '#{window_index}.#{pane_index}', { pane }));
    },
  }),
  command({
    name: 'select-pane',
    aliases: ['selectp'],
    group: 'Panes',
    text: 'Focus a pane, or give it a title',
    flags: [
      ...DIRECTION_FLAGS,
      flag('l', 'the pane focused before'),
      TARGET_PANE,
      valued('T', 'TITLE', 'set its title'),
      flag('Z', 'keep the zoom'),
    ],
    target: 'pane',
    exec(context, args) {
      const { windows } = context.model;
      let pane = findPane(context, args.has('l') ? '!' : args.value('t'));
      const title = args.value('T');
      if (title !== undefined) return windows.setTitle(pane, title);
      const to = direction(args);
      const window = windows.windowOf(pane);
      if (to) {
        const id = neighbour(window.tree, pane.id, to, window.recent);
        if (id === undefined) return;
        pane = windows.pane(id)!;
      }
      const wasZoomed = window.zoomed;
      windows.focus(pane);
      if (args.has('Z') && wasZoomed && !window.zoomed) windows.toggleZoom(window);
      if (!to && args.has('t')) windows.select(window);
    },
  }),
  command({
    name: 'last-pane',
    aliases: ['lastp'],
    group: 'Panes',
    text: 'Focus the pane focused before',
    flags: [TARGET_WINDOW],
    target: 'window',
    exec(context, args) {
      const window = findWindow(context, args.value('t'));
      const last = window.recent[1];
      if (last === undefined) throw new CodedError('not_found', 'last-pane: there is no last pane');
      context.model.windows.focus(context.model.windows.pane(last)!);
    },
  }),
  command({
    name: 'resize-pane',
    aliases: ['resizep'],
    group: 'Panes',
    text: 'Move a border of a pane, set its size, or zoom it',
    flags: [
      ...DIRECTION_FLAGS,
      flag('Z', 'zoom it over the whole window, or back'),
      valued('x', 'W', 'columns'),
      valued('y', 'H', 'rows'),
      TARGET_PANE,
    ],
    args: '[N]',
    maxArgs: 1,
    target: 'pane',
    exec(context, args) {
      const { windows } = context.model;
      const pane = findPane(context, args.value('t'));
      const window = windows.windowOf(pane);
      if (args.has('Z')) {
        windows.focus(pane);
        return windows.toggleZoom(window);
      }
      const side = (letter: string, all: number): number | undefined => {
        const text = args.value(letter);
        if (text === undefined) return undefined;
        if (text.endsWith('%'))
          return Math.floor((integer('resize-pane', 'size', text.slice(0, -1)) * all) / 100);
        return integer('resize-pane', 'size', text, 1);
      };
      const cols = side('x', window.size.cols);
      const rows = side('y', window.size.rows);
      if (cols !== undefined || rows !== undefined) {
        const size = { ...(cols === undefined ? {} : { cols }), ...(rows === undefined ? {} : { rows }) };
        windows.setTree(window, setPaneSize(window.tree, pane.id, size));
      }
      const to = direction(args);
      if (to)
        windows.setTree(
          window,
          resizePane(window.tree, pane.id, to, integer('resize-pane', 'amount', args.rest[0] ?? '1', 1)),
        );
    },
  }),
  command({
    name: 'swap-pane',
    aliases: ['swapp'],
    group: 'Panes',
    text: 'Exchange two panes',
    flags: [
      flag('U', 'with the previous pane'),
      flag('D', 'with the next pane'),
      valued('s', 'PANE', 'the other pane'),
      TARGET_PANE,
      flag('d', 'leave the focus where it is'),
    ],
    target: 'pane',
    exec(context, args) {
      const { windows } = context.model;
      const target = findPane(context, args.value('t'));
      const ids = paneIds(windows.windowOf(target).tree);
      const beside = (n: number): string => `%${ids[(ids.indexOf(target.id) + n + ids.length) % ids.length]}`;
      const source = findPane(
        context,
        args.has('U') ? beside(-1) : args.has('D') ? beside(1) : args.value('s'),
      );
      windows.swap(source, target);
      // As in tmux: without -d each window focuses what has come into it or, within one, the target; with -d the
      // focus stays, and with the source where one of the two had it.
      const { active } = windows.windowOf(source);
      const isWithin = source.window === target.window;
      if (!args.has('d')) {
        if (!isWithin) windows.focus(source);
        windows.focus(target);
      } else if (isWithin && active === target.id) windows.focus(source);
    },
  }),
  command({
    name: 'rotate-window',
    aliases: ['rotatew'],
    group: 'Panes',
    text: 'Move every pane of a window to the next place',
    flags: [flag('U', 'upward (the default)'), flag('D', 'downward'), TARGET_WINDOW],
    target: 'window',
    exec(context, args) {
      const { windows } = context.model;
      const window = findWindow(context, args.value('t'));
      const place = paneIds(window.tree).indexOf(window.active);
      windows.setTree(window, rotate(window.tree, args.has('D') ? 'down' : 'up'));
      // As in tmux the programs move and the focus does not.
      windows.focus(windows.panesIn(window)[place]!);
    },
  }),
  command({
    name: 'break-pane',
    data: ['P'],
    aliases: ['breakp'],
    group: 'Panes',
    text: 'Move a pane into a window of its own',
    flags: [
      valued('n', 'NAME', 'name of the window'),
      flag('d', 'do not show the window'),
      flag('P', 'print what was made'),
      valued('F', 'FORMAT', 'with -P: what to print'),
      valued('s', 'PANE', 'the pane'),
      TARGET_PANE,
    ],
    target: 'pane',
    exec(context, args) {
      const pane = findPane(context, args.value('s') ?? args.value('t'));
      context.model.windows.breakOut(pane, {
        name: args.value('n') ?? '',
        program: context.model.sessionOf(pane).agent,
        background: args.has('d'),
      });
      if (args.has('P'))
        context.print(format(context, args.value('F') ?? '#{window_index}.#{pane_index}', { pane }));
    },
  }),
  command({
    name: 'join-pane',
    aliases: ['joinp', 'move-pane'],
    group: 'Panes',
    text: 'Move a pane beside another one',
    flags: [
      ...SPLIT_FLAGS,
      flag('d', 'do not move the focus'),
      valued('s', 'PANE', 'the pane to move (default: the focused one)'),
      TARGET_PANE,
    ],
    target: 'pane',
    exec(context, args) {
      const source = findPane(context, args.value('s'));
      const target = findPane(context, args.value('t'));
      if (context.model.windows.join(source, target, axisOf(args), splitOptions('join-pane', args)))
        throw noSpace('join-pane');
    },
  }),
  command({
    name: 'kill-pane',
    aliases: ['killp'],
    group: 'Panes',
    text: 'Close a pane and end its program',
    flags: [TARGET_PANE, flag('a', 'all others of its window instead')],
    target: 'pane',
    exec(context, args) {
      const { model } = context;
      const pane = findPane(context, args.value('t'));
      if (!args.has('a')) return model.closePane(pane);
      for (const other of model.windows.panesIn(model.windows.windowOf(pane))) {
        if (other !== pane) model.closePane(other);
      }
    },
  }),
  command({
    name: 'list-panes',
    data: ['F'],
    aliases: ['lsp'],
    group: 'Panes',
    text: 'List the panes of a window, or all',
    flags: [
      flag('a', 'of all windows'),
      flag('s', 'of all windows (as -a)'),
      valued('F', 'FORMAT', 'what to print of each'),
      TARGET_WINDOW,
    ],
    target: 'window',
    exec: listPanes,
  }),
  command({
    name: 'select-layout',
    aliases: ['selectl'],
    group: 'Panes',
    text: 'Arrange the panes of a window',
    flags: [
      TARGET_WINDOW,
      flag('E', 'spread the panes evenly'),
      flag('n', 'the next arrangement'),
      flag('p', 'the previous arrangement'),
      flag('o', 'as without flags'),
    ],
    args: `[${PRESETS.join('|')}|LAYOUT]`,
    maxArgs: 1,
    target: 'window',
    exec(context, args) {
      const { windows } = context.model;
      const window = findWindow(context, args.value('t'));
      if (args.has('E'))
        return windows.setTree(window, spreadEvenly(window.tree, window.active), window.preset);
      const asked = args.rest[0];
      const ids = paneIds(window.tree);
      if (asked?.includes(',')) {
        const tree = assign(parseLayout(asked), ids);
        if (!tree)
          throw new CodedError(
            'usage',
            `select-layout: the layout has fewer places than the window has panes (${ids.length})`,
          );
        return windows.setTree(window, resizeTree(tree, window.size));
      }
      const chosen =
        asked !== undefined
          ? presetNamed(asked)
          : args.has('p')
            ? previousPreset(window.preset)
            : nextPreset(window.preset);
      windows.setTree(window, preset(chosen, ids, window.size), chosen);
    },
  }),
  command({
    name: 'next-layout',
    aliases: ['nextl'],
    group: 'Panes',
    text: 'Arrange the panes in the next of the five ways',
    flags: [TARGET_WINDOW],
    target: 'window',
    exec: context => context.run('select-layout -n'),
  }),
];

function presetNamed(text: string): Preset {
  const matches = PRESETS.filter(name => name.startsWith(text));
  const exact = matches.find(name => name === text) ?? (matches.length === 1 ? matches[0] : undefined);
  if (exact) return exact;
  throw new CodedError(
    'usage',
    `select-layout: unknown arrangement '${text}'`,
    `one of ${PRESETS.join(', ')}`,
  );
}

function listPanes(context: CommandContext, args: ParsedArgs): void {
  const { model, caller } = context;
  const { windows } = model;
  const listed = args.has('a') || args.has('s') ? windows.all() : [findWindow(context, args.value('t'))];
  const panes = listed.flatMap(window =>
    windows.panesIn(window).map((pane, index) => ({ window, pane, index })),
  );
  const wanted = args.value('F');
  if (caller.json) {
    context.json({
      panes: panes.map(({ window, pane, index }) => {
        const session = model.sessionOf(pane);
        const size = windows.paneSize(pane);
        return {
          id: `%${pane.id}`,
          index,
          window: window.index,
          cols: size.cols,
          rows: size.rows,
          active: window.active === pane.id,
          session_id: session.id,
          title: pane.title || session.terminal?.view.title || session.name,
          dead: session.exit !== undefined,
          ...(wanted === undefined ? {} : { format: format(context, wanted, { pane }) }),
        };
      }),
    });
    return;
  }
  if (wanted !== undefined) {
    for (const { pane } of panes) context.print(format(context, wanted, { pane }));
    return;
  }
  printTable(
    context,
    ['PANE', 'WINDOW', 'SIZE', 'SESSION', 'COMMAND', ''],
    panes.map(({ window, pane }) => {
      const session = model.sessionOf(pane);
      const size = windows.paneSize(pane);
      const marks = [window.active === pane.id && '(active)', session.exit && '(dead)'].filter(Boolean);
      return [
        `%${pane.id}`,
        String(window.index),
        `${size.cols}x${size.rows}`,
        session.name,
        session.launch.argv.join(' '),
        marks.join(' '),
      ];
    }),
  );
}
