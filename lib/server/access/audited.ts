/**
 * Commands as they are noted: each that is refused, and each for people alone.
 */
import { dirname, join } from 'node:path';
import { toCoded } from '../../base/errors.ts';
import { accessOf } from '../../cmd/access.ts';
import { resolveLine } from '../../cmd/registry.ts';
import type { Speaker } from '../../cmd/spec.ts';
import type { ServerParts } from '../parts.ts';
import { AuditLog, type AuditLine } from './audit-log.ts';

type Parts = Pick<ServerParts, 'clock' | 'logger' | 'journalDir' | 'tokens'>;
type Line = readonly string[];

/** Whose token it is. Throws CodedError `refused`, which is noted with the command that was wanted. */
export function identified(parts: Parts, line: Line, token: string | undefined): Speaker {
  try {
    return parts.tokens.speaker(token);
  } catch (error) {
    note(parts, undefined, line, 'refused', toCoded(error).message);
    throw error;
  }
}

/** Runs a command, with a note of it. Rejects as `run` does. */
export async function audited(
  parts: Parts,
  speaker: Speaker,
  line: Line,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = toCoded(error);
    if (code === 'refused') note(parts, speaker, line, 'refused', message);
    else if (isPrivileged(line)) note(parts, speaker, line, 'failed', message);
    throw error;
  }
  if (isPrivileged(line)) note(parts, speaker, line, 'done', '');
}

/** Where the notes are: beside the server's state, which no sandbox shows. */
export function auditPath({ journalDir }: Pick<ServerParts, 'journalDir'>): string {
  return join(dirname(journalDir), 'audit.log');
}

function note(
  parts: Parts,
  speaker: Speaker | undefined,
  line: Line,
  outcome: AuditLine['outcome'],
  why: string,
): void {
  const who = !speaker ? 'nobody' : speaker.isPerson ? 'person' : 'agent';
  const log = new AuditLog(auditPath(parts), parts.logger);
  log.add({
    at: parts.clock.now(),
    session: speaker?.session ?? '',
    who,
    command: nameOf(line),
    outcome,
    why,
  });
}

function nameOf(line: Line): string {
  try {
    return resolveLine(line).spec.name;
  } catch {
    // No command of ours: its first word may be anything.
    return '';
  }
}

function isPrivileged(line: Line): boolean {
  const name = nameOf(line);
  return name !== '' && accessOf({ name }) === 'person';
}
