/**
 * Whether a conversation can be gone on with. Claude Code writes one when the first words are said in it; asked to go on
 * with one that was never begun, it ends with an error.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../config/agents.ts';
import type { SessionRecord } from '../../model/types.ts';

/** Folders of projects that are looked into: one for each folder that a person ever worked in. */
const MAX_PROJECTS = 10_000;

/**
 * False where the agent keeps its conversations where we can look, and this one is not there. True where nobody can
 * tell.
 */
export async function hasConversation(
  session: Pick<SessionRecord, 'conversationId' | 'launch'>,
  agent: Agent | undefined,
  home: string,
): Promise<boolean> {
  const { conversationId: id, launch } = session;
  // An id is a file's name here, and the agent may have told it.
  if (agent?.hooks !== 'claude' || !/^[\w-]+$/.test(id)) return true;
  const folder = join(launch.env.CLAUDE_CONFIG_DIR || join(launch.env.HOME || home, '.claude'), 'projects');
  try {
    const projects = (await readdir(folder)).slice(0, MAX_PROJECTS);
    const sizes = await Promise.all(projects.map(project => sizeOf(join(folder, project, `${id}.jsonl`))));
    return sizes.some(size => size > 0);
  } catch {
    // ENOENT: it keeps them elsewhere, or nothing was ever said to any.
    return true;
  }
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    entry => entry.size,
    () => 0,
  );
}
