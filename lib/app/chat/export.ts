/** A chat as a file: Markdown for people, JSON for programs. */
import { fromStruct } from '../../ai/values.ts';
import type { Message } from '../../ai/wire.ts';
import { itemText } from '../../chat/item-text.ts';
import { itemsOf } from '../../chat/item.ts';
import type { Tab } from '../../chat/state.ts';

const HEADINGS: Readonly<Record<string, string>> = {
  user: 'You',
  assistant: 'Answer',
  thought: 'Thought',
  call: 'Tool',
  files: 'Files',
  system: 'System',
  error: 'Error',
  notice: 'Note',
};

/** All of a chat. */
export function exported({ title, chat, model }: Tab, messages: readonly Message[], isJson: boolean): string {
  if (isJson) {
    const plain = messages.map(({ name, role, model: by, blocks = [] }) => ({
      name,
      role: (role ?? '').replace('ROLE_', '').toLowerCase(),
      model: by ?? '',
      blocks: blocks.map(({ text, thought, tool_call: call, tool_result: result, image }) => ({
        ...(text === undefined ? {} : { text }),
        ...(thought === undefined ? {} : { thought }),
        ...(call
          ? { tool_call: { id: call.id, name: call.name, arguments: fromStruct(call.arguments) } }
          : {}),
        ...(result
          ? {
              tool_result: {
                id: result.tool_call_id,
                content: result.content ?? '',
                failed: Boolean(result.error),
              },
            }
          : {}),
        ...(image ? { image: { media_type: image.media_type } } : {}),
      })),
    }));
    return `${JSON.stringify({ name: chat, title, model: model.name, messages: plain }, null, 2)}\n`;
  }
  const parts = itemsOf(messages).map(item => `## ${HEADINGS[item.kind]}\n\n${itemText(item).trim()}\n`);
  return [`# ${title || chat}\n`, ...parts].join('\n');
}
