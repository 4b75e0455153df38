/** Interpreters of programming languages: code on the command line, scripts, and modules. */
import { alike, plain } from '../apply.ts';
import { literal, names, sortWords } from '../args.ts';
import { inlineTier } from '../inline.ts';
import { UNKNOWN, type Arg, type Judge, type Option, type Tool, type Use } from '../types.ts';
import { runFile } from './shells.ts';

interface Language {
  /** Options whose value is code, blank-separated. */
  readonly code: string;
  /** Other options with a value. */
  readonly values?: string;
  /** Options with which nothing is run. */
  readonly checks?: string;
  /** Options whose value is a file or module that is loaded. */
  readonly loads?: string;
  /** Options with which files are changed in place. */
  readonly inPlace?: string;
  readonly style?: 'words';
  /** Subcommands come first. */
  readonly subs?: Tool['subs'];
  readonly check?: (use: Use, judge: Judge) => void;
  /** Modules that are programs. */
  readonly modules?: string;
}

function language(row: Language): Tool {
  return plain('passthrough', 'an interpreter', {
    runsWords: true,
    style: row.style ?? 'letters',
    ...(row.subs ? { subs: row.subs } : {}),
    check: (use, judge) => interpret(row, use, judge),
  });
}

function interpret(row: Language, use: Use, judge: Judge): void {
  const { call } = use;
  const sorted = sortWords(call.args, {
    values: new Set(names([row.code, row.values, row.loads, row.modules].join(' '))),
    style: row.style ?? 'letters',
    stopsAtOperand: true,
  });
  const { options, operands } = sorted;
  const has = (list: string | undefined): Option | undefined => {
    const wanted = names(list);
    return options.find(({ name }) => wanted.includes(name));
  };
  row.check?.(use, judge);
  if (
    call.args.length > 0 &&
    call.args.every(({ text }) => /^(?:-V|-v|--version|-version|--help|-h)$/.test(text))
  )
    return judge.note('read', 'tells its version');
  if (has(row.inPlace)) {
    judge.note('write', 'changes files');
    for (const file of operands) judge.write(file);
  }
  const loaded = options.filter(({ name }) => names(row.loads).includes(name));
  for (const { value } of loaded) if (value) loads(value, judge);
  const module = has(row.modules)?.value;
  if (module) return runModule(module, operands, call, judge);
  const codes = options.filter(({ name, value }) => value && names(row.code).includes(name));
  if (codes.length > 0) return codes.forEach(({ value }) => code(value!, judge));
  if (has(row.checks)) return judge.note('read', 'checks without running');
  const [script] = operands;
  if (script && !/^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(script.text)) return runScript(script, judge);
  if (script?.text.startsWith('/dev/') || script || call.input.kind !== 'inherited')
    return fromInput(call.input, judge);
  judge.note('elevated', 'an interpreter that takes code from wherever its input is');
}

function code({ text, sources }: Arg, judge: Judge): void {
  const { tier, why } = inlineTier(text);
  judge.note(tier, why);
  if (text.includes(UNKNOWN) && sources.length > 0) judge.code(UNKNOWN, sources);
}

/** Only a program of several pieces: its file is not named by the line's own words. */
function loads(file: Arg, judge: Judge): void {
  judge.execute(file);
  judge.note('write', 'loads a module');
}

function runScript(file: Arg, judge: Judge): void {
  if (file.output !== undefined) return code({ ...file, text: file.output }, judge);
  runFile(file, judge);
}

function fromInput(input: Use['call']['input'], judge: Judge): void {
  if (input.text !== undefined) return code({ ...literal(input.text), sources: input.sources }, judge);
  if (input.kind === 'file') return judge.note('write', 'runs a script');
  const isFile = input.sources.length > 0 && input.sources.every(name => name === 'cat');
  judge.note(isFile ? 'elevated' : 'destructive', 'runs whatever a pipe brings');
}

/** Python's modules that are tools: some only read, others have a table of their own. */
const READING_MODULES = new Set(
  'json.tool tokenize ast dis timeit calendar this site sysconfig platform inspect pyclbr tabnanny symtable pydoc'.split(
    ' ',
  ),
);
const NAMED_MODULES: Readonly<Record<string, string>> = {
  pip: 'pip',
  pipx: 'pipx',
  uv: 'uv',
  twine: 'twine',
  virtualenv: 'venv',
  poetry: 'poetry',
  ansible: 'ansible',
};

function runModule(module: Arg, rest: readonly Arg[], call: Use['call'], judge: Judge): void {
  const name = module.text;
  if (Object.hasOwn(NAMED_MODULES, name))
    return judge.run([literal(NAMED_MODULES[name]!), ...rest], call.input);
  if (READING_MODULES.has(name)) {
    judge.note('read', 'reads');
    // json.tool IN OUT
    if (name === 'json.tool' && rest.filter(arg => !arg.text.startsWith('-'))[1])
      judge.write(rest.filter(arg => !arg.text.startsWith('-'))[1]!);
    return;
  }
  if (/^(?:http\.server|SimpleHTTPServer|smtpd|pyftpdlib)$/.test(name))
    return judge.note('elevated', 'serves files to the network');
  if (name.includes(UNKNOWN)) return judge.note('elevated', 'runs a module that is known only when it runs');
  judge.note('write', 'runs a module');
}

const PYTHON = language({
  code: '-c',
  values: '-W -X -Q --check-hash-based-pycs',
  modules: '-m',
});

const NODE = language({
  code: '-e --eval -p --print -pe',
  values:
    '-C --conditions --input-type --title --env-file --test-name-pattern --test-reporter --watch-path --max-old-space-size',
  loads: '-r --require --import --loader --experimental-loader',
  checks: '-c --check',
  subs: {},
});

const PERL = language({
  code: '-e -E',
  values: '-I -M -m -C -D -x',
  checks: '-c',
  inPlace: '-i',
  check: ({ call }, judge) => {
    for (const { text } of call.args) {
      if (/^-[a-zA-Z]*i/.test(text) && !/^-[eEMmI]/.test(text)) judge.note('write', 'changes files');
      if (/^-[Mm]/.test(text) && /[;(]|=.*\b(?:system|exec|unlink)/.test(text))
        judge.note('destructive', 'code in the name of a module');
    }
    clustered(call.args, /^-[0-9a-zA-Z.]*[eE]$/, judge);
  },
});

/** `-pi -e CODE`, `-lne CODE`, and CODE right behind the letter. */
function clustered(args: readonly Arg[], pattern: RegExp, judge: Judge): void {
  for (const [at, { text }] of args.entries())
    if (pattern.test(text) && args[at + 1]) code(args[at + 1]!, judge);
}

const RUBY = language({
  code: '-e',
  values: '-I -E -K -C -F -x',
  loads: '-r',
  checks: '-c',
  inPlace: '-i',
  check: ({ call }, judge) => clustered(call.args, /^-[a-zA-Z]*e$/, judge),
});

const PHP = language({
  code: '-r -B -R -E --run --process-begin --process-code --process-end',
  values: '-c -d -z -S -t',
  loads: '-f -F --file --process-file',
  checks: '-l --syntax-check -i --info -m --modules -v',
  check: ({ call }, judge) => {
    if (
      call.args.some(({ text }) =>
        /auto_prepend_file|allow_url_include|disable_functions|extension=/.test(text),
      )
    )
      judge.note('elevated', 'loads code');
    if (call.args.some(({ text }) => text === '-S')) judge.note('elevated', 'serves files to the network');
  },
});

const DENO_SUBS: Tool['subs'] = {
  eval: plain('passthrough', 'code', {
    check: ({ operands }, judge) => operands.slice(0, 1).forEach(arg => code(arg, judge)),
  }),
  run: plain('write', 'runs a script', {
    check: ({ operands }, judge) => {
      if (/^https?:/.test(operands[0]?.text ?? '')) judge.note('elevated', 'runs code from the network');
      if (operands[0]) judge.execute(operands[0]);
    },
  }),
  ...alike('read', 'checks', 'info lint doc types check bench-none completions help coverage'),
  ...alike('write', 'works on the project', 'fmt test bench cache compile bundle vendor task init outdated'),
  ...alike('elevated', 'installs code', 'install add upgrade publish uninstall deploy jupyter serve x'),
};

/** AppleScript: `do shell script`, and telling programs what to do. */
const OSASCRIPT: Tool = plain('elevated', 'tells other programs what to do', {
  values: '-e -l -s',
  check: ({ options, call }, judge) => {
    for (const { name, value } of options)
      if (name === '-e' && value) {
        const shell = /do shell script\s+["']([\s\S]*?)["']/.exec(value.text);
        if (shell) judge.code(shell[1]!.replace(/\\(.)/g, '$1'));
        code(value, judge);
      }
    if (call.input.text !== undefined) code(literal(call.input.text), judge);
  },
});

const POWERSHELL: Tool = plain('elevated', 'a shell', {
  check: ({ call }, judge) => {
    const text = call.args.map(arg => arg.text).join(' ');
    if (/-e(?:nc?|nc\w*)?\b\s+[A-Za-z0-9+/=]{8,}/i.test(text))
      judge.note('destructive', 'code that is hidden');
    if (
      /\b(?:Remove-\w+|ri|rd|rm|rmdir|del|erase|Clear-\w+|Format-\w+|Stop-Computer|Restart-Computer|Invoke-Expression|iex|DownloadString|Set-ExecutionPolicy)\b/i.test(
        text,
      )
    )
      judge.note('destructive', 'removes, or runs what is not seen');
    if (call.input.kind === 'pipe') judge.note('destructive', 'runs whatever a pipe brings');
  },
});

/** Languages with nothing special: one option for code. */
function simple(code_: string, more: Partial<Language> = {}): Tool {
  return language({ code: code_, ...more });
}

export const INTERPRETERS: Readonly<Record<string, Tool>> = {
  ...alike(
    'passthrough',
    'an interpreter',
    'python python2 python3 pypy pypy3 ipython bpython jython micropython',
    PYTHON,
  ),
  ...alike('passthrough', 'an interpreter', 'node nodejs iojs', NODE),
  ...alike('passthrough', 'an interpreter', 'ts-node tsx esno jiti babel-node', { ...NODE }),
  perl: PERL,
  perl5: PERL,
  raku: simple('-e'),
  ruby: RUBY,
  jruby: RUBY,
  irb: simple('-e'),
  php: PHP,
  interpreter: simple('-e -E -r -c -p --eval --print'),
  ...alike('passthrough', 'an interpreter', 'lua luajit lua5.1 lua5.3 lua5.4', simple('-e', { loads: '-l' })),
  deno: plain('write', 'runs a script', { subs: DENO_SUBS, values: '-c --config --import-map -A-none' }),
  osascript: OSASCRIPT,
  ...alike('elevated', 'a shell', 'powershell pwsh', POWERSHELL),
  ...alike('passthrough', 'an interpreter', 'Rscript R', simple('-e --args -f', { loads: '--file' })),
  julia: simple('-e -E --eval --print', { loads: '-L --load' }),
  ...alike('passthrough', 'an interpreter', 'elixir iex', simple('-e --eval --rpc-eval', { loads: '-r' })),
  erl: simple('-eval', { style: 'words' }),
  ...alike('passthrough', 'an interpreter', 'groovy scala kotlin jshell', simple('-e')),
  ...alike('passthrough', 'an interpreter', 'clojure clj bb lein', simple('-e --eval -M')),
  ...alike('passthrough', 'an interpreter', 'ghci runghc runhaskell ocaml', simple('-e')),
  ghc: plain('write', 'builds', { flags: [['-e', 'elevated', 'code on the command line']] }),
  ...alike(
    'passthrough',
    'an interpreter',
    'tclsh wish expectk gnuplot octave sage maxima gp',
    simple('-e -c --eval -r'),
  ),
  ...alike(
    'passthrough',
    'an interpreter',
    'guile sbcl clisp racket chicken csi ecl mit-scheme chez',
    simple('-c -e --eval -eval -x'),
  ),
  swift: simple('-e', {
    subs: { ...alike('write', 'builds', 'build test package'), run: plain('write', 'builds') },
  }),
  java: plain('write', 'runs a program', {
    style: 'words',
    flags: [['-javaagent -agentlib -agentpath', 'elevated', 'loads code']],
  }),
  bc: plain('read', 'computes'),
};
