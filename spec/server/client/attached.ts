/**
 * An attached terminal over a model whose programs are played by the spec: real chrome, keys and options, no server.
 */
import { ManualClock } from '../../../lib/base/clock.ts';
import { Emitter } from '../../../lib/base/event.ts';
import { Buffers } from '../../../lib/cmd/buffers.ts';
import { loadTheme } from '../../../lib/config/theme-file.ts';
import { EMPTY_GRAPH } from '../../../lib/graph/types.ts';
import { parseKey } from '../../../lib/input/keyname.ts';
import { DEFAULT_KEYS } from '../../../lib/keys/defaults.ts';
import { bindRows, KeyTables } from '../../../lib/keys/tables.ts';
import { Model } from '../../../lib/model/model.ts';
import type { ExitStatus, Terminal } from '../../../lib/model/types.ts';
import { OptionStore } from '../../../lib/options/store.ts';
import { deriveCaps } from '../../../lib/render/caps.ts';
import { Approvals } from '../../../lib/server/access/approvals.ts';
import { AttachedClient } from '../../../lib/server/client/client.ts';
import type { ClientServices } from '../../../lib/server/client/services.ts';
import { DocumentShelf } from '../../../lib/server/document-shelf.ts';
import { Drafts } from '../../../lib/server/mail/drafts.ts';
import { SessionPreviews } from '../../../lib/server/client/session-previews.ts';
import { StoppedScreens } from '../../../lib/server/client/stopped-screens.ts';
import { CopyStates } from '../../../lib/server/copy/copy-states.ts';
import { matchLines } from '../../../lib/mode/copy/pattern.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import type { GraphHandle } from '../../../lib/watch/graph-service.ts';
import { program } from '../../model/fake.ts';
import { ROOT } from '../../cli/mux.ts';
import { until } from '../../support/until.ts';

export interface Attached {
  readonly client: AttachedClient;
  readonly services: ClientServices;
  readonly clock: ManualClock;
  /** Command lines that the client asked to be run. */
  readonly ran: string[];
  /** What copy mode has copied. */
  readonly copied: string[];
  /** Shows what has changed, as a frame would. */
  draw(): Promise<void>;
}

/** There are no messages here. */
const never = (): Promise<never> => Promise.reject(new Error('no messages'));

/** A terminal of 120×40 in front of a window with one pane. */
export function attach(): Attached {
  const clock = new ManualClock(1_000_000);
  const ran: string[] = [];
  let next = 0;
  const model = new Model({
    clock,
    newId: () => `s${next++}`,
    start: (_session, { cols, rows }) => played(new Emulator({ cols, rows, historyLines: 100 })),
    baseIndex: () => 1,
    renumber: () => false,
    remainOnExit: () => 'on',
  });
  const keys = new KeyTables();
  bindRows(keys, DEFAULT_KEYS);
  const graph = { graph: EMPTY_GRAPH } as GraphHandle;
  const theme = loadTheme('mono', `${ROOT}/themes`);
  const options = new OptionStore({ sidebar: 'off' });
  const copied: string[] = [];
  const services: ClientServices = {
    clock,
    model,
    keys,
    options,
    buffers: new Buffers(() => 50),
    makeLore: () => undefined,
    runSelf: () => Promise.resolve({ exit: 0, text: '' }),
    roleAgents: () => ['claude', 'codex'],
    approvals: new Approvals({
      clock,
      newId: () => 'a1',
      status: { tells: () => undefined },
      log: { add: () => undefined, always: () => [] },
    }),
    stopped: new StoppedScreens(() => undefined),
    previews: new SessionPreviews(model),
    messages: {
      publish: never,
      read: never,
      acknowledge: never,
      topics: never,
      conversation: never,
      unread: () => 0,
      onPublish: () => ({ dispose: () => undefined }),
      onUnread: () => ({ dispose: () => undefined }),
    },
    documents: () => new DocumentShelf({ clock, dataDir: '/nowhere', env: {}, isWatched: () => false }),
    drafts: new Drafts({ path: '/nowhere', clock, report: () => undefined }),
    copies: new CopyStates({
      model,
      options,
      matcher: matchLines,
      changed: () => client.changed(),
      copy: text => void copied.push(text),
      now: () => 0,
      soon: () => ({ dispose: () => undefined }),
    }),
    promptHistory: () => [],
    graph: () => graph,
    theme: () => theme,
    prefix: () => parseKey('C-b'),
    repository: () => '',
    git: () => ({ branch: '', dirty: 0, ahead: 0, behind: 0 }),
    run: (_client, line) => void ran.push(line),
    write: () => true,
    focusChanged: () => undefined,
    used: () => undefined,
    colorsChanged: () => undefined,
    copy: () => undefined,
    openPane: () => undefined,
    showRole: () => undefined,
    editor: () => ['vi'],
    pager: () => ['less'],
  };
  const size = { cols: 120, rows: 40 };
  const client: AttachedClient = new AttachedClient(services, {
    id: 'c1',
    tty: '/dev/pts/9',
    size,
    caps: deriveCaps({ term: 'xterm-256color' }),
    isReadOnly: false,
    mark: 'm1',
    isInTmux: false,
    // What is sent is written at once.
    send: () => setImmediate(() => client.screen.acknowledged()),
    sendDirect: () => 0,
  });
  const session = model.sessions.create(program(), client.windowSize);
  model.windows.create({ session: session.id, name: 'one', size: client.windowSize, background: false });
  return {
    client,
    services,
    clock,
    ran,
    copied,
    async draw() {
      const before = client.screen.cells;
      client.changed();
      clock.advance(1000);
      await until('a frame', () => client.screen.cells !== before);
    },
  };
}

function played(view: Emulator): Terminal {
  return {
    view,
    pid: 1,
    started: Promise.resolve(),
    onOutput: new Emitter<void>().event,
    onRelease: view.onRelease,
    onSignal: view.onSignal,
    onExit: new Emitter<ExitStatus>().event,
    write: () => true,
    resize: ({ cols, rows }) => view.resize(cols, rows),
    kill: () => undefined,
    foreground: () => '',
    cwd: () => '/',
    setHistoryLines: () => undefined,
    setPalette: () => undefined,
    dropLeftModes: () => undefined,
    clearHistory: () => undefined,
    reset: () => undefined,
    dispose: () => view.dispose(),
  };
}
