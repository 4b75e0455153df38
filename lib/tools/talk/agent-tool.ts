/**
 * `agent`: tasks for other agents, at the same time and within limits. Who they are and how they work, the port knows.
 */
import type { CallContext, Tool } from '../../agent/tool.ts';
import { OUTCOME_MAX } from '../../agent/tool.ts';
import { CodedError, errorText, toCoded } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import type { Mode, Rule } from '../../permissions/policy.ts';
import type { ToolMethods } from '../contract.ts';
import { code, fenced } from '../markdown.ts';
import { told, withoutMiddle } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';

/** A task as another agent gets it. */
export interface AgentTask {
  readonly title: string;
  /** What it is to do, with what all of them need to know in front. */
  readonly query: string;
  readonly files: readonly string[];
  /** Names of tools; undefined: all that the one who asks has. */
  readonly tools: readonly string[] | undefined;
  /** '' for the one of who asks. */
  readonly model: string;
  /** Rules that can only tighten. */
  readonly rules: readonly Rule[];
}

/** Runs other agents. */
export interface SubAgents {
  /** How many at the same time; 0: none, and the tool is not offered. */
  readonly maxConcurrent: number;
  /** Names of the tools that they may have at most. */
  tools(): readonly string[];
  /** Runs one to its end and gives what it says. Throws CodedError. */
  run(task: AgentTask, context: CallContext): Promise<{ readonly response: string; readonly chat: string }>;
}

interface AgentArgs {
  readonly context?: string;
  readonly tasks: readonly {
    readonly title: string;
    readonly query: string;
    readonly files?: readonly string[];
    readonly model?: string;
  }[];
  readonly files?: readonly string[];
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly permissions?: readonly {
    readonly tool: string;
    readonly argument?: string;
    readonly pattern?: string;
    readonly mode: string;
  }[];
}

/** Tasks of one call. */
const TASKS_MAX = 16;

const MODES: Readonly<Record<string, Mode>> = {
  PERMISSION_MODE_ALLOW: 'allow',
  PERMISSION_MODE_REVIEW: 'ask',
  PERMISSION_MODE_DENY: 'deny',
};

/** `agent`; the list is empty where nobody may be started. */
export function agentTools(methods: ToolMethods, agents: SubAgents): Tool[] {
  if (agents.maxConcurrent <= 0) return [];
  const tool = protoTool<AgentArgs>(methods, 'Agent', {
    async preview(args) {
      const tasks = tasksOf(args, agents);
      const titles = tasks.map(({ title }) => code(title));
      const wanted = args.tools ? `\n\nTools: ${args.tools.map(code).join(', ')}` : '';
      return {
        // What they do is decided call by call, by the same rules and theirs.
        subject: { kind: 'words', words: tasks.map(({ title }) => title), tier: 'write' },
        header: `${tasks.length === 1 ? 'sub-agent' : `${tasks.length} sub-agents`}: ${titles.join(', ')}`,
        body: tasks.map(({ title, query }) => `**${code(title)}**\n\n${fenced(query)}`).join('\n\n') + wanted,
      };
    },
    async run(args, _, context) {
      const tasks = tasksOf(args, agents);
      const room = Math.floor(OUTCOME_MAX / tasks.length) - 200;
      const results = await inParallel(tasks, agents.maxConcurrent, task => runOne(task, agents, context));
      const texts = results.map(
        ({ title, text, isError }) =>
          `==> ${title}${isError ? ' (failed)' : ''}\n${withoutMiddle(text, room)}`,
      );
      return told(texts.join('\n\n'), { isError: results.every(({ isError }) => isError) });
    },
  });
  return [tool];
}

interface Result {
  readonly title: string;
  readonly text: string;
  readonly isError: boolean;
}

async function runOne(task: AgentTask, agents: SubAgents, context: CallContext): Promise<Result> {
  const { title } = task;
  if (context.signal.aborted) return { title, text: 'cancelled', isError: true };
  try {
    const { response } = await agents.run(task, {
      ...context,
      progress: text => context.progress(`${visible(title)}: ${text}`),
    });
    return { title, text: response, isError: false };
  } catch (error) {
    return { title, text: errorText(toCoded(error)), isError: true };
  }
}

/** Some at a time; results in the order of what they are of. */
async function inParallel<T, R>(
  list: readonly T[],
  count: number,
  run: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) results[at] = await run(list[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(count, list.length) }, worker));
  return results;
}

/** Throws CodedError `usage` for what cannot be asked of them. */
function tasksOf(args: AgentArgs, agents: SubAgents): AgentTask[] {
  const { context = '', tasks, files = [], tools, model = '' } = args;
  if (tasks.length === 0 || tasks.length > TASKS_MAX)
    throw new CodedError('usage', `agent: argument tasks: from 1 to ${TASKS_MAX}`);
  const own = new Set(agents.tools());
  const more = tools?.find(name => !own.has(name));
  if (more !== undefined)
    throw new CodedError(
      'usage',
      `agent: argument tools: you have no tool ${visible(more)}`,
      'they get none that you do not have',
    );
  const rules = (args.permissions ?? []).flatMap(rule => ruleOf(rule));
  return tasks.map(task => ({
    title: task.title.split('\n')[0]!.slice(0, 120),
    query: context ? `${context}\n\n${task.query}` : task.query,
    files: [...files, ...(task.files ?? [])],
    tools,
    model: task.model || model,
    rules,
  }));
}

/** What allows something is left out: it could allow nothing that is not allowed anyhow. */
function ruleOf({ tool, argument, pattern, mode }: NonNullable<AgentArgs['permissions']>[number]): Rule[] {
  const how = MODES[mode];
  if (!how) throw new CodedError('usage', `agent: argument permissions: no mode ${visible(mode)}`);
  if (how === 'allow') return [];
  // A pattern over the text of a command says little about what it does; so the whole tool is what can be forbidden.
  if (argument || pattern)
    throw new CodedError(
      'usage',
      'agent: argument permissions: a rule is about a whole tool',
      'leave out argument and pattern',
    );
  return [{ tool, mode: how }];
}
