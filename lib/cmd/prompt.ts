/**
 * `command-prompt`: asks on the bottom row and runs a command made from the answers.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { flag, format, valued } from './define.ts';
import {
  PROMPT_KINDS,
  type CommandContext,
  type FlagSpec,
  type ParsedArgs,
  type PromptKind,
  type PromptRequest,
} from './spec.ts';

/** Questions of one prompt; tmux knows nine answers in a template. */
const MAX_QUESTIONS = 9;

/** The kinds of prompts with a history of their own, for help texts. */
export const PROMPT_KIND_FLAG = 'command, search, target, window-target, window-name or session-name';

export const PROMPT_FLAGS: readonly FlagSpec[] = [
  flag('1', 'one character is the answer'),
  flag('k', 'one key is the answer, by its name'),
  flag('i', 'runs it at every change: = before the text then, ! once it is entered, ~ once it is given up'),
  flag('F', 'expand formats in TEMPLATE first'),
  flag('b', 'taken for scripts: nothing ever waits for the answer'),
  valued('I', 'TEXTS', 'text to begin with; of several questions parted by commas'),
  valued('p', 'LABELS', 'what to ask; several questions parted by commas'),
  valued('T', 'KIND', `whose history it has: ${PROMPT_KIND_FLAG}`),
];

/** The prompt that `command-prompt` asks for. Throws CodedError `usage`. */
export function promptRequest(
  context: CommandContext,
  args: ParsedArgs,
  scope: Parameters<typeof format>[2],
): PromptRequest {
  const expand = (text: string): string => format(context, text, scope);
  const labels = (args.value('p') ?? ':').split(',');
  // Parted before they are filled in: a name may hold a comma, and one question takes its text whole.
  const initial = labels.length === 1 ? [args.value('I') ?? ''] : (args.value('I') ?? '').split(',');
  if (labels.length > MAX_QUESTIONS)
    throw new CodedError('usage', `command-prompt: more than ${MAX_QUESTIONS} questions`);
  const given = args.rest[0] ?? '%%';
  const template = args.has('F') ? expand(given) : given;
  const isIncremental = args.has('i');
  const history = promptKind('command-prompt', args.value('T') ?? 'command');
  // Run by the interface, whose errors are told on the screen.
  const { client, caller } = context;
  const at = { pane: caller.pane, session: caller.session };
  return {
    questions: labels.map((label, n) => ({
      label: args.has('p') ? `${expand(label).trimEnd()} ` : label,
      initial: expand(initial[n] ?? ''),
    })),
    history,
    answer: args.has('k') ? 'key' : args.has('1') ? 'character' : 'line',
    ...(isIncremental && {
      changed: (text, isOver) => client?.run(fillTemplate(template, [`${isOver ? '~' : '='}${text}`]), at),
    }),
    entered(answers) {
      const signed = isIncremental ? answers.map(answer => `!${answer}`) : answers;
      client?.run(fillTemplate(template, signed), at);
    },
  };
}

/** A kind by its name. Throws CodedError `usage`, in the name of `command`. */
export function promptKind(command: string, text: string): PromptKind {
  const kind = PROMPT_KINDS.find(one => one === text);
  if (kind) return kind;
  const near = nearest(text, PROMPT_KINDS);
  throw new CodedError(
    'usage',
    `${command}: there is no history '${text}'`,
    near ? `did you mean ${near}?` : `there are ${PROMPT_KINDS.join(', ')}`,
  );
}

/**
 * A template with its answers: `%1` to `%9` are the answers by number, `%%` the next one (the only one each time),
 * `%%%` as that with what would end a quoted word escaped.
 */
export function fillTemplate(template: string, answers: readonly string[]): string {
  let next = 0;
  return template.replace(/%%%|%%|%[1-9]/g, sign => {
    if (sign !== '%%' && sign !== '%%%') return answers[Number(sign[1]) - 1] ?? '';
    const answer = (answers.length === 1 ? answers[0] : answers[next++]) ?? '';
    return sign === '%%' ? answer : answer.replace(/["\\]/g, '\\$&');
  });
}
