/**
 * A method as a tool that a model is told of: name, description, schema and annotations.
 */
import { schemaJson } from '../../ai/service/discovery.ts';
import type { Schema, Tool as WireTool } from '../../ai/wire.ts';
import type { MessageInfo, MethodInfo } from './model.ts';
import { messageSchema, type SchemaOptions } from './schema.ts';

/** On tools that change nothing. */
export const NO_SIDE_EFFECT = 'ai-engine.malonaz.com/no-side-effect';
/** On every tool: who runs its calls. */
export const HANDLER = 'sgpt.com/tool-handler-id';

/** The fields that a model fills in besides those of the request. */
export const READ_MASK = 'response_read_mask';
export const TITLE = 'tool_call_title';
export const SUMMARY = 'tool_call_summary';

/** How a method is told; the options of a SchemaConfiguration. */
export interface Telling extends SchemaOptions {
  /** Absent: that of the method, in snake_case. */
  readonly name?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether the model says which fields of the answer it wants. */
  readonly withReadMask?: boolean;
  /** What is said about the title that the model gives a call; absent or '': it gives none. */
  readonly withTitle?: string;
  /** The same about a summary. */
  readonly withSummary?: string;
  /** Levels of the answer that are told; 0: none. */
  readonly responseDepth?: number;
}

/** Fields that a read mask is explained with. */
const EXAMPLES = 3;

/** `ReadFiles` → `read_files`, `GetHTTPHead` → `get_http_head`. */
export function toolName(method: string): string {
  return method
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The tool of a method. */
export function describeMethod(method: MethodInfo, telling: Telling = {}): WireTool {
  const options = { standard: method.standard, ...telling };
  const request = messageSchema(method.request, options);
  const annotations = {
    ...telling.annotations,
    ...(method.isReadOnly ? { [NO_SIDE_EFFECT]: 'true' } : {}),
  };
  return {
    name: telling.name ?? toolName(method.name),
    description: descriptionOf(method, telling),
    json_schema: withExtras(request, method.response, telling),
    annotations,
  };
}

function descriptionOf({ comment, response }: MethodInfo, { responseDepth = 0 }: Telling): string {
  if (responseDepth === 0) return comment;
  const schema = messageSchema(response, { depth: responseDepth, isResponse: true });
  return `${comment}\n\nThe answer's schema:\n${JSON.stringify(schemaJson(schema))}`.trimStart();
}

function withExtras(schema: Schema, response: MessageInfo, telling: Telling): Schema {
  const extras: [string, Schema][] = [];
  if (telling.withTitle) extras.push([TITLE, told(`${telling.withTitle} Generate this first.`)]);
  if (telling.withSummary) extras.push([SUMMARY, told(telling.withSummary)]);
  if (telling.withReadMask) extras.push([READ_MASK, told(maskWords(response))]);
  if (extras.length === 0) return schema;
  return {
    ...schema,
    properties: { ...Object.fromEntries(extras), ...schema.properties },
    required: [...extras.map(([name]) => name), ...(schema.required ?? [])],
  };
}

const told = (description: string): Schema => ({ type: 'string', description });

function maskWords({ fullName, fields }: MessageInfo): string {
  const examples = fields.slice(0, EXAMPLES).map(({ name }) => name);
  const example = examples.length > 0 ? `, such as ${examples.join(',')}` : '';
  return `Which fields of the answer you need: paths with commas between them, relative to ${fullName.split('.').at(-1)}${example}; * for all.`;
}
