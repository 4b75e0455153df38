/**
 * The programs of sessions: planned, started, ended.
 */
import type { LaunchRequest } from '../cmd/spec.ts';
import { DisposableStore } from '../base/event.ts';
import type { Size } from '../base/geometry.ts';
import type { NewSession } from '../model/sessions.ts';
import type { SessionRecord, Terminal } from '../model/types.ts';
import { Emulator } from '../term/emulator.ts';
import { loginShell, paneEnvironment, planLaunch } from './launch.ts';
import type { Palette } from '../term/palette.ts';
import type { ServerParts } from './parts.ts';
import { SessionTerminal } from './session-terminal.ts';

/** After SIGKILL a program is gone within milliseconds, unless it waits for a disk or a network that is not there. */
const STUCK_MS = 2000;

export class Programs {
  readonly #parts: ServerParts;
  readonly #palette: () => Palette;

  /** `palette`: the colours that a program is told at its start. */
  constructor(parts: ServerParts, palette: () => Palette) {
    this.#parts = parts;
    this.#palette = palette;
  }

  /** What `request` is to run. Throws CodedError for an unknown agent or a malformed `K=V`. */
  plan(request: LaunchRequest): NewSession {
    const { settings, env, newConversationId } = this.#parts;
    return planLaunch(request, {
      agents: settings.config.agents,
      defaultAgent: settings.config.default_agent,
      defaultCommand: settings.options.get('default-command'),
      shell: settings.options.get('default-shell') || loginShell(env),
      newConversationId,
    });
  }

  /** Starts a session's program with a screen of its own. Throws CodedError; nothing is left behind then. */
  start(session: SessionRecord, size: Size): Terminal {
    const { ptyHost, name, version, env, hostname, settings, logger } = this.#parts;
    const term = settings.options.get('default-terminal');
    const process = ptyHost.spawn({
      argv: session.launch.argv,
      cwd: session.launch.cwd,
      env: paneEnvironment(session, { server: name, version, serverEnv: env, term }),
      size,
      session: session.id,
      logLimit: settings.config.server.log_limit,
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
