/**
 * `mux tools`: which tools models are told of, and one of them run as a model would run it.
 */
import { relative } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import type { Tool } from '../../agent/tool.ts';
import { schemaJson } from '../../ai/service/discovery.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import { readContract } from '../../ai/contract.ts';
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { likelyName, type Registry } from '../../tools/registry.ts';
import type { AppContext } from '../context.ts';
import { unknownWord } from '../own-commands.ts';
import { formatTable } from '../table.ts';
import { callGuards, projectHere } from '../project/project-here.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import { callTool } from './call-tool.ts';
import { openCheckpoints } from './open-checkpoints.ts';
import { debugLog, foreignTools, setsHere, type ForeignTools } from './foreign.ts';
import { interruptible } from './interruptible.ts';
import { openTools } from './open-tools.ts';

const USAGE = 'tools list | call NAME JSON | undo [--force] | redo [--force]';

const noRun = { group: 'Screen', text: '', exec: () => undefined } as const;
const LIST = command({ ...noRun, name: 'tools list' });
const CALL = command({ ...noRun, name: 'tools call', args: 'NAME JSON', minArgs: 2, maxArgs: 2 });
const FORCE = flag('force', 'also what was changed since');
const UNDO = command({ ...noRun, name: 'tools undo', flags: [FORCE] });
const REDO = command({ ...noRun, name: 'tools redo', flags: [FORCE] });

/** Throws CodedError. */
export async function toolsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what === 'list') return list(context, rest);
  if (what === 'call') return call(context, parseArgs(CALL, rest).rest);
  if (what === 'undo') return revert(context, 'undo', parseArgs(UNDO, rest).has('force'));
  if (what === 'redo') return revert(context, 'redo', parseArgs(REDO, rest).has('force'));
  throw unknownWord('tools', what, USAGE);
}

async function list(context: AppContext, rest: readonly string[]): Promise<number> {
  parseArgs(LIST, rest);
  const { config } = readConfig(context.configFile);
  const project = await projectHere(context);
  await withForeign(context, { config, project }, async (foreign, signal) => {
    const { registry, builtIn } = await openTools(context, config, foreign);
    try {
      await foreign.start(signal);
      tell(context, registry);
      // What is not there is no error of this command.
      for (const trouble of foreign.troubles()) console.error(`mux: ${revealed(trouble)}`);
    } finally {
      await builtIn.dispose();
    }
  });
  return 0;
}

/** Runs `work` with the tools of others, and ends what they started. */
async function withForeign<T>(
  context: AppContext,
  { config, project }: { readonly config: Config; readonly project: ProjectSettings },
  work: (foreign: ForeignTools, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return interruptible(async signal => {
    const sets = await setsHere(context);
    const foreign = foreignTools(context, config, sets, {
      log: debugLog(context),
      contract: readContract,
      projectEntries: project.mcpServers,
    });
    try {
      return await work(foreign, signal);
    } finally {
      await foreign.close();
    }
  });
}

async function call(context: AppContext, [name = '', json = '']: readonly string[]): Promise<number> {
  const { config } = readConfig(context.configFile);
  const keeper = await openCheckpoints(context, 'calls');
  const project = await projectHere(context);
  const guards = callGuards(context, config, project);
  return withForeign(context, { config, project }, async (foreign, signal) => {
    const { registry, builtIn } = await openTools(context, config, { keeper, sources: foreign.sources });
    try {
      // What mux has itself needs nobody to be started.
      if (!registry.find(name)) await foreign.start(signal, name);
      return await callTool(context, need(registry, name, foreign), json, guards);
    } finally {
      await builtIn.dispose();
    }
  });
}

/** Takes the last call back, or does it again: those that `tools call` has run in this project. */
async function revert(context: AppContext, how: 'undo' | 'redo', force: boolean): Promise<number> {
  const { entry, paths } = await (await openCheckpoints(context, 'calls'))[how](force);
  const shown = paths.map(path => relative(context.cwd, path));
  if (context.json !== 'off')
    console.log(JSON.stringify({ tool: entry.tool, header: entry.header, paths: shown }));
  else
    console.log(
      [`${how === 'undo' ? 'taken back' : 'done again'}: ${entry.header}`, ...shown.map(path => `  ${path}`)]
        .map(revealed)
        .join('\n'),
    );
  return 0;
}

function need(registry: Registry, name: string, foreign: ForeignTools): Tool {
  const tool = registry.find(name);
  if (tool) return tool;
  for (const trouble of foreign.troubles()) console.error(`mux: ${revealed(trouble)}`);
  const meant = likelyName(registry, name);
  const hint = meant ? `did you mean ${meant}?` : "see 'mux tools list'";
  throw new CodedError('not_found', `tools call: there is no tool ${revealed(name)}`, hint);
}

function tell({ json }: AppContext, registry: Registry): void {
  const tools = registry.list();
  if (json === 'off') {
    process.stdout.write(
      formatTable(['TOOL', 'TIER', 'DOES'], tools.map(toolRow), Boolean(process.stdout.isTTY)),
    );
    return;
  }
  const unoffered = registry.unoffered().map(({ source, tool, why }) => ({ source, name: tool, why }));
  console.log(JSON.stringify({ tools: tools.map(toolJson), unoffered }));
}

/** The tier of a call depends on its arguments; of a tool only whether it may change anything. */
function tierOf({ isReadOnly }: Tool): string {
  return isReadOnly ? 'read' : 'write';
}

function toolJson(tool: Tool): object {
  const { name, description, json_schema, annotations = {} } = tool.wire;
  return {
    name,
    description,
    schema: schemaJson(json_schema),
    tier: tierOf(tool),
    read_only: tool.isReadOnly,
    annotations,
  };
}

function toolRow(tool: Tool): string[] {
  const { name = '', description = '' } = tool.wire;
  const [first = ''] = description.split(/(?<=[.:])\s|\n/);
  return [name, tierOf(tool), revealed(first)];
}
