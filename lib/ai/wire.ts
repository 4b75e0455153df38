/**
 * Messages of AiService as objects, in the names of proto/ (which tells what each field means). Absent fields are absent;
 * lists are always there once a message came over the wire.
 */

/** google.protobuf.Timestamp. */
export interface Timestamp {
  readonly seconds?: number;
  readonly nanos?: number;
}
/** google.protobuf.Duration has the same form. */
export type Duration = Timestamp;

/** google.protobuf.Value. */
export interface WireValue {
  readonly nullValue?: 'NULL_VALUE';
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: Struct;
  readonly listValue?: { readonly values?: readonly WireValue[] };
}
/** google.protobuf.Struct. */
export interface Struct {
  readonly fields?: Readonly<Record<string, WireValue>>;
}
/** google.protobuf.FieldMask. */
export interface FieldMask {
  readonly paths?: readonly string[];
}
/** google.protobuf.Any. */
export interface Any {
  readonly type_url: string;
  readonly value: Uint8Array;
}
/** google.rpc.Status. */
export interface Status {
  readonly code?: number;
  readonly message?: string;
  readonly details?: readonly Any[];
}

export type Labels = Readonly<Record<string, string>>;

export interface Chat {
  readonly name?: string;
  readonly create_time?: Timestamp;
  readonly update_time?: Timestamp;
  readonly delete_time?: Timestamp;
  readonly etag?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly title?: string;
  readonly price?: number;
}

export type Role = 'ROLE_UNSPECIFIED' | 'ROLE_SYSTEM' | 'ROLE_ASSISTANT' | 'ROLE_USER' | 'ROLE_TOOL';

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly enum?: readonly string[];
  readonly min_length?: number;
  readonly max_length?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusive_minimum?: number;
  readonly exclusive_maximum?: number;
  readonly multiple_of?: number;
  readonly default?: string;
  readonly examples?: readonly string[];
  readonly any_of?: readonly Schema[];
  readonly one_of?: readonly Schema[];
  readonly all_of?: readonly Schema[];
  readonly not?: Schema;
  readonly additional_properties?: Schema;
}

export interface Tool {
  readonly name?: string;
  readonly description?: string;
  readonly json_schema?: Schema;
  readonly annotations?: Labels;
}

export interface ToolResult {
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  readonly content?: string;
  readonly structured_content?: WireValue;
  readonly error?: Status;
  readonly annotations?: Labels;
}

export interface ToolCall {
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: Struct;
  readonly extra_fields?: Struct;
  readonly annotations?: Labels;
  readonly partial?: boolean;
  readonly result?: ToolResult;
}

export interface ToolSet {
  readonly name?: string;
  readonly discovery_tool?: Tool;
  readonly tools?: readonly Tool[];
}

export interface ToolChoice {
  readonly mode?: string;
  readonly tool_name?: string;
}

export interface Image {
  readonly data?: Uint8Array;
  readonly url?: string;
  readonly media_type?: string;
  readonly quality?: string;
}

export interface Block {
  readonly index?: number;
  readonly signature?: string;
  readonly extra_fields?: Struct;
  readonly thought?: string;
  readonly text?: string;
  readonly tool_call?: ToolCall;
  readonly partial_tool_call?: ToolCall;
  readonly tool_result?: ToolResult;
  readonly image?: Image;
}

export interface ResourceConsumption {
  readonly quantity?: number;
  readonly price?: number;
}

export interface ModelUsage {
  readonly model?: string;
  readonly input_token?: ResourceConsumption;
  readonly output_token?: ResourceConsumption;
  readonly output_reasoning_token?: ResourceConsumption;
  readonly input_token_cache_read?: ResourceConsumption;
  readonly input_token_cache_write?: ResourceConsumption;
  readonly input_image_token?: ResourceConsumption;
  readonly output_image_token?: ResourceConsumption;
}

export interface Message {
  readonly name?: string;
  readonly create_time?: Timestamp;
  readonly update_time?: Timestamp;
  readonly delete_time?: Timestamp;
  readonly etag?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly role?: Role;
  readonly blocks?: readonly Block[];
  readonly model?: string;
  readonly model_usage?: ModelUsage;
  readonly price?: number;
  readonly status?: Status;
}

export interface GenerationConfiguration {
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly tool_choice?: ToolChoice;
  readonly reasoning_effort?: string;
  readonly stream_partial_tool_calls?: boolean;
  readonly image_configuration?: { readonly aspect_ratio?: string; readonly image_size?: string };
}

export interface GenerateRequest {
  readonly parent?: string;
  readonly model?: string;
  readonly messages?: readonly Message[];
  readonly previous_message?: string;
  readonly tools?: readonly Tool[];
  readonly tool_sets?: readonly ToolSet[];
  readonly configuration?: GenerationConfiguration;
  readonly labels?: Labels;
  readonly request_id?: string;
}

export interface GenerationMetrics {
  readonly ttfb?: Duration;
  readonly ttlb?: Duration;
}

export type WireStopReason =
  | 'STOP_REASON_UNSPECIFIED'
  | 'STOP_REASON_END_TURN'
  | 'STOP_REASON_MAX_TOKENS'
  | 'STOP_REASON_TOOL_CALL'
  | 'STOP_REASON_STOP_SEQUENCE'
  | 'STOP_REASON_PAUSE_TURN'
  | 'STOP_REASON_REFUSAL';

/** One event of StreamGenerateMessage: exactly one of these is there. */
export interface StreamEvent {
  readonly block?: Block;
  readonly stop_reason?: WireStopReason;
  readonly generation_metrics?: GenerationMetrics;
  readonly generated_message?: Message;
  readonly model_usage?: ModelUsage;
}

export interface GenerateResponse {
  readonly generated_message?: Message;
  readonly stop_reason?: WireStopReason;
  readonly model_usage?: ModelUsage;
  readonly generation_metrics?: GenerationMetrics;
}

/** What every list is asked by. */
export interface ListRequest {
  readonly parent?: string;
  readonly filter?: string;
  readonly show_deleted?: boolean;
  readonly order_by?: string;
  readonly page_size?: number;
  readonly page_token?: string;
}
