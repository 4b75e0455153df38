/** An answer as it comes: events of a provider become events of the wire, and add up to the message that is kept. */
import { healedObject } from '../heal.ts';
import type { Model } from '../model.ts';
import type { ImagePart, ProviderEvent, StopReason, ToolCallPart } from '../provider.ts';
import { ServiceError } from '../service-error.ts';
import { toStruct } from '../values.ts';
import type { Block, Image, ModelUsage, StreamEvent, ToolCall, WireStopReason } from '../wire.ts';
import type { Offer } from './discovery.ts';
import { pricedUsage } from './usage.ts';

const STOPS: Readonly<Record<StopReason, WireStopReason>> = {
  end_turn: 'STOP_REASON_END_TURN',
  max_tokens: 'STOP_REASON_MAX_TOKENS',
  tool_call: 'STOP_REASON_TOOL_CALL',
  stop_sequence: 'STOP_REASON_STOP_SEQUENCE',
  pause: 'STOP_REASON_PAUSE_TURN',
  refusal: 'STOP_REASON_REFUSAL',
};
/** google.rpc.Code */
const NOT_FOUND = 5;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Answer {
  readonly #model: Model;
  readonly #offer: Offer;
  readonly #withPartials: boolean;
  readonly #blocks = new Map<number, Mutable<Block>>();
  usage: ModelUsage | undefined;
  stop: WireStopReason | undefined;

  constructor(model: Model, offer: Offer, withPartials: boolean) {
    this.#model = model;
    this.#offer = offer;
    this.#withPartials = withPartials;
  }

  /** What has come so far, in order; calls that are not complete and proofs of nothing are no part of it. */
  get blocks(): Block[] {
    return [...this.#blocks.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, block]) => block)
      .filter(({ text, thought, tool_call, image }) => text ?? thought ?? tool_call ?? image);
  }

  /** Takes an event in, and gives what a client is told. Throws INTERNAL for a call of a tool that is not offered. */
  take(event: ProviderEvent): StreamEvent[] {
    switch (event.type) {
      case 'text':
        return this.#append(event.index, 'text', event.text);
      case 'thought':
        return this.#append(event.index, 'thought', event.text);
      case 'signature':
        return this.#set(event.index, { signature: event.signature });
      case 'extra':
        return this.#set(event.index, { extra_fields: toStruct(event.extra) });
      case 'image':
        return this.#set(event.index, { image: wireImage(event.image) });
      case 'partial_call':
        return this.#withPartials ? [this.#partial(event)] : [];
      case 'call':
        return this.#set(event.index, this.#call(event.index, event.call));
      case 'usage':
        this.usage = pricedUsage(this.#model, event.usage);
        return [{ model_usage: this.usage }];
      case 'stop':
        // Told once, at the end.
        this.stop = STOPS[event.reason];
        return [];
    }
  }

  #block(index: number): Mutable<Block> {
    const known = this.#blocks.get(index) ?? { index };
    this.#blocks.set(index, known);
    return known;
  }

  #append(index: number, kind: 'text' | 'thought', text: string): StreamEvent[] {
    const block = this.#block(index);
    block[kind] = (block[kind] ?? '') + text;
    return [{ block: { index, [kind]: text } }];
  }

  #set(index: number, part: Omit<Block, 'index'>): StreamEvent[] {
    Object.assign(this.#block(index), part);
    return [{ block: { index, ...part } }];
  }

  #partial({
    index,
    id,
    name,
    argumentsText,
  }: Extract<ProviderEvent, { type: 'partial_call' }>): StreamEvent {
    const given = toStruct(healedObject(argumentsText));
    const annotations = this.#offer.find(name)?.annotations ?? {};
    return {
      block: { index, partial_tool_call: { id, name, arguments: given, annotations, partial: true } },
    };
  }

  #call(index: number, { id, name, arguments: given, extra, signature }: ToolCallPart): Omit<Block, 'index'> {
    const base: ToolCall = {
      id,
      name,
      arguments: toStruct(given),
      ...(extra ? { extra_fields: toStruct(extra) } : {}),
    };
    const tool = this.#offer.find(name);
    if (!tool) throw unknownTool(index, base);
    const result = this.#offer.discover(base);
    const tool_call = { ...base, annotations: tool.annotations ?? {}, ...(result ? { result } : {}) };
    return { tool_call, ...(signature ? { signature } : {}) };
  }
}

function wireImage({ source, mediaType }: ImagePart): Image {
  return { ...source, media_type: mediaType };
}

/** The detail is a result that can be sent as it is: the model learns what it did wrong. */
function unknownTool(index: number, call: ToolCall): ServiceError {
  const message = `tool ${call.name}: there is no such tool`;
  const tool_result = { tool_name: call.name, tool_call_id: call.id, error: { code: NOT_FOUND, message } };
  const value = { tool_call_block: { index, tool_call: call }, tool_result_block: { tool_result } };
  return new ServiceError('INTERNAL', message, [{ codec: 'recoverable', value }]);
}
