/**
 * The programs of sessions: planned, started, ended.
 */
import type { LaunchRequest } from '../cmd/spec.ts';
import { DisposableStore } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { NewSession } from '../model/sessions.ts';
import type { SessionRecord, Terminal } from '../model/types.ts';
import { Emulator } from '../term/emulator.ts';
import { checkProgram, loginShell, paneEnvironment, planLaunch } from './launch.ts';
import { AgentFiles } from './agent-files.ts';
import type { Palette } from '../term/palette.ts';
import type { ServerParts } from './parts.ts';
import { SessionTerminal } from './session-terminal.ts';

/** After SIGKILL a program is gone within milliseconds, unless it waits for a disk or a network that is not there. */
const STUCK_MS = 2000;

export class Programs {
  readonly #parts: ServerParts;
  readonly #palette: () => Palette;
  /** What is written for sessions' agents. */
  readonly files: AgentFiles;

  /** `palette`: the colours that a program is told at its start. */
  constructor(parts: ServerParts, palette: () => Palette) {
    this.#parts = parts;
    this.#palette = palette;
    this.files = new AgentFiles(parts);
  }

  /** What `request` is to run. Throws CodedError for an unknown agent or a malformed `K=V`. */
  plan(request: LaunchRequest): NewSession {
    const { settings, env, newConversationId, self } = this.#parts;
    const agents = settings.config.agents;
    const plan = planLaunch(request, {
      agents,
      defaultAgent: settings.config.default_agent,
      defaultCommand: settings.options.get('default-command'),
      shell: settings.options.get('default-shell') || loginShell(env),
      self,
      newConversationId,
    });
    checkProgram(plan, agents);
    return plan;
  }

  /** Starts a session's program with a screen of its own. Throws CodedError; nothing is left behind then. */
  start(session: SessionRecord, size: Size): Terminal {
    const { ptyHost, name, version, env, hostname, settings, logger, socket } = this.#parts;
    const term = settings.options.get('default-terminal');
    const agents = settings.config.agents;
    const agent = Object.hasOwn(agents, session.agent) ? agents[session.agent] : undefined;
    const environment = paneEnvironment(session, { server: name, socket, version, serverEnv: env, term });
    const process = ptyHost.spawn({
      argv: this.files.prepare(session, agent, environment),
      cwd: session.launch.cwd,
      env: environment,
      size,
    });
    const emulator = new Emulator({
      ...size,
      historyLines: settings.options.get('history-limit'),
      version,
      hostname,
      termName: term,
      palette: this.#palette(),
    });
    return new SessionTerminal(process, emulator, logger);
  }

  /**
   * Ends a session's program: by SIGTERM and SIGHUP (an interactive shell ignores the first), and by force after
   * `graceMs`. Resolves when it has ended, or cannot be ended: one that hangs in the kernel holds nobody up.
   */
  async stop(session: SessionRecord, graceMs: number): Promise<void> {
    const { terminal } = session;
    if (!terminal || session.exit) return;
    await new Promise<void>(done => {
      const { clock } = this.#parts;
      const timers = new DisposableStore();
      const finish = (): void => {
        timers.dispose();
        done();
      };
      timers.add(clock.after(graceMs, () => terminal.kill('SIGKILL')));
      timers.add(clock.after(graceMs + STUCK_MS, finish));
      terminal.onExit(finish);
      terminal.kill('SIGTERM');
      terminal.kill('SIGHUP');
      // A stopped program acts on neither until it goes on.
      terminal.kill('SIGCONT');
    });
  }
}
