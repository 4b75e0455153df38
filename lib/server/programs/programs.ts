/**
 * The programs of sessions: planned, started, ended.
 */
import type { LaunchRequest } from '../../cmd/spec.ts';
import { DisposableStore } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import type { NewSession, Sessions } from '../../model/sessions.ts';
import type { SessionId, SessionRecord, Terminal } from '../../model/types.ts';
import { Emulator, type EmulatorOptions } from '../../term/emulator.ts';
import {
  checkProgram,
  loginShell,
  paneEnvironment,
  planLaunch,
  planNext,
  type NextFrom,
  type NextRun,
} from './launch.ts';
import { readRole } from '../roles.ts';
import type { StartKind } from '../../config/agent-arguments.ts';
import { AgentFiles } from './agent-files.ts';
import type { Palette } from '../../term/palette.ts';
import type { ServerParts } from '../parts.ts';
import type { PtyProcess } from '../../pty/host.ts';
import { Adoption, strayRecord } from './adoption.ts';
import { Checkpoints } from './checkpoints.ts';
import { Confinement } from './confinement.ts';
import { SessionTerminal } from './session-terminal.ts';

/** After SIGKILL a program is gone within milliseconds, unless it waits for a disk or a network that is not there. */
const STUCK_MS = 2000;

/** Whose programs they are. Looked at when programs start. */
export interface ProgramsOwner {
  /** The colours that a program is told at its start. */
  readonly palette: { readonly current: Palette };
  readonly model: { readonly sessions: Pick<Sessions, 'get'> };
}

export class Programs {
  readonly #parts: ServerParts;
  readonly #palette: () => Palette;
  readonly #checkpoints: Checkpoints;
  readonly #adoption: Adoption;
  /** The process of every session that runs one. */
  readonly #processes = new Map<SessionId, PtyProcess>();
  /** What is written for sessions' agents. */
  readonly files: AgentFiles;
  /** Which of them run in a sandbox. */
  readonly confinement: Confinement;

  constructor(parts: ServerParts, owner: ProgramsOwner) {
    this.#parts = parts;
    this.#palette = () => owner.palette.current;
    this.confinement = new Confinement(parts, id => owner.model.sessions.get(id));
    this.files = new AgentFiles(parts);
    this.#checkpoints = new Checkpoints(parts);
    this.#adoption = new Adoption({ ...parts, emulator: () => this.#emulatorOptions() });
  }

  /** The terminal of a session whose program an earlier server has left running; undefined where none does. */
  adopt(session: SessionRecord): Terminal | undefined {
    const terminal = this.#adoption.terminal(session);
    return terminal && this.#follow(session, terminal);
  }

  /** Gives programs that the state does not know, since it was written before they started, sessions: a line for each. */
  takeStrays(sessions: Sessions): readonly string[] {
    const { saved, clock } = this.#parts;
    return this.#adoption.strays.map(stray => {
      const record = strayRecord(stray, saved.identity(stray.session), clock.now());
      record.terminal = this.adopt(record);
      return `session ${sessions.restore(record)}: found running, though it was not in the state`;
    });
  }

  /** The screen that the program of a stopped session has left, with what its log holds; undefined where there is none. */
  lastScreen(session: SessionRecord): Emulator | undefined {
    return this.#adoption.lastScreen(session);
  }

  /** Removes what sessions wrote whose programs have ended. */
  async removeLogs(sessions: readonly SessionRecord[]): Promise<void> {
    const { logs, logger } = this.#parts;
    const removed = await Promise.allSettled(sessions.map(session => logs.remove(session.id)));
    for (const result of removed)
      if (result.status === 'rejected') logger.log('warn', 'log not removed', { error: result.reason });
  }

  /** Keeps every screen for the next server. */
  saveScreens(): void {
    this.#checkpoints.saveAll();
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

  /** What a session runs next. @param kind how it is meant to start, @param from see planNext */
  planNext(session: Parameters<typeof planNext>[0], kind: StartKind, from?: NextFrom): NextRun {
    const { settings, newConversationId, self } = this.#parts;
    const about = { agents: settings.config.agents, newConversationId, self };
    return planNext(session, kind, about, { roleText: readRole(session.launch), ...from });
  }

  /** Starts a session's program with a screen of its own. Throws CodedError; nothing is left behind then. */
  start(session: SessionRecord, size: Size): Terminal {
    const { ptyHost, name, version, env, settings, logger, socket, tokens } = this.#parts;
    const term = settings.options.get('default-terminal');
    const agents = settings.config.agents;
    const agent = Object.hasOwn(agents, session.agent) ? agents[session.agent] : undefined;
    const confined = this.confinement.look(session);
    // What is inside speaks for itself alone: a shell with the person's voice would only have to ask.
    const speaker = { ...session, isAi: session.isAi || confined.on };
    const process = tokens.forStart(speaker, token => {
      const about = { server: name, socket, version, serverEnv: env, term, token };
      const environment = paneEnvironment(session, about);
      const plain = { argv: this.files.prepare(session, agent, environment), env: environment };
      const program = confined.on ? this.confinement.start(session, confined, plain.argv, plain.env) : plain;
      if (confined.on || session.launch.sandbox) session.launch = { ...session.launch, sandbox: confined };
      return ptyHost.spawn({
        argv: program.argv,
        cwd: session.launch.cwd,
        env: program.env,
        size,
        session: session.id,
        logLimit: settings.config.server.log_limit,
      });
    });
    const emulator = new Emulator({ ...size, ...this.#emulatorOptions() });
    return this.#follow(session, new SessionTerminal(process, emulator, logger));
  }

  /**
   * Forgets what a session's program wrote, as soon as that has ended: it was hung up on when its session was deleted,
   * and is killed where it does not care.
   */
  forget(session: SessionRecord): void {
    const { clock, settings } = this.#parts;
    const remove = (): void => void this.removeLogs([session]);
    const process = this.#processes.get(session.id);
    if (!process) return remove();
    const late = clock.after(settings.config.lifecycle.kill_grace, () => process.kill('SIGKILL'));
    process.onExit(() => {
      late.dispose();
      remove();
    });
  }

  #follow(session: SessionRecord, terminal: SessionTerminal): SessionTerminal {
    const { id } = session;
    const { process } = terminal;
    this.#checkpoints.follow(id, terminal);
    this.#processes.set(id, process);
    process.onExit(() => {
      if (this.#processes.get(id) === process) this.#processes.delete(id);
    });
    return terminal;
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

  /** How screens are made, but for their size. */
  #emulatorOptions(): Omit<EmulatorOptions, 'cols' | 'rows'> {
    const { version, hostname, settings } = this.#parts;
    return {
      historyLines: settings.options.get('history-limit'),
      version,
      hostname,
      termName: settings.options.get('default-terminal'),
      palette: this.#palette(),
    };
  }
}
