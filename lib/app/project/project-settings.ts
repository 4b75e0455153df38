/**
 * The settings that the repository here brings along, as far as they count: rules that tighten always, all else once the person
 * trusts them.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import { formatProblem } from '../../config/problems.ts';
import { loadProject, PROJECT_FILE, type Project } from '../../config/project.ts';
import type { Layer } from '../../permissions/policy.ts';
import { readTextFile } from '../../watch/read-file.ts';
import { isAgent, type AppContext } from '../context.ts';
import { repositoryRoot } from '../tools/repository-root.ts';
import { TrustFile, trustedProject, trustKey } from './trust-file.ts';

/** What a repository wants, for the person who is asked. */
export interface TrustQuestion {
  readonly file: string;
  /** A line for each thing that would run, or be on: hostile text made visible. */
  readonly wishes: readonly string[];
}

/** Asks the person; undefined: there is nobody to ask. */
export type AskTrust = (question: TrustQuestion) => Promise<boolean | undefined>;

/** What of a project's settings counts. */
export interface ProjectSettings {
  /** Top of the repository, or the working directory outside of any. */
  readonly root: string;
  /** Rules of the project: they can only tighten. */
  readonly layer: Layer;
  readonly hooks: Project['hooks'];
  readonly mcpServers: Project['mcp_servers'];
  readonly tools: readonly string[];
  readonly lores: readonly string[];
  /** What does not count and why, a line each. */
  readonly notices: readonly string[];
}

/** A file with all that trust is about. */
export interface ProjectFile {
  readonly root: string;
  readonly path: string;
  /** Whose answers count here. */
  readonly project: string;
  readonly key: string;
  readonly settings: Project;
  readonly question: TrustQuestion;
}

/**
 * Reads the settings of the repository here, and asks for what is new in them.
 *
 * @throws CodedError `invalid_config` where they are wrong: half of them might be the half that forbids nothing
 */
export async function projectSettings(context: AppContext, ask: AskTrust): Promise<ProjectSettings> {
  const file = await readProject(context);
  if (typeof file === 'string') return nothing(file);
  const { root, settings } = file;
  const layer = { ...nothing(root).layer, rules: settings.permissions };
  const isTrusted = file.question.wishes.length > 0 ? await decide(context, file, ask) : true;
  if (isTrusted !== true)
    return {
      ...nothing(root),
      layer,
      notices: [
        `${file.path}: not trusted, so only its rules count${isTrusted === undefined ? " ('mux trust' shows what it wants and asks)" : ''}`,
      ],
    };
  const { hooks, mcp_servers: mcpServers, agent } = settings;
  return {
    root,
    layer,
    hooks,
    mcpServers,
    tools: agent.default_tools,
    lores: agent.default_lores,
    notices: [],
  };
}

function nothing(root: string): ProjectSettings {
  const layer = { name: 'project', rules: [], mayAllow: false };
  return { root, layer, hooks: [], mcpServers: [], tools: [], lores: [], notices: [] };
}

/** The file here, or only where it would be. Throws CodedError as `projectSettings`. */
export async function readProject({ cwd, env }: AppContext): Promise<ProjectFile | string> {
  const root = await repositoryRoot(cwd, env.HOME || homedir());
  const path = join(root, PROJECT_FILE);
  const shown = visible(path);
  const read = await readTextFile(root, PROJECT_FILE);
  if (read.kind === 'gone') return root;
  if (read.kind !== 'text') {
    const why =
      read.kind === 'same'
        ? ''
        : read.code === 'outside'
          ? 'it leads out of the project'
          : `it ${read.message}`;
    throw new CodedError('invalid_config', `${shown}: ${why}`, 'mend it, or move it away');
  }
  const { project: settings, problems } = loadProject({ path: shown, text: read.text });
  if (!settings) {
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
    throw new CodedError('invalid_config', visible(`${formatProblem(problems[0]!)}${more}`));
  }
  const project = trustedProject(root);
  const key = trustKey(project, read.text);
  return { root, path: shown, project, key, settings, question: { file: shown, wishes: wishesOf(settings) } };
}

/** What of it is more than a rule that tightens. */
function wishesOf({ hooks, mcp_servers: servers, agent }: Project): string[] {
  const lines = [
    ...hooks.map(({ event, match, command }) => `run ${event}${match ? ` of ${match}` : ''}: ${command}`),
    ...servers.map(({ name, command, args = [], url }) =>
      url === undefined
        ? `start the MCP server ${name}: ${[command, ...args].join(' ')}`
        : `use the MCP server ${name} at ${url}`,
    ),
    ...(agent.default_tools.length > 0 ? [`switch on: ${agent.default_tools.join(', ')}`] : []),
    ...(agent.default_lores.length > 0 ? [`tell every chat: ${agent.default_lores.join(', ')}`] : []),
  ];
  return lines.map(visible);
}

/** What was said before, else what the person says now, which is kept. */
async function decide(
  context: AppContext,
  { key, project, question }: ProjectFile,
  ask: AskTrust,
): Promise<boolean | undefined> {
  const file = new TrustFile(context);
  const before = file.answer(key);
  // What is asked of an agent is not asked of the person.
  if (before !== undefined || isAgent(context.env)) return before;
  const trusted = await ask(question);
  if (trusted !== undefined) file.keep({ key, project, trusted, at: now() });
  return trusted;
}

/** ISO 8601, as answers are kept. */
export function now(): string {
  return new Date(systemClock.now()).toISOString();
}
