/**
 * `mux tools`: which tools models are told of, and one of them run as a model would run it.
 */
import { CodedError } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import type { Tool } from '../../agent/tool.ts';
import { schemaJson } from '../../ai/service/discovery.ts';
import { readConfig } from '../../config/file.ts';
import { likelyName, type Registry } from '../../tools/registry.ts';
import type { AppContext } from '../context.ts';
import { unknownWord } from '../own-commands.ts';
import { formatTable } from '../table.ts';
import { callTool } from './call-tool.ts';
import { openTools } from './open-tools.ts';

const USAGE = 'tools list | call NAME JSON';

/** Throws CodedError. */
export async function toolsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what !== 'list' && what !== 'call') throw unknownWord('tools', what, USAGE);
  const { config } = readConfig(context.configFile);
  const open = await openTools(context, config);
  try {
    if (what === 'list') return list(context, open.registry, rest);
    const [name, json] = rest;
    if (name === undefined || json === undefined || rest.length > 2)
      throw new CodedError(
        'usage',
        'tools call: give the name of a tool and its arguments as JSON',
        `usage: mux ${USAGE}`,
      );
    const layers = [{ name: 'user', mayAllow: true, rules: config.permissions }];
    return await callTool(context, need(open.registry, name), json, layers);
  } finally {
    await open.builtIn.dispose();
  }
}

function need(registry: Registry, name: string): Tool {
  const tool = registry.find(name);
  if (tool) return tool;
  const meant = likelyName(registry, name);
  const hint = meant ? `did you mean ${meant}?` : "see 'mux tools list'";
  throw new CodedError('not_found', `tools call: there is no tool ${revealed(name)}`, hint);
}

function list({ json }: AppContext, registry: Registry, rest: readonly string[]): number {
  if (rest.length > 0) throw new CodedError('usage', 'tools list: takes no words', `usage: mux ${USAGE}`);
  const tools = registry.list();
  if (json !== 'off') {
    const unoffered = registry.unoffered().map(({ source, tool, why }) => ({ source, name: tool, why }));
    console.log(JSON.stringify({ tools: tools.map(toolJson), unoffered }));
  } else
    process.stdout.write(
      formatTable(['TOOL', 'TIER', 'DOES'], tools.map(toolRow), Boolean(process.stdout.isTTY)),
    );
  return 0;
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
