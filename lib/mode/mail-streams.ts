/**
 * What the message viewer lists at the left, in groups.
 */
import type { SessionState } from '../chrome/view.ts';
import type { TreeItem } from './tree.ts';

/** Something that holds messages, or a message that is being written. Texts are for one line each. */
export interface MailStream {
  /** `inbox:ID`, `topic:NAME`, `draft:KEY`. */
  readonly id: string;
  readonly kind: 'draft' | 'person' | 'session' | 'topic';
  readonly name: string;
  /** Unread: by the person, or in a session's inbox by that session. */
  readonly unread: number;
  readonly state?: SessionState;
  /** What is told at the right besides: an age, a number. */
  readonly note: string;
}

/** Groups with a heading, in their order. What was sent to the person stands above all. */
const GROUPS: readonly (readonly [kind: MailStream['kind'], title: string])[] = [
  ['person', ''],
  ['draft', 'Drafts'],
  ['session', 'Sessions'],
  ['topic', 'Topics'],
];

/** The rows, headings before what they hold. */
export function streamItems(streams: readonly MailStream[]): readonly TreeItem[] {
  return GROUPS.flatMap(([kind, title]): readonly TreeItem[] => {
    const own = streams.filter(stream => stream.kind === kind);
    if (own.length === 0) return [];
    const heading = `group:${kind}`;
    const rows = own.map(stream => item(stream, title === '' ? '' : heading));
    if (title === '') return rows;
    const note = String(own.length);
    return [{ id: heading, parent: '', text: title, mark: [], note, keywords: '', isHeading: true }, ...rows];
  });
}

function item(stream: MailStream, parent: string): TreeItem {
  return { id: stream.id, parent, text: stream.name, mark: [], note: stream.note, keywords: '' };
}
