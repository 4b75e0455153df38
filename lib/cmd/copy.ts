/**
 * Commands of copy mode, and those that take a pane's whole text elsewhere.
 */
import { CodedError } from '../base/errors.ts';
import type { PaneRecord, SessionRecord } from '../model/types.ts';
import type { TextView } from '../term/screen-view.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { command, flag, format, integer, TARGET_PANE } from './define.ts';
import { findPane, findProgram } from './target.ts';

/** An action of copy mode or another mode, as `send-keys -X` has it: in the pane named, else where the client's keys go. */
export function runModeAction(context: CommandContext, args: ParsedArgs): void {
  const [name, ...words] = args.rest;
  if (name === undefined) throw new CodedError('usage', 'send-keys -X: the name of an action is missing');
  const count = integer('send-keys', 'count', args.value('N') ?? '0');
  const { client } = context;
  const rest = args.has('F')
    ? words.map(word => format(context, word, { pane: findPane(context, args.value('t')) }))
    : words;
  if (context.isInterface && client?.isReadOnly && name.includes('pipe') && rest.length > 0)
    throw new CodedError('refused', `${name}: this terminal is attached read-only`);
  if (client && !args.has('t')) return client.modeAction(name, { args: rest, count });
  const pane = findPane(context, args.value('t'));
  if (!context.copy.facts(pane))
    throw new CodedError(
      'failed',
      `send-keys -X: pane %${pane.id} is not in copy mode`,
      "enter it with 'mux copy-mode'",
    );
  if (!context.copy.isAction(name))
    throw new CodedError('not_found', `send-keys -X: there is no action '${name}'`);
  context.copy.action(pane, name, { args: rest, count });
}

/** The text of a pane's program, or an error that says why there is none. */
function textOf(
  context: CommandContext,
  what: string,
  target: string | undefined,
): [SessionRecord, TextView] {
  const session = findProgram(context, target);
  const view = session.terminal?.view;
  if (!view) throw new CodedError('failed', `${what}: ${session.name} has no screen, its program is stopped`);
  return [session, view];
}

/** Everything that can be read of a pane, a line for each line that was written: wrapped rows joined, no blanks at ends. */
function wholeText(view: TextView): string {
  const lines: string[] = [];
  for (const line of view.logicalLines(-view.historySize, 1)) lines.push(line.text);
  while (lines.at(-1) === '') lines.pop();
  return lines.map(line => `${line}\n`).join('');
}

function enter(context: CommandContext, args: ParsedArgs, pane: PaneRecord): void {
  if (args.has('q')) return context.copy.leave(pane);
  context.copy.enter(pane, { leavesAtBottom: args.has('e') });
  if (args.has('u')) context.copy.action(pane, 'page-up', { args: [], count: 0 });
  if (args.has('H')) context.copy.action(pane, 'toggle-position', { args: [], count: 0 });
}

export const COPY_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'copy-mode',
    group: 'Interface',
    text: "Look back through a pane's scrollback, search in it and copy from it",
    flags: [
      flag('u', 'and scroll up a page at once'),
      flag('e', 'leave it when the bottom is reached again'),
      flag('H', 'without the position in the header'),
      flag('q', 'leave it'),
      TARGET_PANE,
    ],
    target: 'pane',
    exec: (context, args) => enter(context, args, findPane(context, args.value('t'))),
  }),
  command({
    name: 'save-history',
    group: 'Panes',
    text: "Write a pane's scrollback and screen to a file as text",
    flags: [flag('a', 'add to the file instead of replacing it'), TARGET_PANE],
    args: 'FILE',
    minArgs: 1,
    maxArgs: 1,
    target: 'pane',
    async exec(context, args) {
      const [, view] = textOf(context, 'save-history', args.value('t'));
      const path = args.rest[0]!;
      const text = wholeText(view);
      await context.host.writeFile(path, context.caller.cwd, Buffer.from(text), { append: args.has('a') });
      if (context.isInterface)
        context.client?.message(`Saved ${text.split('\n').length - 1} lines to ${path}`, 'info');
    },
  }),
  command({
    name: 'edit-history',
    group: 'Panes',
    text: "Open a pane's scrollback and screen in the editor, in a pane of its own",
    flags: [TARGET_PANE],
    target: 'pane',
    async exec(context, args) {
      const [session, view] = textOf(context, 'edit-history', args.value('t'));
      await context.host.editText(session.name, wholeText(view));
    },
  }),
];
