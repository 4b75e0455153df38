/**
 * The context a command runs in: who called, from where, and where its output goes.
 */
import { checkCommand, runCommands } from '../cmd/registry.ts';
import type { ClientPort, CommandContext } from '../cmd/spec.ts';
import type { Command } from '../wire/messages.ts';
import { copyPort } from './copy-ports.ts';
import type { MuxServer } from './server.ts';

/** Told of what an action did where no terminal is attached. */
const NOBODY = { message: (): void => undefined };

/** Where what a command says goes, and whether anybody waits for it. */
export type CommandOutput = Pick<CommandContext, 'print' | 'json'> &
  Partial<Pick<CommandContext, 'gone' | 'stream'>>;

/** What a caller says about itself. */
export type CallerFacts = Omit<Command, 'argv'>;

/** The caller of what a terminal's own interface runs: no shell waits for the output, no pane is meant but the focused. */
export function interfaceCaller(cwd: string, env: Readonly<Record<string, string>>): CallerFacts {
  return { cwd, json: 'off', terminal: true, columns: 0, pane: '', session: '', env };
}

/** @param client the terminal whose key or prompt this came from; without one the call came from a shell */
export function commandContext(
  server: MuxServer,
  caller: CallerFacts,
  output: CommandOutput,
  client?: ClientPort,
): CommandContext {
  const context: CommandContext = {
    gone: new AbortController().signal,
    stream: undefined,
    ...output,
    clock: server.parts.clock,
    model: server.model,
    options: server.parts.settings.options,
    keys: server.parts.settings.keys,
    buffers: server.buffers,
    host: server.host,
    hostname: server.parts.hostname,
    caller: { ...caller, json: caller.json !== 'off', jsonIsAutomatic: caller.json === 'auto' },
    client: client ?? server.clients.latest,
    isInterface: client !== undefined,
    copy: copyPort(server, client ?? server.clients.latest ?? NOBODY),
    refit: () => server.fit(),
    checkCommand,
    run: text => runCommands(context, text),
  };
  return context;
}
