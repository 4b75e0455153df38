/**
 * What a provider of models is to the rest: one request in, a stream of events out. AiService knows nothing of any
 * vendor's wire, and a provider nothing of chats.
 */
import type { Model } from './model.ts';

/** Plain JSON, as tools take and give it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of plain JSON. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** How hard a model is asked to think; absent where it is not asked. */
export type Effort = 'default' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Why a stream ended. `pause`: the provider wants the same request again, with what came so far. */
export type StopReason = 'end_turn' | 'max_tokens' | 'tool_call' | 'stop_sequence' | 'pause' | 'refusal';

/** A picture that goes in or comes out: its bytes, or where they are. */
export interface ImagePart {
  readonly type: 'image';
  readonly source: { readonly data: Uint8Array } | { readonly url: string };
  /** A media type, such as `image/png`. */
  readonly mediaType: string;
}

/** Words of a person or of a model. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** What a model thought before it spoke; `signature` proves it to its vendor, and goes back unchanged. */
export interface ThoughtPart {
  readonly type: 'thought';
  readonly text: string;
  readonly signature?: string;
  /** What only this provider understands and wants back, such as redacted thinking. */
  readonly extra?: JsonObject;
}

/** A model's wish that a tool runs. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly signature?: string;
  readonly extra?: JsonObject;
}

/** What a tool gave for the call `callId`. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly toolName: string;
  readonly content: string;
  readonly failed: boolean;
  readonly images?: readonly ImagePart[];
}

/** A message as every provider takes it. Only a model thinks and calls, only `tool` brings results. */
export type ProviderMessage =
  | { readonly role: 'user'; readonly parts: readonly (TextPart | ImagePart)[] }
  | {
      readonly role: 'assistant';
      readonly parts: readonly (TextPart | ThoughtPart | ToolCallPart | ImagePart)[];
    }
  | { readonly role: 'tool'; readonly parts: readonly ToolResultPart[] };

/** A tool that a model may call. */
export interface ProviderTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
}

/** Which tool a model has to call: any or none as it likes, one of them, or the named one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** One generation. */
export interface ProviderRequest {
  readonly model: Model;
  /** The prompt that stands before everything; empty for none. */
  readonly system: string;
  readonly messages: readonly ProviderMessage[];
  readonly tools: readonly ProviderTool[];
  readonly toolChoice: ToolChoice;
  /** Tokens it may write; thinking counts in. */
  readonly maxTokens: number;
  /** 0 to 2; absent: the model's own. */
  readonly temperature?: number;
  readonly effort?: Effort;
  /** Of pictures that are made. */
  readonly image?: { readonly aspectRatio: string; readonly size: string };
}

/** Tokens, in classes that do not overlap: what was read from a cache is not in `input`, thinking not in `output`. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly outputReasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly inputImage: number;
  readonly outputImage: number;
}

/**
 * What a stream tells. `index` is a block's place in the answer, counted from 0 in the order of their beginnings. Texts
 * and thoughts are deltas; a partial call holds all of its arguments' text so far; a call is told once, complete.
 * `usage` is cumulative: the last one holds. Exactly one `stop` ends a stream that did not fail.
 */
export type ProviderEvent =
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'thought'; readonly index: number; readonly text: string }
  | { readonly type: 'signature'; readonly index: number; readonly signature: string }
  | { readonly type: 'extra'; readonly index: number; readonly extra: JsonObject }
  | {
      readonly type: 'partial_call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly argumentsText: string;
    }
  | { readonly type: 'call'; readonly index: number; readonly call: ToolCallPart }
  | { readonly type: 'image'; readonly index: number; readonly image: ImagePart }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'stop'; readonly reason: StopReason };

/** A source of answers. */
export interface Provider {
  /** As in `providers/NAME`. */
  readonly name: string;
  /**
   * Streams one answer. Ends by an error of `./failure.ts` (never by a vendor's own), and at once where `signal` is
   * aborted, the connection closed.
   */
  generate(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
}
