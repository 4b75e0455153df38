/**
 * Commands on windows, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { paneIds } from '../layout/tree.ts';
import type { CommandContext, CommandSpec } from './spec.ts';
import {
  command,
  flag,
  format,
  integer,
  NEW_PANE_FLAGS,
  paneLaunch,
  printMade,
  printTable,
  printText,
  startDirectory,
  TARGET_WINDOW,
  valued,
} from './define.ts';
import { findWindow } from './target.ts';
import { createdSession } from './started.ts';

function step(context: CommandContext, by: number): void {
  const { windows } = context.model;
  const all = windows.all();
  if (all.length === 0) throw new CodedError('not_found', 'window: there is none');
  const at = all.indexOf(windows.current!);
  windows.select(all[(at + by + all.length) % all.length]!);
}

export const WINDOW_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'new-window',
    data: ['P'],
    aliases: ['neww'],
    group: 'Windows',
    text: 'Open a window that runs a command or your shell',
    flags: [
      valued('n', 'NAME', 'name of the window'),
      ...NEW_PANE_FLAGS,
      valued('t', 'INDEX', 'index of the new window'),
    ],
    args: '[CMD…]',
    maxArgs: Infinity,
    wordsFrom: 0,
    async exec(context, args) {
      const { model, host } = context;
      const index = args.value('t')?.replace(/^:/, '');
      if (index !== undefined && model.windows.byIndex(integer('new-window', 'index', index))) {
        throw new CodedError('failed', `new-window: window ${index} exists`, 'give a free index, or none');
      }
      const size = model.windows.current?.size ?? host.defaultSize();
      const session = model.sessions.create(
        { ...host.launch(paneLaunch(context, args, startDirectory(context))), pane: model.windows.nextPane },
        size,
      );
      const pane = model.windows.create({
        session: session.id,
        name: args.value('n') ?? '',
        program: session.agent,
        size,
        background: args.has('d'),
        ...(index === undefined ? {} : { index: Number(index) }),
      });
      await createdSession(context, session);
      printMade(context, args, pane);
    },
  }),
  command({
    name: 'select-window',
    aliases: ['selectw'],
    group: 'Windows',
    text: 'Show a window',
    flags: [
      TARGET_WINDOW,
      flag('n', 'the next one'),
      flag('p', 'the previous one'),
      flag('l', 'the last one'),
    ],
    target: 'window',
    exec(context, args) {
      if (args.has('n')) return step(context, 1);
      if (args.has('p')) return step(context, -1);
      const target = args.has('l') ? '!' : args.value('t');
      context.model.windows.select(findWindow(context, target));
    },
  }),
  command({
    name: 'next-window',
    aliases: ['next'],
    group: 'Windows',
    text: 'Show the next window',
    exec: context => step(context, 1),
  }),
  command({
    name: 'previous-window',
    aliases: ['prev'],
    group: 'Windows',
    text: 'Show the previous window',
    exec: context => step(context, -1),
  }),
  command({
    name: 'last-window',
    aliases: ['last'],
    group: 'Windows',
    text: 'Show the window shown before',
    exec(context) {
      const last = context.model.windows.last;
      if (!last) throw new CodedError('not_found', 'last-window: there is no last window');
      context.model.windows.select(last);
    },
  }),
  command({
    name: 'rename-window',
    aliases: ['renamew'],
    group: 'Windows',
    text: 'Give a window a name',
    flags: [TARGET_WINDOW],
    args: 'NAME',
    minArgs: 1,
    maxArgs: 1,
    target: 'window',
    exec(context, args) {
      context.model.windows.rename(findWindow(context, args.value('t')), args.rest[0]!);
    },
  }),
  command({
    name: 'kill-window',
    aliases: ['killw'],
    group: 'Windows',
    text: 'Close a window and end the programs in it',
    flags: [TARGET_WINDOW, flag('a', 'all others instead')],
    target: 'window',
    exec(context, args) {
      const { model } = context;
      const window = findWindow(context, args.value('t'));
      if (!args.has('a')) return model.closeWindow(window);
      for (const other of model.windows.all()) if (other !== window) model.closeWindow(other);
    },
  }),
  command({
    name: 'list-windows',
    data: ['F'],
    aliases: ['lsw'],
    group: 'Windows',
    text: 'List the windows',
    flags: [flag('a', 'all of them (as without)'), valued('F', 'FORMAT', 'what to print of each')],
    exec(context, args) {
      const { windows } = context.model;
      const wanted = args.value('F');
      if (wanted !== undefined && !context.caller.json) {
        for (const window of windows.all()) printText(context, format(context, wanted, { window }));
        return;
      }
      if (context.caller.json) {
        context.json({
          windows: windows.all().map(window => ({
            index: window.index,
            name: window.name,
            active: window === windows.current,
            panes: paneIds(window.tree).length,
            ...(wanted === undefined ? {} : { format: format(context, wanted, { window }) }),
          })),
        });
        return;
      }
      printTable(
        context,
        ['INDEX', 'NAME', 'PANES', 'SIZE', ''],
        windows
          .all()
          .map(window => [
            String(window.index),
            window.name,
            String(paneIds(window.tree).length),
            `${window.size.cols}x${window.size.rows}`,
            window === windows.current ? '(active)' : '',
          ]),
      );
    },
  }),
  command({
    name: 'resize-window',
    aliases: ['resizew'],
    group: 'Windows',
    text: "Set the size of a window's pane area, whatever clients show it",
    flags: [
      TARGET_WINDOW,
      valued('x', 'COLS', 'columns'),
      valued('y', 'ROWS', 'rows'),
      flag('A', 'follow the clients again'),
    ],
    target: 'window',
    exec(context, args) {
      const window = findWindow(context, args.value('t'));
      window.manualSize = !args.has('A');
      context.model.windows.resize(window, {
        cols: Math.min(
          MAX_SIDE,
          integer('resize-window', 'width', args.value('x') ?? String(window.size.cols), 1),
        ),
        rows: Math.min(
          MAX_SIDE,
          integer('resize-window', 'height', args.value('y') ?? String(window.size.rows), 1),
        ),
      });
      context.refit();
    },
  }),
];

/** Cells a side: wider than any screen; a million cells a pane are still held without trouble. */
const MAX_SIDE = 1000;
