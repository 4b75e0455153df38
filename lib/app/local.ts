/**
 * Commands that the program itself carries out, and the way to those of the server.
 */
import { createInterface } from 'node:readline/promises';
import { CodedError } from '../base/errors.ts';
import { findCommand } from '../cmd/registry.ts';
import { parseArgs } from '../cmd/args.ts';
import { command, flag } from '../cmd/define.ts';
import { splitCommands } from '../cmd/parse.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import type { AttachOptions } from './attach.ts';
import { muxVersion, type AppContext } from './context.ts';
import { runRemote } from './remote.ts';
import { serve } from './serve.ts';

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

const KILL_SERVER = command({
  name: 'kill-server',
  group: 'Screen',
  text: '',
  flags: [flag('y', 'do not ask')],
  exec: () => undefined,
});

export function parseAttach(words: readonly string[]): AttachOptions {
  const args = parseArgs(ATTACH, words);
  return { target: args.rest[0] ?? args.value('t') ?? '', readOnly: args.has('r'), exclusive: args.has('x') };
}

export function versionCommand(context: AppContext): number {
  const version = muxVersion();
  console.log(
    context.json === 'off'
      ? `mux ${version}`
      : JSON.stringify({ version, protocol: PROTOCOL_VERSION, node: process.versions.node }),
  );
  return 0;
}

/** Runs a command of the server. Wrong usage is told without one. Throws CodedError. */
export async function remoteCommand(context: AppContext, words: readonly string[]): Promise<number> {
  for (const line of splitCommands(words)) parseArgs(findCommand(line[0] ?? ''), line.slice(1));
  return runRemote(context, words);
}

/** Asks on a terminal, unless -y; elsewhere -y is needed. */
export async function killServer(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(KILL_SERVER, words);
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
  return runRemote(context, ['kill-server', '-y']);
}

/** `server run` is the server itself; `server status` asks it. */
export async function serverCommand(context: AppContext, words: readonly string[]): Promise<number> {
  if (words[0] === 'run') return serve(context);
  if (words[0] === 'status') return runRemote(context, ['server-status']);
  throw new CodedError(
    'usage',
    `server: ${words[0] ? `unknown '${words[0]}'` : 'say what'}`,
    'usage: mux server status',
  );
}
