/**
 * Who sends and who receives. Senders are known by their token; whoever calls from outside every session is the person.
 */
import { CodedError } from '../base/errors.ts';
import type { SessionRecord } from '../model/types.ts';
import type { CommandContext } from './spec.ts';
import { findSession } from './target.ts';

/** As sender, as subscriber, and as the end of a message. */
export interface Correspondent {
  /** Id of a session, or `human`. */
  readonly id: string;
  readonly name: string;
}

/** The person. A session of this name is reached by its id. */
export const HUMAN: Correspondent = { id: 'human', name: 'human' };
/** Streams of which only mux is the author. */
const SYSTEM = '_system.';
/** Longest name of a topic, and what it may hold: it is typed, and stands in lists. */
const TOPIC = /^[\w./@+-]{1,128}$/;
/** Longest name of a thread. */
const THREAD = /^[\w./@+:-]{1,128}$/;

/** Who runs the command. */
export function correspondentOf({ caller, model }: CommandContext): Correspondent {
  const { session } = caller.speaker;
  if (session === '') return HUMAN;
  return { id: session, name: model.sessions.get(session)?.name ?? session };
}

/** To whom a message is sent. Throws CodedError as findSession does. */
export function receiverOf(context: CommandContext, target: string): Correspondent {
  if (target === HUMAN.name) return HUMAN;
  if (target === '') throw new CodedError('usage', 'msg: say to which session', "'mux list' shows them");
  const { id, name }: SessionRecord = findSession(context, target);
  return { id, name };
}

/** A topic that may be read. Throws CodedError `usage`. */
export function topicOf(name: string | undefined): string {
  if (name !== undefined && TOPIC.test(name)) return name;
  throw new CodedError(
    'usage',
    name === undefined ? 'msg: no topic' : `topic '${name.slice(0, 40)}': a topic has no such name`,
    "say -t TOPIC: letters, digits and . / @ + - _, at most 128; 'mux msg inbox' reads mail",
  );
}

/** A topic that may be written to. Throws CodedError: `usage`, or `refused` for those of mux. */
export function writableTopicOf(name: string | undefined): string {
  const topic = topicOf(name);
  if (!topic.startsWith(SYSTEM)) return topic;
  throw new CodedError('refused', `topic ${topic}: only mux itself writes there`, 'choose another name');
}

/** The number of a message. Throws CodedError `usage`. */
export function seqOf(what: string, text: string): number {
  const seq = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(seq)) return seq;
  throw new CodedError('usage', `${what} '${text.slice(0, 40)}': a message has no such number`);
}

/** A thread's name; null where none was given. Throws CodedError `usage`. */
export function threadOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (THREAD.test(name)) return name;
  throw new CodedError(
    'usage',
    `thread '${name.slice(0, 40)}': a thread has no such name`,
    'letters, digits and . / @ + : - _, at most 128',
  );
}
