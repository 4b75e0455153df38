/** Tools that make command lines of what they read. */
import { findOption, literal, names, sortWords, unknown } from '../args.ts';
import type { Arg, Tool, Use } from '../types.ts';

/** What xargs and parallel give to their command, from text that is in the line where it is. */
function piped({ input }: Use['call']): Arg[] {
  const words = input.text?.split(/\s+/).filter(word => word !== '');
  if (words && words.length > 0) return words.map(literal);
  return [unknown(['xargs'])];
}

export const XARGS: Tool = {
  tier: 'read',
  why: 'makes command lines of what it reads',
  runsWords: true,
  check: ({ call }, judge) => {
    const values =
      '-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --process-slot-var -J -R -S';
    const { options, operands } = sortWords(call.args, {
      values: new Set(names(values)),
      style: 'letters',
      stopsAtOperand: true,
    });
    if (operands.length === 0) return;
    const mark =
      findOption(options, '-I -J --replace -i')?.value?.text ?? (findOption(options, '-i --replace') && '{}');
    const given = piped(call);
    const filled = mark
      ? operands.map(arg => (arg.text.includes(mark) ? fill(arg, mark, given) : arg))
      : [...operands, ...given];
    judge.run(filled);
    if (mark && given.length === 1 && filled[0]?.text === given[0]?.text)
      judge.note('elevated', 'runs what it reads');
  },
};

function fill(arg: Arg, mark: string, given: readonly Arg[]): Arg {
  const text = given.map(one => one.text).join(' ');
  return {
    ...arg,
    text: arg.text.replaceAll(mark, () => text),
    isDynamic: true,
    sources: given.flatMap(one => one.sources),
  };
}

export const PARALLEL: Tool = {
  tier: 'read',
  why: 'makes command lines of what it is given',
  runsWords: true,
  check: ({ call }, judge) => {
    const values =
      '-j --jobs -a --arg-file -C --colsep -I -L -n -N -S --sshlogin --sshloginfile --joblog --results --tmpdir --wd --workdir --timeout --retries --delay --max-args --tagstring --basefile --load --memfree --env --nice -P --max-procs --recend --recstart --block --delimiter -d';
    const { operands } = sortWords(call.args, {
      values: new Set(names(values)),
      style: 'letters',
      stopsAtOperand: true,
    });
    const at = operands.findIndex(({ text }) => /^:::{0,2}\+?$/.test(text));
    const command = at < 0 ? operands : operands.slice(0, at);
    const given = at < 0 ? piped(call) : operands.slice(at + 1);
    const lines = given.map(({ text }) => text);
    // Without a command, what it reads are the commands.
    if (command.length === 0)
      return judge.code(
        lines.join('\n'),
        given.flatMap(arg => arg.sources),
      );
    // It gives its words to a shell: quotes in them count again.
    const text = command.map(arg => arg.text).join(' ');
    judge.code(
      /\{[^}]*\}/.test(text)
        ? text.replace(/\{[^}]*\}/g, () => lines.join(' '))
        : `${text} ${lines.join(' ')}`,
      command.flatMap(arg => arg.sources),
    );
  },
};
