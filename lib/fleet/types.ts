/**
 * A fleet: sessions that are started together, how they are shown, and what is said to them first.
 */

/** When a member may start: once another one's program runs, or once that waits for input. */
export interface After {
  readonly name: string;
  readonly until: 'started' | 'ready';
}

/** A named session of a fleet. */
export interface Member {
  readonly name: string;
  /** An entry of `agents:`; '' for a command, or the default agent. */
  readonly agent: string;
  /** Empty: what the agent's entry says. One word is a line for the shell. */
  readonly command: readonly string[];
  /** Selector of a role, '' for none. */
  readonly role: string;
  readonly model: string;
  readonly prompt: string;
  /** Absolute. */
  readonly cwd: string;
  readonly place: 'plain' | 'in-place' | 'worktree';
  /** For a worktree: what to start from, '' for the default branch; whether the remote is asked first. */
  readonly base: string;
  readonly fetch: boolean;
  readonly labels: readonly string[];
  /** `K=V` pairs. */
  readonly env: readonly string[];
  readonly after: readonly After[];
}

/** A pane: of a member, or of a command that has no other name. */
export interface FleetPane {
  /** The member it shows, '' for a command. */
  readonly session: string;
  /** Empty: your shell. */
  readonly command: readonly string[];
  readonly cwd: string;
}

export interface FleetWindow {
  readonly name: string;
  /** A preset, a layout's text, or '' for tiled. */
  readonly layout: string;
  readonly panes: readonly FleetPane[];
}

/** What a member is told once all have started. */
export interface FleetMessage {
  readonly to: string;
  /** The member that says it, '' for whoever starts the fleet. */
  readonly from: string;
  readonly text: string;
}

export interface Fleet {
  readonly name: string;
  /** Members are in the order of the file. */
  readonly members: readonly Member[];
  readonly windows: readonly FleetWindow[];
  readonly messages: readonly FleetMessage[];
  /** What becomes of the others where one does not start: all are taken back, or all go on. */
  readonly onFailure: 'rollback' | 'report';
  /** How long a member may take to be ready where others wait for it, in ms. */
  readonly readyTimeout: number;
}
