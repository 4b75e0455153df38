/**
 * The wire of proto/, number by number. Clients and services of others hold chats by these numbers: one that changes loses what
 * people have written, so the table stands here a second time, in its own words.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { CONTRACT } from '../support/ai/foreign-client.ts';

/** `NUMBER NAME TYPE`, `[]` behind the type of a list, `map` for one of strings; messages without their package. */
const MESSAGES: Readonly<Record<string, string>> = {
  'malonaz.ai.v1.Chat':
    '1 name string, 2 create_time Timestamp, 3 update_time Timestamp, 4 delete_time Timestamp, 5 etag string, 6 labels map, 7 annotations map, 8 title string, 9 price double',
  'malonaz.ai.v1.Message':
    '1 create_time Timestamp, 2 annotations map, 3 role Role, 4 blocks Block[], 5 delete_time Timestamp, 6 labels map, 7 name string, 8 update_time Timestamp, 9 etag string, 10 model string, 11 model_usage ModelUsage, 12 price double, 13 status Status',
  'malonaz.ai.v1.Block':
    '1 index int64, 2 signature string, 3 extra_fields Struct, 4 thought string, 5 text string, 6 tool_call ToolCall, 7 partial_tool_call ToolCall, 8 tool_result ToolResult, 9 image Image',
  'malonaz.ai.v1.Image': '1 data bytes, 2 url string, 3 media_type string, 4 quality ImageQuality',
  'malonaz.ai.v1.Tool': '1 name string, 2 description string, 3 json_schema Schema, 4 annotations map',
  'malonaz.ai.v1.ToolCall':
    '1 id string, 2 name string, 3 arguments Struct, 4 extra_fields Struct, 5 annotations map, 6 partial bool, 7 result ToolResult',
  'malonaz.ai.v1.ToolResult':
    '1 tool_name string, 2 tool_call_id string, 3 content string, 4 structured_content Value, 5 error Status, 6 annotations map',
  'malonaz.ai.v1.ToolChoice': '1 mode ToolChoiceMode, 2 tool_name string',
  'malonaz.ai.v1.ToolSet': '1 name string, 2 discovery_tool Tool, 3 tools Tool[]',
  'malonaz.ai.v1.ToolCallDiscovery':
    '1 tool_set_name string, 2 tool_names string[], 3 tools Tool[], 4 unknown_tool_names string[]',
  'malonaz.ai.v1.ToolCallExecute': '1 tool_name string, 2 arguments Struct',
  'malonaz.ai.v1.ToolCallRpc':
    '1 service_full_name string, 2 method_full_name string, 3 request Struct, 4 read_mask FieldMask',
  'malonaz.ai.v1.ToolCallRecoverableError': '1 tool_call_block Block, 2 tool_result_block Block',
  'malonaz.ai.v1.Model':
    '1 name string, 2 provider_model_id string, 3 description string, 4 deprecate_time Timestamp, 5 stt SttModelConfig, 6 ttt TttModelConfig, 7 tts TtsModelConfig, 8 provider_settings Struct',
  'malonaz.ai.v1.TttModelConfig':
    '1 reasoning bool, 2 tool_call bool, 3 context_token_limit int32, 4 output_token_limit int32, 5 pricing TttModelPricing',
  'malonaz.ai.v1.TttModelPricing':
    '1 input_token_price_per_million double, 2 output_token_price_per_million double, 3 output_reasoning_token_price_per_million double, 4 input_token_cache_read_price_per_million double, 5 input_token_cache_write_price_per_million double, 6 input_image_token_price_per_million double, 7 output_image_token_price_per_million double, 8 input_image_token_cache_read_price_per_million double, 9 input_image_token_cache_write_price_per_million double',
  'malonaz.ai.v1.ModelUsage':
    '1 model string, 2 input_token ResourceConsumption, 3 output_token ResourceConsumption, 4 output_reasoning_token ResourceConsumption, 5 input_token_cache_read ResourceConsumption, 6 input_token_cache_write ResourceConsumption, 7 input_second ResourceConsumption, 8 output_second ResourceConsumption, 9 input_character ResourceConsumption, 10 input_image_token ResourceConsumption, 11 output_image_token ResourceConsumption, 12 input_image_token_cache_read ResourceConsumption, 13 input_image_token_cache_write ResourceConsumption',
  'malonaz.ai.v1.ResourceConsumption': '1 quantity int32, 2 price double',
  'malonaz.ai.v1.GenerationMetrics': '1 ttfb Duration, 2 ttlb Duration',
  'google.rpc.Status': '1 code int32, 2 message string, 3 details Any[]',
  'malonaz.json.v1.Schema':
    '1 type string, 2 description string, 3 properties PropertiesEntry[], 4 required string[], 5 items Schema, 6 min_items int64, 7 max_items int64, 8 enum string[], 9 min_length int64, 10 max_length int64, 11 pattern string, 12 format string, 13 minimum double, 14 maximum double, 15 exclusive_minimum double, 16 exclusive_maximum double, 17 multiple_of double, 18 default string, 19 examples string[], 20 any_of Schema[], 21 one_of Schema[], 22 all_of Schema[], 23 not Schema, 24 additional_properties Schema',
  'malonaz.ai.ai_service.v1.CreateChatRequest':
    '1 parent string, 2 chat Chat, 3 chat_id string, 4 request_id string, 5 validate_only bool',
  'malonaz.ai.ai_service.v1.GetChatRequest': '1 name string',
  'malonaz.ai.ai_service.v1.UpdateChatRequest': '1 chat Chat, 2 update_mask FieldMask',
  'malonaz.ai.ai_service.v1.DeleteChatRequest': '1 name string, 2 allow_missing bool, 3 etag string',
  'malonaz.ai.ai_service.v1.ListChatsRequest':
    '1 parent string, 2 filter string, 3 show_deleted bool, 4 order_by string, 5 page_size int32, 6 page_token string',
  'malonaz.ai.ai_service.v1.ListChatsResponse': '1 chats Chat[], 2 next_page_token string',
  'malonaz.ai.ai_service.v1.BatchGetChatsRequest': '1 parent string, 2 names string[]',
  'malonaz.ai.ai_service.v1.BatchGetChatsResponse': '1 chats Chat[]',
  'malonaz.ai.ai_service.v1.CreateMessageRequest':
    '1 parent string, 2 message Message, 3 message_id string, 4 request_id string, 5 validate_only bool',
  'malonaz.ai.ai_service.v1.GetMessageRequest': '1 name string',
  'malonaz.ai.ai_service.v1.UpdateMessageRequest': '1 message Message, 2 update_mask FieldMask',
  'malonaz.ai.ai_service.v1.DeleteMessageRequest': '1 name string, 2 allow_missing bool, 3 etag string',
  'malonaz.ai.ai_service.v1.ListMessagesRequest':
    '1 parent string, 2 filter string, 3 show_deleted bool, 4 order_by string, 5 page_size int32, 6 page_token string',
  'malonaz.ai.ai_service.v1.ListMessagesResponse': '1 messages Message[], 2 next_page_token string',
  'malonaz.ai.ai_service.v1.BatchGetMessagesRequest': '1 parent string, 2 names string[]',
  'malonaz.ai.ai_service.v1.BatchGetMessagesResponse': '1 messages Message[]',
  'malonaz.ai.ai_service.v1.GetModelRequest': '1 name string',
  'malonaz.ai.ai_service.v1.ListModelsRequest': '1 parent string, 2 page_size int32, 3 page_token string',
  'malonaz.ai.ai_service.v1.ListModelsResponse': '1 models Model[], 2 next_page_token string',
  'malonaz.ai.ai_service.v1.GenerateMessageRequest':
    '1 parent string, 2 model string, 3 messages Message[], 4 previous_message string, 5 tools Tool[], 6 tool_sets ToolSet[], 7 configuration MessageGenerationConfiguration, 8 labels map, 9 request_id string',
  'malonaz.ai.ai_service.v1.MessageGenerationConfiguration':
    '1 max_tokens int32, 2 temperature double, 3 tool_choice ToolChoice, 4 reasoning_effort ReasoningEffort, 5 stream_partial_tool_calls bool, 6 image_configuration ImageGenerationConfiguration',
  'malonaz.ai.ai_service.v1.ImageGenerationConfiguration': '1 aspect_ratio string, 2 image_size string',
  'malonaz.ai.ai_service.v1.GenerateMessageResponse':
    '1 generated_message Message, 2 stop_reason StopReason, 3 model_usage ModelUsage, 4 generation_metrics GenerationMetrics',
  'malonaz.ai.ai_service.v1.StreamGenerateMessageResponse':
    '1 block Block, 2 stop_reason StopReason, 3 generation_metrics GenerationMetrics, 4 generated_message Message, 5 model_usage ModelUsage',
  'malonaz.ai.ai_engine.v1.CreateServiceToolSetRequest':
    '1 service_full_name string, 2 method_names string[], 3 schema_configuration SchemaConfiguration, 4 method_name_to_schema_configuration MethodNameToSchemaConfigurationEntry[], 5 discovered_method_names string[]',
  'malonaz.ai.ai_engine.v1.SchemaConfiguration':
    '1 field_mask FieldMask, 2 with_max_depth int32, 3 with_response_read_mask bool, 4 with_response_schema_max_depth int32, 5 with_title string, 6 with_summary string',
  'malonaz.ai.ai_engine.v1.CreateToolRequest':
    '1 descriptor_reference DescriptorReference, 2 schema_configuration SchemaConfiguration',
  'malonaz.ai.ai_engine.v1.DescriptorReference': '1 message string, 2 method string',
  'malonaz.ai.ai_engine.v1.BatchCreateToolsRequest': '1 requests CreateToolRequest[]',
  'malonaz.ai.ai_engine.v1.BatchCreateToolsResponse': '1 tools Tool[]',
  'malonaz.ai.ai_engine.v1.CreateDiscoveryToolRequest': '1 name string, 2 description string, 3 tools Tool[]',
  'malonaz.ai.ai_engine.v1.ParseToolCallRequest': '1 tool_call ToolCall, 2 tool_sets ToolSet[]',
  'malonaz.ai.ai_engine.v1.ParseToolCallResponse':
    '1 message Struct, 2 discovery ToolCallDiscovery, 3 rpc ToolCallRpc, 4 title string',
  'malonaz.ai.ai_engine.v1.ParseToolCallRecoverableError': '1 tool_result ToolResult',
};
/** Names without their prefix, in the order of their numbers from 0. */
const ENUMS: Readonly<Record<string, string>> = {
  'malonaz.ai.v1.Role': 'ROLE_: UNSPECIFIED SYSTEM ASSISTANT USER TOOL',
  'malonaz.ai.v1.ReasoningEffort': 'REASONING_EFFORT_: UNSPECIFIED DEFAULT LOW MEDIUM HIGH XHIGH MAX',
  'malonaz.ai.v1.ImageQuality': 'IMAGE_QUALITY_: UNSPECIFIED AUTO LOW HIGH',
  'malonaz.ai.v1.ToolChoiceMode': 'TOOL_CHOICE_MODE_: UNSPECIFIED NONE AUTO REQUIRED',
  'malonaz.ai.ai_service.v1.StopReason':
    'STOP_REASON_: UNSPECIFIED END_TURN MAX_TOKENS TOOL_CALL STOP_SEQUENCE PAUSE_TURN REFUSAL',
};
/** Fields of which one at most is set, by message. */
const ONEOFS: Readonly<Record<string, string>> = {
  'malonaz.ai.v1.Block': 'thought text tool_call partial_tool_call tool_result image',
  'malonaz.ai.v1.Image': 'data url',
  'malonaz.ai.v1.ToolResult': 'content structured_content error',
  'malonaz.ai.v1.ToolChoice': 'mode tool_name',
  'malonaz.ai.ai_service.v1.StreamGenerateMessageResponse':
    'block stop_reason generation_metrics generated_message model_usage',
  'malonaz.ai.ai_engine.v1.DescriptorReference': 'message method',
  'malonaz.ai.ai_engine.v1.ParseToolCallResponse': 'message discovery rpc',
};
/** `METHOD REQUEST RESPONSE`, `stream` before a response that streams. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  'malonaz.ai.ai_service.v1.AiService': [
    'CreateChat CreateChatRequest Chat',
    'GetChat GetChatRequest Chat',
    'UpdateChat UpdateChatRequest Chat',
    'DeleteChat DeleteChatRequest Chat',
    'UndeleteChat UndeleteChatRequest Chat',
    'ListChats ListChatsRequest ListChatsResponse',
    'BatchGetChats BatchGetChatsRequest BatchGetChatsResponse',
    'CreateMessage CreateMessageRequest Message',
    'GetMessage GetMessageRequest Message',
    'UpdateMessage UpdateMessageRequest Message',
    'DeleteMessage DeleteMessageRequest Message',
    'UndeleteMessage UndeleteMessageRequest Message',
    'ListMessages ListMessagesRequest ListMessagesResponse',
    'BatchGetMessages BatchGetMessagesRequest BatchGetMessagesResponse',
    'GenerateMessage GenerateMessageRequest GenerateMessageResponse',
    'StreamGenerateMessage GenerateMessageRequest stream StreamGenerateMessageResponse',
    'GetModel GetModelRequest Model',
    'ListModels ListModelsRequest ListModelsResponse',
  ],
  'malonaz.ai.ai_engine.v1.AiEngine': [
    'CreateTool CreateToolRequest Tool',
    'BatchCreateTools BatchCreateToolsRequest BatchCreateToolsResponse',
    'ParseToolCall ParseToolCallRequest ParseToolCallResponse',
    'CreateDiscoveryTool CreateDiscoveryToolRequest Tool',
    'CreateServiceToolSet CreateServiceToolSetRequest ToolSet',
  ],
};

interface Field {
  readonly name: string;
  readonly number: number;
  readonly label: string;
  readonly type: string;
  readonly typeName?: string;
  readonly oneofIndex?: number;
}
interface File {
  readonly package: string;
  readonly name: string;
  readonly dependency?: readonly string[];
  readonly messageType?: readonly Loaded['type'][];
}
interface Loaded {
  readonly fileDescriptorProtos: readonly Uint8Array[];
  readonly type: {
    readonly name: string;
    readonly field: readonly Field[];
    readonly value: readonly { readonly name: string; readonly number: number }[];
  };
}
interface Method {
  readonly path: string;
  readonly requestType: Loaded;
  readonly responseType: Loaded;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

/** What proto-loader has read, by full name. */
const LOADED = CONTRACT.definition as unknown as Readonly<Record<string, Loaded>>;
const STRINGS = new Set(['LabelsEntry', 'AnnotationsEntry']);

function fieldText({ name, number, label, type, typeName }: Field): string {
  const short = typeName?.split('.').at(-1) ?? type.replace('TYPE_', '').toLowerCase();
  const whole = label === 'LABEL_REPEATED' ? `${short}[]` : short;
  return `${number} ${name} ${STRINGS.has(short) ? 'map' : whole}`;
}

for (const [name, fields] of Object.entries(MESSAGES))
  test(`${name} has its fields under their numbers`, () => {
    const loaded = [...(declared(name).field ?? [])].sort((a, b) => a.number - b.number);
    assert.is(loaded.map(fieldText).join(', '), fields);
  });

for (const [name, text] of Object.entries(ENUMS))
  test(`${name} has its values under their numbers`, () => {
    const [prefix, values] = text.split(': ') as [string, string];
    assert.equal(
      LOADED[name]!.type.value.map(value => `${value.number} ${value.name}`),
      values.split(' ').map((value, number) => `${number} ${prefix}${value}`),
    );
  });

for (const [name, fields] of Object.entries(ONEOFS))
  test(`${name} holds one of its contents at most`, () => {
    const inside = declared(name).field.filter(field => Object.hasOwn(field, 'oneofIndex'));
    assert.is(inside.map(field => field.name).join(' '), fields);
  });

function fileOf(bytes: Uint8Array): File {
  const { FileDescriptorProto: Proto } = descriptor;
  return (Proto as unknown as protobuf.Type).toObject(Proto.decode(bytes), { enums: String }) as File;
}

/** A message as its file declares it: what stands in no oneof has no index of one. */
function declared(fullName: string): Loaded['type'] {
  for (const bytes of LOADED[fullName]!.fileDescriptorProtos) {
    const file = fileOf(bytes);
    const found = file.messageType?.find(({ name }) => `${file.package}.${name}` === fullName);
    if (found) return found;
  }
  throw new Error(`${fullName} stands in no file`);
}

for (const [service, methods] of Object.entries(METHODS))
  test(`${service} has its methods`, () => {
    const loaded = LOADED[service] as unknown as Readonly<Record<string, Method>>;
    const texts = Object.entries(loaded).map(([method, one]) => {
      assert.is(one.path, `/${service}/${method}`);
      assert.is(one.requestStream, false);
      const how = one.responseStream ? 'stream ' : '';
      return `${method} ${one.requestType.type.name} ${how}${one.responseType.type.name}`;
    });
    assert.equal(texts.toSorted(), methods.toSorted());
  });

test('a compiler that knows nothing of ours takes what reflection tells', () => {
  const files = LOADED['malonaz.ai.v1.Chat']!.fileDescriptorProtos;
  // FileDescriptorSet, each file behind those that it needs: `repeated FileDescriptorProto file = 1`.
  const set = protobuf.Writer.create();
  for (const bytes of inOrder(files)) set.uint32(10).bytes(bytes);
  const dir = mkdtempSync(join(tmpdir(), 'mux-wire-'));
  try {
    const path = join(dir, 'set.binpb');
    writeFileSync(path, set.finish());
    const buf = fileURLToPath(new URL('../../../node_modules/.bin/buf', import.meta.url));
    const { status, stderr } = spawnSync(buf, ['build', path], { encoding: 'utf8', timeout: 60_000 });
    assert.is(status, 0, stderr);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

function inOrder(files: readonly Uint8Array[]): Uint8Array[] {
  const byName = new Map(files.map(bytes => [fileOf(bytes).name, bytes]));
  const ordered = new Set<Uint8Array>();
  const add = (name: string): void => {
    const bytes = byName.get(name)!;
    for (const needed of fileOf(bytes).dependency ?? []) add(needed);
    ordered.add(bytes);
  };
  for (const name of byName.keys()) add(name);
  return [...ordered];
}

test.run();
