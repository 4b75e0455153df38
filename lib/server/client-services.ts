/**
 * What the server gives its clients: shared state, and ways to act on it.
 */
import { errorText } from '../base/errors.ts';
import { runCommands } from '../cmd/registry.ts';
import { agentsOnPath, takesRole } from '../config/agent-arguments.ts';
import { PROMPT_KINDS, type ClientPort, type CommandPlace, type PromptKind } from '../cmd/spec.ts';
import { directoryOf } from '../model/sessions.ts';
import type { PaneRecord } from '../model/types.ts';
import type { ClientServices } from './client/services.ts';
import { StoppedScreens } from './client/stopped-screens.ts';
import { interfaceCaller } from './command-context.ts';
import { failure } from './failure.ts';
import { runSelf } from './run-self.ts';
import type { MuxServer } from './server.ts';

/** The services of one server, shared by all its clients. */
export function clientServices(server: MuxServer): ClientServices {
  const { parts, model } = server;
  const { settings, clock, env } = parts;
  const words = (text: string | undefined, fallback: string): readonly string[] =>
    (text?.trim() || fallback).split(/\s+/);
  const histories = Object.fromEntries(PROMPT_KINDS.map(kind => [kind, [] as string[]])) as Record<
    PromptKind,
    string[]
  >;
  return {
    clock,
    model,
    options: settings.options,
    keys: settings.keys,
    buffers: server.buffers,
    copies: server.copies,
    approvals: server.approvals,
    stopped: new StoppedScreens(session => server.programs.lastScreen(session)),
    previews: server.previews,
    messages: server.messages,
    drafts: server.messages.drafts,
    documents: () => {
      const { focused } = model.windows;
      server.documents.follow(focused ? directoryOf(model.sessionOf(focused)) : (env.HOME ?? '/'));
      return server.documents;
    },
    promptHistory: kind => histories[kind],
    graph: () => server.graph.handle,
    roleAgents: () => {
      const { agents } = settings.config;
      return agentsOnPath(agents, env).filter(name => agents[name]!.ai && takesRole(agents[name]!));
    },
    theme: () => settings.theme,
    prefix: () => settings.prefix,
    git: cwd => server.git.get(cwd),
    repository: cwd => server.git.repository(cwd),
    run: (client, line, at) => void run(server, client, line, at),
    write: (client, pane, bytes) => write(server, client, pane, bytes),
    focusChanged: () => server.focusChanged(),
    used: client => {
      if (server.clients.use(client.id)) server.palette.follow(server.clients.latest);
      server.fit();
    },
    colorsChanged: client => {
      if (server.clients.latest === client) server.palette.follow(client);
    },
    copy: text => server.copyOut(Buffer.from(text)),
    openPane: (argv, title) => openPane(server, argv, title),
    showRole: selector =>
      openPane(server, [...parts.self, 'role', 'show', selector, '--pager'], `role ${selector}`),
    makeLore: (name, root) =>
      openPane(server, [...parts.self, 'lore', 'new', '--edit', '--', name], `lore ${name}`, root),
    runSelf: (words, dir) => runSelf(parts.self, words, dir, env),
    editor: () => words(env.VISUAL || env.EDITOR, 'vi'),
    pager: () => words(env.PAGER, 'less'),
  };
}

/** Runs a command line for a client: what it prints and what goes wrong becomes a message there. */
async function run(
  server: MuxServer,
  client: ClientPort,
  line: string,
  at: CommandPlace = { pane: '', session: '' },
): Promise<void> {
  const lines: string[] = [];
  const output = {
    print: (text: string) => void lines.push(...text.split('\n')),
    json: (value: unknown) => void lines.push(JSON.stringify(value)),
  };
  const { env, logger } = server.parts;
  try {
    await runCommands(server.context({ ...interfaceCaller('', env), ...at }, output, client), line);
    if (lines.length === 1) client.message(lines[0]!, 'info');
    else if (lines.length > 1) client.showText(line, lines);
  } catch (error) {
    // Its first word alone is logged: what follows may be what a person typed.
    client.message(errorText(failure(logger, line.trim().split(/\s/, 1)[0]!, error)), 'error');
  }
}

/** Sends input to a pane's program, and says so where it does not read. */
function write(server: MuxServer, client: ClientPort, pane: PaneRecord, bytes: Uint8Array): boolean {
  const session = server.model.sessionOf(pane);
  if (server.clients.use(client.id)) {
    server.palette.follow(server.clients.latest);
    server.fit();
  }
  if (session.exit || !session.terminal) return true;
  server.model.sessions.typed(session);
  if (session.terminal.write(bytes)) return true;
  client.message(`${session.name} does not read its input: nothing was sent`, 'error');
  return false;
}

/** A program of mux's own choosing right of the focused pane, or in a window where that is too narrow. */
function openPane(server: MuxServer, argv: readonly string[], title: string, dir?: string): void {
  const { model, host } = server;
  const { windows, sessions } = model;
  const focused = windows.focused;
  const cwd = dir || (focused ? directoryOf(model.sessionOf(focused)) : (server.parts.env.HOME ?? '/'));
  const launch = { argv, cwd, env: {} };
  const spec = {
    name: '',
    agent: argv[0]!.replace(/^.*\//, ''),
    isAi: false,
    durable: false,
    isViewer: true,
    launch,
    pane: windows.nextPane,
  };
  try {
    const size = windows.current?.size ?? host.defaultSize();
    const session = sessions.create(spec, size);
    const split = focused ? windows.split(focused, session.id, 'h', { background: false }) : 'no-space';
    const pane =
      split === 'no-space'
        ? windows.create({ session: session.id, name: '', size, background: false })
        : split;
    windows.setTitle(pane, title);
  } catch (error) {
    server.tellAll(errorText(failure(server.parts.logger, argv[0]!, error)), 'error');
  }
}
