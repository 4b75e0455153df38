/** `mux completion SHELL`: scripts made of the command table, so that they know what it knows. */
import { CodedError } from '../base/errors.ts';
import { COMMANDS } from '../cmd/registry.ts';
import type { CommandSpec } from '../cmd/spec.ts';
import { GLOBAL_FLAGS } from './argv.ts';
import type { AppContext } from './context.ts';
import { OWN_COMMANDS } from './own-commands.ts';

/** What may follow a word of the command line. */
interface Node {
  readonly name: string;
  readonly text: string;
  /** With their hyphens. */
  readonly flags: readonly { readonly word: string; readonly text: string }[];
  /** Words that may come next. */
  readonly verbs: readonly string[];
  /** Names of sessions may come next. */
  readonly takesSession: boolean;
}

const SCRIPTS: Readonly<Record<string, (nodes: readonly Node[]) => string>> = { bash, zsh, fish };
const USAGE = `completion ${Object.keys(SCRIPTS).join('|')}`;

/** Throws CodedError `usage`. */
export async function completionCommand(_: AppContext, words: readonly string[]): Promise<number> {
  const [shell = ''] = words;
  if (words.length !== 1 || !Object.hasOwn(SCRIPTS, shell))
    throw new CodedError(
      'usage',
      `completion: ${shell ? `no script for '${shell}'` : 'say for which shell'}`,
      `usage: mux ${USAGE}`,
    );
  process.stdout.write(SCRIPTS[shell]!(completionNodes()));
  return 0;
}

/** All commands that a shell can run. Those of two words are one, whose second word is a verb. */
export function completionNodes(): Node[] {
  const specs = [...OWN_COMMANDS, ...COMMANDS].filter(spec => !spec.interactive);
  return [...grouped(specs)].map(([name, all]) => ({
    name,
    text: all[0]!.text,
    flags: unique(all.flatMap(flagsOf)),
    verbs: [
      ...new Set(all.flatMap(spec => (spec.name.includes(' ') ? [spec.name.split(' ')[1]!] : verbsOf(spec)))),
    ],
    takesSession: all.some(spec => spec.target === 'session' || /\bSESSION\b|\bS…?\b/.test(spec.args)),
  }));
}

function grouped(specs: readonly CommandSpec[]): Map<string, CommandSpec[]> {
  const groups = new Map<string, CommandSpec[]>();
  for (const spec of specs) {
    const name = spec.name.split(' ')[0]!;
    groups.set(name, [...(groups.get(name) ?? []), spec]);
  }
  return groups;
}

function unique(flags: Node['flags']): Node['flags'] {
  return [...new Map(flags.map(flag => [flag.word, flag])).values()];
}

const hyphened = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** Of the table; commands that the program carries out itself have theirs in their usage alone. */
function flagsOf({ flags, args }: CommandSpec): { word: string; text: string }[] {
  const own = flags.flatMap(({ name, alias, text }) =>
    [name, ...(alias ? [alias] : [])].map(word => ({ word: hyphened(word), text })),
  );
  const shown = [...args.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g)].map(([word]) => ({ word, text: '' }));
  return [...own, ...shown];
}

/** `list [FILTER] | show|export NAME`: list, show, export. */
function verbsOf({ args }: CommandSpec): string[] {
  return args.split(' | ').flatMap(part => {
    const [first = ''] = part.replace(/^\[/, '').split(/[\s\]]/);
    return /^[a-z][a-z|-]*$/.test(first) ? first.split('|') : [];
  });
}

/** In single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Names of sessions, the first column of a list in a pipe. */
const SESSIONS = 'command mux list 2>/dev/null | cut -f1';

function globalFlags(): { word: string; text: string }[] {
  return GLOBAL_FLAGS.flatMap(({ flag, text }) => flag.split(/,\s*/).map(word => ({ word, text })));
}

function wordsOf({ flags, verbs }: Node): string {
  return [...verbs, ...flags.map(({ word }) => word)].join(' ');
}

function bash(nodes: readonly Node[]): string {
  const all = [...nodes.map(({ name }) => name), ...globalFlags().map(({ word }) => word)].join(' ');
  const cases = nodes.map(node => {
    const sessions = node.takesSession ? `; words+=" $(${SESSIONS} | tr '\\n' ' ')"` : '';
    return `    ${node.name}) words=${quoted(wordsOf(node))}${sessions} ;;`;
  });
  return `# bash completion of mux: source <(mux completion bash)
_mux() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= words= word skip=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=
    elif [ "$word" = -L ] || [ "$word" = --server ] || [ "$word" = --config ]; then skip=1
    elif [ "\${word#-}" = "$word" ]; then command=$word; break
    fi
  done
  case $command in
    '') words=${quoted(all)} ;;
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [ \${#COMPREPLY[@]} -eq 0 ]; then mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
}
complete -o filenames -F _mux mux
`;
}

function zsh(nodes: readonly Node[]): string {
  const described = ({ word, text }: { word: string; text: string }): string =>
    quoted(`${word.replaceAll(':', '\\:')}:${text.replaceAll(':', '\\:')}`);
  const commands = nodes.map(({ name, text }) => described({ word: name, text }));
  const cases = nodes.map(node => {
    const sessions = node.takesSession ? ` sessions=(\${(f)"$(${SESSIONS})"});` : '';
    const words = [...node.verbs.map(word => ({ word, text: '' })), ...node.flags].map(described).join(' ');
    return `    ${node.name})${sessions} choices=(${words}) ;;`;
  });
  return `#compdef mux
# zsh completion of mux: mux completion zsh > a file _mux in a folder of $fpath
_mux() {
  local -a choices sessions commands
  if (( CURRENT == 2 )); then
    commands=(${commands.join(' ')})
    _describe command commands
    return
  fi
  case \${words[2]} in
${cases.join('\n')}
  esac
  _describe word choices
  (( \${#sessions} )) && compadd -a sessions
  _files
}
_mux "$@"
`;
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(node => {
    const is = `-n '__fish_seen_subcommand_from ${node.name}'`;
    const flags = node.flags.map(({ word, text }) => {
      const how = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      return `complete -c mux ${is} ${how}${text ? ` -d ${quoted(text)}` : ''}`;
    });
    const verbs = node.verbs.length > 0 ? [`complete -c mux ${is} -a ${quoted(node.verbs.join(' '))}`] : [];
    const sessions = node.takesSession ? [`complete -c mux ${is} -a ${quoted(`(${SESSIONS})`)}`] : [];
    return [
      `complete -c mux -n __fish_use_subcommand -a ${node.name} -d ${quoted(node.text)}`,
      ...verbs,
      ...flags,
      ...sessions,
    ];
  });
  return `# fish completion of mux: mux completion fish | source\n${lines.join('\n')}\n`;
}
