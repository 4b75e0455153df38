/**
 * Whether a conversation can be gone on with. Claude Code and pi write one when the first words are said in it; asked to go
 * on with one that was never begun, they end with an error.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../config/agents.ts';
import type { SessionRecord } from '../../model/types.ts';

/** Folders of projects that are looked into: one for each folder that a person ever worked in. */
const MAX_PROJECTS = 10_000;

/** Where an agent keeps its conversations: a folder for each folder that it worked in, a file for each conversation. */
interface Keeping {
  /** Variable that names the agent's own folder, and that folder below HOME. */
  readonly variable: string;
  readonly folder: string;
  readonly projects: string;
  readonly isOf: (file: string, id: string) => boolean;
}

/** By the way it reports. Of agents that are not here nobody can tell. */
const KEEPING: Readonly<Partial<Record<Agent['hooks'], Keeping>>> = {
  claude: {
    variable: 'CLAUDE_CONFIG_DIR',
    folder: '.claude',
    projects: 'projects',
    isOf: (file, id) => file === `${id}.jsonl`,
  },
  // Its names begin with the time.
  pi: {
    variable: 'PI_CODING_AGENT_DIR',
    folder: '.pi/agent',
    projects: 'sessions',
    isOf: (file, id) => file.endsWith(`_${id}.jsonl`),
  },
};

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
  const keeping = KEEPING[agent?.hooks ?? 'none'];
  // An id is a file's name here, and the agent may have told it.
  if (!keeping || !/^[\w-]+$/.test(id)) return true;
  const { variable, folder, projects, isOf } = keeping;
  const root = join(launch.env[variable] || join(launch.env.HOME || home, folder), projects);
  try {
    for (const project of (await readdir(root)).slice(0, MAX_PROJECTS)) {
      const files = (await filesOf(join(root, project))).filter(file => isOf(file, id));
      for (const file of files) if ((await sizeOf(join(root, project, file))) > 0) return true;
    }
    return false;
  } catch {
    // ENOENT: it keeps them elsewhere, or nothing was ever said to any.
    return true;
  }
}

/** Days of Codex's conversations that are looked into, the newest first. */
const MAX_DAYS = 1000;

/**
 * Whether Codex tells of a conversation that is not the session's: it has some of its own, for titles, which it does not
 * keep (`sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl`). False where nobody can tell.
 */
export async function isAside(
  { conversationId, launch }: Pick<SessionRecord, 'conversationId' | 'launch'>,
  id: string,
  home: string,
): Promise<boolean> {
  if (id === '' || id === conversationId) return false;
  const root = join(launch.env.CODEX_HOME || join(launch.env.HOME || home, '.codex'), 'sessions');
  let days: readonly string[] = [root];
  for (let depth = 0; depth < 3; depth++) days = await newestBelow(days);
  for (const day of days) if ((await filesOf(day)).some(file => file.endsWith(`-${id}.jsonl`))) return false;
  return days.length > 0;
}

async function newestBelow(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = (await filesOf(folder)).filter(name => /^\d+$/.test(name)).sort();
    found.push(...names.reverse().map(name => join(folder, name)));
    if (found.length >= MAX_DAYS) break;
  }
  return found.slice(0, MAX_DAYS);
}

/** Names in a folder, none where it is no folder. */
function filesOf(path: string): Promise<readonly string[]> {
  return readdir(path).catch(() => []);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    entry => entry.size,
    () => 0,
  );
}
