/**
 * Commands on what was entered at prompts before, named and flagged as in tmux.
 */
import { command, printTable, valued } from './define.ts';
import { PROMPT_KIND_FLAG, promptKind } from './prompt.ts';
import { PROMPT_KINDS, type CommandSpec, type ParsedArgs, type PromptKind } from './spec.ts';

const KIND = valued('T', 'KIND', `of these prompts only: ${PROMPT_KIND_FLAG}`);

/** The kinds that are meant. Throws CodedError `usage`. */
function kindsOf(args: ParsedArgs): readonly PromptKind[] {
  const given = args.value('T');
  return given === undefined ? PROMPT_KINDS : [promptKind('prompt-history', given)];
}

export const PROMPT_HISTORY_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'show-prompt-history',
    aliases: ['showphist'],
    group: 'Interface',
    text: 'Show what was entered at prompts before, the oldest first',
    flags: [KIND],
    exec(context, args) {
      const rows = kindsOf(args).flatMap(kind =>
        context.host.promptHistory(kind).map((text, i) => ({ kind, index: i + 1, text })),
      );
      if (context.caller.json) return context.json({ entries: rows });
      printTable(
        context,
        ['PROMPT', 'NUMBER', 'TEXT'],
        rows.map(row => [row.kind, String(row.index), row.text]),
      );
    },
  }),
  command({
    name: 'clear-prompt-history',
    aliases: ['clearphist'],
    group: 'Interface',
    text: 'Forget what was entered at prompts before',
    flags: [KIND],
    exec(context, args) {
      for (const kind of kindsOf(args)) context.host.promptHistory(kind).length = 0;
    },
  }),
];
