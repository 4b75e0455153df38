/**
 * What a timeline is made of: items, as they are made from messages that are kept. A call and its result are one item.
 * Items never change: a changed one is another object, so that what was drawn of it can be kept.
 */
import type { Block, Message, Struct, ToolResult, WireValue } from '../ai/wire.ts';
import type { Preview } from '../agent/tool.ts';
import type { CallView } from '../agent/events.ts';

/** Of every item. */
interface Base {
  /** Unique in its timeline, and kept as long as the item stands there. */
  readonly id: string;
  /** Resource name of the message it belongs to; '' while that is not kept yet. */
  readonly message: string;
}

/** Somebody's words. */
export interface TextItem extends Base {
  readonly kind: 'user' | 'assistant' | 'thought' | 'system';
  readonly text: string;
  /** More of it comes. */
  readonly isStreaming?: boolean;
}

/** A call with what has become of it. */
export interface CallItem extends Base {
  readonly kind: 'call';
  readonly call: CallView;
  /** The end of what it has written so far. */
  readonly progress: string;
}

/** Files that were put into the chat, one after the other. */
export interface FilesItem extends Base {
  readonly kind: 'files';
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A line about the conversation itself. */
export interface LineItem extends Base {
  readonly kind: 'error' | 'notice';
  readonly text: string;
  readonly hint?: string | undefined;
}

export type Item = TextItem | CallItem | FilesItem | LineItem;

/** Marks of messages that hold a file, as other clients of the service set them. */
export const FILE_LABEL = 'sgpt.com/injected-file';
export const FILE_PATH = 'sgpt.com/file-path';

/** Most characters of a result that are kept to be shown: more is in the service. */
const RESULT_MAX = 64 * 1024;

/** The items of messages, the oldest first. Results find their calls wherever those stand before them. */
export function itemsOf(messages: readonly Message[]): Item[] {
  const items: Item[] = [];
  const calls = new Map<string, number>();
  for (const [at, message] of messages.entries()) {
    const name = message.name ?? `message-${at}`;
    for (const [index, block] of (message.blocks ?? []).entries()) {
      if (block.tool_result) {
        const place = calls.get(block.tool_result.tool_call_id ?? '');
        if (place !== undefined) items[place] = withResult(items[place] as CallItem, block.tool_result);
        continue;
      }
      const item = itemOf(message, name, index, block);
      if (!item) continue;
      const joined = joinFiles(items.at(-1), item);
      if (joined) items[items.length - 1] = joined;
      else items.push(item);
      if (item.kind === 'call') calls.set(item.call.id, items.length - 1);
    }
    if (message.status)
      items.push({
        id: `${name}#failed`,
        message: name,
        kind: 'error',
        text: message.status.message ?? 'the answer failed',
      });
  }
  return items;
}

function itemOf(message: Message, name: string, index: number, block: Block): Item | undefined {
  const base = { id: `${name}#${index}`, message: name };
  const { text, thought, tool_call: call, image } = block;
  if (call) {
    const view: CallView = {
      id: call.id || base.id,
      name: call.name ?? '',
      args: plainStruct(call.arguments),
      state: 'done',
      ...shownOf(call.annotations?.[SHOWN]),
    };
    const item: CallItem = { ...base, kind: 'call', call: view, progress: '' };
    return call.result ? withResult(item, call.result) : item;
  }
  if (thought !== undefined)
    return thought.trim() === '' ? undefined : { ...base, kind: 'thought', text: thought };
  const words = text ?? (image ? `(a picture, ${image.media_type ?? 'of no known kind'})` : undefined);
  if (words === undefined || words.trim() === '') return undefined;
  if (message.labels?.[FILE_LABEL] === 'true') {
    const path = message.annotations?.[FILE_PATH] ?? 'a file';
    return { ...base, kind: 'files', files: [{ path, text: words }] };
  }
  const kinds = { ROLE_USER: 'user', ROLE_SYSTEM: 'system' } as const;
  const kind = kinds[message.role as keyof typeof kinds] ?? 'assistant';
  return { ...base, kind, text: words };
}

/** What was shown of a call when it was decided on, kept with it by the engine and by other clients of the service. */
const SHOWN = 'sgpt.com/tool-call-metadata';

function shownOf(text: string | undefined): { readonly preview?: Preview } {
  if (text === undefined) return {};
  try {
    const { display_message: message, diff } = JSON.parse(text) as {
      display_message?: { content?: unknown };
      diff?: unknown;
    };
    if (typeof message?.content !== 'string') return {};
    // What it was decided by is not kept, and not asked for again.
    const subject: Preview['subject'] = { kind: 'words', words: [], tier: 'read' };
    return { preview: { subject, header: message.content, ...(typeof diff === 'string' ? { diff } : {}) } };
  } catch {
    // SyntaxError: another program's notes.
    return {};
  }
}

function joinFiles(before: Item | undefined, item: Item): FilesItem | undefined {
  if (before?.kind !== 'files' || item.kind !== 'files') return undefined;
  const last = before.files.at(-1)!;
  const [first] = item.files;
  // A picture has its name in a block before it.
  if (before.message === item.message && last.path === first!.path)
    return { ...before, files: before.files.with(-1, { ...last, text: `${last.text}\n${first!.text}` }) };
  return { ...before, files: [...before.files, ...item.files] };
}

/** A call with its result. */
export function withResult(item: CallItem, result: ToolResult): CallItem {
  const { content, structured_content: structured, error } = result;
  const text =
    content ?? (structured ? JSON.stringify(plainValue(structured), null, 2) : (error?.message ?? ''));
  const outcome = { content: text.slice(0, RESULT_MAX), isError: error !== undefined };
  return { ...item, progress: '', call: { ...item.call, state: 'done', outcome } };
}

function plainStruct(struct: Struct | undefined): Record<string, unknown> {
  const entries = Object.entries(struct?.fields ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, plainValue(value)]));
}

function plainValue(value: WireValue): unknown {
  if (value.structValue) return plainStruct(value.structValue);
  if (value.listValue) return (value.listValue.values ?? []).map(plainValue);
  return value.stringValue ?? value.numberValue ?? value.boolValue ?? null;
}
