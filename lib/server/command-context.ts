/**
 * The context a command runs in: who called, from where, and where its output goes.
 */
import { checkCommand, runCommands } from '../cmd/registry.ts';
import type { ClientPort, CommandContext, HostPort, Speaker } from '../cmd/spec.ts';
import type { Model } from '../model/model.ts';
import type { Command } from '../wire/messages.ts';
import { copyPort } from './copy/copy-ports.ts';
import { confinedHost } from './confined-host.ts';
import type { MuxServer } from './server.ts';

/** Told of what an action did where no terminal is attached. */
const NOBODY = { message: (): void => undefined };

/** Where what a command says goes, and whether anybody waits for it. */
export type CommandOutput = Pick<CommandContext, 'print' | 'json'> &
  Partial<Pick<CommandContext, 'gone' | 'stream'>>;

/** What a caller says about itself, and who it is. */
export interface CallerFacts extends Omit<Command, 'argv'> {
  readonly speaker: Speaker;
}

/** Whoever sits at an attached terminal, or calls from outside every session with the person's token. */
export const PERSON: Speaker = { session: '', isPerson: true };

/** The caller of what a terminal's own interface runs: no shell waits for the output, no pane is meant but the focused. */
export function interfaceCaller(cwd: string, env: Readonly<Record<string, string>>): CallerFacts {
  return { cwd, json: 'off', terminal: true, columns: 0, pane: '', session: '', env, speaker: PERSON };
}

/** @param client the terminal whose key or prompt this came from; without one the call came from a shell, and ends when `gone` */
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
    host: hostFor(server, caller.speaker),
    hostname: server.parts.hostname,
    caller: {
      ...caller,
      ...placeOf(server.model, caller),
      json: caller.json !== 'off',
      jsonIsAutomatic: caller.json === 'auto',
    },
    client: client ?? server.clients.latest,
    isInterface: client !== undefined,
    copy: copyPort(server, client ?? server.clients.latest ?? NOBODY),
    refit: () => server.fit(),
    checkCommand,
    run: text => runCommands(context, text),
  };
  return context;
}

/** Where a caller stands: by its token, and only without one of a session by what it says. */
function placeOf(
  { windows }: Model,
  { speaker, pane, session }: CallerFacts,
): { pane: string; session: string } {
  if (speaker.session === '') return { pane, session };
  const own = windows.paneOf(speaker.session);
  return { pane: own ? `%${own.id}` : '', session: speaker.session };
}

/** What an agent starts is its child, and for one in a sandbox the server does less. */
function hostFor({ host, model }: MuxServer, speaker: Speaker): HostPort {
  if (speaker.isPerson) return host;
  const isConfined = model.sessions.get(speaker.session)?.launch.sandbox?.on === true;
  const own = isConfined ? confinedHost(host) : host;
  return { ...own, launch: request => ({ ...own.launch(request), parentId: speaker.session }) };
}
