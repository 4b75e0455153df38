/**
 * `mux`, `mux attach` and `mux --detach`.
 */
import { fstatSync, readlinkSync } from 'node:fs';
import { attachTerminal, type Tty } from '../client/attach.ts';
import { connectServer, type ServerPeer } from '../client/connect.ts';
import { CodedError } from '../base/errors.ts';
import type { Attach } from '../wire/messages.ts';
import { terminalId } from '../wire/terminal-id.ts';
import { callerToken, handshake, isUtf8, type AppContext } from './context.ts';
import { runRemote } from './remote.ts';

export interface AttachOptions {
  /** Session to go to, '' for where things stand. */
  readonly target: string;
  readonly readOnly: boolean;
  readonly exclusive: boolean;
}

/** Attaches this terminal and resolves with the status to exit with. Throws CodedError. */
export async function attach(context: AppContext, options: AttachOptions): Promise<number> {
  refuseNesting(context);
  const tty = terminal(context);
  const size = [Math.max(1, tty.output.columns), Math.max(1, tty.output.rows)] as const;
  const connect = async (start: boolean): Promise<ServerPeer> =>
    (await connectServer(context.place, handshake(context, size), start)).peer;
  const peer = await connect(true);
  const ending = await attachTerminal(
    peer,
    tty,
    {
      ...ttyNames(),
      pid: process.pid,
      target: options.target,
      read_only: options.readOnly,
      exclusive: options.exclusive,
      term_program: context.env.TERM_PROGRAM ?? '',
      env: context.env,
    },
    connect,
    () => callerToken(context),
  );
  if (ending.message) console.log(ending.message);
  if (ending.error !== undefined) {
    const { error } = ending;
    console.error(
      `mux: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  if (!isUtf8(context.env)) {
    console.error('mux: the locale is not UTF-8, so plain ASCII was drawn: set LANG, for example to C.UTF-8');
  }
  return ending.exit;
}

/** Lets every terminal go; starts a server (with `command` in its first pane) where none runs. */
export async function detachAll(context: AppContext, command: readonly string[]): Promise<number> {
  const { peer, started } = await connectServer(context.place, handshake(context, [0, 0]), true);
  peer.end();
  const steps: (readonly string[])[] = [];
  if (!started) steps.push(['detach', '--all']);
  // A server that shows what an earlier one left has windows already.
  const isBare = started && (await windowsOf(context)) === '';
  if (isBare || command.length > 0) steps.push(['new-window', '-d', '-c', context.cwd, '--', ...command]);
  for (const words of steps) {
    const status = await runRemote(context, words, { write: writeErrors });
    if (status !== 0) return status;
  }
  const { serverName, json } = context;
  if (json === 'off') {
    console.log(`server ${serverName} runs with nobody attached; come back with '${comeBack(context)}'`);
    return runRemote(context, ['list']);
  }
  let listed = '';
  const status = await runRemote(context, ['list'], { write: (_, text) => void (listed += text) });
  if (status !== 0) process.stdout.write(listed);
  else console.log(JSON.stringify({ server: serverName, attach: comeBack(context), ...parseObject(listed) }));
  return status;
}

function parseObject(text: string): object {
  return JSON.parse(text) as object;
}

/** Indexes of the server's windows, one a line. */
async function windowsOf(context: AppContext): Promise<string> {
  let listed = '';
  const keep = (stream: 'out' | 'err', text: string): void => {
    if (stream === 'out') listed += text;
    else process.stderr.write(text);
  };
  await runRemote({ ...context, json: 'off' }, ['list-windows', '-F', '#{window_index}'], { write: keep });
  return listed.trim();
}

/** Reports of steps are left out; what is wrong is told. In JSON mode that comes on stdout. */
function writeErrors(stream: 'out' | 'err', text: string): void {
  if (stream === 'err') process.stderr.write(text);
  else if (text.startsWith('{"error":')) process.stdout.write(text);
}

function comeBack(context: AppContext): string {
  return context.serverName === 'default' ? 'mux' : `mux -L ${context.serverName}`;
}

function refuseNesting({ env, serverName }: AppContext): void {
  if (!env.MUX_PANE || env.MUX_SERVER !== serverName) return;
  throw new CodedError(
    'nested',
    `attach: this is a pane of server ${serverName} already`,
    'leave it with C-b d first, or name another server with -L',
  );
}

function terminal({ env }: AppContext): Tty {
  const instead =
    "use 'mux --detach' to start without a terminal, and 'mux list' or 'mux capture-pane -p' to look";
  if (!process.stdin.isTTY)
    throw new CodedError('not_a_terminal', 'attach: stdin is not a terminal', instead);
  if (!process.stdout.isTTY)
    throw new CodedError('not_a_terminal', 'attach: stdout is not a terminal', instead);
  if (!env.TERM || env.TERM === 'dumb') {
    throw new CodedError(
      'not_a_terminal',
      `attach: TERM is ${env.TERM || 'not set'}: the screen cannot be drawn on`,
      instead,
    );
  }
  return { input: process.stdin, output: process.stdout };
}

/** Path of our terminal, '' where the system does not tell, and what it is where stdout writes to the same. */
function ttyNames(): Pick<Attach, 'tty' | 'tty_id'> {
  try {
    const tty = readlinkSync('/proc/self/fd/0');
    if (!tty.startsWith('/dev/')) return { tty: '', tty_id: '' };
    const [input, output] = [0, 1].map(fd => terminalId(fstatSync(fd, { bigint: true })));
    return { tty, tty_id: input === output ? output! : '' };
  } catch {
    // ENOENT: a system without /proc. The name is for people to read, and the server then writes by us alone.
    return { tty: '', tty_id: '' };
  }
}
