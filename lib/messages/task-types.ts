/**
 * Tasks as values.
 */

export const TASK_STATUSES = ['todo', 'claimed', 'in-progress', 'blocked', 'done'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task {
  /** `td-N`. */
  readonly id: string;
  /** The list it stands in. */
  readonly scope: string;
  readonly title: string;
  readonly status: TaskStatus;
  /** What its last owner said about it. */
  readonly note: string;
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  /** Until when it is its owner's without a sign of life, ms since the epoch; null for the person's. */
  readonly leaseUntil: number | null;
  /** Ids of what must be done before. */
  readonly needs: readonly string[];
  /** Of these, what is not done. */
  readonly waitsFor: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What can be done to a task. `lease`: nobody does it, its time is over or its owner gone. */
export const TASK_ACTIONS = ['claim', 'start', 'done', 'block', 'reopen'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** Who acts on tasks. */
export interface TaskActor {
  readonly id: string;
  readonly name: string;
  /** Keeps what it took: a person has no program that could end. */
  readonly isPerson: boolean;
  /** May act on what others have claimed. */
  readonly isChief: boolean;
}

/** A task that is to be added. */
export interface NewTask {
  readonly scope: string;
  readonly title: string;
  readonly needs: readonly string[];
  /** As of Draft. */
  readonly key: string;
}

/** A change, for whoever follows. */
export interface TaskChange {
  readonly action: 'add' | TaskAction | 'lease';
  readonly task: Task;
  /** Who owned it before. */
  readonly before: string | null;
}
