/**
 * Commands that move panes about in their windows and between them, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { parseLayout } from '../layout/codec.ts';
import { assign, rotate } from '../layout/edit.ts';
import { resizeTree } from '../layout/fit.ts';
import { nextPreset, preset, previousPreset, spreadEvenly } from '../layout/presets.ts';
import { resizePane, setPaneSize } from '../layout/resize.ts';
import { paneIds } from '../layout/tree.ts';
import { PRESETS, type Preset } from '../layout/types.ts';
import type { CommandSpec } from './spec.ts';
import {
  command,
  flag,
  integer,
  PRINT_FLAGS,
  printMade,
  TARGET_PANE,
  TARGET_WINDOW,
  valued,
} from './define.ts';
import { axisOf, direction, DIRECTION_FLAGS, noSpace, SPLIT_FLAGS, splitOptions } from './split.ts';
import { findPane, findWindow } from './target.ts';

export const ARRANGE_COMMANDS: readonly CommandSpec[] = [
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
      ...PRINT_FLAGS,
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
      printMade(context, args, pane);
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
    name: 'select-layout',
    aliases: ['selectl'],
    group: 'Panes',
    text: 'Arrange the panes of a window',
    flags: [
      TARGET_WINDOW,
      flag('E', 'spread the panes evenly'),
      flag('n', 'the next arrangement'),
      flag('p', 'the previous arrangement'),
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
