/**
 * What the server does for commands that is no state of the model.
 */
import { dirname } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { HostPort } from '../cmd/spec.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import { AiServiceProcess } from './ai-service.ts';
import { drivePort } from './drive/drive-port.ts';
import { fleetPort } from './fleet/fleet-port.ts';
import { readBytes, readCommands, writeBytes } from './files.ts';
import { loginShell } from './programs/launch.ts';
import type { MuxServer } from './server.ts';
import { SessionTerminal } from './programs/session-terminal.ts';
import { upkeepPort } from './upkeep.ts';
import { editorArgv } from './copy/text-files.ts';

/** Reading long chats makes much that is soon forgotten: with more room for it than is usual it takes half the time. */
const YOUNG_SPACE = '--max-semi-space-size=32';

/** The port of one server. */
export function hostPort(server: MuxServer): HostPort {
  const { parts, clients, programs, pipes, model } = server;
  const { clock, settings } = parts;
  const startedAt = clock.now();
  const drive = drivePort(server);
  const [node = '', ...mux] = parts.self;
  const aiService = new AiServiceProcess({
    command: [node, YOUNG_SPACE, ...mux, '--config', settings.configFile, 'ai', 'serve', '--attended'],
    env: parts.env,
    clock,
    logger: parts.logger,
  });
  return {
    clients: () => clients.info(clock.now()),
    detach: (ids, message) => clients.detach(ids, message),
    shutdown: () => void server.shutdown('[server ended]', 'durable'),
    handOver: () => void server.handOver('[server restarts]', true),
    status: () => ({
      pid: parts.pid,
      version: parts.version,
      protocol: PROTOCOL_VERSION,
      startedAt,
      socket: parts.socket,
      hostPid: parts.ptyHost.pid,
      hostProtocol: parts.ptyHost.version,
      messages: server.messages.trouble,
    }),
    readCommands,
    readFile: readBytes,
    writeFile: writeBytes,
    pipePane(pane, command, { onlyIfNone }) {
      if (onlyIfNone && pipes.has(pane.id)) return pipes.close(pane.id);
      const { terminal } = model.sessionOf(pane);
      if (!(terminal instanceof SessionTerminal)) {
        throw new CodedError('failed', `pane %${pane.id}: its program has ended`);
      }
      pipes.set(pane.id, terminal, command, loginShell(parts.env));
    },
    lifecycle: server.lifecycle,
    aiService: () => aiService.ask(),
    drive,
    fleets: fleetPort({
      configFile: settings.configFile,
      agents: () => Object.keys(settings.config.agents),
      shell: () => settings.options.get('default-shell') || loginShell(parts.env),
      role: (cwd, role) => server.graphs.role(cwd, role),
    }),
    upkeep: upkeepPort({
      clock,
      git: server.gitProgram,
      dataDir: parts.dataDir,
      stateDir: dirname(parts.journalDir),
      runDir: dirname(parts.socket),
      isSession: id => model.sessions.get(id) !== undefined,
    }),
    hook: (session, report, gone) => server.hooks.report(session, report, gone),
    approvals: server.approvals,
    messages: server.messages,
    launch: request => programs.plan(request),
    git: cwd => server.git.now(cwd),
    defaultSize: () =>
      clients.size(settings.options.get('window-size')) ?? settings.options.get('default-size'),
    promptHistory: kind => server.services.promptHistory(kind),
    clipboard: data => server.toClipboards(data),
    async editText(name, text) {
      const argv = await editorArgv(server.services.editor(), name, text);
      server.services.openPane(argv, `history of ${name}`);
    },
  };
}
