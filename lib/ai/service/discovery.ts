/**
 * Tools that a model finds out about in the middle of a conversation. Only the tool by which they are found is told to the
 * provider, so that what it has cached stays valid; what was found is known from the history's annotations.
 */
import { refuse, type Violation } from '../service-error.ts';
import { fromStruct, toValue } from '../values.ts';
import type { Json, JsonObject } from '../provider.ts';
import type { Block, Message, Schema, Tool, ToolCall, ToolResult, ToolSet } from '../wire.ts';

const PREFIX = 'ai-engine.malonaz.com/';
/** Annotations of tools and results. */
const KEYS = {
  set: `${PREFIX}tool-set-name`,
  found: `${PREFIX}discovered-tools`,
  preFound: `${PREFIX}pre-discovered-tool`,
} as const;
/** google.rpc.Code */
const INVALID_ARGUMENT = 3;

/** The tools of one request. */
export class Offer {
  readonly #plain: readonly Tool[];
  readonly #sets: readonly ToolSet[];
  /** Names that were found, by set. */
  readonly #found = new Map<string, Set<string>>();

  /** Throws INVALID_ARGUMENT for names that stand twice, and for a history with discoveries of a set that is not there. */
  constructor(tools: readonly Tool[], sets: readonly ToolSet[], history: readonly Message[]) {
    this.#plain = tools;
    this.#sets = sets;
    refuse([...doubles(tools, sets), ...this.#replay(history)]);
  }

  /** What the provider is told of. */
  get told(): Tool[] {
    return [
      ...this.#plain,
      ...this.#sets.flatMap(({ discovery_tool, tools = [] }) => {
        const known = tools.filter(isPreFound);
        return discovery_tool && known.length < tools.length ? [discovery_tool, ...known] : known;
      }),
    ];
  }

  /** The tool of a call; undefined where it may not be called. */
  find(name: string): Tool | undefined {
    return this.told.find(tool => tool.name === name) ?? this.#discovered.find(tool => tool.name === name);
  }

  get #discovered(): Tool[] {
    return this.#sets.flatMap(({ name = '', tools = [] }) =>
      tools.filter(tool => this.#found.get(name)?.has(tool.name ?? '')),
    );
  }

  /** What a call of a discovery tool gives; undefined for every other call. */
  discover({ id = '', name = '', arguments: given }: ToolCall): ToolResult | undefined {
    const set = this.#sets.find(one => one.discovery_tool?.name === name);
    if (!set) return undefined;
    const wanted = fromStruct(given).tools;
    const names = Array.isArray(wanted) ? wanted.filter(one => typeof one === 'string') : [];
    const all = new Map((set.tools ?? []).map(tool => [tool.name ?? '', tool]));
    const known = this.#known(set.name ?? '');
    const fresh = [...new Set(names)].filter(
      one => all.has(one) && !known.has(one) && !isPreFound(all.get(one)!),
    );
    const unknown = names.filter(one => !all.has(one));
    const base = { tool_name: name, tool_call_id: id };
    if (fresh.length === 0 && (unknown.length > 0 || names.length === 0)) {
      const message = unknown.length > 0 ? `unknown tools: ${unknown.join(', ')}` : 'tools: say which';
      return { ...base, error: { code: INVALID_ARGUMENT, message } };
    }
    for (const one of fresh) known.add(one);
    const content: JsonObject = {
      tool_set_name: set.name ?? '',
      tool_names: fresh,
      tools: fresh.map(one => toolJson(all.get(one)!)),
      ...(unknown.length > 0 ? { unknown_tool_names: unknown } : {}),
    };
    const annotations = { [KEYS.set]: set.name ?? '', [KEYS.found]: fresh.join(',') };
    return { ...base, structured_content: toValue(content), annotations };
  }

  #known(set: string): Set<string> {
    const known = this.#found.get(set) ?? new Set<string>();
    this.#found.set(set, known);
    return known;
  }

  /** Learns again what was found before. */
  #replay(history: readonly Message[]): Violation[] {
    const results = history.flatMap(({ blocks = [] }) => blocks.flatMap(resultsOf));
    return results.flatMap(({ annotations = {} }) => {
      const { [KEYS.set]: set, [KEYS.found]: found } = annotations;
      if (set === undefined || found === undefined) return [];
      if (!this.#sets.some(({ name }) => name === set))
        return [
          { field: 'tool_sets', description: `unknown tool set ${set}, of which the chat has found tools` },
        ];
      for (const name of found.split(',').filter(Boolean)) this.#known(set).add(name);
      return [];
    });
  }
}

function resultsOf({ tool_result, tool_call }: Block): ToolResult[] {
  return [tool_result, tool_call?.result].filter(one => one !== undefined);
}

function isPreFound({ annotations = {} }: Tool): boolean {
  return annotations[KEYS.preFound] === 'true';
}

function doubles(tools: readonly Tool[], sets: readonly ToolSet[]): Violation[] {
  const seen = new Set<string>();
  const all = [
    ...tools,
    ...sets.flatMap(({ discovery_tool, tools: own = [] }) => [
      ...(discovery_tool ? [discovery_tool] : []),
      ...own,
    ]),
  ];
  return all.flatMap(({ name = '' }) => {
    if (name === '') return [{ field: 'tools.name', description: 'is missing' }];
    if (seen.has(name)) return [{ field: 'tools.name', description: `${name} stands twice` }];
    seen.add(name);
    return [];
  });
}

function toolJson({ name = '', description = '', json_schema }: Tool): Json {
  return { name, description, json_schema: schemaJson(json_schema) };
}

/** Fields of Schema whose names in JSON Schema are others. */
const JSON_NAMES: Readonly<Record<string, string>> = {
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  exclusive_minimum: 'exclusiveMinimum',
  exclusive_maximum: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
  any_of: 'anyOf',
  one_of: 'oneOf',
  all_of: 'allOf',
  additional_properties: 'additionalProperties',
};

/** A schema as JSON Schema writes it; what is empty is left out. */
export function schemaJson(schema: Schema | undefined): JsonObject {
  const entries = Object.entries(schema ?? {}).flatMap(([key, value]): [string, Json][] => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const name = JSON_NAMES[key] ?? key;
    if (key === 'properties') {
      const properties = Object.entries(value as Record<string, Schema>);
      return properties.length === 0
        ? []
        : [[name, Object.fromEntries(properties.map(([own, one]) => [own, schemaJson(one)]))]];
    }
    if (['any_of', 'one_of', 'all_of'].includes(key)) return [[name, (value as Schema[]).map(schemaJson)]];
    if (['items', 'not', 'additional_properties'].includes(key)) return [[name, schemaJson(value as Schema)]];
    return [[name, value as Json]];
  });
  return Object.fromEntries(entries);
}
