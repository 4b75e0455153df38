/**
 * The server's heart: model, settings, graph and attached clients wired together. It listens to nothing itself
 * (connection.ts does) and draws nothing itself (client/ does).
 */
import { DisposableStore, type Disposable } from '../base/event.ts';
import { Buffers } from '../cmd/buffers.ts';
import type { LifecyclePort } from '../cmd/lifecycle-port.ts';
import type { ClientPort, CommandContext, HostPort } from '../cmd/spec.ts';
import { Git } from '../git/run.ts';
import { WatchedStatus } from '../git/status-watch.ts';
import type { PaneId } from '../layout/types.ts';
import { Model } from '../model/model.ts';
import { directoryOf } from '../model/sessions.ts';
import type { Keep } from '../model/saved.ts';
import type { ModelEvent, SessionRecord } from '../model/types.ts';
import { Journal } from '../store/journal.ts';
import { documentShelf, type DocumentShelf } from './document-shelf.ts';
import { Activity } from './attention/activity.ts';
import type { Approvals } from './access/approvals.ts';
import { openApprovals } from './access/open-approvals.ts';
import type { Messages } from './mail/messages.ts';
import { openMessages } from './mail/open-messages.ts';
import type { AttachedClient } from './client/client.ts';
import type { ClientServices } from './client/services.ts';
import { SessionPreviews } from './client/session-previews.ts';
import { clientServices } from './client-services.ts';
import { Clients, type LetGo } from './clients.ts';
import { copyPorts } from './copy/copy-ports.ts';
import { CopyStates } from './copy/copy-states.ts';
import { commandContext, type CallerFacts, type CommandOutput } from './command-context.ts';
import { FocusReports } from './attention/focus-reports.ts';
import { forgetSession } from './forget.ts';
import { GitCache } from './git-cache.ts';
import { GraphFocus, graphService } from './graph-focus.ts';
import { Happenings } from './saved/happenings.ts';
import { tellOfHost } from './programs/host-news.ts';
import { hostPort } from './host-port.ts';
import { Lives } from './lifecycle/lives.ts';
import { startProblems } from './start-problems.ts';
import type { ServerParts } from './parts.ts';
import { PanePalette } from './programs/pane-palette.ts';
import type { Persistence } from './saved/persistence.ts';
import { Pipes } from './drive/pipes.ts';
import { Programs } from './programs/programs.ts';
import type { GraphService } from '../watch/graph-service.ts';
import { clipboardBytes } from '../render/clipboard.ts';
import { Hooks } from './attention/hooks.ts';
import { leaveAnswered, tellNews, type NewsPorts } from './attention/news.ts';
import { Notifier } from './attention/notifier.ts';
import { signalPorts } from './attention/signal-ports.ts';
import { handleSignal } from './attention/signals.ts';
import { StatusWatch } from './attention/status-watch.ts';

/** Programs get this long to end by themselves when the server ends: a person waits for it. */
const SHUTDOWN_GRACE_MS = 1500;
/** Ages and the clock are shown in minutes. */
const MINUTE_MS = 60_000;

export class MuxServer implements Disposable {
  readonly parts: ServerParts;
  readonly model: Model;
  readonly buffers: Buffers;
  readonly clients = new Clients();
  readonly programs: Programs;
  readonly palette: PanePalette;
  readonly pipes: Pipes;
  readonly graphs: GraphService;
  readonly graph: GraphFocus;
  readonly git: GitCache;
  /** git itself: one for all who use it here, so that its bounds hold for them together. */
  readonly gitProgram: Git;
  readonly copies: CopyStates;
  readonly status: StatusWatch;
  readonly hooks: Hooks;
  readonly #lives: Lives;
  readonly approvals: Approvals;
  readonly messages: Messages;
  readonly documents: DocumentShelf;
  readonly notifier: Notifier;
  readonly journal: Journal;
  readonly happenings: Happenings;
  readonly host: HostPort;
  readonly services: ClientServices;
  readonly previews: SessionPreviews;
  readonly persistence: Persistence;
  readonly #owned = new DisposableStore();
  readonly #activity: Activity;
  readonly #focus: FocusReports;
  #isEnding = false;
  #areProblemsTold = false;
  /** What was wrong with the saved state; told to the first who comes. */
  #reports: readonly string[];

  constructor(parts: ServerParts) {
    this.parts = parts;
    const { clock, settings } = parts;
    const changed = (): void => this.#chromeChanged();
    this.programs = new Programs(parts, this);
    this.buffers = new Buffers(() => settings.options.get('buffer-limit'));
    this.model = new Model({
      clock,
      newId: parts.newId,
      start: (session, size) => this.programs.start(session, size),
      baseIndex: () => settings.options.get('base-index'),
      renumber: () => settings.options.get('renumber-windows'),
      remainOnExit: () => settings.options.get('remain-on-exit'),
    });
    this.previews = new SessionPreviews(this.model);
    this.#focus = new FocusReports(this.model, () =>
      this.clients.all().some(client => client.isFocused && !client.isReadOnly),
    );
    this.palette = new PanePalette(
      () => settings.theme,
      () => this.model.sessions.all(),
    );
    this.copies = new CopyStates(copyPorts(this));
    this.graphs = this.#owned.add(graphService(parts, settings.config));
    this.graph = this.#owned.add(
      new GraphFocus(this.graphs, parts.env.HOME ?? '/', changed, dir =>
        this.happenings.note('graph', undefined, { dir }),
      ),
    );
    this.gitProgram = new Git({ env: parts.env, clock });
    const states = this.#owned.add(new WatchedStatus(this.gitProgram));
    this.git = this.#owned.add(new GitCache(clock, states, changed));
    this.pipes = this.#owned.add(new Pipes(message => this.tellAll(message, 'error')));
    this.notifier = new Notifier({
      clock,
      logger: parts.logger,
      env: parts.env,
      command: () => settings.config.notifications.command,
      quiet: () => settings.config.notifications.quiet,
      onTerminals: text => this.clients.notifyUnfocused(text),
    });
    this.status = this.#owned.add(
      new StatusWatch({
        clock,
        model: this.model,
        changed: (session, before, decision) => {
          // Whoever deletes it knows that it ends.
          if (session.deletedAt === undefined) tellNews(this.#news, session, before, decision);
          this.happenings.status(session, before, decision);
          leaveAnswered(this, session, decision);
          if (decision.status === 'ready') this.messages.becameIdle(session.id);
        },
      }),
    );
    this.journal = this.#owned.add(
      new Journal({
        folder: parts.journalDir,
        now: () => clock.now(),
        trouble: error => this.tellAll(`events cannot be noted: ${error.message}`, 'error'),
      }),
    );
    this.happenings = new Happenings(this.journal);
    this.hooks = new Hooks({ clock, model: this.model, status: this.status, home: parts.env.HOME ?? '/' });
    this.approvals = openApprovals(this, this.#owned);
    this.messages = openMessages(this, this.#owned);
    this.documents = this.#owned.add(documentShelf(this, changed));
    const signals = signalPorts(this);
    this.#activity = this.#owned.add(
      new Activity({
        clock,
        model: this.model,
        autoName: () => settings.options.get('automatic-rename'),
        named: session => this.status.named(session),
        output: session => this.#output(session),
        released: session => this.#released(session),
        signal: (session, signal) => handleSignal(signals, session, signal),
        quiet: session => this.git.touch(directoryOf(session)),
      }),
    );
    this.#lives = this.#owned.add(new Lives(this));
    this.host = hostPort(this);
    this.services = clientServices(this);
    this.#owned.add(this.model.onEvent(event => this.#modelEvent(event)));
    this.#owned.add(settings.onChange(() => this.#settingsChanged()));
    this.#owned.add(settings.onProblem(problem => this.tellAll(problem, 'error')));
    this.#owned.add(settings.onRepaired(text => this.tellAll(text, 'info')));
    this.#owned.add(tellOfHost(this));
    this.#owned.add(clock.every(MINUTE_MS, changed));
    this.#reports = [
      ...parts.saved.reports,
      ...parts.saved.restore(this.model, session => this.programs.adopt(session)),
      ...this.programs.takeStrays(this.model.sessions),
    ];
    this.happenings.adopt(this.model);
    this.#owned.add(this.model.onEvent(event => this.happenings.model(event)));
    parts.tokens.keep(this.model.sessions.every());
    for (const report of this.#reports) parts.logger.log('warn', report);
    const tell = (text: string, tone: 'info' | 'error'): void => this.tellAll(text, tone);
    this.persistence = this.#owned.add(parts.saved.keep(this.model, clock, tell));
    this.#lives.start();
  }

  /** The lives of its sessions. */
  get lifecycle(): LifecyclePort {
    return this.#lives.lifecycle;
  }

  /** A client has attached. `letGo` sends it away. */
  add(client: AttachedClient, letGo: LetGo): void {
    this.clients.add(client, letGo);
    this.focusChanged();
    this.palette.follow(this.clients.latest);
    this.fit();
    for (const problem of [...startProblems(this.parts), ...this.#takeReports()])
      client.message(problem, 'error');
    client.changed();
  }

  /** What was wrong at the start, for the first who asks on the command line; empty afterwards. */
  takeStartProblems(): readonly string[] {
    const problems = this.#areProblemsTold ? [] : startProblems(this.parts);
    this.#areProblemsTold = true;
    return [...problems, ...this.#takeReports()];
  }

  /** A client is gone, whoever ended it. */
  remove(client: AttachedClient): void {
    if (!this.clients.remove(client)) return;
    this.focusChanged();
    this.palette.follow(this.clients.latest);
    this.fit();
  }

  /** Context for a command line that came over a connection or from a client's keys. */
  context(caller: CallerFacts, output: CommandOutput, client?: ClientPort): CommandContext {
    return commandContext(this, caller, output, client);
  }

  /** Gives the current window the size that its clients ask for. */
  fit(): void {
    const size = this.clients.size(this.parts.settings.options.get('window-size'));
    const window = this.model.windows.current;
    if (size && window && !window.manualSize) this.model.windows.resize(window, size);
  }

  /** On its way out: whoever comes now is not answered and finds the next server. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Ends everything: terminals are let go, programs ended, then `ended` is called. What the next server shows as
   * stopped is decided by `keep`, from how things are now: the ends of the programs that follow are our own doing.
   */
  async shutdown(message: string, keep: Keep = 'stopped'): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const saved = this.persistence.close(keep);
    this.clients.detach(undefined, message);
    await Promise.all([
      saved,
      ...this.model.sessions.every().map(session => this.programs.stop(session, SHUTDOWN_GRACE_MS)),
    ]);
    this.dispose();
    await this.parts.ptyHost.shutdown();
    if (keep === 'durable')
      await this.programs.removeLogs(this.model.sessions.every().filter(one => !one.durable));
    this.parts.ended();
  }

  /**
   * Ends this process alone: the programs go on in the PTY host, for the next server. `again`: that one is on its way,
   * and the attached terminals wait for it; else they are let go with `message`.
   */
  async handOver(message: string, again: boolean): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const saved = this.persistence.close('all');
    this.programs.saveScreens();
    this.clients.detach(undefined, message, again);
    await saved;
    this.dispose();
    this.parts.ptyHost.dispose();
    this.parts.ended();
  }

  /** Puts data into a new buffer and on the clipboards of the attached terminals. */
  copyOut(data: Uint8Array): void {
    this.buffers.set(data, this.parts.clock.now());
    this.toClipboards(data);
  }

  /** Puts data on the clipboards of the attached terminals (OSC 52). */
  toClipboards(data: Uint8Array): void {
    for (const client of this.clients.all()) client.screen.raw(clipboardBytes(data, client.isInTmux));
  }

  /** A message on every terminal, and in the log. */
  tellAll(text: string, tone: 'info' | 'error'): void {
    this.parts.logger.log(tone === 'error' ? 'warn' : 'info', text);
    for (const client of this.clients.all()) client.message(text, tone);
  }

  dispose(): void {
    for (const client of this.clients.all()) this.remove(client);
    this.#owned.dispose();
  }

  #takeReports(): readonly string[] {
    const reports = this.#reports;
    this.#reports = [];
    return [...reports, ...this.messages.takeReports()];
  }

  #modelEvent(event: ModelEvent): void {
    if (event.type === 'session-created' || event.type === 'session-changed')
      this.#activity.follow(event.session);
    if (event.type === 'session-deleted') forgetSession(this, this.#activity, event.session);
    else if (event.type !== 'layout') this.status.check(event.session);
    if (event.type === 'layout') {
      this.#forgetClosedPanes();
      this.#paneFocused();
      this.focusChanged();
      this.fit();
    }
    this.#chromeChanged();
    const isOver = this.model.isEmpty && this.model.windows.all().length === 0;
    if (isOver && event.type !== 'session-created') void this.shutdown('[exited]');
  }

  /** What belongs to panes goes with them. */
  #forgetClosedPanes(): void {
    const isThere = (pane: PaneId): boolean => this.model.windows.pane(pane) !== undefined;
    this.pipes.keep(isThere);
    this.copies.keep(isThere);
  }

  /** Another pane, or another terminal, may have the focus: programs that asked are told of theirs. */
  focusChanged(): void {
    this.#focus.update();
    const pane = this.model.windows.focused;
    const session = pane && this.model.sessionOf(pane);
    if (session && this.#isLookedAt(session)) this.model.sessions.seen(session);
  }

  /** What follows the focused pane: the graph, and marks that a person has now seen. */
  #paneFocused(): void {
    const pane = this.model.windows.focused;
    const session = pane && this.model.sessionOf(pane);
    if (session) {
      this.graph.setDirectory(directoryOf(session));
      if (this.isSeen(session)) this.model.sessions.seen(session);
    }
  }

  #output(session: SessionRecord): void {
    this.status.output(session);
    const pane = this.model.windows.paneOf(session.id);
    if (!pane) return this.#previewed(session);
    this.copies.follow(pane.id);
    const isCurrent = this.model.windows.windowOf(pane) === this.model.windows.current;
    for (const client of this.clients.all())
      if (isCurrent || client.screen.shows(pane.id)) client.screen.paneChanged(pane.id);
  }

  /** A session that no pane shows may be seen in a preview. */
  #previewed(session: SessionRecord): void {
    const number = this.previews.numberOf(session);
    for (const client of this.clients.all())
      if (client.screen.shows(number)) client.screen.paneChanged(number);
  }

  #released(session: SessionRecord): void {
    const pane = this.model.windows.paneOf(session.id);
    if (!pane || this.copies.has(pane.id)) return;
    for (const client of this.clients.all()) client.screen.paneReleased(pane.id);
  }

  get #news(): NewsPorts {
    const isSeen = (session: SessionRecord): boolean => this.#isLookedAt(session);
    return { clock: this.parts.clock, model: this.model, notifier: this.notifier, isSeen };
  }

  /** Shown in front, at a terminal whose window has the focus as far as it tells. */
  #isLookedAt(session: SessionRecord): boolean {
    return this.isSeen(session) && this.clients.all().some(client => client.isFocused);
  }

  /** Shown in front on some terminal. */
  isSeen(session: SessionRecord): boolean {
    return this.clients.count > 0 && this.model.windows.focused?.session === session.id;
  }

  #chromeChanged(): void {
    for (const client of this.clients.all()) client.changed();
  }

  #settingsChanged(): void {
    const lines = this.parts.settings.options.get('history-limit');
    this.palette.follow(this.clients.latest);
    for (const client of this.clients.all()) client.settingsChanged();
    for (const session of this.model.sessions.all()) session.terminal?.setHistoryLines(lines);
    this.fit();
    this.#chromeChanged();
  }
}
