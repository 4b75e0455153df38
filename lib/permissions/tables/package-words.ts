/** What tables of package managers share. */
import { plain } from '../apply.ts';
import { findOption, names, sortWords } from '../args.ts';
import type { Check, Judge, Tool, Use } from '../types.ts';

/** Why, in the words of reasons. */
export const ASKS = 'asks about packages';
export const LOCKED = 'installs what the project names';
export const NEW = 'installs packages: their code runs';
export const REMOVES = 'removes packages';
export const PUBLISHES = 'publishes';
export const RUNS = "runs the project's own scripts";
/** With names to install it is new code; without it is the lock file's. */
export function install(values: string, global = '-g --global --location'): Tool {
  return plain('write', LOCKED, {
    values,
    flags: [[global, 'elevated', NEW]],
    check: ({ operands }, judge) => {
      if (operands.length > 0) judge.note('elevated', NEW);
    },
  });
}

/** `npm exec -c TEXT`, `npx PACKAGE …`: a package's program, or a shell's text. */
const RUNS_PACKAGE = '-p --package -w --workspace --node-options';
/** A tool whose words are a package and what its program gets. */
export function packageRunner(tier: Tool['tier']): Tool {
  return plain(tier, 'runs the program of a package', {
    runsWords: true,
    check: (use, judge) => runPackage(use, judge),
  });
}

function runPackage({ call }: Use, judge: Judge): void {
  const args = call.args.filter(({ text }, at) => !(at === 0 && /^(?:exec|x|dlx|run|tool)$/.test(text)));
  const { options, operands } = sortWords(args, {
    values: new Set(names(`${RUNS_PACKAGE} -c --call --from --with --python`)),
    style: 'letters',
    stopsAtOperand: true,
  });
  const text = findOption(options, '-c --call')?.value;
  if (text) judge.code(text.text, text.sources);
  if (findOption(options, '-p --package -y --yes')) judge.note('elevated', NEW);
  const [name, ...rest] = operands;
  // `npx rimraf@5`: the program without its version.
  if (name) judge.run([{ ...name, text: name.text.replace(/(?!^)@[^/]*$/, '') }, ...rest]);
}

/** The words behind a subcommand's own options are a command. */
export function after(
  sub: string,
  values = '--with --python -p --extra --group --package --env-file --from -e -C --cwd -m --module',
): Check {
  return ({ call }, judge) => {
    const at = call.args.findIndex(({ text }) => text === sub);
    const { operands, options } = sortWords(call.args.slice(at + 1), {
      values: new Set(names(values)),
      style: 'letters',
      stopsAtOperand: true,
    });
    if (findOption(options, '--with')) judge.note('elevated', NEW);
    if (operands.length > 0) judge.run(operands, call.input);
  };
}
