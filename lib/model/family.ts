/**
 * Sessions and those they started: parents, children, whole subtrees.
 */
import { CodedError } from '../base/errors.ts';
import type { Sessions } from './sessions.ts';
import type { SessionId, SessionRecord } from './types.ts';

/** Its children, without those that are deleted. */
export function childrenOf(sessions: Sessions, parent: SessionRecord): readonly SessionRecord[] {
  return sessions.all().filter(session => session.parentId === parent.id);
}

/** The session and all below it of `among`, parents before children. A circle of parents ends where it began. */
export function subtree(root: SessionRecord, among: readonly SessionRecord[]): readonly SessionRecord[] {
  const found = new Set([root]);
  for (const parent of found)
    for (const session of among) if (session.parentId === parent.id) found.add(session);
  return [...found];
}

/**
 * Checks that `session` may become a child of `parent`.
 * @throws CodedError `refused` where it would be above itself
 */
export function checkParent(sessions: Sessions, session: SessionRecord, parent: SessionRecord): void {
  if (!subtree(session, sessions.every()).includes(parent)) return;
  const why = parent === session ? 'a session is not its own parent' : `it is above ${parent.name} already`;
  throw new CodedError('refused', `session ${session.name}: ${why}`);
}

/** A line of the tree: a session and how deep below a root it stands. */
export interface TreeLine {
  readonly session: SessionRecord;
  readonly depth: number;
}

/** The sessions as a tree, parents before children; who has no parent among them stands at the left. */
export function treeLines(sessions: readonly SessionRecord[]): readonly TreeLine[] {
  const ids = new Set<SessionId | ''>(sessions.map(session => session.id));
  const lines: TreeLine[] = [];
  const seen = new Set<SessionRecord>();
  const add = (session: SessionRecord, depth: number): void => {
    if (seen.has(session)) return;
    seen.add(session);
    lines.push({ session, depth });
    for (const child of sessions) if (child.parentId === session.id) add(child, depth + 1);
  };
  for (const session of sessions) if (!ids.has(session.parentId)) add(session, 0);
  // Of a circle, which only a damaged state can hold, one is the first.
  for (const session of sessions) add(session, 0);
  return lines;
}
