/**
 * The arguments an agent is started with, resumed with, or forked with.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { nearest } from '../base/errors.ts';
import type { Agent } from './agents.ts';

/** What arguments may hold in braces. */
export const PLACEHOLDERS = [
  'conversation_id',
  'source_conversation_id',
  'session_name',
  'cwd',
  'model',
  'prompt',
  'role',
  'role_prompt',
  'role_json',
  'role_file',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** What is known; a value that is absent or empty is unknown. */
export type ArgumentValues = Readonly<Partial<Record<Placeholder, string>>>;

/** How a session's program is started. */
export type StartKind = 'fresh' | 'resume' | 'fork';

const ARGS_OF: Readonly<Record<StartKind, keyof Agent & `${string}args`>> = {
  fresh: 'args',
  resume: 'resume_args',
  fork: 'fork_args',
};

const IN_BRACES = /\{(\w+)\}/g;

/** What is wrong with an argument's placeholders, undefined if nothing; a brace that no name follows is text. */
export function placeholderProblem(argument: string): { message: string; hint: string } | undefined {
  for (const [whole, name = ''] of argument.matchAll(IN_BRACES)) {
    if ((PLACEHOLDERS as readonly string[]).includes(name)) continue;
    const near = nearest(name, PLACEHOLDERS);
    const hint = near ? `did you mean {${near}}?` : `known: ${PLACEHOLDERS.map(p => `{${p}}`).join(', ')}`;
    return { message: `unknown placeholder ${whole}`, hint };
  }
  return undefined;
}

/**
 * The arguments for one way to start, without the program. Where a value that they need is unknown the agent starts
 * afresh; `kind` tells which way it became. Of a fresh start whose own values are unknown, the flags that need them go.
 */
export function agentArguments(
  agent: Agent,
  kind: StartKind,
  values: ArgumentValues,
): { readonly kind: StartKind; readonly args: readonly string[] } {
  const own = agent[ARGS_OF[kind]] as readonly string[];
  if (kind !== 'fresh' && (own.length === 0 || !areKnown(own, values)))
    return agentArguments(agent, 'fresh', values);
  const first = { ...values, prompt: firstPrompt(agent, kind, values) };
  const prompt = first.prompt ? agent.prompt_args : [];
  const model = values.model ? agent.model_args : [];
  const role = areKnown(agent.role_args, values) ? agent.role_args : [];
  const base = areKnown(own, values) ? own : [];
  return { kind, args: [...base, ...role, ...model, ...prompt].map(arg => filled(arg, first)) };
}

/** Whether an agent can be told a role when it starts. */
export function takesRole(agent: Agent): boolean {
  return agent.role_args.length > 0 || agent.prompt_args.length > 0;
}

/** Ends a first prompt that holds a role and nothing to do, so that nothing is made up. */
const NO_TASK_YET = 'This is your role here. Say only that you are ready, and wait for your first task.';

/** What it begins with. A conversation that it goes on with has the role in it already. */
function firstPrompt(
  agent: Agent,
  kind: StartKind,
  { role_prompt: role, prompt = '' }: ArgumentValues,
): string {
  if (!role || kind !== 'fresh' || agent.role_args.length > 0) return prompt;
  return `${role}\n\n${prompt || NO_TASK_YET}`;
}

function areKnown(args: readonly string[], values: ArgumentValues): boolean {
  return args.every(arg =>
    [...arg.matchAll(IN_BRACES)].every(([, name]) => Boolean(values[name as Placeholder])),
  );
}

/** In one pass: what a value holds in braces stays as it is. */
function filled(arg: string, values: ArgumentValues): string {
  return arg.replace(IN_BRACES, (whole, name: string) => values[name as Placeholder] ?? whole);
}

/** Path of a program by PATH, undefined where there is none that can be run. */
export function findProgram(command: string, path: string): string | undefined {
  const candidates = command.includes('/')
    ? [command]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map(folder => join(folder, command));
  return candidates.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // ENOENT, EACCES, ENOTDIR: not here.
    return false;
  }
}

/** Names of the agents whose programs are on PATH, in the order of the registry; the shell and mux are always there. */
export function agentsOnPath(
  agents: Readonly<Record<string, Agent>>,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(agents)
    .filter(
      ([, { command }]) => command === '' || command === '{mux}' || findProgram(command, env.PATH ?? ''),
    )
    .map(([name]) => name);
}
