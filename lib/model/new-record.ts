/**
 * The record of a session that begins.
 */
import type { Size } from '../base/geometry.ts';
import { newRunState } from './run-state.ts';
import type { NewSession } from './sessions.ts';
import type { SessionId, SessionRecord } from './types.ts';

/** A session that nothing has happened to yet. */
export function newRecord(
  spec: NewSession,
  {
    id,
    name,
    size,
    now,
  }: { readonly id: SessionId; readonly name: string; readonly size: Size; readonly now: number },
): SessionRecord {
  return {
    id,
    name,
    agent: spec.agent,
    isAi: spec.isAi,
    durable: spec.durable,
    isViewer: spec.isViewer ?? false,
    launch: spec.launch,
    role: spec.role ?? '',
    model: spec.model ?? '',
    labels: spec.labels ?? [],
    starred: false,
    parentId: spec.parentId ?? '',
    place: spec.place ?? { kind: 'plain' },
    stopReason: '',
    creating: false,
    deletedAt: undefined,
    expiresAt: undefined,
    conversationId: spec.conversationId ?? '',
    pane: spec.pane ?? '',
    createdAt: now,
    lastOutputAt: undefined,
    program: '',
    attention: '',
    summary: '',
    size,
    exit: undefined,
    endedAt: undefined,
    ...newRunState(now),
  };
}
