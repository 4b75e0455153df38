/** What is common to vendors' answers: where blocks stand in them, and calls that are complete. */
import { randomUUID } from 'node:crypto';
import type { JsonObject, TokenUsage, ToolCallPart } from '../provider.ts';

export const NO_USAGE: TokenUsage = {
  input: 0,
  output: 0,
  outputReasoning: 0,
  cacheRead: 0,
  cacheWrite: 0,
  inputImage: 0,
  outputImage: 0,
};

/** Places of blocks in an answer: one that goes on has its place, every other one the next. */
export class Places {
  #next = 0;
  #kind: string | undefined;
  /** Whether the last place that was asked for had not been asked for before. */
  isNew = false;

  /** The place of a text or thought; it goes on until something else comes. */
  of(kind: 'text' | 'thought'): number {
    this.isNew = this.#kind !== kind;
    if (this.isNew) this.#next++;
    this.#kind = kind;
    return this.#next - 1;
  }

  /** A place that nothing goes on in. */
  fresh(): number {
    this.#kind = undefined;
    this.isNew = true;
    return this.#next++;
  }
}

/**
 * A call whose arguments have come as text. What is no object of JSON is never run as if it were: a command of which the
 * end is missing is another command. The text stands beside it, so that whoever runs calls can tell the model.
 */
export function completeCall(id: string, name: string, text: string): ToolCallPart {
  const base = { type: 'tool_call', id, name } as const;
  const value = parsed(text.trim());
  if (value) return { ...base, arguments: value };
  return { ...base, arguments: {}, extra: { invalid_arguments: text } };
}

/** The object that a text is; nothing and `null` are `{}`, an object that was packed twice is unpacked twice. */
function parsed(text: string): JsonObject | undefined {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return {};
    if (typeof value === 'string' && value.trimStart().startsWith('{')) return parsed(value.trim());
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    // SyntaxError: the caller tells.
    return undefined;
  }
}

/**
 * Whether arguments that are coming have grown enough to be told again, in characters: by a sixteenth, so that all tellings
 * together take a time that grows with the arguments, not with their square.
 */
export function isWorthTelling(told: number, length: number): boolean {
  return length - told >= told >> 4;
}

/** An id for a call that its server gave none; others name it in later turns, so it is never the same twice. */
export function freshCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
