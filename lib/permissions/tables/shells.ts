/**
 * Shells, and the shell's own commands that run text.
 */
import { baseName, names } from '../args.ts';
import { alike, plain } from '../apply.ts';
import { judgeAssignmentWord } from '../environment.ts';
import { UNKNOWN, type Arg, type Judge, type Tool, type Use } from '../types.ts';
import { shellInput } from './wrappers.ts';

/** Long options of shells that take a value. */
const LONG_VALUES = new Set(['--rcfile', '--init-file', '--emulate']);
/** Names under which a shell reads its own input. */
const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

interface ShellCall {
  readonly hasCode: boolean;
  readonly readsInput: boolean;
  readonly checksOnly: boolean;
  readonly operands: readonly Arg[];
  /** Files that are read before everything else. */
  readonly startUp: readonly Arg[];
  /** Texts of options that are code, as fish has them. */
  readonly codes: readonly Arg[];
}

/** Options of a shell: `-euo pipefail -c`, `+x`, `--rcfile F`. */
function readShell(args: readonly Arg[]): ShellCall {
  let hasCode = false;
  let readsInput = false;
  let checksOnly = false;
  const startUp: Arg[] = [];
  const codes: Arg[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at]!;
    const { text } = arg;
    if (text === '--' || text === '-') {
      at += text === '--' ? 1 : 0;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith('--')) {
      const [name = '', value] = text.split(/=([\s\S]*)/);
      if (/^--(?:command|init-command)$/.test(name))
        codes.push(value === undefined ? (args[++at] ?? arg) : { ...arg, text: value });
      else if (LONG_VALUES.has(name))
        startUp.push(value === undefined ? (args[++at] ?? arg) : { ...arg, text: value });
      continue;
    }
    const letters = text.slice(1);
    if (letters.includes('c')) hasCode = true;
    if (letters.includes('s')) readsInput = true;
    if (letters.includes('n')) checksOnly = text.startsWith('-');
    at += (letters.match(/[oO]/g) ?? []).length;
  }
  return { hasCode, readsInput, checksOnly, operands: args.slice(at), startUp, codes };
}

const SHELL: Tool = {
  tier: 'passthrough',
  why: 'a shell',
  runsWords: true,
  check: ({ call }, judge) => {
    if (/^--(?:version|help)$/.test(call.args[0]?.text ?? '') && call.args.length === 1) return;
    const shell = readShell(call.args);
    const { operands } = shell;
    if (shell.checksOnly) return judge.note('read', 'checks a script without running it');
    for (const file of shell.startUp) runFile(file, judge);
    for (const { text, sources } of shell.codes) judge.code(text, sources);
    if (shell.codes.length > 0) return;
    const [first, ...rest] = operands;
    if (shell.hasCode && first) {
      judge.positional(rest.slice(1));
      return codeOf(first, rest, judge);
    }
    if (first && !shell.readsInput && !STDIN.test(first.text)) {
      judge.positional(rest);
      return runFile(first, judge);
    }
    if (call.input.kind === 'inherited')
      return judge.note('elevated', 'a shell that takes commands from wherever its input is');
    shellInput(call.input, judge);
  },
};

/** Code of -c. Its $0, $@ are the words behind it; what a wrapper gives unseen may be all of it. */
function codeOf({ text, sources }: Arg, rest: readonly Arg[], judge: Judge): void {
  judge.code(text, [
    ...sources,
    ...(/^\s*(?:"?\$[@*0-9]"?|eval\b.*)\s*$/.test(text) ? rest.flatMap(arg => arg.sources) : []),
  ]);
}

/** A script: what can be told about it, or what a process substitution prints. */
export function runFile(file: Arg, judge: Judge): void {
  judge.execute(file);
  if (file.output !== undefined) return judge.code(file.output, file.sources);
  if (file.sources.length > 0)
    return judge.code(UNKNOWN, [...file.sources, ...(file.text === UNKNOWN ? ['curl'] : [])]);
  if (file.text === UNKNOWN) return judge.note('elevated', 'runs a script that is known only when it runs');
  judge.note('write', 'runs a script');
}

const EVAL: Tool = plain('passthrough', 'runs its words', {
  runsWords: true,
  check: ({ call }, judge) =>
    judge.code(
      call.args.map(arg => arg.text).join(' '),
      call.args.flatMap(arg => arg.sources),
    ),
});

const SOURCE: Tool = plain('write', 'runs a script in this shell', {
  runsWords: true,
  check: ({ call }, judge) => {
    const [file] = call.args.filter(arg => arg.text !== '--');
    if (!file) return;
    if (STDIN.test(file.text)) shellInput(call.input, judge);
    else runFile(file, judge);
  },
});

const TRAP: Tool = plain('passthrough', 'runs at a signal', {
  runsWords: true,
  check: ({ call }, judge) => {
    const [text] = call.args.filter(arg => !/^-[lp]*$|^--$/.test(arg.text));
    if (text && call.args.length > 1) judge.code(text.text, text.sources);
  },
});

/** `alias x='rm -rf build'`: the text runs whenever the name is used. */
const ALIAS: Tool = plain('passthrough', 'names a command', {
  runsWords: true,
  check: ({ call }, judge) => {
    for (const arg of call.args) {
      const match = /^[^=]+=([\s\S]+)$/.exec(arg.text);
      if (match) judge.code(match[1]!, arg.sources);
    }
  },
});

const EXPORT: Tool = plain('passthrough', 'sets variables of this shell', {
  check: ({ call }, judge) => {
    const isArithmetic = call.args.some(({ text }) => /^-\w*i/.test(text));
    for (const arg of call.args)
      if (isArithmetic || !judgeAssignmentWord(arg, judge) || /^\w+\[/.test(arg.text)) evaluated(arg, judge);
  },
});

/** Builtins take subscripts of arrays in their words for arithmetic, in which substitutions run. */
function evaluated({ text, sources }: Arg, judge: Judge): void {
  if (/\$\(|`/.test(text)) judge.code(text, sources);
}

const EVALUATING: Tool = plain('passthrough', 'sets variables of this shell', {
  check: ({ call }, judge) => call.args.forEach(arg => evaluated(arg, judge)),
});

/** Operators of test whose operands are names or numbers. */
const ARITHMETIC = /^-(?:v|R|eq|ne|lt|le|gt|ge)$/;

const TEST: Tool = plain('passthrough', 'tests', {
  check: ({ call }, judge) => {
    if (call.args.some(arg => ARITHMETIC.test(arg.text))) call.args.forEach(arg => evaluated(arg, judge));
  },
});

/** Only `-v` takes a name. */
const PRINTF: Tool = plain('passthrough', 'prints', {
  check: ({ call }, judge) => {
    if ((call.args[0]?.text ?? '').startsWith('-v'))
      call.args.slice(0, 2).forEach(arg => evaluated(arg, judge));
  },
});

const MAN: Tool = plain('read', 'shows a manual', {
  codes: '-P --pager -H --html',
  values: '-s -S -M -m -L',
});

const HISTORY: Tool = plain('passthrough', 'shows what was run', {
  flags: [['-c -d -w -a -n -r -s', 'write', 'changes what is remembered']],
});

const ENABLE: Tool = plain('write', 'changes which builtins there are', {
  flags: [['-f', 'elevated', 'loads code into the shell']],
});

const HASH: Tool = plain('passthrough', 'remembers where programs are', {
  flags: [['-p', 'elevated', 'makes a name run another program']],
});

/** `tmux new 'text'`, `screen -X stuff`: what they start are commands, what they type goes to a shell. */
function multiplexer(values: string, reads: string): Tool {
  return plain('elevated', 'acts in another terminal', {
    runsWords: true,
    check: (use, judge) => multiplexed(use, values, new Set(names(reads)), judge),
  });
}

function multiplexed({ call }: Use, values: string, reads: ReadonlySet<string>, judge: Judge): void {
  const takes = new Set(names(values));
  const words: Arg[] = [];
  for (let at = 0; at < call.args.length; at++) {
    if (takes.has(call.args[at]!.text)) at++;
    else if (!call.args[at]!.text.startsWith('-')) words.push(call.args[at]!);
  }
  if (reads.has(words[0]?.text ?? '')) return;
  // What it starts stands behind its own options, with options of its own.
  const command = words[call.name === 'tmux' ? 1 : 0];
  if (command) judge.run(call.args.slice(call.args.indexOf(command)));
  // Any of its words may be a command's text, with the others as that command's words.
  for (const { text, sources } of words.slice(0, 20)) if (/\s/.test(text)) judge.code(text, sources);
  if (words.length > 1)
    judge.code(
      words
        .slice(1)
        .map(arg => arg.text)
        .join(' '),
      words.flatMap(arg => arg.sources),
    );
}

/** Shells and builtins. */
export const SHELLS: Readonly<Record<string, Tool>> = {
  ...alike(
    'passthrough',
    'a shell',
    'sh bash zsh dash ksh mksh pdksh ash yash rbash fish csh tcsh elvish nu xonsh posh',
    SHELL,
  ),
  eval: EVAL,
  source: SOURCE,
  '.': SOURCE,
  trap: TRAP,
  alias: ALIAS,
  ...alike('passthrough', 'sets variables of this shell', 'export declare typeset local readonly', EXPORT),
  ...alike(
    'passthrough',
    'sets variables of this shell',
    'let unset read mapfile readarray getopts wait',
    EVALUATING,
  ),
  mapfile: plain('passthrough', 'reads lines', {
    codes: '-C',
    values: '-d -n -O -s -u -c',
    check: ({ call }, judge) => call.args.forEach(arg => evaluated(arg, judge)),
  }),
  test: TEST,
  '[': TEST,
  printf: PRINTF,
  ...alike('read', 'tells about commands', 'help type which whereis apropos whatis info tldr'),
  man: MAN,
  history: HISTORY,
  fc: plain('elevated', 'runs again what was run before', { dry: '-l' }),
  enable: ENABLE,
  hash: HASH,
  complete: plain('passthrough', 'sets completion', { codes: '-C', values: '-A -G -W -F -X -P -S -o' }),
  bind: plain('passthrough', 'sets keys', {
    codes: '-x',
    flags: [['-x', 'elevated', 'a key that runs text']],
    values: '-f -q -u -r -m',
  }),
  ...alike(
    'passthrough',
    'part of the shell',
    'cd pushd popd dirs pwd clear echo : true false exit return break continue shift jobs fg bg disown sleep shopt set umask ulimit times caller compgen compopt suspend logout unalias ls dir vdir exa eza lsd',
  ),
  tmux: multiplexer(
    '-t -s -n -c -L -S -f -F -x -y -e -l -p -b',
    'ls list-sessions list-windows list-panes list-clients capture-pane has-session display-message show-options info list-keys list-commands show-environment list-buffers show-buffer',
  ),
  screen: multiplexer('-S -d -r -x -t -h -c -p -T -e', '-ls -list'),
  zellij: multiplexer('-s --session', 'list-sessions ls'),
  abduco: multiplexer('-e', ''),
  dtach: multiplexer('-r -e', ''),
};

/** What a shell is called, for tools that start one. */
export function isShell(arg: Arg | undefined): boolean {
  return arg !== undefined && /^(?:ba|z|da|k|mk|a|fi)?sh$/.test(baseName(arg.text));
}
