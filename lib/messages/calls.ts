/**
 * What can be asked of the thread that keeps messages and tasks: a table of calls over the open database.
 */
import type { Connection } from '../sqlite/open.ts';
import { Marks } from './marks.ts';
import { sweep } from './retention.ts';
import { MessageStore } from './store.ts';
import type { NewTask, Task, TaskActor, TaskChange, TaskStatus } from './task-types.ts';
import { TaskStore, type TaskCall } from './tasks.ts';
import {
  inboxOf,
  SYSTEM_PREFIX,
  type Acknowledgement,
  type Draft,
  type Message,
  type Pending,
  type Reading,
  type Retention,
  type Topic,
} from './types.ts';

/** A change of a task, and the message that tells of it; neither where it was made before. */
export interface TaskResult {
  readonly task: Task;
  readonly change: TaskChange | undefined;
  readonly told: Message | undefined;
}

/** Calls by name: what they are given, and what they answer. */
export interface Calls {
  readonly publish: (draft: Draft) => { message: Message; isNew: boolean; unread: number };
  readonly read: (reading: Reading) => Message[];
  readonly acknowledge: (ack: Acknowledgement) => number;
  readonly allUnread: (none: null) => { subscriber: string; unread: number }[];
  readonly topics: (of: { subscriber: string; withSystem: boolean }) => Topic[];
  readonly conversation: (of: { subscriber: string; limit: number; maxSize?: number }) => Message[];
  readonly pending: (subscriber: string) => Pending | undefined;
  readonly allPending: (none: null) => Pending[];
  readonly announced: (of: { subscriber: string; seq: number; state: 'begun' | 'done' }) => void;
  readonly forget: (subscriber: string) => void;
  readonly sweep: (retention: Retention) => boolean;
  readonly addTask: (of: NewTask & { by: string }) => TaskResult;
  readonly listTasks: (of: { scope: string; wanted: TaskStatus | 'open' | 'all' }) => Task[];
  readonly nextTask: (of: { scope: string; actor: TaskActor; key: string }) => TaskResult;
  readonly actOnTask: (call: TaskCall) => TaskResult;
  readonly releaseTasks: (owners: { gone: readonly string[] } | { there: readonly string[] }) => TaskResult[];
  readonly renewTasks: (alive: readonly string[]) => TaskResult[];
}

export type CallName = keyof Calls;
export type Given<K extends CallName> = Parameters<Calls[K]>[0];
export type Answered<K extends CallName> = ReturnType<Calls[K]>;

/** Calls that change nothing: they need no transaction. */
export const READS: ReadonlySet<CallName> = new Set<CallName>([
  'read',
  'allUnread',
  'topics',
  'conversation',
  'pending',
  'allPending',
  'listTasks',
]);

/** The calls over one connection. All of them throw CodedError and SqliteError. */
export function callsOver(db: Connection, now: () => number): Calls {
  const messages = new MessageStore(db, now);
  const marks = new Marks(db);
  const tasks = new TaskStore(db, now);
  const told = (made: TaskChange | { readonly task: Task }): TaskResult => {
    const change = 'action' in made ? made : undefined;
    return { task: made.task, change, told: change && messages.publish(news(change)).message };
  };
  return {
    publish(draft) {
      const { message, isNew } = messages.publish(draft);
      const owner = draft.stream.slice(inboxOf('').length);
      return {
        message,
        isNew,
        unread: draft.stream === inboxOf(owner) ? marks.unread(owner, draft.stream) : 0,
      };
    },
    read: reading => messages.read(reading),
    acknowledge: ack => marks.acknowledge(ack),
    allUnread: () => marks.allUnread(),
    topics: ({ subscriber, withSystem }) => marks.topics(subscriber, withSystem),
    conversation: ({ subscriber, limit, maxSize }) =>
      messages.conversation(inboxOf(subscriber), subscriber, limit, maxSize),
    pending: subscriber => marks.pending(subscriber),
    allPending: () => marks.allPending(),
    announced: ({ subscriber, seq, state }) => marks.announced(subscriber, seq, state),
    forget: subscriber => messages.forget(inboxOf(subscriber), subscriber),
    sweep: retention => sweep(db, retention, now()),
    addTask: ({ by, ...task }) => told(tasks.add(task, by)),
    listTasks: ({ scope, wanted }) => tasks.list(scope, wanted),
    nextTask: ({ scope, actor, key }) => told(tasks.next(scope, actor, key)),
    actOnTask: call => told(tasks.act(call)),
    releaseTasks(owners) {
      const isThere =
        'gone' in owners
          ? (id: string) => !owners.gone.includes(id)
          : (id: string) => owners.there.includes(id);
      return tasks.release(isThere).map(told);
    },
    renewTasks: alive => tasks.renew(alive).map(told),
  };
}

/** Messages of a list of tasks that are kept: whoever follows it reads on within that. */
const NEWS_KEPT = 1000;

/** A change as a message on the stream of its list, in the same transaction. */
function news({ action, task, before }: TaskChange): Draft {
  const { id, title, status, ownerId, ownerName, note } = task;
  const facts = {
    task_id: id,
    action,
    title,
    status,
    owner_id: ownerId,
    owner_name: ownerName,
    note,
    previous_owner_id: before,
  };
  return {
    stream: `${SYSTEM_PREFIX}tasks.${task.scope}`,
    body: JSON.stringify(facts),
    senderId: '_system',
    senderName: 'mux',
    threadId: id,
    replyTo: null,
    noReply: true,
    quiet: true,
    key: '',
    keep: NEWS_KEPT,
  };
}
