/** Chats and messages as people and programs read them. */
import type { Block, Chat, Message } from '../../ai/wire.ts';
import { fromStruct, fromTimestamp, fromValue } from '../../ai/values.ts';
import { PINNED } from '../../ai/compaction.ts';
import { shortName } from './chat-names.ts';

/** As other clients mark their favourites. */
export const PIN = 'sgpt.com/favorite';

export function isPinned({ labels = {} }: Chat): boolean {
  return labels[PIN] === 'true';
}

export function timeText(time: Chat['update_time']): string {
  return time ? new Date(fromTimestamp(time)).toISOString().replace(/\.\d+Z$/, 'Z') : '';
}

export function chatJson(chat: Chat): object {
  return {
    name: chat.name,
    title: chat.title ?? '',
    create_time: timeText(chat.create_time),
    update_time: timeText(chat.update_time),
    price: chat.price ?? 0,
    pinned: isPinned(chat),
    labels: chat.labels ?? {},
  };
}

const ROLES: Readonly<Record<string, string>> = {
  ROLE_SYSTEM: 'system',
  ROLE_USER: 'user',
  ROLE_ASSISTANT: 'assistant',
  ROLE_TOOL: 'tool',
};

/** Where the picture of a block stands as a file; '' where it is none. */
export type PictureFile = (message: Message, index: number) => string;

export function messageJson(message: Message, file: PictureFile): object {
  const blocks = (message.blocks ?? []).map(
    ({ text, thought, tool_call: call, tool_result: result, image }, at) => {
      if (text !== undefined) return { text };
      if (thought !== undefined) return { thought };
      if (call) return { tool_call: { id: call.id, name: call.name, arguments: fromStruct(call.arguments) } };
      if (image) {
        const { media_type, data, url = '' } = image;
        return { image: { media_type, bytes: data?.length ?? 0, path: file(message, at), url } };
      }
      const { content, structured_content: value, error } = result ?? {};
      const given = content ?? (value ? fromValue(value) : (error?.message ?? ''));
      return {
        tool_result: {
          id: result?.tool_call_id,
          name: result?.tool_name,
          content: given,
          failed: Boolean(error),
        },
      };
    },
  );
  return {
    name: message.name,
    pinned: Object.hasOwn(message.labels ?? {}, PINNED),
    role: ROLES[message.role ?? ''] ?? '',
    create_time: timeText(message.create_time),
    model: message.model ?? '',
    price: message.price ?? 0,
    failure: message.status?.message ?? null,
    blocks,
  };
}

/** A message as Markdown, under a heading that says whose it is; with its id where `withIds`. */
export function messageMarkdown(message: Message, file: PictureFile, withIds = false): string {
  const failed = message.status ? ` (failed: ${message.status.message ?? ''})` : '';
  const pinned = Object.hasOwn(message.labels ?? {}, PINNED) ? ' (pinned)' : '';
  const id = withIds ? ` ${messageId(message)}` : '';
  const blocks = message.blocks ?? [];
  const body = blocks.map((block, at) => blockText(block, file(message, at))).filter(Boolean);
  return `## ${ROLES[message.role ?? ''] ?? ''}${id}${pinned}${failed}\n\n${body.join('\n\n')}\n`;
}

export function chatTitle(chat: Chat): string {
  return `# ${chat.title || shortName(chat.name ?? '')}\n`;
}

/** The last part of its name. */
export function messageId({ name = '' }: Message): string {
  return name.replace(/^.*\//, '');
}

function blockText(
  { text, thought, tool_call: call, tool_result: result, image }: Block,
  picture: string,
): string {
  if (text !== undefined) return text;
  if (thought !== undefined) return thought === '' ? '' : thought.replace(/^/gm, '> ');
  if (call) return `\`${call.name} ${JSON.stringify(fromStruct(call.arguments))}\``;
  if (image) return `(a picture, ${image.media_type ?? ''}: ${picture || image.url || 'it is gone'})`;
  const content =
    result?.content ??
    (result?.structured_content
      ? JSON.stringify(fromValue(result.structured_content))
      : result?.error?.message);
  return content ? `    ${content.replaceAll('\n', '\n    ')}` : '';
}
