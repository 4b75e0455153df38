/**
 * Help for the shell, made from the command table.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommand, usageOf } from '../cmd/args.ts';
import { COMMANDS } from '../cmd/registry.ts';
import { GROUPS } from '../cmd/spec.ts';
import { GLOBAL_FLAGS } from './argv.ts';
import { PACKAGE_ROOT, type AppContext } from './context.ts';
import { ATTACH, namedCommand, OWN_COMMANDS, unknownWord } from './own-commands.ts';
import { showInPager } from './pager.ts';

/** `mux --help`, `mux COMMAND --help`. Throws CodedError for an unknown command. */
export async function usageCommand(_context: AppContext, words: readonly string[]): Promise<number> {
  const name = words[0];
  console.log(name === undefined ? overview() : describe(words));
  return 0;
}

/** A command; all of them where only the first word of their names is given. Throws CodedError. */
function describe(words: readonly string[]): string {
  const group = words.length === 1 ? COMMANDS.filter(spec => spec.name.startsWith(`${words[0]} `)) : [];
  if (group.length === 0) return describeCommand(namedCommand(words));
  return group.map(spec => `  mux ${usageOf(spec)}\n      ${spec.text}`).join('\n');
}

/** `mux help [COMMAND]`: the manual in a pager on a terminal, a short overview elsewhere; of a command, its part. */
export async function helpCommand(context: AppContext, words: readonly string[]): Promise<number> {
  if (words.length > 2) throw unknownWord('help', words[2], 'help [COMMAND]');
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
  for (const { name, text } of OWN_COMMANDS) {
    if (name !== ATTACH.name) lines.push(`  ${name.padEnd(18)}${text}`);
  }
  lines.push('', "'mux COMMAND --help' tells more about one; in mux, C-b ? shows the keys.");
  return lines.join('\n');
}
