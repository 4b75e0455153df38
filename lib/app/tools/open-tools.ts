/**
 * The tools of a conversation in a directory, with all that they work on.
 */
import { homedir } from 'node:os';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../config/load.ts';
import { BuiltIn } from '../../tools/built-in.ts';
import { readToolMethods } from '../../tools/contract.ts';
import { Workspace } from '../../tools/files/workspace.ts';
import type { Keeper } from '../../tools/proto-tool.ts';
import { Registry, type ToolSource } from '../../tools/registry.ts';
import type { SubAgents } from '../../tools/talk/agent-tool.ts';
import { LearnedNotes } from '../ai/learned-notes.ts';
import type { AppContext } from '../context.ts';
import { repositoryRoot } from './repository-root.ts';
import { lorePort } from './lore-port.ts';
import { documentPort, mailPort, muxRunner } from './mux-port.ts';

/** What a conversation gives its tools. */
export interface ToolWishes {
  readonly keeper?: Keeper | undefined;
  /** Absent: no other agents can be started. */
  readonly agents?: SubAgents | undefined;
  /** Engines and MCP servers. */
  readonly sources?: readonly ToolSource[];
}

/** Tools that are open until they are disposed of. */
export interface OpenTools {
  readonly registry: Registry;
  readonly builtIn: BuiltIn;
  readonly workspace: Workspace;
}

/** Opens the tools here. The workspace is the repository of the directory, or the directory alone. Throws CodedError. */
export async function openTools(
  context: AppContext,
  config: Config,
  wishes: ToolWishes = {},
): Promise<OpenTools> {
  const { cwd, env } = context;
  const home = env.HOME || homedir();
  const workspace = await Workspace.open(cwd, [await repositoryRoot(cwd, home)], home);
  const run = muxRunner(context);
  const documents = documentPort(run);
  const builtIn = new BuiltIn({
    methods: readToolMethods(),
    workspace,
    env,
    clock: systemClock,
    keeper: wishes.keeper,
    lores: lorePort(context),
    memory: new LearnedNotes(context),
    agents: wishes.agents,
    mailbox: mailPort(run),
    documents,
    ...(config.agent.fetch_url ? { web: {} } : {}),
  });
  return { registry: new Registry([builtIn, ...(wishes.sources ?? [])]), builtIn, workspace };
}
