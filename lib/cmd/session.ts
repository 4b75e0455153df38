/**
 * Commands on sessions: the agents, shown or not.
 */
import { directoryOf, runs } from '../model/sessions.ts';
import { checkSessionName } from '../model/names.ts';
import type { SessionRecord } from '../model/types.ts';
import type { CommandContext, CommandSpec } from './spec.ts';
import { command, printText, valued } from './define.ts';
import { LIFECYCLE_COMMANDS } from './lifecycle.ts';
import { NEW_COMMANDS } from './new-session.ts';
import { sessionAt, showFacts } from './session-facts.ts';
import { LIST_COMMAND } from './session-list.ts';
import { findSession } from './target.ts';

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  ...NEW_COMMANDS,
  LIST_COMMAND,
  command({
    name: 'show',
    group: 'Sessions',
    text: 'Tell everything about a session',
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec: (context, args) => showFacts(context, findSession(context, args.rest[0])),
  }),
  command({
    name: 'info',
    group: 'Sessions',
    text: 'Tell everything about the session of the current directory',
    exec: context => showFacts(context, sessionAt(context, context.caller.cwd)),
  }),
  command({
    name: 'path',
    group: 'Sessions',
    text: 'Print the directory a session works in',
    args: '[SESSION]',
    maxArgs: 1,
    target: 'session',
    exec(context, args) {
      const path = directoryOf(findSession(context, args.rest[0]));
      if (context.caller.json) context.json({ path });
      else printText(context, path);
    },
  }),
  ...LIFECYCLE_COMMANDS,
  command({
    name: 'has-session',
    aliases: ['has'],
    group: 'Sessions',
    text: 'Exit with 0 if there is such a session, with 3 if not',
    flags: [valued('t', 'SESSION', 'the session')],
    target: 'session',
    exec(context, args) {
      const session = findSession(context, args.value('t'));
      if (context.caller.json) context.json({ id: session.id, name: session.name });
    },
  }),
  command({
    name: 'rename-session',
    aliases: ['rename'],
    group: 'Sessions',
    text: 'Give a session another name',
    flags: [valued('t', 'SESSION', 'the session')],
    args: 'NAME',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    exec(context, args) {
      checkSessionName(args.rest[0]!);
      context.model.sessions.rename(findSession(context, args.value('t')), args.rest[0]!);
    },
  }),
  command({
    name: 'show-session',
    group: 'Sessions',
    text: 'Go to the pane that shows a session, showing it in a new window if none does',
    args: 'SESSION',
    minArgs: 1,
    maxArgs: 1,
    target: 'session',
    exec: (context, args) => showSession(context, findSession(context, args.rest[0])),
  }),
];

/** Focuses a session's pane; a hidden one gets a window, a stopped one goes on where it was. Rejects with CodedError. */
export async function showSession(context: CommandContext, session: SessionRecord): Promise<void> {
  const { windows, sessions } = context.model;
  const pane =
    windows.paneOf(session.id) ??
    windows.create({
      session: session.id,
      name: session.name,
      size: windows.current?.size ?? context.host.defaultSize(),
      background: false,
    });
  windows.focus(pane);
  windows.select(windows.windowOf(pane));
  sessions.seen(session);
  if (!runs(session)) await context.host.lifecycle.resume(session, windows.paneSize(pane));
}
