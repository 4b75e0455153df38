/**
 * Messages and tasks for everybody in the server: the thread that keeps them, and who is told of what is new.
 */
import type { MessagesPort, NewMessage, TasksPort } from '../../cmd/messages-port.ts';
import { Emitter, type Disposable } from '../../base/event.ts';
import type { TaskResult } from '../../messages/calls.ts';
import type { MessagesLink } from '../../messages/link.ts';
import type { SessionId } from '../../model/types.ts';
import type { Drafts } from './drafts.ts';
import type { TaskChange } from '../../messages/task-types.ts';
import {
  inboxOf,
  ownerOf,
  type Acknowledgement,
  type Message,
  type Reading,
  type Retention,
  type Topic,
} from '../../messages/types.ts';

/** Reports that are kept while nobody is there; the same trouble repeats itself. */
const REPORTS_MAX = 5;

export interface MessagesOptions {
  readonly link: Pick<MessagesLink, 'call' | 'trouble'>;
  readonly retention: () => Retention;
  readonly drafts: Drafts;
}

/** What terminals do with messages. */
export type ClientMessages = Pick<
  Messages,
  'publish' | 'read' | 'acknowledge' | 'topics' | 'conversation' | 'unread' | 'onPublish' | 'onUnread'
>;

export class Messages implements MessagesPort {
  readonly #options: MessagesOptions;
  readonly #streams = new Emitter<string>();
  readonly #published = new Emitter<Message>();
  readonly #changed = new Emitter<TaskChange>();
  readonly #unreadChanged = new Emitter<string>();
  /** Unread mail by subscriber, as the thread has last told. */
  readonly #unread = new Map<string, number>();
  readonly tasks: TasksPort;
  /** What the person has begun to write. */
  readonly drafts: Drafts;
  /** Called when a session has become idle; whoever announces mail takes it. */
  becameIdle: (id: SessionId) => void = () => undefined;
  #reports: string[] = [];

  readonly onPublish = this.#streams.event;
  /** After every message that is new. */
  readonly onMessage = this.#published.event;
  readonly onTask = this.#changed.event;
  /** Somebody has more, or fewer, unread messages: whose name it is. */
  readonly onUnread = this.#unreadChanged.event;

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.drafts = options.drafts;
    this.tasks = this.#makeTasks();
  }

  /** Why nothing can be kept; '' where all is well. */
  get trouble(): string {
    return this.#options.link.trouble;
  }

  async publish(draft: NewMessage): Promise<Message> {
    const { link, retention } = this.#options;
    const { message, isNew, unread } = await link.call('publish', {
      ...draft,
      keep: retention().maxPerStream,
    });
    if (isNew) this.#tell(message, unread);
    return message;
  }

  read(reading: Reading): Promise<readonly Message[]> {
    return this.#options.link.call('read', reading);
  }

  async acknowledge(ack: Acknowledgement): Promise<number> {
    const unread = await this.#options.link.call('acknowledge', ack);
    if (ack.stream === inboxOf(ack.subscriber)) this.#note(ack.subscriber, unread);
    return unread;
  }

  topics(subscriber: string, withSystem: boolean): Promise<readonly Topic[]> {
    return this.#options.link.call('topics', { subscriber, withSystem });
  }

  conversation(subscriber: string, limit: number, maxSize = Infinity): Promise<readonly Message[]> {
    return this.#options.link.call('conversation', { subscriber, limit, maxSize });
  }

  unread(subscriber: string): number {
    return this.#unread.get(subscriber) ?? 0;
  }

  /** Learns what is unread from before this server. */
  async load(): Promise<void> {
    for (const { subscriber, unread } of await this.#options.link.call('allUnread', null))
      this.#note(subscriber, unread);
  }

  /** A session is gone for good, and its mail with it. */
  async forget(subscriber: string): Promise<void> {
    this.#unread.delete(subscriber);
    await this.#options.link.call('forget', subscriber);
  }

  /** Gives back the tasks of owners that are gone. */
  async release(owners: { gone: readonly string[] } | { there: readonly string[] }): Promise<void> {
    for (const result of await this.#options.link.call('releaseTasks', owners)) this.#told(result);
  }

  /** Who shows signs of life keeps its tasks; who has shown none for long loses them. */
  async renew(alive: readonly string[]): Promise<void> {
    for (const result of await this.#options.link.call('renewTasks', alive)) this.#told(result);
  }

  /** Something that people must be told; kept for the first who comes, unless somebody is there. */
  addReport(text: string, isTold: boolean): void {
    if (!isTold) this.#reports = [...this.#reports, text].slice(-REPORTS_MAX);
  }

  /** What was kept for the first who comes; empty afterwards. */
  takeReports(): readonly string[] {
    return this.#reports.splice(0);
  }

  dispose(): void {
    for (const emitter of [
      this.#streams,
      this.#published,
      this.#changed,
      this.#unreadChanged,
    ] as Disposable[])
      emitter.dispose();
  }

  #makeTasks(): TasksPort {
    const { link } = this.#options;
    const told = async (result: Promise<TaskResult>): Promise<TaskResult['task']> =>
      this.#told(await result).task;
    return {
      add: (task, by, key) => told(link.call('addTask', { ...task, key, by: by.id })),
      list: (scope, wanted) => link.call('listTasks', { scope, wanted }),
      next: (scope, actor, key) => told(link.call('nextTask', { scope, actor, key })),
      act: (task, action, actor, note) => told(link.call('actOnTask', { ...task, action, actor, note })),
    };
  }

  #told(result: TaskResult): TaskResult {
    if (result.told) this.#streams.fire(result.told.stream);
    if (result.change) this.#changed.fire(result.change);
    return result;
  }

  #tell(message: Message, unread: number): void {
    const owner = ownerOf(message.stream);
    if (owner !== undefined) this.#note(owner, unread);
    this.#streams.fire(message.stream);
    this.#published.fire(message);
  }

  #note(subscriber: string, unread: number): void {
    if (this.unread(subscriber) === unread) return;
    this.#unread.set(subscriber, unread);
    this.#unreadChanged.fire(subscriber);
  }
}
