/** A chat's messages as a provider takes them. */
import type { ImagePart, ProviderMessage, ProviderTool, ToolCallPart, ToolResultPart } from '../provider.ts';
import { fromStruct, fromValue } from '../values.ts';
import type { Block, Image, Message, Tool, ToolCall, ToolResult } from '../wire.ts';
import { schemaJson } from './discovery.ts';

/** What a provider is told of a conversation. */
export interface Told {
  readonly system: string;
  readonly messages: readonly ProviderMessage[];
}

/**
 * Prompts stand before everything; results that the service gave itself follow their calls; a call without a result gets
 * one that says so, since providers refuse a conversation with a call left open.
 */
export function told(history: readonly Message[]): Told {
  const system = history.filter(({ role }) => role === 'ROLE_SYSTEM').map(textOf);
  const messages: ProviderMessage[] = [];
  for (const message of history) {
    const { role, blocks = [] } = message;
    if (role === 'ROLE_USER')
      messages.push(...closing(messages, [{ role: 'user', parts: blocks.flatMap(userPart) }]));
    else if (role === 'ROLE_ASSISTANT') {
      const parts = blocks.flatMap(assistantPart);
      if (parts.length > 0) messages.push(...closing(messages, [{ role: 'assistant', parts }]));
      const own = blocks.flatMap(({ tool_call }) =>
        tool_call?.result ? [resultPart(tool_call.result)] : [],
      );
      if (own.length > 0) messages.push({ role: 'tool', parts: own });
    } else if (role === 'ROLE_TOOL') {
      const parts = blocks.flatMap(({ tool_result }) => (tool_result ? [resultPart(tool_result)] : []));
      const last = messages.at(-1);
      // Clients keep results beside their calls too: what is sent counts, and once.
      const sent = new Set(parts.map(({ callId }) => callId));
      if (last?.role === 'tool') {
        const own = last.parts.filter(({ callId }) => !sent.has(callId));
        messages[messages.length - 1] = { role: 'tool', parts: [...own, ...parts] };
      } else messages.push({ role: 'tool', parts });
    }
  }
  return { system: system.filter(Boolean).join('\n\n'), messages: [...messages, ...closing(messages, [])] };
}

/** What comes next, behind results for the calls before it that have none. */
function closing(before: ProviderMessage[], next: readonly ProviderMessage[]): ProviderMessage[] {
  const at = before.findLastIndex(({ role }) => role === 'assistant');
  const caller = before[at];
  if (caller?.role !== 'assistant') return [...next];
  const calls = caller.parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
  const answered = new Set(
    before.slice(at + 1).flatMap(one => (one.role === 'tool' ? one.parts.map(part => part.callId) : [])),
  );
  const missing = calls
    .filter(({ id }) => !answered.has(id))
    .map(({ id, name }): ToolResultPart => {
      return {
        type: 'tool_result',
        callId: id,
        toolName: name,
        content: 'There is no result: it did not run.',
        failed: true,
      };
    });
  if (missing.length === 0) return [...next];
  const results = before[at + 1];
  if (results?.role !== 'tool') return [{ role: 'tool', parts: missing }, ...next];
  before[at + 1] = { role: 'tool', parts: [...results.parts, ...missing] };
  return [...next];
}

export function providerTool({ name = '', description = '', json_schema }: Tool): ProviderTool {
  const schema = schemaJson(json_schema);
  // Some providers see only the tool's own description.
  const own = typeof schema.description === 'string' && !description.includes(schema.description);
  return {
    name,
    description: own ? [description, schema.description].filter(Boolean).join('\n\n') : description,
    schema: { type: 'object', properties: {}, ...schema },
  };
}

function textOf({ blocks = [] }: Message): string {
  return blocks.map(({ text }) => text ?? '').join('');
}

function userPart({ text, image }: Block): ({ type: 'text'; text: string } | ImagePart)[] {
  if (text !== undefined) return [{ type: 'text', text }];
  return image ? [imagePart(image)] : [];
}

type AssistantPart = Extract<ProviderMessage, { role: 'assistant' }>['parts'][number];

function assistantPart(block: Block): AssistantPart[] {
  const { text, thought, tool_call, image, signature, extra_fields } = block;
  const proof = {
    ...(signature ? { signature } : {}),
    ...(extra_fields ? { extra: fromStruct(extra_fields) } : {}),
  };
  if (text !== undefined) return [{ type: 'text', text }];
  if (thought !== undefined) return [{ type: 'thought', text: thought, ...proof }];
  if (tool_call) return [{ ...callPart(tool_call), ...proof }];
  return image ? [imagePart(image)] : [];
}

function callPart({ id = '', name = '', arguments: given, extra_fields }: ToolCall): ToolCallPart {
  const extra = extra_fields ? { extra: fromStruct(extra_fields) } : {};
  return { type: 'tool_call', id, name, arguments: fromStruct(given), ...extra };
}

function resultPart({
  tool_call_id = '',
  tool_name = '',
  content,
  structured_content,
  error,
}: ToolResult): ToolResultPart {
  const text = error
    ? error.message || 'it failed'
    : (content ?? (structured_content ? JSON.stringify(fromValue(structured_content)) : ''));
  return {
    type: 'tool_result',
    callId: tool_call_id,
    toolName: tool_name,
    content: text,
    failed: error !== undefined,
  };
}

function imagePart({ data, url, media_type = '' }: Image): ImagePart {
  return { type: 'image', source: data ? { data } : { url: url ?? '' }, mediaType: media_type };
}
