/**
 * The tools of a service as the host's own AiEngine makes them. What it says is used where it is about methods that reflection
 * knows: names, descriptions and schemas. What a tool does and whether it changes anything is told by reflection alone.
 */
import type { MethodDefinition } from '@grpc/grpc-js';
import type { Contract } from '../../ai/contract.ts';
import type { Tool as WireTool, ToolSet } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import { HANDLER, NO_SIDE_EFFECT } from '../describe/describe.ts';
import type { MethodInfo } from '../describe/model.ts';
import { toolName } from '../mcp/names.ts';
import { cutText } from '../text.ts';
import { HANDLER_ID, KEYS, TYPES } from './annotations.ts';
import type { EngineConnection } from './connection.ts';
import type { SchemaConfiguration, ServiceRequest } from './request.ts';
import { discoveryTool, wantedMethods, type EngineMethod, type MadeSet } from './tool-set.ts';

/** As in proto/. */
export const AI_ENGINE = 'malonaz.ai.ai_engine.v1.AiEngine';
/** A host that takes longer to make tools has none, in ms. */
const DEADLINE_MS = 10_000;
/** Characters of the description of one tool, and bytes of its schema. */
const DESCRIPTION_MAX = 8000;
const SCHEMA_MAX = 256 * 1024;

/** Asks the host. Throws CodedError. */
export async function remoteToolSet(
  connection: EngineConnection,
  contract: Contract,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<ToolSet> {
  const service = contract.definition[AI_ENGINE] as unknown as Record<
    string,
    MethodDefinition<object, object>
  >;
  const { path, requestSerialize, responseDeserialize } = service.CreateServiceToolSet!;
  const bytes = await connection.unary(path, requestSerialize(wireRequest(request)), {
    signal,
    deadline: DEADLINE_MS,
  });
  try {
    return responseDeserialize(bytes) as ToolSet;
  } catch (error) {
    throw new CodedError('failed', `${AI_ENGINE}: it sends no tool set`, undefined, { cause: error });
  }
}

/** What of a host's set can be used, under names of ours where its own cannot be called. */
export function checkedToolSet(
  given: ToolSet,
  request: ServiceRequest,
  methods: ReadonlyMap<string, MethodInfo>,
  setName: string,
  prefix: string,
): MadeSet {
  const { wanted, problems } = wantedMethods(request, methods);
  const byMethod = new Map(wanted.map(one => [one.method.name, one]));
  const left = [...problems];
  const made = new Map<string, { readonly one: EngineMethod; readonly tool: WireTool }>();
  const taken = new Set([`${prefix}Discover`]);
  for (const tool of given.tools ?? []) {
    const name = methodOf(tool);
    const one = byMethod.get(name);
    const size = Buffer.byteLength(JSON.stringify(tool.json_schema ?? {}));
    if (!one || size > SCHEMA_MAX) {
      left.push(
        one
          ? `${name}: its schema is too long`
          : `a tool of no method that was asked for: ${cutText(tool.name ?? '', 100)}`,
      );
      continue;
    }
    // Each method once: the second would be the same call by another name.
    byMethod.delete(name);
    const own = toolName(prefix, name, taken);
    taken.add(own);
    made.set(own, { one, tool: stamped(tool, own, one, setName) });
  }
  for (const name of byMethod.keys()) left.push(`${name}: the host makes no tool of it`);
  const tools = [...made.values()].map(({ tool }) => tool);
  return {
    set: { name: setName, discovery_tool: discoveryTool(setName, prefix, tools), tools },
    methods: new Map([...made].map(([name, { one }]) => [name, one])),
    problems: left.slice(0, 100),
  };
}

function stamped(
  tool: WireTool,
  name: string,
  { method, configuration }: EngineMethod,
  setName: string,
): WireTool {
  const isFound = tool.annotations?.[KEYS.preDiscovered] === 'true';
  const mask = configuration.field_mask;
  return {
    name,
    description: cutText(tool.description ?? '', DESCRIPTION_MAX),
    json_schema: { ...tool.json_schema, type: 'object' },
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
      ...(method.isReadOnly ? { [NO_SIDE_EFFECT]: 'true' } : {}),
    },
  };
}

/** The method's own name, out of `pkg.Service.Method`, `/pkg.Service/Method` or `Method`. */
function methodOf({ annotations = {} }: WireTool): string {
  return (annotations[KEYS.method] ?? '').split(/[./]/).at(-1) ?? '';
}

function wireRequest(request: ServiceRequest): object {
  const configuration = ({ field_mask, ...rest }: SchemaConfiguration): object => ({
    ...rest,
    ...(field_mask.length > 0 ? { field_mask: { paths: field_mask } } : {}),
  });
  return {
    ...request,
    schema_configuration: configuration(request.schema_configuration),
    method_name_to_schema_configuration: Object.fromEntries(
      Object.entries(request.method_name_to_schema_configuration).map(([name, one]) => [
        name,
        configuration(one),
      ]),
    ),
  };
}
