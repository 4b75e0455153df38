/** An answer put together from the deltas of its blocks, as they come. */
import type { Block, ToolCall } from '../ai/wire.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Assembly {
  readonly #blocks = new Map<number, Mutable<Block>>();

  /** Text and thought are added; everything else takes the place of what was there. Gives the block as it is now. */
  take(delta: Block): Block {
    const index = delta.index ?? 0;
    const block = this.#blocks.get(index) ?? { index };
    this.#blocks.set(index, block);
    const { text, thought, ...rest } = delta;
    if (text !== undefined) block.text = (block.text ?? '') + text;
    if (thought !== undefined) block.thought = (block.thought ?? '') + thought;
    Object.assign(block, rest);
    if (delta.tool_call) delete block.partial_tool_call;
    return block;
  }

  /** In order. */
  get blocks(): readonly Block[] {
    return [...this.#blocks.values()].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  /** Words, without thoughts. */
  get text(): string {
    return textOf(this.blocks);
  }
}

/** The words of blocks, without thoughts. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text ?? '').join('');
}

/** The calls of blocks, in order. */
export function callsOf(blocks: readonly Block[]): readonly ToolCall[] {
  return blocks.flatMap(({ tool_call: call }) => (call ? [call] : []));
}
