/**
 * Help for the shell, made from the command table.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { usageOf } from '../cmd/args.ts';
import { COMMANDS, findCommand } from '../cmd/registry.ts';
import { GROUPS, type CommandSpec } from '../cmd/spec.ts';
import { GLOBAL_FLAGS } from './argv.ts';
import { PACKAGE_ROOT, type AppContext } from './context.ts';
import { ATTACH } from './local.ts';
import { showInPager } from './pager.ts';

/** Commands of the program itself that have no record in the server's table. */
export const OWN_COMMANDS: readonly {
  readonly name: string;
  readonly usage: string;
  readonly text: string;
}[] = [
  { name: 'server', usage: 'server status', text: 'Tell about the running server' },
  {
    name: 'config',
    usage: 'config show|path|check',
    text: 'Show the settings in force, where they are, or what is wrong with them',
  },
  {
    name: 'role',
    usage: 'role show SEL [--prompt] [--pager]',
    text: 'Show a role of the graph, its includes expanded; only its prompt; in a pager',
  },
  { name: 'help', usage: 'help [COMMAND]', text: 'Open the manual, or tell about one command' },
  { name: 'version', usage: 'version', text: 'Say which mux this is' },
];

/** `mux --help`, `mux COMMAND --help`. Throws CodedError for an unknown command. */
export async function usageCommand(_context: AppContext, words: readonly string[]): Promise<number> {
  const name = words[0];
  console.log(name === undefined ? overview() : commandHelp(name));
  return 0;
}

/** `mux help [COMMAND]`: the manual in a pager on a terminal, a short overview elsewhere; of a command, its part. */
export async function helpCommand(context: AppContext, words: readonly string[]): Promise<number> {
  if (words.length > 1) throw unknownWord('help', words[1], 'help [COMMAND]');
  if (words[0] !== undefined || !process.stdout.isTTY) return usageCommand(context, words);
  const page = join(PACKAGE_ROOT, 'man', 'mux.1');
  const { status, error } = spawnSync('man', [page], { stdio: 'inherit' });
  if (!error && status === 0) return 0;
  // There is no man here, or it cannot show the page: its source is made to be read too.
  showInPager(context.env, readFileSync(`${page}.md`, 'utf8').replace(/^<!--.*-->\n+/gm, ''));
  return 0;
}

function overview(): string {
  const lines = [
    'usage: mux [FLAGS] [COMMAND …]',
    '',
    'Without a command: attach to the server, starting it if none runs.',
    '',
  ];
  for (const { flag, value, text } of GLOBAL_FLAGS)
    lines.push(`  ${(value ? `${flag} ${value}` : flag).padEnd(18)}${text}`);
  for (const group of GROUPS) {
    const specs = [...(group === 'Screen' ? [ATTACH] : []), ...COMMANDS].filter(
      spec => spec.group === group && !spec.interactive,
    );
    if (specs.length === 0) continue;
    lines.push('', `${group}:`);
    for (const spec of specs) lines.push(`  ${spec.name.padEnd(18)}${spec.text}`);
  }
  lines.push('', 'This program:');
  for (const { name, text } of OWN_COMMANDS) lines.push(`  ${name.padEnd(18)}${text}`);
  lines.push('', "'mux COMMAND --help' tells more about one; in mux, C-b ? shows the keys.");
  return lines.join('\n');
}

/** Usage and flags of a command by its name. Throws CodedError `unknown_command`. */
export function commandHelp(name: string): string {
  const own = OWN_COMMANDS.find(c => c.name === name);
  if (own) return `usage: mux ${own.usage}\n\n${own.text}.`;
  const spec = name === 'attach' ? ATTACH : findCommand(name);
  return describeCommand(spec);
}

/** Usage, sentence, flags and aliases of one command. */
export function describeCommand(spec: CommandSpec): string {
  const lines = [`usage: mux ${usageOf(spec)}`, '', `${spec.text}.`];
  if (spec.aliases?.length) lines.push('', `Also: ${spec.aliases.join(', ')}`);
  if (spec.flags.length > 0) lines.push('');
  for (const flag of spec.flags) {
    const names = [flag.name, ...(flag.alias ? [flag.alias] : [])].map(n =>
      n.length === 1 ? `-${n}` : `--${n}`,
    );
    lines.push(`  ${(names.join(', ') + (flag.value ? ` ${flag.value}` : '')).padEnd(24)}${flag.text}`);
  }
  return lines.join('\n');
}

/** For commands that are known but take no such word. */
export function unknownWord(command: string, word: string | undefined, usage: string): CodedError {
  return new CodedError(
    'usage',
    `${command}: ${word ? `unknown '${word}'` : 'say what'}`,
    `usage: mux ${usage}`,
  );
}
