/** Small languages of text: awk, sed, jq and their like, which can write files and run commands. */
import { alike, plain } from '../apply.ts';
import { findOption, literal, names, sortWords } from '../args.ts';
import { isShell } from './shells.ts';
import { sedEffects } from '../sed.ts';
import { UNKNOWN, type Arg, type Judge, type Tool } from '../types.ts';

const READS = 'reads text';

/** awk: what its program runs or writes. */
const AWK: Tool = plain('read', READS, {
  runsWords: true,
  check: ({ call }, judge) => {
    const values =
      '-f -F -v -m -e -E -i -l -o --file --source --exec --include --load --field-separator --assign';
    const { options, operands } = sortWords(call.args, {
      values: new Set(names(values)),
      style: 'letters',
      stopsAtOperand: true,
    });
    const file = findOption(options, '-f --file -E --exec -i --include -l --load');
    if (findOption(options, '-l --load')) judge.note('elevated', 'loads code');
    for (const { name, value } of options)
      if (/^-i$|^--include$/.test(name) && /inplace/.test(value?.text ?? ''))
        judge.note('write', 'changes files');
    if (file?.value) {
      judge.execute(file.value);
      if (/^(?:-|\/dev\/stdin)$/.test(file.value.text)) awkProgram(call.input.text ?? UNKNOWN, judge);
      else judge.note('write', 'runs an awk script');
    }
    const inline = options.filter(({ name }) => /^-e$|^--source$/.test(name)).map(({ value }) => value);
    const programs = inline.length > 0 ? inline : file ? [] : [operands[0]];
    for (const program of programs) if (program) awkProgram(program.text, judge, program.sources);
    // A variable given with -v can be what system() runs.
    const assigned = options
      .filter(({ name }) => /^-v$|^--assign$/.test(name))
      .map(({ value }) => value?.text ?? '');
    if (programs.some(program => RUNS_AWK.test(program?.text ?? '')))
      for (const text of assigned) judge.code(text.replace(/^\w+=/, ''));
  },
});

/** Commands that awk runs: system(), and pipes to and from. */
const RUNS_AWK = /\bsystem\s*\(|\|&?\s*getline|\bprintf?\b[^;}\n]*\|&?|"\s*\|&?\s*getline|\|&|@load|@include/;

function awkProgram(text: string, judge: Judge, sources: readonly string[] = []): void {
  if (text.includes(UNKNOWN) && /^\0*$/.test(text))
    return judge.note('elevated', 'an awk program that is known only when it runs');
  // Patterns are no commands, nor is a bar within a string.
  const bare = text
    .replace(/#[^\n]*/g, '')
    .replace(/(^|[\s,(~!&|{;])\/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+\//g, '$1 ');
  const structure = bare.replace(/"(?:\\.|[^"\\])*"/g, '""');
  const runs = RUNS_AWK.test(structure);
  const strings = [...bare.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(match => match[1]!.replace(/\\(.)/g, '$1'));
  if (runs) {
    judge.note('elevated', 'awk runs commands');
    // `"rm " $1`: what stands beside a text comes from the input.
    const isWhole = !/""\s*[\w$(]|[\w$)]\s*""/.test(
      structure.replace(/\b(?:system|print|printf|getline)\b/g, ','),
    );
    for (const one of strings) if (one.trim() !== '') judge.code(isWhole ? one : `${one}${UNKNOWN}`, sources);
    if (strings.some(one => isShell(literal(one.trim().split(/\s/)[0] ?? ''))))
      judge.note('destructive', 'awk gives a shell its commands');
    if (!/\bsystem\s*\(\s*""|\|&?\s*(?:getline|"")/.test(structure))
      judge.note('destructive', 'awk runs a command made of text');
  }
  const outputs = /\bprintf?\b[^;}\n|]*>>?\s*("")?/.exec(structure);
  if (outputs) {
    judge.note('write', 'awk writes a file');
    for (const match of bare.matchAll(/>>?\s*"((?:\\.|[^"\\])*)"/g)) judge.write(literal(match[1]!));
  }
}

const SED: Tool = plain('read', READS, {
  runsWords: true,
  check: ({ call }, judge) => {
    const values = '-e -f -l --expression --file --line-length';
    const { options, operands } = sortWords(call.args, { values: new Set(names(values)), style: 'letters' });
    const inPlace = call.args.some(
      ({ text }) => /^--i[a-z-]*(?:=|$)|^-[a-zA-Z]*[iI]/.test(text) && !/^-[ef]/.test(text),
    );
    const given = options.filter(({ name }) => /^-e$|^--expr/.test(name)).flatMap(({ value }) => value ?? []);
    const script = findOption(options, '-f --file')?.value;
    const programs = given.length > 0 || script ? given : operands.slice(0, 1);
    if (script) {
      judge.execute(script);
      judge.note('write', 'runs a sed script');
    }
    if (findOption(options, '--sandbox')) return;
    for (const program of programs) sedProgram(program, judge);
    if (!inPlace) return;
    judge.note('write', 'changes files');
    for (const file of given.length > 0 || script ? operands : operands.slice(1)) judge.write(file);
  },
});

function sedProgram(program: Arg, judge: Judge): void {
  if (/^\0+$/.test(program.text))
    return judge.note('elevated', 'a sed script that is known only when it runs');
  const { files, commands, isOdd, runsInput } = sedEffects(program.text);
  for (const file of files) judge.write(literal(file));
  for (const command of commands) {
    judge.note('elevated', 'sed runs a command');
    judge.code(command, program.sources);
  }
  if (runsInput) judge.note('destructive', 'sed runs its input as commands');
  if (isOdd) judge.note('write', 'a sed script that is not read to its end');
}

/** sort: its output, and the program that compresses. */
const SORT: Tool = plain('read', READS, {
  outputs: '-o --output',
  codes: '--compress-program',
  values: '-k -t -S -T --key --field-separator --buffer-size --parallel --files0-from --batch-size',
});

const UNIQ: Tool = plain('read', READS, {
  values: '-f -s -w --skip-fields --skip-chars --check-chars',
  writes: 'rest',
});

const VIM: Tool = plain('elevated', 'edits by hand, and can run anything', {
  runsWords: true,
  values: '-u -U -i -T -w -W --servername --remote-send --remote-expr -V',
  check: ({ call }, judge) => {
    call.args.forEach(({ text }, at) => {
      const before = call.args[at - 1]?.text ?? '';
      const code = /^(?:-c|--cmd)$/.test(before) ? text : /^(?:\+|-c.|--cmd=)/.test(text) ? text : undefined;
      if (code !== undefined) editorCode(code, judge);
      if (/^-S$/.test(before)) judge.execute(literal(text));
    });
    if (call.input.text !== undefined && call.args.some(({ text }) => /^-\w*[es]/.test(text)))
      editorCode(call.input.text, judge);
  },
});

/** What an editor's own language removes or runs. */
const EDITOR_DANGER =
  /\b(?:delete|delete-directory|delete-file|system|systemlist|job_start|termopen|shell-command|call-process|start-process|unlink|rename|writefile|remove)\b|!/;

function editorCode(text: string, judge: Judge): void {
  if (EDITOR_DANGER.test(text)) judge.note('destructive', 'an editor runs a command, or removes');
}

const EMACS: Tool = plain('elevated', 'edits by hand, and can run anything', {
  check: ({ call }, judge) =>
    call.args.forEach(({ text }) => editorCode(text.replace(/^--?[\w-]+=?/, ''), judge)),
});

/** Editors that take commands from their input. */
const ED: Tool = plain('write', 'edits files', {
  writes: 'all',
  values: '-p',
  check: ({ call }, judge) => {
    if (call.input.kind === 'pipe' && call.input.text === undefined)
      judge.note('elevated', 'runs what it reads');
    for (const line of (call.input.text ?? '').split('\n')) {
      const match = /^[^!]*!(.*)/.exec(line);
      if (match) judge.code(match[1]!);
    }
  },
});

export const TEXT: Readonly<Record<string, Tool>> = {
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  goawk: AWK,
  sed: SED,
  gsed: SED,
  ssed: SED,
  sort: SORT,
  gsort: SORT,
  uniq: UNIQ,
  guniq: UNIQ,
  xxd: plain('read', READS, { values: '-c -g -l -s -o -n', style: 'words', writes: 'rest' }),
  uuencode: plain('read', READS),
  uudecode: plain('write', 'writes files', { outputs: '-o' }),
  jq: plain('read', READS, { values: '-f --from-file --indent -L --arg --argjson --slurpfile --rawfile' }),
  yq: plain('read', READS, {
    flags: [['-i --inplace --in-place -s --split-exp', 'write', 'changes files']],
    values: '-p -o -f',
  }),
  ...alike('read', READS, 'jaq fx dasel xmllint xmlstarlet toml taplo ajv vale'),
  xmllint: plain('read', READS, { outputs: '--output -o' }),
  xmlstarlet: plain('read', READS, { flags: [['-L --inplace', 'write', 'changes files']] }),
  dasel: plain('read', READS, { subs: alike('write', 'changes files', 'put delete') }),
  sd: plain('write', 'changes files', { dry: '-p --preview' }),
  perltidy: plain('write', 'changes files'),
  ...alike('elevated', 'edits by hand, and can run anything', 'vim vi nvim gvim vimdiff view ex rvim', VIM),
  ...alike('elevated', 'edits by hand, and can run anything', 'emacs emacsclient xemacs', EMACS),
  ed: ED,
  ex: ED,
  m4: plain('write', 'runs macros', {
    check: ({ call }, judge) => {
      if (/\b(?:syscmd|esyscmd)\b/.test(call.input.text ?? '')) judge.note('destructive', 'runs commands');
    },
  }),
  envsubst: plain('read', READS),
  pandoc: plain('read', READS, {
    outputs: '-o --output',
    codes: '-F --filter',
    values: '-f -t',
    flags: [['-L --lua-filter', 'elevated', 'runs code']],
  }),
  tr: plain('read', READS),
};
