/**
 * The tools that mux brings along, for one conversation.
 */
import type { Tool } from '../agent/tool.ts';
import type { Clock } from '../base/clock.ts';
import type { ToolMethods } from './contract.ts';
import { editTools } from './files/edit-tool.ts';
import { findTools } from './files/find-tools.ts';
import { readFilesTool } from './files/read-files.ts';
import type { Workspace } from './files/workspace.ts';
import { loreTools, memoryTool, type Lores, type Memory } from './knowledge/lore-tools.ts';
import { TodoList, todoTool } from './knowledge/todos.ts';
import type { Keeper } from './proto-tool.ts';
import type { ToolSource } from './registry.ts';
import { Jobs } from './shell/jobs.ts';
import { shellTools } from './shell/shell-tools.ts';
import { agentTools, type SubAgents } from './talk/agent-tool.ts';
import { documentTools, mailTools, type Mailbox, type SharedDocuments } from './talk/talk-tools.ts';
import { fetchTool, type FetchOptions } from './web/fetch-tool.ts';

/** What the tools work on and with. What is absent has no tools. */
export interface BuiltInOptions {
  readonly methods: ToolMethods;
  readonly workspace: Workspace;
  /** That commands get. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Keeps what calls change. */
  readonly keeper?: Keeper | undefined;
  readonly lores?: Lores | undefined;
  readonly memory?: Memory | undefined;
  readonly agents?: SubAgents | undefined;
  readonly mailbox?: Mailbox | undefined;
  readonly documents?: SharedDocuments | undefined;
  /** Absent: the web is off. */
  readonly web?: FetchOptions | undefined;
}

/** The built-in tools as a source. */
export class BuiltIn implements ToolSource {
  readonly name = 'built in';
  /** Commands in the background. */
  readonly jobs: Jobs;
  readonly todos = new TodoList();
  readonly #tools: readonly Tool[];

  constructor(options: BuiltInOptions) {
    const { methods, workspace, env, clock, keeper } = options;
    this.jobs = new Jobs(clock);
    this.#tools = [
      readFilesTool(methods, workspace),
      ...findTools(methods, workspace),
      ...editTools(methods, workspace, keeper),
      ...shellTools(methods, { workspace, env, clock, keeper, jobs: this.jobs }),
      todoTool(methods, this.todos),
      ...this.#further(options),
    ];
  }

  list(): readonly Tool[] {
    return this.#tools;
  }

  /** Ends what runs in the background. */
  async dispose(): Promise<void> {
    await this.jobs.dispose();
  }

  #further({ methods, lores, memory, agents, mailbox, documents, web }: BuiltInOptions): Tool[] {
    return [
      ...(lores ? loreTools(methods, lores) : []),
      ...(memory ? [memoryTool(methods, memory)] : []),
      ...(agents ? agentTools(methods, agents) : []),
      ...(mailbox ? mailTools(methods, mailbox) : []),
      ...(documents ? documentTools(methods, documents) : []),
      ...(web ? [fetchTool(methods, web)] : []),
    ];
  }
}
