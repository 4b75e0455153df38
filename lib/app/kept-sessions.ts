/** What a server that does not run has kept, told to those who ask for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How to have a server, and with how many sessions, where its last one has kept some. Reads the state; never throws. */
export function startRemedy(stateDir: string): string {
  const kept = keptSessions(join(stateDir, 'state.json'));
  if (kept === 0) return "start one with 'mux'";
  return `it keeps ${kept === 1 ? 'a session' : `${kept} sessions`}: start it with 'mux'`;
}

function keptSessions(path: string): number {
  try {
    const { sessions } = JSON.parse(readFileSync(path, 'utf8')) as { sessions: { deletedAt?: number }[] };
    return sessions.filter(({ deletedAt }) => deletedAt === undefined).length;
  } catch {
    // ENOENT: nothing is kept. What else is wrong with it is told at the start.
    return 0;
  }
}
