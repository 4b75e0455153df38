/**
 * The tool by which those of a set become known. The service answers calls of it in its stream; this is for hosts and front
 * ends where it does not, and gives the same.
 */
import type { Arguments, Outcome, Tool } from '../../agent/tool.ts';
import { schemaJson } from '../../ai/service/discovery.ts';
import type { Json } from '../../ai/provider.ts';
import { toValue } from '../../ai/values.ts';
import type { ToolSet } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import { KEYS } from './annotations.ts';

/** Undefined where every tool of the set is known from the start. */
export function discoverTool({
  name: setName = '',
  discovery_tool: wire,
  tools = [],
}: ToolSet): Tool | undefined {
  if (!wire || tools.every(tool => tool.annotations?.[KEYS.preDiscovered] === 'true')) return undefined;
  const byName = new Map(tools.map(tool => [tool.name ?? '', tool]));
  const namesIn = (args: Arguments): string[] => {
    const names = Array.isArray(args.tools) ? args.tools.filter(one => typeof one === 'string') : [];
    if (names.length === 0) throw new CodedError('usage', `${wire.name}: tools: say which`);
    return [...new Set<string>(names)];
  };
  const discover = (args: Arguments): Outcome => {
    const names = namesIn(args);
    const found = names.filter(one => byName.has(one));
    const unknown = names.filter(one => !byName.has(one));
    if (found.length === 0) return { content: `unknown tools: ${unknown.join(', ')}`, isError: true };
    const json: Json = {
      tool_set_name: setName,
      tool_names: found,
      tools: found.map(one => {
        const { description = '', json_schema } = byName.get(one)!;
        return { name: one, description, json_schema: schemaJson(json_schema) };
      }),
      ...(unknown.length > 0 ? { unknown_tool_names: unknown } : {}),
    };
    const annotations = { [KEYS.set]: setName, [KEYS.discovered]: found.join(',') };
    return { content: JSON.stringify(json), structured: toValue(json), annotations, isError: false };
  };
  return {
    wire,
    isReadOnly: true,
    preview: async args => ({
      subject: { kind: 'words', words: namesIn(args), tier: 'passthrough' },
      header: `${setName}: discovers ${namesIn(args).join(', ')}`,
    }),
    run: async args => discover(args),
  };
}
