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
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { likelyName, Registry } from '../../tools/registry.ts';
import { findGraphRoot } from '../../watch/find-root.ts';
import type { AppContext } from '../context.ts';
import { openGraph } from '../graph-context.ts';
import { unknownWord } from '../own-commands.ts';
import { formatTable } from '../table.ts';
import { callTool } from './call-tool.ts';
import { openCheckpoints } from './open-checkpoints.ts';
import type { ForeignTools } from './foreign.ts';
import { openTools, type ToolWishes } from './open-tools.ts';

const USAGE = 'tools list | call NAME JSON | undo [--force] | redo [--force]';

const noRun = { group: 'Screen', text: '', exec: () => undefined } as const;
const LIST = command({ ...noRun, name: 'tools list' });
const CALL = command({ ...noRun, name: 'tools call', args: 'NAME JSON', minArgs: 2, maxArgs: 2 });
/** What ends a program that a person or a shell is done with. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
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
  return withTools(context, {}, async (_, all) => {
    tell(context, await all());
    return 0;
  });
}

async function call(context: AppContext, [name = '', json = '']: readonly string[]): Promise<number> {
  const keeper = await openCheckpoints(context, 'calls');
  return withTools(context, { keeper }, async (own, all, { permissions }) => {
    // Servers are started and hosts are dialled only for what is none of ours.
    const tool = own.find(name) ?? need(await all(), name);
    return callTool(context, tool, json, [{ name: 'user', mayAllow: true, rules: permissions }]);
  });
}

/** Runs with the tools here: the built-in ones, and, once they are asked for, all; ends what was started for them. */
async function withTools(
  context: AppContext,
  wishes: ToolWishes,
  run: (own: Registry, all: () => Promise<Registry>, config: Config) => Promise<number>,
): Promise<number> {
  const { config } = readConfig(context.configFile);
  const { registry, builtIn } = await openTools(context, config, wishes);
  let foreign: ForeignTools | undefined;
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  // Servers are groups of their own: nobody else would tell them that we go.
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const all = async (): Promise<Registry> => {
    foreign = await openForeign(context, config);
    await foreign.start(stop.signal);
    for (const trouble of foreign.troubles()) console.error(`mux: ${revealed(trouble)}`);
    return new Registry([builtIn, ...foreign.sources]);
  };
  try {
    return await run(registry, all, config);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    await Promise.all([builtIn.dispose(), foreign?.close()]);
  }
}

/** MCP servers of the settings, and the tool sets of the graph here. */
async function openForeign(context: AppContext, config: Config): Promise<ForeignTools> {
  const [{ foreignTools, wantedSets }, { readContract }] = await Promise.all([
    import('./foreign.ts'),
    import('../../ai/contract.ts'),
  ]);
  const log = {
    log: (level: string, message: string): void =>
      void (context.env.MUX_DEBUG && console.error(level, message)),
  };
  const hasGraph = (await findGraphRoot(context.cwd)) !== undefined;
  const { resolver } = hasGraph ? await openGraph(context, 'tools') : {};
  const selectors = resolver?.shelf('toolset').list.map(({ selector }) => selector) ?? [];
  const sets = resolver ? await wantedSets(resolver, selectors) : [];
  return foreignTools(context, config, sets, { log, contract: readContract });
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

function need(registry: Registry, name: string): Tool {
  const tool = registry.find(name);
  if (tool) return tool;
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
