/**
 * What the server gives each attached client to work with.
 */
import type { ApprovalsPort } from '../../approvals/types.ts';
import type { Clock } from '../../base/clock.ts';
import type { Buffers } from '../../cmd/buffers.ts';
import type { ClientPort, CommandPlace, PromptKind } from '../../cmd/spec.ts';
import type { Theme } from '../../config/theme.ts';
import type { GitStatus } from '../../git/status.ts';
import type { Key } from '../../input/event.ts';
import type { KeyTables } from '../../keys/tables.ts';
import type { Model } from '../../model/model.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { OptionStore } from '../../options/store.ts';
import type { GraphHandle } from '../../watch/graph-service.ts';
import type { AttachedClient } from './client.ts';
import type { CopyStates } from '../copy/copy-states.ts';
import type { ClientMessages } from '../mail/messages.ts';
import type { DocumentShelf } from '../document-shelf.ts';
import type { Drafts } from '../mail/drafts.ts';
import type { SelfAnswer } from '../run-self.ts';
import type { SessionPreviews } from './session-previews.ts';
import type { StoppedScreens } from './stopped-screens.ts';

export interface ClientServices {
  readonly clock: Clock;
  readonly model: Model;
  readonly options: OptionStore;
  readonly keys: KeyTables;
  readonly buffers: Buffers;
  readonly copies: CopyStates;
  /** What panes show whose sessions have no screen. */
  readonly stopped: StoppedScreens;
  /** Sessions as previews show them. */
  readonly previews: SessionPreviews;
  /** What agents wait for a verdict about. */
  readonly approvals: ApprovalsPort;
  /** What sessions and the person write to each other. */
  readonly messages: ClientMessages;
  /** Documents of the project that the focused pane is in, and those of all. */
  documents(): DocumentShelf;
  /** What the person has begun to write. */
  readonly drafts: Drafts;
  /** The graph of the focused session's directory. */
  graph(): GraphHandle;
  /** Names of the AI agents on PATH that can be told a role, in the order of the settings. */
  roleAgents(): readonly string[];
  theme(): Theme;
  prefix(): Key;
  git(cwd: string): GitStatus;
  /** Where the repository of a directory is, '' outside of one and while that is not known. */
  repository(cwd: string): string;
  /** Lines entered at prompts of one kind, oldest first; shared by all clients. */
  promptHistory(kind: PromptKind): string[];
  /** Runs a command line for this client; errors become its messages. */
  run(client: ClientPort, commandLine: string, at?: CommandPlace): void;
  /**
   * Sends input to a pane's program, noting that this client was used; nothing where none runs. False where the
   * program does not read and nothing was sent, which the client is told.
   */
  write(client: ClientPort, pane: PaneRecord, bytes: Uint8Array): boolean;
  /** A terminal has told of its focus. */
  focusChanged(): void;
  /** This client was used or has another size: windows may have to follow. */
  used(client: ClientPort): void;
  /** This client's terminal has told colours. */
  colorsChanged(client: AttachedClient): void;
  /** Copies to the attached terminals' clipboards and to a buffer: a person asked for it. */
  copy(text: string): void;
  /** Runs a program in a pane right of the focused one. */
  openPane(argv: readonly string[], title: string): void;
  /** Shows a role of the graph, its includes expanded, in a new pane. */
  showRole(selector: string): void;
  /** Makes a lore of the graph at `root`, in a new pane in which it is then edited. */
  makeLore(name: string, root: string): void;
  /** Runs a command of mux's own beside the server, in a folder. Never rejects. */
  runSelf(words: readonly string[], dir: string): Promise<SelfAnswer>;
  /** argv of the person's editor: $VISUAL, else $EDITOR, else vi. */
  editor(): readonly string[];
  /** argv of the person's pager: $PAGER, else less. */
  pager(): readonly string[];
}
