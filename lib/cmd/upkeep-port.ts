/**
 * What the server finds and removes for `gc`.
 */

/** Something that belongs to no session or server any more. */
export interface Orphan {
  readonly kind: 'log' | 'hooks' | 'worktree' | 'socket' | 'lock' | 'temporary';
  readonly path: string;
  /** Of the files in it; undefined where counting would take long. */
  readonly bytes: number | undefined;
  readonly ageMs: number;
  /** Why it must not be removed, '' where it may. */
  readonly keep: string;
}

export interface UpkeepPort {
  /** What is left behind; nothing young, which may belong to something that is just being made. */
  orphans(): Promise<readonly Orphan[]>;
  /** Removes one. Rejects with CodedError, also where it turns out to hold work. */
  remove(orphan: Orphan): Promise<void>;
}
