/**
 * What the server does for commands on the lives of sessions: everything that takes time, and waits for nobody else's.
 */
import type { Size } from '../base/geometry.ts';
import type { SessionId, SessionRecord } from '../model/types.ts';
import type { LaunchRequest } from './spec.ts';

/** How a session that is to be made is shown. */
export interface ShowRequest {
  /** Size of its terminal while no pane gives it another. */
  readonly size: Size;
  /** Whether it gets a window. */
  readonly isShown: boolean;
}

export interface CreateRequest extends ShowRequest {
  readonly launch: LaunchRequest;
  readonly parentId: SessionId | '';
  /** Where it works: in its directory, in the same noted as a repository's, or in a worktree made for it. */
  readonly place: 'plain' | 'in-place' | 'worktree';
  /** For a worktree: what to start from, '' for the default branch; further repositories; whether remotes are asked. */
  readonly base: string;
  readonly includes: readonly string[];
  readonly fetch: boolean;
}

export interface ForkRequest extends ShowRequest {
  readonly name: string;
  readonly prompt: string;
  /** Whether uncommitted work comes along. */
  readonly withChanges: boolean;
}

/** A session that was made, and what did not work and was not needed, a line each. */
export interface Made {
  readonly session: SessionRecord;
  readonly warnings: readonly string[];
}

/** Whether work may be lost; a function is asked right before, with the words of `LifecyclePort.risk`. */
export type Force = boolean | ((risk: string) => boolean);

/**
 * Lives of sessions. All of them throw CodedError. Two operations on one session follow each other; one that is still
 * being made is given up by `stop`, `delete` and `purge`, and nothing of it remains.
 */
export interface LifecyclePort {
  /** Makes a session and starts it; where any of it fails, nothing remains. */
  create(request: CreateRequest): Promise<Made>;
  /** Makes one that goes on from where another is, as its child. */
  fork(source: SessionRecord, request: ForkRequest): Promise<Made>;
  /** Ends its program: politely, then by force once the grace is over. */
  stop(session: SessionRecord): Promise<void>;
  /** Starts a stopped one again, where it was; one that runs is left alone. */
  resume(session: SessionRecord, size: Size): Promise<void>;
  restart(session: SessionRecord): Promise<void>;
  /** Stops it and takes it out of the lists, restorable until the retention time is over. */
  delete(session: SessionRecord): Promise<void>;
  restore(session: SessionRecord): Promise<void>;
  /** Work that would be lost with it; '' if none would be. */
  risk(session: SessionRecord): Promise<string>;
  /** Removes it with its worktree, branch, output and hooks; work that is nowhere else only where `force` says so. */
  purge(session: SessionRecord, options: { readonly force: Force }): Promise<void>;
  /** Resolves once what was changed is on the disk. */
  saved(): Promise<void>;
}
