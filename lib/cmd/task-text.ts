/**
 * Tasks as JSON.
 */
import type { Task, TaskStatus } from '../messages/task-types.ts';

/** In the order in which a task usually goes through them. */
export const TASK_STATUS_NAMES: readonly TaskStatus[] = ['todo', 'claimed', 'in-progress', 'blocked', 'done'];

/** The keys of JSON. */
export function taskJson(task: Task): object {
  const { id, scope, title, status, note, ownerId, ownerName, leaseUntil, needs, waitsFor, revision } = task;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    id,
    scope,
    title,
    status,
    note,
    owner_id: ownerId,
    owner_name: ownerName,
    lease_until: leaseUntil === null ? null : time(leaseUntil),
    needs,
    waits_for: waitsFor,
    revision,
    created_at: time(task.createdAt),
    updated_at: time(task.updatedAt),
  };
}
