/**
 * Commands that drive a session from a script.
 */
import type { CommandSpec } from './spec.ts';
import { command, flag, valued } from './define.ts';
import { findSession } from './target.ts';
import { eventsCommand } from './events.ts';
import { logsCommand } from './logs.ts';
import { waitCommand } from './wait.ts';

export const DRIVE_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'type',
    group: 'Sessions',
    text: 'Type a text into a session and press Enter, once nobody else types there',
    flags: [flag('no-newline', 'without Enter')],
    args: 'SESSION TEXT',
    minArgs: 2,
    maxArgs: 2,
    target: 'session',
    async exec(context, args) {
      const [target, text = ''] = args.rest;
      const session = findSession(context, target);
      const enter = !args.has('no-newline');
      await context.host.drive.type(session, text, { enter, gone: context.gone });
    },
  }),
  command({
    name: 'interrupt',
    group: 'Sessions',
    text: 'Interrupt what an agent is doing, by the key that it knows for this',
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    async exec(context, args) {
      await context.host.drive.interrupt(findSession(context, args.rest[0]));
    },
  }),
  command({
    name: 'wait',
    group: 'Sessions',
    text: 'Wait for what a session shows, for its state, for silence, or for its end',
    flags: [
      valued('contains', 'RE', 'until a line matches the regular expression, also one that is there already'),
      valued('status', 'ST', 'until its state is ST: starting, working, ready, needs-you, stopped or failed'),
      valued('idle', 'SEC', 'until there has been no output for so long'),
      flag('exit', 'until its program has ended'),
      valued('timeout', 'SEC', 'give up after so long, with exit status 124'),
    ],
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec: waitCommand,
  }),
  command({
    name: 'logs',
    group: 'Sessions',
    text: 'Print what a session’s program has written, also of a stopped one',
    flags: [
      { name: 'n', alias: 'lines', value: 'N', text: 'the last N lines only' },
      { name: 'f', alias: 'follow', text: 'go on while its program runs' },
      flag('raw', 'the bytes as they came'),
      flag('text', 'as plain text; the default, but for colours on a terminal'),
      valued('offset', 'BYTES', 'begin at this offset of the log'),
    ],
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec: logsCommand,
  }),
  command({
    name: 'events',
    group: 'Sessions',
    text: 'Print what happened, as JSON lines with a cursor to go on from',
    flags: [
      { name: 'f', alias: 'follow', text: 'go on with what happens' },
      valued('since', 'CURSOR', 'what came after this one'),
    ],
    exec: eventsCommand,
  }),
];
