/**
 * What a server is made of and told at its start.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { RemotePtyHost, RunningPty } from '../pty/remote-host.ts';
import type { SessionLogs } from './programs/session-logs.ts';
import type { SavedServer } from './saved/saved-state.ts';
import type { Settings } from './settings.ts';
import type { Tokens } from './access/tokens.ts';

export interface ServerParts {
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly pid: number;
  readonly socket: string;
  /** Folder for what sessions keep on disk. */
  readonly dataDir: string;
  /** Folder of the journal of events. */
  readonly journalDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly newConversationId: () => string;
  readonly ptyHost: RemotePtyHost;
  /** Programs that ran in the host when this server began. */
  readonly running: readonly RunningPty[];
  readonly logs: SessionLogs;
  readonly settings: Settings;
  readonly tokens: Tokens;
  /** What an earlier server of this name left, and where this one keeps its own. */
  readonly saved: SavedServer;
  /** URL of the module that renders Markdown in the graph's thread. */
  readonly markdownRenderer: string;
  /** argv that runs mux itself, for panes that show something of it. */
  readonly self: readonly string[];
  /** Every terminal has been let go and every session has ended: nothing keeps the process any more. */
  readonly ended: () => void;
}
