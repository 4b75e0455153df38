/**
 * Messages and tasks as values: what the thread that keeps them and those who ask it share.
 */

/** The person's name as sender and receiver. */
export const PERSON_NAME = 'human';
/** Streams that mux itself writes begin with this. */
export const SYSTEM_PREFIX = '_system.';
const INBOX_PREFIX = 'inbox:';

/** The stream of what is sent to one session, or to the person. */
export function inboxOf(subscriber: string): string {
  return INBOX_PREFIX + subscriber;
}

/** Whose inbox a stream is; undefined for a topic. */
export function ownerOf(stream: string): string | undefined {
  return stream.startsWith(INBOX_PREFIX) ? stream.slice(INBOX_PREFIX.length) : undefined;
}

export interface Message {
  readonly id: string;
  /** Of its stream, without a gap; never given twice. */
  readonly seq: number;
  readonly stream: string;
  readonly body: string;
  readonly senderId: string;
  /** As it was called when it sent. */
  readonly senderName: string;
  readonly threadId: string | null;
  readonly replyTo: string | null;
  /** Nobody is to answer. */
  readonly noReply: boolean;
  /** The receiver is not told of it. */
  readonly quiet: boolean;
  /** ms since the epoch; never less than that of the one before. */
  readonly createdAt: number;
}

/** A message that is to be published. */
export interface Draft {
  readonly stream: string;
  readonly body: string;
  readonly senderId: string;
  readonly senderName: string;
  readonly threadId: string | null;
  readonly replyTo: string | null;
  readonly noReply: boolean;
  readonly quiet: boolean;
  /** The same key of the same sender again is the same message; '' for none. */
  readonly key: string;
  /** Messages that its stream keeps; 0: all. */
  readonly keep: number;
}

/** What of a stream is wanted. */
export interface Reading {
  readonly stream: string;
  readonly subscriber: string;
  /** Only what comes behind this one. */
  readonly after: number;
  /** What was read before, too. */
  readonly all: boolean;
  /** '' for every thread. */
  readonly thread: string;
  readonly limit: number;
  /** The last `limit` of them instead of the first; still in order. */
  readonly newest?: boolean;
}

/** What a subscriber has read: everything up to one, or single ones. */
export interface Acknowledgement {
  readonly subscriber: string;
  readonly stream: string;
  readonly upTo?: number;
  readonly seqs?: readonly number[];
  /** Everything of a thread that is there. */
  readonly thread?: string;
}

export interface Topic {
  readonly name: string;
  readonly total: number;
  readonly unread: number;
  /** ms since the epoch */
  readonly latestAt: number;
}

/** Mail that a session has not been told of. */
export interface Pending {
  readonly subscriber: string;
  /** The newest of them. */
  readonly seq: number;
  readonly messageId: string;
  readonly count: number;
  /** Names of the last few senders, the newest first. */
  readonly senders: readonly string[];
  readonly noReply: boolean;
  /** How far an announcement was begun whose end nobody saw; 0 for none. */
  readonly begun: number;
  readonly begunId: string;
}

/** What is kept of messages: 0 for everything. */
export interface Retention {
  /** ms */
  readonly maxAge: number;
  readonly maxPerStream: number;
}
