/**
 * Who may run which command. A person may run all; an agent's session what is harmless, and what acts on itself and on
 * sessions that it has started. What stands in no row is for people alone.
 */
import { CodedError } from '../base/errors.ts';
import type { Model } from '../model/model.ts';
import type { SessionRecord } from '../model/types.ts';
import type { CommandContext, CommandSpec } from './spec.ts';

/** `own`: on the caller's own session and its descendants. */
export type Access = 'anyone' | 'own' | 'person';

/** Command → who may run it. Every command has a row, so that nobody forgets to think about it. */
const ACCESS: Readonly<Record<string, Access>> = {
  // Looking at what there is.
  list: 'anyone',
  show: 'anyone',
  info: 'anyone',
  path: 'anyone',
  'has-session': 'anyone',
  clients: 'anyone',
  'list-windows': 'anyone',
  'list-panes': 'anyone',
  'list-keys': 'anyone',
  'show-options': 'anyone',
  'server-status': 'anyone',
  'display-message': 'anyone',
  // Of approvals and events a session is shown its own.
  approvals: 'anyone',
  events: 'anyone',
  hook: 'anyone',
  // Who they are is known, so each reads its own mail and takes tasks for itself.
  'msg send': 'anyone',
  'msg pub': 'anyone',
  'msg inbox': 'anyone',
  'msg sub': 'anyone',
  'msg ack': 'anyone',
  'msg topics': 'anyone',
  'msg conversation': 'own',
  'task add': 'anyone',
  'task list': 'anyone',
  'task next': 'anyone',
  'task claim': 'anyone',
  'task start': 'anyone',
  'task done': 'anyone',
  'task block': 'anyone',
  'task reopen': 'anyone',
  // What it starts is its child.
  new: 'anyone',
  'new-window': 'anyone',
  'split-window': 'own',
  up: 'anyone',
  // Of its parts `save` is for people.
  fleet: 'anyone',
  // Its life and that of its children.
  down: 'own',
  stop: 'own',
  resume: 'own',
  restart: 'own',
  delete: 'own',
  restore: 'own',
  purge: 'own',
  fork: 'own',
  'rename-session': 'own',
  'rename-window': 'own',
  'kill-pane': 'own',
  'respawn-pane': 'own',
  // Driving and reading them.
  'send-keys': 'own',
  type: 'own',
  interrupt: 'own',
  wait: 'own',
  logs: 'own',
  'capture-pane': 'own',
  'clear-history': 'own',
  'save-history': 'own',
  status: 'own',
  attention: 'own',
  // The server's life, its settings, verdicts, what others keep; and the screen, which is the person's.
  detach: 'person',
  'kill-server': 'person',
  'server-hand-over': 'person',
  'select-window': 'person',
  'next-window': 'person',
  'previous-window': 'person',
  'last-window': 'person',
  'kill-window': 'person',
  'resize-window': 'person',
  'move-window': 'person',
  'swap-window': 'person',
  'select-pane': 'person',
  'last-pane': 'person',
  'resize-pane': 'person',
  'swap-pane': 'person',
  'rotate-window': 'person',
  'break-pane': 'person',
  'join-pane': 'person',
  'select-layout': 'person',
  'next-layout': 'person',
  'pipe-pane': 'person',
  'copy-mode': 'person',
  'edit-history': 'person',
  update: 'person',
  'show-session': 'person',
  'switch-client': 'person',
  'shell-mode': 'person',
  gc: 'person',
  approve: 'person',
  deny: 'person',
  'bind-key': 'person',
  'unbind-key': 'person',
  'source-file': 'person',
  'set-option': 'person',
  'list-buffers': 'person',
  'set-buffer': 'person',
  'show-buffer': 'person',
  'delete-buffer': 'person',
  'save-buffer': 'person',
  'load-buffer': 'person',
  'paste-buffer': 'person',
  'command-palette': 'person',
  'show-help': 'person',
  'choose-tree': 'person',
  navigator: 'person',
  'choose-message': 'person',
  'compose-message': 'person',
  'choose-document': 'person',
  'choose-lore': 'person',
  'choose-buffer': 'person',
  'toggle-sidebar': 'person',
  'focus-sidebar': 'person',
  'display-panes': 'person',
  'display-menu': 'person',
  'pass-keys': 'person',
  'send-prefix': 'person',
  'refresh-client': 'person',
  'command-prompt': 'person',
  'confirm-before': 'person',
  'next-attention': 'person',
  'show-approval': 'person',
  'show-prompt-history': 'person',
  'clear-prompt-history': 'person',
};

/** The commands that have a row: a spec holds it to the table of commands. */
export const ACCESS_ROWS: readonly string[] = Object.keys(ACCESS);

/** Parents are followed no further: deeper teams than this are loops. */
const MAX_DEPTH = 100;

/** Who may run a command. */
export function accessOf({ name }: Pick<CommandSpec, 'name'>): Access {
  return Object.hasOwn(ACCESS, name) ? ACCESS[name]! : 'person';
}

/** The context for one command: its targets are checked where its caller may not reach all. Throws CodedError `refused`. */
export function withAccess(context: CommandContext, spec: CommandSpec): CommandContext {
  const { speaker } = context.caller;
  if (speaker.isPerson) return context;
  const access = accessOf(spec);
  if (access === 'person')
    throw new CodedError('refused', `${spec.name}: only a person may do that`, 'ask the person to do it');
  if (access === 'anyone') return context;
  return { ...context, checkReach: session => checkReach(context, spec, session) };
}

/** Whether `session` is the speaker's own or was started by it, by its children, and so on. */
export function isOwn(model: Model, speaker: string, session: SessionRecord): boolean {
  let one: SessionRecord | undefined = session;
  for (let depth = 0; one && depth < MAX_DEPTH; depth++) {
    if (one.id === speaker) return true;
    one = model.sessions.get(one.parentId);
  }
  return false;
}

function checkReach({ model, caller }: CommandContext, spec: CommandSpec, session: SessionRecord): void {
  if (isOwn(model, caller.speaker.session, session)) return;
  throw new CodedError(
    'refused',
    `${spec.name}: session ${session.name} is neither this one nor was it started by it`,
    'ask the person to do it',
  );
}
