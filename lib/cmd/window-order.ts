/**
 * Commands that change the numbers of windows, named and flagged as in tmux.
 */
import { CodedError } from '../base/errors.ts';
import { command, flag, integer, TARGET_WINDOW, valued } from './define.ts';
import type { CommandSpec } from './spec.ts';
import { findWindow } from './target.ts';

const SOURCE_WINDOW = valued('s', 'WINDOW', 'the window to move (default: the current one)');

export const WINDOW_ORDER_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'move-window',
    aliases: ['movew'],
    group: 'Windows',
    text: 'Give a window another number',
    flags: [
      SOURCE_WINDOW,
      valued('t', 'INDEX', 'the number, which must be free'),
      flag('r', 'close all gaps between the numbers instead'),
      flag('k', 'kill the window that has the number'),
      flag('d', 'do not go to the window'),
    ],
    target: 'window',
    exec(context, args) {
      const { model } = context;
      if (args.has('r')) return model.windows.closeUp();
      const text = args.value('t')?.replace(/^:/, '') ?? '';
      if (text === '') throw new CodedError('usage', 'move-window: -t says which number');
      const index = integer('move-window', 'index', text);
      const window = findWindow(context, args.value('s'));
      const other = model.windows.byIndex(index);
      if (other && other !== window) {
        if (!args.has('k'))
          throw new CodedError(
            'failed',
            `move-window: window ${index} exists`,
            'swap them with swap-window, or kill it with -k',
          );
        model.closeWindow(other);
      }
      model.windows.renumber(window, index);
      if (!args.has('d')) model.windows.select(window);
    },
  }),
  command({
    name: 'swap-window',
    aliases: ['swapw'],
    group: 'Windows',
    text: 'Exchange the numbers of two windows',
    flags: [SOURCE_WINDOW, TARGET_WINDOW, flag('d', 'do not go to the window')],
    target: 'window',
    exec(context, args) {
      const { windows } = context.model;
      const source = findWindow(context, args.value('s'));
      const target = findWindow(context, args.value('t'));
      windows.swapIndexes(source, target);
      if (!args.has('d')) windows.select(source);
    },
  }),
];
