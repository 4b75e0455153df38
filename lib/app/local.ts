/**
 * Commands that the program itself carries out, and the way to those of the server.
 */
import { createInterface } from 'node:readline/promises';
import { CodedError } from '../base/errors.ts';
import { COMMANDS, findCommand } from '../cmd/registry.ts';
import { parseArgs } from '../cmd/args.ts';
import { command } from '../cmd/define.ts';
import { splitCommands } from '../cmd/parse.ts';
import type { CommandSpec } from '../cmd/spec.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import type { AttachOptions } from './attach.ts';
import { muxVersion, type AppContext } from './context.ts';
import { runRemote } from './remote.ts';

/** The record of `attach`: run here, but described like every other command. */
export const ATTACH = command({
  name: 'attach',
  aliases: ['attach-session'],
  group: 'Screen',
  text: 'Show the server on this terminal; with a session, go to it',
  flags: [
    { name: 'r', alias: 'read-only', text: 'look only: keys go nowhere' },
    { name: 'x', alias: 'exclusive', text: 'send every other terminal away' },
    { name: 't', value: 'SESSION', text: 'the session (as an argument)' },
  ],
  args: '[SESSION]',
  maxArgs: 1,
  exec: () => undefined,
});

/** Commands that run here: no record of the server's table, but looked up and described like those. */
export const OWN_COMMANDS: readonly CommandSpec[] = [
  ATTACH,
  own('server', 'status', 'Tell about the running server'),
  own('config', 'show|path|check', 'Show the settings in force, where they are, or what is wrong with them'),
  own(
    'role',
    'show SEL [--prompt] [--pager]',
    'Show a role of the graph with what it includes, or only its prompt',
  ),
  own('help', '[COMMAND]', 'Open the manual, or tell about one command'),
  own('version', '', 'Say which mux this is'),
];

function own(name: string, args: string, text: string): CommandSpec {
  return command({ name, group: 'Screen', args, maxArgs: Infinity, text, exec: () => undefined });
}

/** The record of any command, wherever it runs. Throws CodedError `unknown_command`. */
export function anyCommand(name: string): CommandSpec {
  return findCommand(name, [...OWN_COMMANDS, ...COMMANDS]);
}

export function parseAttach(words: readonly string[]): AttachOptions {
  const args = parseArgs(ATTACH, words);
  return { target: args.rest[0] ?? args.value('t') ?? '', readOnly: args.has('r'), exclusive: args.has('x') };
}

export function versionCommand(context: AppContext, words: readonly string[] = []): number {
  if (words[0] !== undefined) throw new CodedError('usage', `version: unexpected '${words[0]}'`);
  const version = muxVersion();
  console.log(
    context.json === 'off'
      ? `mux ${version}`
      : JSON.stringify({ version, protocol: PROTOCOL_VERSION, node: process.versions.node }),
  );
  return 0;
}

/** Runs a command of the server. Wrong usage, help and version are told without one. Throws CodedError. */
export async function remoteCommand(context: AppContext, words: readonly string[]): Promise<number> {
  let isJson = false;
  for (const line of splitCommands(words)) {
    const spec = findCommand(line[0] ?? '');
    const args = parseArgs(spec, line.slice(1));
    if (args.has('help')) return (await import('./help.ts')).usageCommand(context, [spec.name]);
    if (args.has('version')) return versionCommand(context);
    isJson ||= args.has('json');
  }
  return runRemote(isJson ? { ...context, json: 'on' } : context, words);
}

/** Asks on a terminal, unless -y; elsewhere -y is needed. */
export async function killServer(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(findCommand('kill-server'), words);
  if (!args.has('y')) {
    if (!process.stdin.isTTY)
      throw new CodedError(
        'usage',
        'kill-server: every session would be ended, and there is nobody to ask',
        'say -y',
      );
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(`End server ${context.serverName} and every session in it? [y/N] `);
    lines.close();
    if (!/^y(es)?$/i.test(answer.trim())) throw new CodedError('cancelled', 'kill-server: not done');
  }
  return runRemote(context, ['kill-server', '-y'], { untilGone: true });
}

/** `server run` is the server itself; `server status` asks it. */
export async function serverCommand(context: AppContext, words: readonly string[]): Promise<number> {
  if (words[0] === 'run') return (await import('./serve.ts')).serve(context);
  if (words[0] === 'status' && words.length === 1) return runRemote(context, ['server-status']);
  throw new CodedError(
    'usage',
    `server: ${words.length > 0 ? `unknown '${words.join(' ')}'` : 'say what'}`,
    'usage: mux server status',
  );
}
