/**
 * Everything that makes, ends and keeps sessions, for one server.
 */
import { DisposableStore, type Disposable } from '../../base/event.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import { BackgroundFetch } from '../../git/background.ts';
import { isWithin } from '../../git/places.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionRecord } from '../../model/types.ts';
import type { MuxServer } from '../server.ts';
import { hasConversation } from './conversations.ts';
import { Creation } from './creation.ts';
import { Expiry } from './expiry.ts';
import { IdleStop } from './idle-stop.ts';
import { LaunchSlots } from './launch-slots.ts';
import { Launcher } from './launcher.ts';
import { Lifecycle } from './lifecycle.ts';
import { Places } from './places.ts';
import { Roles } from '../roles.ts';
import { Watchdog } from './watchdog.ts';

/** Between two fetches of the repositories in use: what others have pushed is seen before one has finished a coffee. */
const FETCH_MS = 5 * 60_000;

export class Lives implements Disposable {
  readonly lifecycle: Lifecycle;
  readonly #server: MuxServer;
  readonly #owned = new DisposableStore();

  constructor(server: MuxServer) {
    this.#server = server;
    const { parts, model, programs } = server;
    const { clock, settings, env, dataDir } = parts;
    const config = (): typeof settings.config.lifecycle => settings.config.lifecycle;
    const places = new Places({ git: server.gitProgram, config: () => settings.config.git, dataDir, env });
    const launcher = new Launcher(new LaunchSlots({ clock, max: () => config().launch_max }));
    const roles = new Roles({
      dataDir,
      newId: parts.newId,
      expand: (dir, role) => server.graphs.role(dir, role),
    });
    const shared = {
      model,
      programs,
      places,
      roles,
      launcher,
      save: () => server.persistence.flush(),
      tell: (text: string) => server.tellAll(text, 'info'),
    };
    this.lifecycle = new Lifecycle({
      ...shared,
      clock,
      config,
      creation: new Creation(shared),
      hasConversation: session =>
        hasConversation(session, settings.config.agents[session.agent], env.HOME ?? '/'),
    });
  }

  /** Begins to look after the sessions: once they are there. */
  start(): void {
    const { parts, model, programs } = this.#server;
    const { clock, settings } = parts;
    const { lifecycle } = this;
    const tell = (text: string): void => this.#server.tellAll(text, 'info');
    const told = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => this.#server.tellAll(errorText(toCoded(error)), 'error'));
    this.#owned.add(
      new Expiry({ clock, model, tell, purge: session => lifecycle.purge(session, { force: false }) }),
    );
    this.#owned.add(
      new IdleStop({
        clock,
        model,
        after: () => settings.config.lifecycle.idle_stop,
        isAttached: session => this.#isAttached(session),
        canResume: session => programs.planNext(session, 'resume').kind === 'resume',
        stop: (session, isStill) => lifecycle.stopIf(session, 'idle', isStill),
        tell: text => this.#server.tellAll(text, 'error'),
      }),
    );
    this.#owned.add(
      new Watchdog({
        clock,
        model,
        tell,
        startAnew: (session, again, isStill) => told(lifecycle.startAnew(session, again, isStill)),
      }),
    );
    this.#owned.add(
      new BackgroundFetch({
        git: this.#server.gitProgram,
        clock,
        folders: () => this.#named().map(({ launch }) => launch.cwd),
        intervalMs: () => FETCH_MS,
        pulls: () => settings.config.git.pull === 'on',
        isInUse: worktree => this.#works(worktree),
        tell,
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Sessions that a person named: a shell that stands in a repository is nobody's wish to fetch it. */
  #named(): readonly SessionRecord[] {
    return this.#server.model.sessions.all().filter(({ durable }) => durable);
  }

  /** Whether a session works in this working tree itself, wherever it was started. */
  #works(worktree: string): boolean {
    return this.#server.model.sessions
      .all()
      .some(session => runs(session) && isWithin(worktree, session.launch.cwd));
  }

  /** In the window in front of attached terminals. */
  #isAttached(session: SessionRecord): boolean {
    const { model, clients } = this.#server;
    const pane = model.windows.paneOf(session.id);
    return clients.count > 0 && pane !== undefined && model.windows.windowOf(pane) === model.windows.current;
  }
}
