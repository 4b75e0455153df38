/**
 * What the server does for commands about messages and tasks. Everything that is promised rejects with CodedError.
 */
import type { Disposable } from '../base/event.ts';
import type { Task, TaskAction, TaskActor, TaskStatus } from '../messages/task-types.ts';
import type { Acknowledgement, Draft, Message, Reading, Topic } from '../messages/types.ts';

/** A message as its sender gives it; how much is kept is the settings' business. */
export type NewMessage = Omit<Draft, 'keep'>;

export interface MessagesPort {
  /** Resolves once it is on the disk. */
  publish(message: NewMessage): Promise<Message>;
  /** The next ones in order, as many as fit a page; none at the end. */
  read(reading: Reading): Promise<readonly Message[]>;
  /** Resolves with how many are left unread. */
  acknowledge(ack: Acknowledgement): Promise<number>;
  topics(subscriber: string, withSystem: boolean): Promise<readonly Topic[]>;
  /** What was sent to a session and what it sent, the newest `limit` in order of time. */
  conversation(subscriber: string, limit: number): Promise<readonly Message[]>;
  /** Called with the name of a stream after something was published there. */
  onPublish(listener: (stream: string) => void): Disposable;
  /** Mail that a session, or the person, has not read; as far as it is known by now. */
  unread(subscriber: string): number;
  readonly tasks: TasksPort;
}

export interface TasksPort {
  /** @param key the same again is the same task; '' for none */
  add(
    task: { readonly scope: string; readonly title: string; readonly needs: readonly string[] },
    by: TaskActor,
    key: string,
  ): Promise<Task>;
  list(scope: string, wanted: TaskStatus | 'open' | 'all'): Promise<readonly Task[]>;
  /** The first that waits for nothing, now the actor's. */
  next(scope: string, actor: TaskActor, key: string): Promise<Task>;
  act(
    task: { readonly scope: string; readonly id: string },
    action: TaskAction,
    actor: TaskActor,
    note: string | undefined,
  ): Promise<Task>;
}
