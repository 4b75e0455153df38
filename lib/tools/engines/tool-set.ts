/** The tools of a service, made here of what reflection tells, as AiEngine.CreateServiceToolSet makes them. */
import type { Tool as WireTool, ToolSet } from '../../ai/wire.ts';
import { CodedError, nearest } from '../../base/errors.ts';
import { describeMethod, HANDLER } from '../describe/describe.ts';
import type { MethodInfo } from '../describe/model.ts';
import { toolName } from '../mcp/names.ts';
import { cutText } from '../text.ts';
import { HANDLER_ID, KEYS, TYPES } from './annotations.ts';
import type { SchemaConfiguration, ServiceRequest } from './request.ts';

/** Methods of one service that become tools. */
const METHODS_MAX = 256;
/** Characters of the description of one tool, and of its first line where it is found by discovery. */
const DESCRIPTION_MAX = 8000;
const LINE_MAX = 200;

/** A method that a tool calls, and how. */
export interface EngineMethod {
  readonly method: MethodInfo;
  readonly configuration: SchemaConfiguration;
}

/** A set as models are told of it, and what its tools do. */
export interface MadeSet {
  readonly set: ToolSet;
  /** By the tool's name. */
  readonly methods: ReadonlyMap<string, EngineMethod>;
  /** What was left out, one line each. */
  readonly problems: readonly string[];
}

/** The methods that are asked for. Throws CodedError `not_found` for one that the service does not have. */
export function wantedMethods(
  request: ServiceRequest,
  methods: ReadonlyMap<string, MethodInfo>,
): { readonly wanted: readonly EngineMethod[]; readonly problems: readonly string[] } {
  const names = request.method_names.length > 0 ? [...new Set(request.method_names)] : [...methods.keys()];
  const problems: string[] = [];
  const wanted = names.slice(0, METHODS_MAX).flatMap((name): EngineMethod[] => {
    const method = methods.get(name);
    if (!method) {
      const near = nearest(name, methods.keys());
      const hint = near ? `did you mean ${near}?` : undefined;
      throw new CodedError('not_found', `${request.service_full_name}: there is no method ${name}`, hint);
    }
    if (method.streamsRequest) {
      problems.push(`${name}: a stream of requests is no call of a tool`);
      return [];
    }
    const own = request.method_name_to_schema_configuration;
    return [{ method, configuration: Object.hasOwn(own, name) ? own[name]! : request.schema_configuration }];
  });
  if (names.length > METHODS_MAX) problems.push(`only the first ${METHODS_MAX} methods are taken`);
  return { wanted, problems };
}

/**
 * The set of a service.
 *
 * @param setName unlike those of other sets: results of discoveries are known by it
 * @param prefix of the tools' names: `Books_`
 */
export function makeToolSet(
  request: ServiceRequest,
  methods: ReadonlyMap<string, MethodInfo>,
  setName: string,
  prefix: string,
): MadeSet {
  const { wanted, problems } = wantedMethods(request, methods);
  const found = new Set(request.discovered_method_names);
  const taken = new Set([prefix + DISCOVER]);
  const made = wanted.map(one => {
    const name = toolName(prefix, one.method.name, taken);
    taken.add(name);
    return { one, tool: methodTool(one, name, setName, found.has(one.method.name)) };
  });
  const tools = made.map(({ tool }) => tool);
  return {
    set: { name: setName, discovery_tool: discoveryTool(setName, prefix, tools), tools },
    methods: new Map(made.map(({ one, tool }) => [tool.name ?? '', one])),
    problems,
  };
}

const DISCOVER = 'Discover';

function methodTool(
  { method, configuration }: EngineMethod,
  name: string,
  setName: string,
  isFound: boolean,
): WireTool {
  const mask = configuration.field_mask;
  const tool = describeMethod(method, {
    name,
    annotations: {
      [HANDLER]: HANDLER_ID,
      [KEYS.service]: method.service,
      [KEYS.method]: `${method.service}.${method.name}`,
      [KEYS.message]: method.request.fullName,
      [KEYS.type]: TYPES.rpc,
      [KEYS.set]: setName,
      [KEYS.discoverable]: String(!isFound),
      ...(isFound ? { [KEYS.preDiscovered]: 'true' } : {}),
      ...(mask.length > 0 ? { [KEYS.fieldMask]: mask.join(',') } : {}),
    },
    depth: configuration.with_max_depth,
    mask,
    withReadMask: configuration.with_response_read_mask,
    withTitle: configuration.with_title,
    withSummary: configuration.with_summary,
    responseDepth: configuration.with_response_schema_max_depth,
  });
  return { ...tool, description: cutText(tool.description ?? '', DESCRIPTION_MAX) };
}

/** The tool by which the others are found: it tells their names and what each is for, in a line. */
export function discoveryTool(setName: string, prefix: string, tools: readonly WireTool[]): WireTool {
  const hidden = tools.filter(({ annotations = {} }) => annotations[KEYS.preDiscovered] !== 'true');
  const lines = hidden.map(({ name = '', description = '' }) => {
    const first = cutText(description.split('\n', 1)[0] ?? '', LINE_MAX);
    return first ? `- ${name}: ${first}` : `- ${name}`;
  });
  return {
    name: toolName(prefix, DISCOVER, new Set()),
    description: [`Makes tools of ${setName} known, which can be called from then on:`, ...lines].join('\n'),
    json_schema: {
      type: 'object',
      properties: {
        tools: {
          type: 'array',
          description: 'Names of the tools that you need',
          items: { type: 'string', enum: hidden.map(({ name = '' }) => name) },
          min_items: 1,
        },
      },
      required: ['tools'],
    },
    annotations: { [HANDLER]: HANDLER_ID, [KEYS.type]: TYPES.discovery, [KEYS.set]: setName },
  };
}
