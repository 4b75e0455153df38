/**
 * Commands that make, focus, list and close panes, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { neighbour } from '../layout/query.ts';
import { runs } from '../model/sessions.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import {
  command,
  flag,
  format,
  NEW_PANE_FLAGS,
  paneLaunch,
  printMade,
  printTable,
  printText,
  startDirectory,
  TARGET_PANE,
  TARGET_WINDOW,
  valued,
} from './define.ts';
import { axisOf, direction, DIRECTION_FLAGS, noSpace, SPLIT_FLAGS, splitOptions } from './split.ts';
import { findPane, findWindow } from './target.ts';
import { createdSession } from './started.ts';

export const PANE_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'split-window',
    data: ['P'],
    aliases: ['splitw'],
    group: 'Panes',
    text: 'Split a pane in two and run a command or your shell in the new half',
    flags: [...SPLIT_FLAGS, TARGET_PANE, ...NEW_PANE_FLAGS, flag('Z', 'zoom the new pane')],
    args: '[CMD…]',
    maxArgs: Infinity,
    wordsFrom: 0,
    target: 'pane',
    async exec(context, args) {
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
      await createdSession(context, session);
      printMade(context, args, pane);
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
];

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
          dead: !runs(session),
          ...(wanted === undefined ? {} : { format: format(context, wanted, { pane }) }),
        };
      }),
    });
    return;
  }
  if (wanted !== undefined) {
    for (const { pane } of panes) printText(context, format(context, wanted, { pane }));
    return;
  }
  printTable(
    context,
    ['PANE', 'WINDOW', 'SIZE', 'SESSION', 'COMMAND', ''],
    panes.map(({ window, pane }) => {
      const session = model.sessionOf(pane);
      const size = windows.paneSize(pane);
      const marks = [window.active === pane.id && '(active)', !runs(session) && '(dead)'].filter(Boolean);
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
