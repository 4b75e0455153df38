/**
 * The server's heart: model, settings, graph and attached clients wired together. It listens to nothing itself
 * (connection.ts does) and draws nothing itself (client/ does).
 */
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { Buffers } from '../cmd/buffers.ts';
import { runCommands } from '../cmd/registry.ts';
import type { ClientInfo, ClientPort, CommandContext, HostPort, LaunchRequest } from '../cmd/spec.ts';
import { CodedError, errorLine, toCoded } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/event.ts';
import type { Clock } from '../base/clock.ts';
import type { Size } from '../base/geometry.ts';
import type { Logger } from '../base/log.ts';
import { encodeFocus } from '../input/encoder.ts';
import { gitStatus } from '../git/status.ts';
import { Model } from '../model/model.ts';
import type { NewSession } from '../model/sessions.ts';
import type { ModelEvent, PaneRecord, SessionRecord, Terminal } from '../model/types.ts';
import type { PtyHost } from '../pty/host.ts';
import { Emulator } from '../term/emulator.ts';
import type { PaneSignal } from '../term/screen-view.ts';
import { GraphService } from '../watch/graph-service.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import { Activity } from './activity.ts';
import type { AttachedClient } from './client/client.ts';
import type { ClientServices } from './client/services.ts';
import { directoryOf } from './client/view.ts';
import { commandContext, type CallerFacts } from './command-context.ts';
import { GitCache } from './git-cache.ts';
import { GraphFocus } from './graph-focus.ts';
import { loginShell, paneEnvironment, planLaunch } from './launch.ts';
import { Pipes } from './pipes.ts';
import { ScrollStates } from './scroll-states.ts';
import { SessionTerminal } from './session-terminal.ts';
import type { Settings } from './settings.ts';

/** What a server is made of and told. */
export interface ServerParts {
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly pid: number;
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly newConversationId: () => string;
  readonly ptyHost: PtyHost;
  readonly settings: Settings;
  /** URL of the module that renders Markdown in the graph's thread. */
  readonly markdownRenderer: string;
  /** argv that runs mux itself, for panes that show something of it. */
  readonly self: readonly string[];
  /** The server is to end: every session has ended. */
  readonly ended: () => void;
}

/** Ends a program by force once it had this long to end by itself, when the server ends: a person waits for it. */
const SHUTDOWN_GRACE_MS = 1500;
/** Ages and the clock are shown in minutes. */
const MINUTE_MS = 60_000;

export class MuxServer implements Disposable {
  readonly model: Model;
  readonly parts: ServerParts;
  readonly buffers = new Buffers();
  readonly clients = new Map<string, AttachedClient>();
  readonly services: ClientServices;
  readonly host: HostPort;
  readonly scrolls: ScrollStates;
  readonly #owned = new DisposableStore();
  readonly #graph: GraphFocus;
  readonly #git: GitCache;
  readonly #activity: Activity;
  readonly #pipes: Pipes;
  readonly #startedAt: number;
  /** Lets a client go; set by the connection that brought it. */
  readonly #letGo = new Map<string, (message: string, exit: number) => void>();
  #latest: AttachedClient | undefined;
  #focusedPane: PaneRecord | undefined;
  #isEnding = false;

  constructor(parts: ServerParts) {
    this.parts = parts;
    const { clock, settings } = parts;
    this.#startedAt = clock.now();
    this.model = new Model({
      clock,
      newId: parts.newId,
      start: (session, size) => this.#startTerminal(session, size),
      baseIndex: () => settings.options.get('base-index'),
      remainOnExit: () => settings.options.get('remain-on-exit'),
    });
    this.scrolls = new ScrollStates(this.model, () => this.#chromeChanged());
    const graphs = this.#owned.add(new GraphService({ clock, renderer: parts.markdownRenderer }));
    this.#graph = this.#owned.add(new GraphFocus(graphs, parts.env.HOME ?? '/', () => this.#chromeChanged()));
    this.#git = new GitCache(clock, gitStatus, () => this.#chromeChanged());
    this.#pipes = this.#owned.add(new Pipes(message => this.#tellAll(message, 'error')));
    this.#activity = this.#owned.add(
      new Activity({
        clock,
        model: this.model,
        isSeen: session => this.#isSeen(session),
        autoName: () => settings.options.get('automatic-rename'),
        changed: () => this.#chromeChanged(),
        output: session => this.#output(session),
        signal: (session, signal) => this.#signal(session, signal),
      }),
    );
    this.host = this.#makeHost();
    this.services = this.#makeServices();
    this.#owned.add(this.model.onEvent(event => this.#modelEvent(event)));
    this.#owned.add(settings.onChange(() => this.#settingsChanged()));
    this.#owned.add(settings.onProblem(problem => this.#tellAll(problem, 'error')));
    this.#everyMinute();
  }

  /** A client has attached. `letGo` sends it away. */
  add(client: AttachedClient, letGo: (message: string, exit: number) => void): void {
    this.clients.set(client.id, client);
    this.#letGo.set(client.id, letGo);
    this.#latest = client;
    this.fit();
    for (const problem of this.parts.settings.startProblems) client.message(problem, 'error');
    client.changed();
  }

  /** A client is gone, whoever ended it. */
  remove(client: AttachedClient): void {
    if (!this.clients.delete(client.id)) return;
    this.#letGo.delete(client.id);
    client.dispose();
    if (this.#latest === client) this.#latest = this.#latestUsed();
    this.fit();
  }

  /** Context for a command line that came over a connection or from a client's keys. */
  context(
    caller: CallerFacts,
    output: Pick<CommandContext, 'print' | 'json'>,
    client?: ClientPort,
  ): CommandContext {
    return commandContext(this, caller, output, client);
  }

  /** Lets every terminal go but one. */
  detachOthers(client: AttachedClient): void {
    this.#detach(
      [...this.clients.keys()].filter(id => id !== client.id),
      `[detached: another terminal has attached]`,
    );
  }

  /** Gives windows the size that their clients ask for. */
  fit(): void {
    const size = this.#clientSize();
    const window = this.model.windows.current;
    if (size && window && !window.manualSize) this.model.windows.resize(window, size);
  }

  /** The terminal last used. */
  get latest(): AttachedClient | undefined {
    return this.#latest;
  }

  /** On its way out: whoever comes now is not answered and finds the next server. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Ends everything: terminals are let go, programs ended, then `ended` is called. */
  async shutdown(message: string): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#detach(undefined, message);
    await Promise.all(this.model.sessions.all().map(session => this.#stop(session, SHUTDOWN_GRACE_MS)));
    this.dispose();
    this.parts.ended();
  }

  dispose(): void {
    for (const client of [...this.clients.values()]) this.remove(client);
    this.#owned.dispose();
  }

  #startTerminal(session: SessionRecord, size: Size): Terminal {
    const { ptyHost, name, version, env, hostname, settings, logger } = this.parts;
    const process = ptyHost.spawn({
      argv: session.launch.argv,
      cwd: session.launch.cwd,
      env: paneEnvironment(session, {
        server: name,
        version,
        serverEnv: env,
        term: settings.options.get('default-terminal'),
      }),
      size,
    });
    const emulator = new Emulator({
      ...size,
      historyLines: settings.options.get('history-limit'),
      version,
      hostname,
      termName: settings.options.get('default-terminal'),
    });
    return new SessionTerminal(process, emulator, logger);
  }

  #modelEvent(event: ModelEvent): void {
    switch (event.type) {
      case 'session-created':
      case 'session-changed':
        this.#activity.follow(event.session);
        break;
      case 'layout':
        this.#focusChanged();
        this.fit();
        break;
      case 'session-exited':
      case 'session-deleted':
        break;
    }
    this.#chromeChanged();
    if (event.type !== 'session-created' && this.model.isEmpty && this.model.windows.all().length === 0) {
      void this.shutdown('[exited]');
    }
  }

  /** The graph follows the focus; programs that asked are told of theirs. */
  #focusChanged(): void {
    const pane = this.model.windows.focused;
    const session = pane && this.model.sessionOf(pane);
    if (session) {
      this.#graph.setDirectory(directoryOf(session));
      if (this.#isSeen(session)) this.model.sessions.setAttention(session, '');
    }
    if (pane === this.#focusedPane) return;
    const before = this.#focusedPane;
    this.#focusedPane = pane;
    if (this.clients.size === 0) return;
    if (before) this.#tellFocus(before, false);
    if (pane) this.#tellFocus(pane, true);
  }

  #tellFocus(pane: PaneRecord, focused: boolean): void {
    const terminal = this.model.sessions.get(pane.session)?.terminal;
    const bytes = terminal && encodeFocus(focused, terminal.view.modes);
    if (bytes) terminal.write(bytes);
  }

  #output(session: SessionRecord): void {
    const pane = this.model.windows.paneOf(session.id);
    if (!pane) return;
    if (this.scrolls.get(pane.id)) this.scrolls.follow(pane.id);
    if (this.model.windows.windowOf(pane) !== this.model.windows.current) return;
    for (const client of this.clients.values()) client.screen.paneChanged();
  }

  #signal(session: SessionRecord, signal: PaneSignal): void {
    switch (signal.type) {
      case 'bell':
        for (const client of this.clients.values()) client.screen.raw(BELL);
        this.#needs(session, 'bell');
        break;
      case 'notify':
        this.#needs(session, [signal.title, signal.body].filter(Boolean).join(': ') || 'notification');
        break;
      case 'clipboard':
        if (this.parts.settings.options.get('set-clipboard') === 'write') this.#copyOut(signal.data);
        break;
      case 'title':
        this.#chromeChanged();
        break;
      case 'cwd':
        if (session.id === this.model.windows.focused?.session)
          this.#graph.setDirectory(directoryOf(session));
        break;
      case 'progress':
      case 'prompt':
        break;
    }
  }

  /** What a person does not see now is kept as a mark until they look. */
  #needs(session: SessionRecord, reason: string): void {
    if (!this.#isSeen(session)) this.model.sessions.setAttention(session, reason);
  }

  #isSeen(session: SessionRecord): boolean {
    return this.clients.size > 0 && this.model.windows.focused?.session === session.id;
  }

  #copyOut(data: Uint8Array): void {
    this.buffers.set(data, this.parts.clock.now());
    const bytes = Buffer.from(`\x1b]52;c;${Buffer.from(data).toString('base64')}\x1b\\`);
    for (const client of this.clients.values()) client.screen.raw(bytes);
  }

  #chromeChanged(): void {
    for (const client of this.clients.values()) client.changed();
  }

  #settingsChanged(): void {
    const { settings } = this.parts;
    for (const client of this.clients.values()) client.settingsChanged();
    for (const session of this.model.sessions.all()) {
      session.terminal?.setHistoryLines(settings.options.get('history-limit'));
    }
    this.fit();
    this.#chromeChanged();
  }

  #tellAll(text: string, tone: 'info' | 'error'): void {
    this.parts.logger.log(tone === 'error' ? 'warn' : 'info', text);
    for (const client of this.clients.values()) client.message(text, tone);
  }

  #everyMinute(): void {
    const { clock } = this.parts;
    this.#owned.add(
      clock.every(MINUTE_MS, () => {
        this.#chromeChanged();
      }),
    );
  }

  /** By the option window-size: the terminal last used, the smallest, or the largest. */
  #clientSize(): Size | undefined {
    const sizes = [...this.clients.values()]
      .filter(c => !c.isReadOnly || this.clients.size === 1)
      .map(c => c.windowSize);
    if (sizes.length === 0) return undefined;
    const policy = this.parts.settings.options.get('window-size');
    if (policy === 'latest') return this.#latest?.windowSize ?? sizes[0];
    const pick = policy === 'smallest' ? Math.min : Math.max;
    return { cols: pick(...sizes.map(s => s.cols)), rows: pick(...sizes.map(s => s.rows)) };
  }

  #latestUsed(): AttachedClient | undefined {
    return [...this.clients.values()].sort((a, b) => b.lastUsedAt - a.lastUsedAt)[0];
  }

  #detach(ids: readonly string[] | undefined, message: string): number {
    const chosen = ids ?? [...this.clients.keys()];
    for (const id of chosen) this.#letGo.get(id)?.(message, 0);
    return chosen.length;
  }

  /** Ends a session's program: by SIGTERM and SIGHUP (an interactive shell ignores the first), then by force. */
  async #stop(session: SessionRecord, graceMs: number): Promise<void> {
    const { terminal } = session;
    if (!terminal || session.exit) return;
    const { clock } = this.parts;
    await new Promise<void>(done => {
      const force = clock.after(graceMs, () => terminal.kill('SIGKILL'));
      terminal.onExit(() => {
        force.dispose();
        done();
      });
      terminal.kill('SIGTERM');
      terminal.kill('SIGHUP');
      // A stopped program acts on neither until it goes on.
      terminal.kill('SIGCONT');
    });
  }

  #launch(request: LaunchRequest): NewSession {
    const { settings, env, newConversationId } = this.parts;
    const shell = settings.options.get('default-shell') || loginShell(env);
    return planLaunch(request, {
      agents: settings.config.agents,
      defaultAgent: settings.config.default_agent,
      defaultCommand: settings.options.get('default-command'),
      shell,
      newConversationId,
    });
  }

  #makeHost(): HostPort {
    const { parts } = this;
    const { settings } = parts;
    return {
      clients: () => [...this.clients.values()].map(client => this.#info(client)),
      detach: (ids, message) => this.#detach(ids, message),
      shutdown: () => void this.shutdown('[server ended]'),
      status: () => ({
        pid: parts.pid,
        version: parts.version,
        protocol: PROTOCOL_VERSION,
        startedAt: this.#startedAt,
        socket: parts.socket,
      }),
      readCommands: (path, cwd) => readCommands(path, cwd),
      pipePane: (pane, command, { onlyIfNone }) => {
        if (onlyIfNone && this.#pipes.has(pane.id)) return this.#pipes.close(pane.id);
        const { terminal } = this.model.sessionOf(pane);
        if (!(terminal instanceof SessionTerminal))
          throw new CodedError('failed', `pane %${pane.id}: its program has ended`);
        this.#pipes.set(pane.id, terminal, command, loginShell(parts.env));
      },
      stop: session => this.#stop(session, settings.config.lifecycle.kill_grace),
      launch: request => this.#launch(request),
      git: cwd => this.#git.get(cwd),
      defaultSize: () => this.#clientSize() ?? settings.options.get('default-size'),
      clipboard: data => this.#copyOut(data),
    };
  }

  #info(client: AttachedClient): ClientInfo {
    return {
      id: client.id,
      tty: client.tty,
      cols: client.size.cols,
      rows: client.size.rows,
      isReadOnly: client.isReadOnly,
      idleSeconds: Math.floor((this.parts.clock.now() - client.lastUsedAt) / 1000),
    };
  }

  #makeServices(): ClientServices {
    const { parts } = this;
    const { settings, clock } = parts;
    const words = (text: string | undefined, fallback: string): readonly string[] =>
      (text?.trim() || fallback).split(/\s+/);
    const open = (argv: readonly string[], name: string): void => this.#openPane(argv, name);
    return {
      clock,
      model: this.model,
      options: settings.options,
      keys: settings.keys,
      buffers: this.buffers,
      scrolls: this.scrolls,
      promptHistory: [],
      graph: () => this.#graph.handle,
      theme: () => settings.theme,
      prefix: () => settings.prefix,
      git: cwd => this.#git.get(cwd),
      run: (client, line) => void this.#run(client, line),
      write: (client, pane, bytes) => this.#write(client, pane, bytes),
      used: client => this.#used(client),
      copy: text => this.#copyOut(Buffer.from(text)),
      openPane: open,
      showRole: selector => open([...parts.self, 'role', 'show', selector, '--pager'], `role ${selector}`),
      editor: () => words(parts.env.VISUAL || parts.env.EDITOR, 'vi'),
      pager: () => words(parts.env.PAGER, 'less'),
    };
  }

  /** A program of mux's own choosing in a new split, in the focused session's directory. */
  #openPane(argv: readonly string[], title: string): void {
    const { windows, sessions } = this.model;
    const focused = windows.focused;
    const cwd = focused ? directoryOf(this.model.sessionOf(focused)) : (this.parts.env.HOME ?? '/');
    const plan = this.#launch({
      command: argv,
      agent: '',
      name: '',
      durable: false,
      cwd,
      role: '',
      model: '',
      labels: [],
      env: [],
      callerEnv: {},
    });
    const launch = { ...plan, launch: { ...plan.launch, argv }, pane: windows.nextPane };
    try {
      const size = windows.current?.size ?? this.host.defaultSize();
      const session = sessions.create(launch, size);
      const pane = focused
        ? windows.split(focused, session.id, 'h', { background: false })
        : windows.create({ session: session.id, name: '', size, background: false });
      if (pane === 'no-space') {
        windows.create({ session: session.id, name: '', size, background: false });
      } else {
        windows.setTitle(pane, title);
      }
    } catch (error) {
      this.#tellAll(errorLine(toCoded(error)), 'error');
    }
  }

  async #run(client: ClientPort, line: string): Promise<void> {
    const lines: string[] = [];
    const output = {
      print: (text: string) => void lines.push(text),
      json: (value: unknown) => void lines.push(JSON.stringify(value)),
    };
    const caller: CallerFacts = {
      cwd: '',
      json: 'off',
      terminal: true,
      columns: 0,
      pane: '',
      session: '',
      env: this.parts.env,
    };
    try {
      await runCommands(this.context(caller, output, client), line);
      if (lines.length > 0)
        client.message(
          lines.length === 1 ? lines[0]! : `${lines[0]} (and ${lines.length - 1} more lines)`,
          'info',
        );
    } catch (error) {
      const coded = toCoded(error);
      if (!(error instanceof CodedError)) this.parts.logger.log('error', 'command failed', { line, error });
      client.message(errorLine(coded).replace(/^mux: /, ''), 'error');
    }
  }

  #write(client: ClientPort, pane: PaneRecord, bytes: Uint8Array): void {
    const session = this.model.sessionOf(pane);
    this.#used(client);
    if (session.exit || !session.terminal) return;
    this.model.sessions.typed(session);
    if (!session.terminal.write(bytes))
      client.message(`${session.name} does not read its input: nothing was sent`, 'error');
  }

  #used(client: ClientPort): void {
    const used = this.clients.get(client.id);
    if (!used) return;
    const isOther = used !== this.#latest;
    this.#latest = used;
    if (isOther) this.fit();
  }
}

const BELL = Buffer.from('\x07');

/** A file of commands: `~/` is home, anything else relative to where the caller is. */
async function readCommands(path: string, cwd: string): Promise<string> {
  const file = isAbsolute(path) ? path : resolve(cwd || '/', path);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CodedError(
      code === 'ENOENT' ? 'not_found' : 'failed',
      `source-file ${path}: ${code === 'ENOENT' ? 'no such file' : code}`,
      undefined,
      { cause: error },
    );
  }
}
